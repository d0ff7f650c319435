"""Default schedules: for each block the first rule that its structure fits.

Rules look at axes and accesses, never at operators or names, and speak to the engine like any user.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.reduction import reduction_of
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..schedule import Schedule
from .contraction import find_epilogue, plan_contraction, schedule_contraction
from .inner_reduction import schedule_inner_reduction
from .spatial import schedule_spatial
from .structure import shape_of

__all__ = ["schedule_by_rule"]


def schedule_by_rule(function: FuncOp, target: CpuTargetAttr) -> Schedule:
    """Schedule every block of `function` in place and return the schedule with its trace.

    Blocks of symbolic extents stay as they are.
    """
    sch = Schedule(function)
    done: set[loop.BlockOp] = set()
    blocks = blocks_in(function)
    for op in sorted(blocks, key=lambda b: reduction_of(b) is None):
        if op in done or shape_of(op) is None:
            continue
        done |= _schedule_block(sch, op, target)
    return sch


def _schedule_block(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> set[loop.BlockOp]:
    """Apply the first rule that fits; the blocks that it took care of."""
    shape = shape_of(op)
    assert shape is not None
    handle = sch.get_block(op.label)
    if not shape.reduce:
        schedule_spatial(sch, handle, shape, target)
        return {op}
    plan = plan_contraction(op, target)
    if plan is not None:
        epilogue = find_epilogue(sch, handle)
        taken = {op} if epilogue is None else {op, sch.block(epilogue)}
        schedule_contraction(sch, handle, plan, target)
        return taken
    if reduction_of(op) is not None:
        schedule_inner_reduction(sch, handle, shape, target)
    return {op}
