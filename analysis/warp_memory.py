"""Memory of warps: the dimensions that number the warps of a block, and the loop over their lanes."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialects.index_expr import Index
from ..dialects.loop import (
    LANE_AXIS,
    LANES,
    CallExternOp,
    ForOp,
    LoadOp,
    StoreOp,
    enclosing,
    is_over_threads,
)
from .domain import resolve


def loop_over_lanes(op: Operation) -> ForOp | None:
    """Return the loop over the lanes of warps around an operation."""
    around = (p for p in enclosing(op, ForOp) if isinstance(p, ForOp))
    return next((p for p in around if p.kind.tag.data == LANE_AXIS), None)


def is_of_warps(buffer: SSAValue, dimension: int) -> bool:
    """Return whether a dimension is indexed by the number of a warp: a thread number along an axis without lanes.

    All accesses give the same such number.
    """
    found = _accessed_at(buffer, dimension)
    if len(found) != 1:
        return False
    (value,) = (e.single_value for e in found)
    around = value.owner.parent_op() if value is not None and not isinstance(value.owner, Operation) else None
    return isinstance(around, ForOp) and is_over_threads(around) and around.kind.tag.data != LANE_AXIS


def is_warp_of_row(buffer: SSAValue, dimension: int) -> bool:
    """Return whether a dimension is indexed by the number of a warp along the axis of lanes, by all accesses."""
    found = _accessed_at(buffer, dimension)
    variables = {v for e in found for v in e.values()}
    if len(variables) != 1 or not isinstance(variable := variables.pop(), BlockArgument):
        return False
    around = variable.block.parent_op()
    is_lane = isinstance(around, ForOp) and is_over_threads(around) and around.kind.tag.data == LANE_AXIS
    return is_lane and found == {Index.of(variable) // LANES}


def _accessed_at(buffer: SSAValue, dimension: int) -> set[Index]:
    """Return the indices of all accesses in a dimension."""
    found: set[Index] = set()
    for use in buffer.uses:
        match use.operation:
            case LoadOp() | StoreOp() as access:
                found.add(resolve(access.index[dimension]))
            case CallExternOp() as call:
                found |= {resolve(a.index[dimension]) for _, a in call.accesses if a.buffer is buffer}
            case other:
                raise AssertionError(f"expected accesses of memory of a warp, but got {other.name}")
    return found
