"""Default schedules for every function that nobody scheduled."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around
from ...diagnostics import TilewrightError
from ...diagnostics.remarks import remark, remarks_wanted
from ...dialects import loop
from ...dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ...schedule.rules import schedule_by_rule
from ...schedule.rules.reasons import why_no_vector
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite
from .scheduling import SCHEDULED

_KINDS = (loop.PARALLEL, loop.VECTORIZED, loop.UNROLLED)


@dataclass(frozen=True)
class AutoSchedulePass(Pass):
    """Schedule every function with blocks by the default rules, unless a schedule has arranged it.

    ```mlir
    loop.for %i = 0 to 64 { loop.for %j = 0 to 64 { loop.for %k = 0 to 64 { loop.block "C" … } } }
    ```
    becomes a nest of tiles whose accumulators are in registers, its outer loops parallel, its lanes vectorized.
    Needs a module with `tw.target`; without a target nothing is done. Sizes that are known only when the program is
    called are taken to be long. Grants loop kinds for phase 2.
    A rule that the engine refuses leaves its function as it was, with a remark.
    """

    name = "auto-schedule"
    phase = 0
    levels = (Level.BLOCK,)
    reassociates = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = op.attributes.get(TARGET_ATTRIBUTE)
        if not isinstance(target, CpuTargetAttr):
            return
        for function in list(op.ops):
            if isinstance(function, FuncOp) and SCHEDULED not in function.attributes and blocks_in(function):
                _schedule(function, target)


def _schedule(function: FuncOp, target: CpuTargetAttr) -> None:
    attempt = function.clone()
    try:
        schedule_by_rule(attempt, target)
    except TilewrightError as error:
        remark("TW0409", f"default schedule of @{function.sym_name.data} refused: {error.message}", op=function)
        return
    if not may_rewrite("schedule", function):
        return
    if remarks_wanted():
        _tell(function, attempt, target)
    attempt.attributes[SCHEDULED] = UnitAttr()
    block = function.parent
    assert block is not None
    block.insert_op_before(attempt, function)
    block.erase_op(function)


def _tell(before: FuncOp, after: FuncOp, target: CpuTargetAttr) -> None:
    """Say of each block what its loops are to become, and why none is a vector."""
    scheduled = {block.label: block for block in blocks_in(after)}
    for block in blocks_in(before):
        loops = loops_around(scheduled[block.label]) if block.label in scheduled else []
        kinds = [kind for kind in _KINDS if any(op.kind == kind for op in loops)]
        if kinds:
            words = ", ".join(kind.kind.data for kind in kinds)
            remark("TW0220", f"block '{block.label}' gets loops of the kinds {words}", op=block, kind="passed")
        if loop.VECTORIZED not in kinds:
            reason = why_no_vector(block, target)
            remark("TW0510", f"no loop of block '{block.label}' is to be vectorised: {reason}", op=block)
