"""Schedule rules: their form, the search for the first rule that fits, and the removal of a refused rule.

A rule is a function of a schedule, a block and the target. It inspects the block's axes and accesses, never operators
or names. A rule that fits schedules the block, together with blocks that belong to it, and returns all of these. A rule
that does not fit returns None and changes nothing.

Builtin rules are `PlannedRule`s of three steps. The plan states whether the rule fits, and the numbers that its
formulas choose; decisions may replace these numbers (`schedule.decisions`); then the block is scheduled. Plans are also
made for rules that are not used. So decisions are asked only in the second and the third step, which run only for the
rule that schedules the block. The choice among the rules that fit is a decision too.

If the engine refuses a primitive of a rule, the function is half scheduled. If a rule indexes registers by a value that
is not constant, the function does not compile. In both cases `first_fitting` raises `RefusedRuleError`, and the caller
starts again on a fresh copy, without that rule for that block.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from ...analysis.access import blocks_in
from ...diagnostics import TilewrightError, fail
from ...diagnostics.remarks import collect_remarks
from ...dialects import loop
from ...dialects.target import CpuTargetAttr, CudaTargetAttr
from ..decisions import MISFIT, decide, is_deciding, undecided
from ..loop_rewriting import ARRANGED
from ..schedule import Schedule
from .register_positions import check_registers

BAD_RULE = "TW0237"
REFUSED = "TW0409"

Target = TypeVar("Target", CpuTargetAttr, CudaTargetAttr)
In = TypeVar("In", CpuTargetAttr, CudaTargetAttr, contravariant=True)
P = TypeVar("P")

RULE, USER_RULE, CHAIN = "rule", "user_rule", "chain"
"""Decisions: the rule for a block, of those of users, and of those for chains of blocks."""


class Rule(Protocol[In]):
    """A function that schedules blocks of one structure."""

    @property
    def __name__(self) -> str: ...

    def __call__(self, sch: Schedule, op: loop.BlockOp, target: In, /) -> Collection[loop.BlockOp] | None:
        """Return the blocks that the rule scheduled, `op` among them; None, and nothing changed, where it does not
        fit."""
        ...


def _as_planned(plan: P, target: object, /) -> P:
    return plan


def _always(plan: object, target: object, /) -> bool:
    return True


@dataclass(frozen=True)
class PlannedRule(Generic[Target, P]):
    """A rule of three steps: plan, decisions, scheduling."""

    name: str
    plan: Callable[[Schedule, loop.BlockOp, Target], P | None]
    """Gives the choice of the rule's formulas for a block, None where it does not fit; changes and decides nothing."""
    schedule: Callable[[Schedule, loop.BlockOp, P, Target], Collection[loop.BlockOp]]
    """Applies a plan; returns the scheduled blocks."""
    decided: Callable[[P, Target], P] = _as_planned
    """Gives the plan as decisions have it."""
    pays: Callable[[P, Target], bool] = _always
    """Returns whether a plan pays. A rule whose plan does not pay is a candidate, but never the default."""

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, sch: Schedule, op: loop.BlockOp, target: Target, /) -> Collection[loop.BlockOp] | None:
        plan = self.plan(sch, op, target)
        if plan is None or not self.pays(plan, target):
            return None
        return self.schedule(sch, op, self.decided(plan, target), target)

    def is_default(self, sch: Schedule, op: loop.BlockOp, target: Target) -> bool | None:
        """Return whether the rule pays for a block; None where it does not fit."""
        plan = self.plan(sch, op, target)
        return None if plan is None else self.pays(plan, target)


class Refused(NamedTuple):
    """A rule that the engine refused for a block."""

    label: str
    rule: str


class RefusedRuleError(Exception):
    """The engine refused a primitive of a rule; the function is half scheduled."""

    def __init__(self, refused: Refused, error: TilewrightError) -> None:
        super().__init__(f"rule {refused.rule} for block '{refused.label}': {error.message}")
        self.refused = refused
        self.error = error


def first_fitting(
    sch: Schedule,
    op: loop.BlockOp,
    target: Target,
    rules: Sequence[Rule[Target]],
    without: Collection[Refused] = (),
    *,
    decision: str = RULE,
) -> Collection[loop.BlockOp]:
    """Apply the first rule that fits a block, without those in `without`; returns the blocks that it scheduled.

    `decision` is the name of the choice among those that fit, None being a candidate too: then none is applied.

    Raises RefusedRuleError where the engine refuses a primitive of the rule, and where the rule keeps elements in CPU
    registers, which have no addresses, at positions that are not constant; TilewrightError TW0237 for a user rule that
    returns another value than a rule may return.
    """
    if ARRANGED in op.attributes:
        return ()
    arranged = [block for block in blocks_in(sch.func) if ARRANGED in block.attributes]
    rules = [rule for rule in rules if Refused(op.label, _name(rule)) not in without]
    for rule in _chosen(sch, op, target, rules, decision) if is_deciding() else rules:
        try:
            taken = rule(sch, op, target)
            if taken is not None and target.core is not None:
                check_registers(taken)
            if taken is not None and any(block in arranged for block in taken):
                fail(REFUSED, "the rule arranges a block that a schedule has arranged already", op=op)
        except TilewrightError as error:
            if error.code in (BAD_RULE, MISFIT):
                raise
            raise RefusedRuleError(Refused(op.label, _name(rule)), error) from error
        if taken is not None:
            return taken
    return ()


def _name(rule: Rule[Target]) -> str:
    return rule.__name__.strip("_")


def _chosen(
    sch: Schedule, op: loop.BlockOp, target: Target, rules: Sequence[Rule[Target]], decision: str
) -> Sequence[Rule[Target]]:
    """Return the rule that a decision takes of those that fit a block; none where it takes none."""
    found = {_name(rule): (rule, _is_default(rule, sch, op, target)) for rule in rules}
    fitting = {name: rule for name, (rule, pays) in found.items() if pays is not None}
    if not fitting:
        return ()
    default = next((name for name in fitting if found[name][1]), None)
    name = decide(decision, [*fitting, None], default, block=op, changes_sums="reduce" in op.kinds)
    if name is None:
        return ()
    rule = fitting[name]
    return (replace(rule, pays=_always) if isinstance(rule, PlannedRule) else rule,)


def _is_default(rule: Rule[Target], sch: Schedule, op: loop.BlockOp, target: Target) -> bool | None:
    """Return whether a rule would schedule a block if it came first; None where it does not fit.

    A function is tried on a copy; one that the engine refuses fits too.
    """
    if isinstance(rule, PlannedRule):
        return rule.is_default(sch, op, target)
    trial = Schedule(sch.func.clone())
    with undecided(), collect_remarks():
        try:
            return None if rule(trial, trial.block(trial.get_block(op.label)), target) is None else True
        except TilewrightError as error:
            if error.code == BAD_RULE:
                raise
            return True
