"""Elementwise blocks that read an operand across its rows: transposes, changes between layouts, sums with a transposed
matrix.

    for tiles of a cache line by a cache line (parallel outside):
      for parts of a vector by a vector:
        for rows of the operand (unrolled): for lanes along them (vectorized): part[row, lane] = operand
        for rows of the result (unrolled): for lanes along them (vectorized): result = … part[lane, row] …

A part is read along the rows of the operand, transposed in vector registers, and written along the rows of the result.
A tile uses all elements of every line that it accesses, so that early eviction does no harm: rows whose length is a
power of two all share one set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import BlockArgument

from ...analysis.access import reads
from ...analysis.domain import is_opaque
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import Axis, Operand, Shape, element_bits, shape_of
from .placement import share_among_threads
from .tile_loops import loops_by_axis
from .tiles import NARROWEST

MOST_NEARBY = 2
"""The largest ratio of a part that holds neighbouring elements to one without."""


@dataclass(frozen=True)
class Transposition:
    """The two axes of a tile, and the operand that is transposed."""

    shape: Shape
    across: Axis
    """The axis along which the elements of the operand lie side by side."""
    along: Axis
    """The axis along which those of the result do."""
    operand: Operand
    lanes: int
    parts: int
    """Parts of a tile along either axis, where that is long enough."""

    def parts_along(self, axis: Axis) -> int:
        return min(self.parts, -(-axis.extent // self.lanes))


def plan_transposition(block: loop.BlockOp, target: CpuTargetAttr) -> Transposition | None:
    """Return the plan for a block that reads an operand across the rows that it writes; None for others."""
    shape = shape_of(block)
    if shape is None or shape.reduce or len(shape.spatial) < 2:
        return None
    along = shape.row_axis()
    if any(map(_is_loaded_from_anywhere, shape.operands)):
        return None  # such lanes are written out one by one, and a part in registers cannot be turned for them
    bits = element_bits(block)
    lanes = min(target.lanes(bits), target.vector_registers // 2)
    if along is None or along.position != len(shape.spatial) - 1 or min(lanes, along.extent) < NARROWEST:
        return None
    for operand in shape.operands:
        across = _axis_of_rows(operand, shape)
        if across is None or across is along or across.extent < NARROWEST or not _is_element(operand, along, shape):
            continue
        while lanes > min(along.extent, across.extent):
            lanes //= 2
        if not _is_read_nearby(operand, shape, (across, along), lanes):
            continue
        parts = max(1, target.line_bytes * 8 // (bits * lanes))
        return Transposition(shape, across, along, operand, lanes, parts)
    return None


def _is_loaded_from_anywhere(operand: Operand) -> bool:
    """Return whether an index of an operand is itself loaded."""
    values = [value for index in operand.op.index for value in index.values()]
    return any(not isinstance(value, BlockArgument) and is_opaque(value) for value in values)


def decided_transposition(plan: Transposition, target: CpuTargetAttr) -> Transposition:
    """Return the plan with the decided part and tile."""
    shape, block, tiled = plan.shape, plan.shape.block, (plan.across, plan.along)
    lanes = (
        n
        for n in (plan.lanes, plan.lanes // 2, plan.lanes // 4)
        if n >= NARROWEST and _is_read_nearby(plan.operand, shape, tiled, n)
    )
    return replace(
        plan,
        lanes=decide("transposition.lanes", lanes, plan.lanes, block=block),
        parts=decide("transposition.parts", (1, 2, 4, 8), plan.parts, block=block),
    )


def _axis_of_rows(operand: Operand, shape: Shape) -> Axis | None:
    """Return the axis of the block that runs along the rows of an operand."""
    if not operand.op.index or operand.op.conditions:
        return None
    return next((a for a in shape.spatial if operand.op.index[-1] == Index.of(a.variable)), None)


def _is_element(operand: Operand, along: Axis, shape: Shape) -> bool:
    """Return whether the operand is indexed by axes alone, one a dimension, and constants, `along` among them."""
    axes = {Index.of(a.variable) for a in shape.spatial}
    moving = [e for e in operand.op.index if not e.is_constant]
    return set(moving) <= axes and len(set(moving)) == len(moving) and Index.of(along.variable) in moving


def _is_read_nearby(operand: Operand, shape: Shape, tiled: Sequence[Axis], lanes: int) -> bool:
    """Return whether all reads of the operand's buffer lie at constant distances so small that they fit in the same
    part.

    The part holds the elements of all reads. An element at another index, such as a read of the transpose of the same
    buffer, has no position in it that is known while compiling.
    """
    moving = {Index.of(a.variable) for a in tiled}
    extents = [lanes if e in moving else 1 for e in operand.op.index]
    alone = prod(extents)
    reads = [o.op.index for o in shape.operands if o.op.buffer is operand.op.buffer]
    for dimension, index_here in enumerate(operand.op.index):
        distances = [index[dimension] - index_here for index in reads]
        if not all(d.is_constant for d in distances):
            return False
        extents[dimension] += max(d.constant for d in distances) - min(d.constant for d in distances)
    return prod(extents) <= MOST_NEARBY * alone


def schedule_transposition(sch: Schedule, block: BlockRV, plan: Transposition, target: CpuTargetAttr) -> None:
    """Apply a plan. Axes that are not tiled stay outside, in their order."""
    outer = arrange_tiles(sch, block, plan)
    others = [a for a in plan.shape.spatial if a not in (plan.across, plan.along)]
    tiles = [-(-a.extent // (plan.parts_along(a) * plan.lanes)) for a in (plan.across, plan.along)]
    counts = [*(a.extent for a in others), *tiles]
    share_among_threads(sch, block, outer, counts, plan.shape.points, target)


def arrange_tiles(sch: Schedule, block: BlockRV, plan: Transposition, depth: int = 0) -> list[LoopRV]:
    """Tile the loops around a block below the first `depth`. Returns the loops over tiles and untiled axes, in
    order."""
    op = sch.block(block)
    part = sch.cache_read(block, reads(op).index(plan.operand.op.buffer), loop.REGISTER)
    below = loops_by_axis(sch, block, depth)
    tiled = [below.pop(a.position) for a in (plan.across, plan.along)]
    outer = [*below.values()]
    inner: list[list[LoopRV]] = []
    for axis, handle in zip((plan.across, plan.along), tiled, strict=True):
        first, *rest = sch.split(handle, [None, plan.parts_along(axis), plan.lanes])
        outer.append(first)
        inner.append(rest)
    (down, row), (right, lanes) = inner
    sch.reorder(*outer, down, right, row, lanes)
    sch.compute_at(part, right)
    for handle, vector in ((block, lanes), (part, sch.get_loops(part)[-1])):
        for unrolled in sch.get_loops(handle)[depth + len(outer) + 2 : -1]:
            sch.unroll(unrolled)
        sch.vectorize(vector)
    return outer
