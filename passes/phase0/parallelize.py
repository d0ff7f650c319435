"""Pass `parallelize`: runs outermost loops in parallel."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.dependence import carried
from ...diagnostics.locations import name_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...ir.rewrites import may_rewrite
from ...schedule import Schedule
from ...schedule.handles import LoopRV
from ..framework.base import Level, Pass
from ..shared.scheduling import schedules


@dataclass(frozen=True)
class ParallelizePass(Pass):
    """Make the outermost loop of each nest parallel where no dependence forbids it.

    ```mlir
    loop.for %i = 0 to 64 { … }
    ```
    becomes
    ```mlir
    loop.for %i = 0 to 64 kind parallel { … }
    ```
    A loop of one iteration is passed by for the one inside it. Loops shorter than `least` iterations stay serial.
    """

    name = "parallelize"
    phase = 0
    levels = (Level.BLOCK,)

    least: int = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for schedule, _ in schedules(op):
            for handle in schedule.get_child_loops():
                self._parallelize(schedule, handle)

    def _parallelize(self, schedule: Schedule, outermost: LoopRV) -> None:
        chosen = _first_worthwhile(schedule, outermost, self.least)
        if chosen is None:
            reason = f"no serial loop of its nest has {self.least} iterations or more"
            _remark_missed(schedule.loop(outermost), reason)
            return
        op = schedule.loop(chosen)
        conflict = carried(op)
        if conflict is not None:
            _remark_missed(op, conflict.of_iterations())
            return
        if not may_rewrite("run in parallel", op):
            return
        schedule.parallel(chosen)
        remark("TW0220", lambda: f"loop {name_of(op.induction_variable)} runs in parallel", op=op, kind="passed")


def _remark_missed(op: loop.ForOp, reason: str) -> None:
    remark("TW0221", f"loop {name_of(op.induction_variable)} stays serial: {reason}", op=op)


def _first_worthwhile(schedule: Schedule, handle: LoopRV, least: int) -> LoopRV | None:
    """Return the outermost serial loop from `handle` inwards with at least `least` iterations."""
    current: LoopRV | None = handle
    while current is not None and schedule.loop(current).kind == loop.SERIAL:
        trips = schedule.loop(current).constant_trip_count
        if trips is None or trips >= least:
            return current
        children = schedule.get_child_loops(current)
        current = children[0] if len(children) == 1 else None
    return None
