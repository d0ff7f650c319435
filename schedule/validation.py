"""Proofs of the calls of a schedule: the functions before and after a call compute the same, for all sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.dialects.func import FuncOp

from ..analysis.equivalence import DEFAULT, EXACT, Algebra, Budget, Refuted
from ..diagnostics import TilewrightError, fail

if TYPE_CHECKING:
    from ..semantics.proving import Judgement
    from .engine import Engine

SYMBOLIC = "symbolic"
"""The value of `validate` with which `Schedule` proves its calls."""

_REFUTED, _NOT_PROVED = "TW0474", "TW0475"


@dataclass(frozen=True)
class ProvedCall:
    """A call that changed the function, and the verdict on the equality of the results."""

    method: str
    judgement: Judgement


@dataclass
class CallProofs:
    """The proofs of a schedule's calls. `budget` bounds each of them."""

    budget: Budget = DEFAULT
    calls: list[ProvedCall] = field(default_factory=list[ProvedCall])

    def before(self, schedule: Engine) -> Snapshot:
        """Return the state with which the next call is compared."""
        return Snapshot(self, schedule, schedule.func.clone(), schedule.algebra)


class Snapshot:
    """The state of a schedule before a call."""

    def __init__(self, proofs: CallProofs, schedule: Engine, function: FuncOp, algebra: Algebra) -> None:
        self._proofs = proofs
        self._schedule = schedule
        self._function = function
        self._algebra = algebra
        self._handles = schedule.handles
        schedule.algebra = EXACT  # so that the algebra of this call is known alone

    def restore_algebra(self) -> None:
        """Let the schedule know the algebra of all calls again."""
        self._schedule.algebra = self._algebra | self._schedule.algebra

    def check(self, method: str) -> None:
        """Prove that the call of `method` kept the results of the function.

        Raises TilewrightError TW0474 if it did not; handles then refer to the same operations as before the call. If no
        proof is found, remark TW0475 states the reason.
        """
        before, after, algebra = self._function, self._schedule.func, self._schedule.algebra
        if str(before) == str(after):
            return
        from ..semantics.proving import account, expressions, prove, report, save_pair

        judgement = prove(before, after, algebra, self._proofs.budget)
        self._proofs.calls.append(ProvedCall(method, judgement))
        is_shown = judgement.lacks_axiom or isinstance(judgement.verdict, Refuted)
        saved = save_pair(before, after, algebra) if is_shown else ""
        if isinstance(judgement.verdict, Refuted):
            self._schedule.handles = self._handles
            message = f"{method}: it changes what @{after.sym_name.data} computes: {account(judgement.verdict, before)}"
            notes = [*expressions(judgement.verdict), judgement.evidence, saved]
            raise TilewrightError(_REFUTED, message, notes=notes)
        report(judgement, _NOT_PROVED, f"@{after.sym_name.data} after {method}", before, after, saved)


def proofs_for(validate: str | None) -> CallProofs | None:
    """Return the proofs that `Schedule(validate=...)` asks for. Raises TilewrightError TW0403."""
    if validate is None:
        return None
    if validate != SYMBOLIC:
        fail("TW0403", f"expected validate to be None or {SYMBOLIC!r}, but got {validate!r}")
    return CallProofs()
