"""What a rule is, how the first one that fits is found, and how one is left out.

A rule is a function of a schedule, a block and the target. It looks at the block's axes and accesses, never at
operators or names; where they fit, it schedules the block, and those that go along with it, and returns all of these;
where they do not, it returns None and has changed nothing.

A rule whose primitives the engine refuses leaves a function half scheduled, and one that keeps an element in registers
which no emitter can name leaves one that does not compile. `first_fitting` then raises `RefusedRuleError`, and the
caller starts over on a fresh copy without that rule for that block.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol, TypeVar

from ...analysis.access import blocks_in
from ...diagnostics import TilewrightError, fail
from ...dialects import loop
from ...dialects.target import CpuTargetAttr, CudaTargetAttr
from ..decisions import MISFIT
from ..loop_rewriting import ARRANGED
from ..schedule import Schedule
from .register_positions import check_registers

BAD_RULE = "TW0237"
REFUSED = "TW0409"

Target = TypeVar("Target", CpuTargetAttr, CudaTargetAttr)
In = TypeVar("In", CpuTargetAttr, CudaTargetAttr, contravariant=True)


class Rule(Protocol[In]):
    """Schedules a block whose structure it knows."""

    __name__: str

    def __call__(self, sch: Schedule, op: loop.BlockOp, target: In, /) -> Collection[loop.BlockOp] | None:
        """The blocks that the rule took care of, `op` among them; None, and nothing changed, where it does not fit."""
        ...


class Refused(NamedTuple):
    """A rule that the engine refused for a block."""

    label: str
    rule: str


class RefusedRuleError(Exception):
    """A rule asked for what the engine refuses; the function is half scheduled."""

    def __init__(self, refused: Refused, error: TilewrightError) -> None:
        super().__init__(f"rule {refused.rule} for block '{refused.label}': {error.message}")
        self.refused = refused
        self.error = error


def first_fitting(
    sch: Schedule, op: loop.BlockOp, target: Target, rules: Sequence[Rule[Target]], without: Collection[Refused] = ()
) -> Collection[loop.BlockOp]:
    """Apply the first of the rules that fits a block, but for those to do `without`; the blocks that it took care of.

    Raises RefusedRuleError where the engine refuses what the rule asks for, and where the CPU, whose registers have no
    addresses, cannot access what the rule keeps in them; TilewrightError TW0237 for a rule of a user that gives
    something else than a rule may give.
    """
    if ARRANGED in op.attributes:
        return ()
    arranged = [block for block in blocks_in(sch.func) if ARRANGED in block.attributes]
    for rule in rules:
        refused = Refused(op.label, rule.__name__.strip("_"))
        if refused in without:
            continue
        try:
            taken = rule(sch, op, target)
            if taken is not None and target.core is not None:
                check_registers(taken)
            if taken is not None and any(block in arranged for block in taken):
                fail(REFUSED, "the rule arranges a block that a schedule has arranged already", op=op)
        except TilewrightError as error:
            if error.code in (BAD_RULE, MISFIT):
                raise
            raise RefusedRuleError(refused, error) from error
        if taken is not None:
            return taken
    return ()
