"""Fusion at loop level: neighbouring loops over the same iterations become one.

Fusion improves locality: an element that both loops access is still in the cache at the second access. Fusion must not
serialize iterations. So two loops without carried dependences are merged only if the merged loop has none, and a loop
without them is never merged with a loop that has some.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....analysis.access import accesses_in
from ....analysis.dependence import carried, carried_by_merging
from ....diagnostics import TilewrightError
from ....diagnostics.locations import name_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....ir.rewrites import may_rewrite
from ....schedule import Schedule
from ....schedule.handles import LoopRV
from ....schedule.primitives.merge import has_equal_bounds, is_movable
from ...shared.scheduling import SCHEDULED


def fuse_loops(module: ModuleOp) -> None:
    """Merge neighbouring loops, from the outermost inwards, in every function that no schedule has arranged."""
    for function in module.ops:
        if isinstance(function, FuncOp) and function.body.blocks and SCHEDULED not in function.attributes:
            _fuse_children(Schedule(function), None)


def _fuse_children(schedule: Schedule, parent: LoopRV | None) -> None:
    current: LoopRV | None = None
    for handle in schedule.get_child_loops(parent):
        merged = None if current is None else _merged(schedule, current, handle)
        if merged is None and current is not None:
            _fuse_children(schedule, current)
        current = merged or handle
    if current is not None:
        _fuse_children(schedule, current)


def _merged(schedule: Schedule, first: LoopRV, second: LoopRV) -> LoopRV | None:
    """Merge the two loops, where that is legal and pays; None where it is not done."""
    loops = schedule.loop(first), schedule.loop(second)
    if not _are_alike(*loops) or not _share_a_buffer(*loops):
        return None
    names = " and ".join(name_of(op.induction_variable) for op in loops)
    obstacle = _obstacle(*loops)
    if obstacle is None and not may_rewrite("merge", loops[0]):
        return None
    if obstacle is None:
        try:
            merged = schedule.merge(first, second)
        except TilewrightError as error:
            obstacle = error.message
        else:
            remark("TW0220", f"loops {names} are fused", op=schedule.loop(merged), kind="passed")
            return merged
    remark("TW0221", f"loops {names} are not fused: {obstacle}", op=loops[1])
    return None


def _obstacle(first: loop.ForOp, second: loop.ForOp) -> str | None:
    """Return the reason why merging two loops does not pay; None where it does."""
    is_parallel = carried(first) is None
    if is_parallel != (carried(second) is None):
        return "the iterations of one depend on one another, those of the other do not"
    if is_parallel and carried_by_merging(first, second) is not None:
        return "iterations that are independent would depend on one another"
    return None


def _are_alike(first: loop.ForOp, second: loop.ForOp) -> bool:
    """Return whether two loops are adjacent and have the same form, a cheap test before the dependences."""
    if any(op.kind != loop.SERIAL or op.iter_args for op in (first, second)):
        return False
    between = first.next_op
    while between is not second and between is not None and is_movable(between):
        between = between.next_op
    return between is second and has_equal_bounds(first, second)


def _share_a_buffer(first: loop.ForOp, second: loop.ForOp) -> bool:
    return not {a.buffer for a in accesses_in(first)}.isdisjoint(a.buffer for a in accesses_in(second))
