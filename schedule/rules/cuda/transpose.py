"""Blocks that read an operand across the rows that they write: transposes, changes between layouts.

    for tiles of 32 x 32 (blockIdx.x):
      for parts of the tile (threadIdx.y), for elements along a row of the operand (threadIdx.x): tile = operand
      for parts of the tile (threadIdx.y), for elements along a row of the result (threadIdx.x): result = … tile …

A tile is read into shared memory along the rows of the operand, and written from there along the rows of the result, so
that in both directions the threads of a warp access one line. The stride of the tile's rows is 33 elements, so that the
elements of a column are in 32 different banks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....analysis.access import reads
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.index_expr import Index
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV, LoopRV
from ...schedule import Schedule
from ..block_structure import Axis, Operand, Shape, is_plain, shape_of
from .grid_threads import THREADS, THREADS_Y, USUAL_THREADS, bind_rows, is_free
from .spatial import nest_of

BANKS = 32
"""Of shared memory, and elements along the edge of a tile."""

NARROWEST = 16
"""The shortest axis; a shorter one leaves most of a tile empty."""


@dataclass(frozen=True)
class Transposition:
    """The two axes of a tile, and the operand that is transposed."""

    shape: Shape
    across: Axis
    """The axis along which the elements of the operand lie side by side."""
    along: Axis
    """The axis along which those of the result do."""
    operand: Operand

    @property
    def dimension(self) -> int:
        """The dimension of the operand that `along` counts."""
        return self.operand.op.index.index(Index.of(self.along.variable))


def schedule_transposition(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Turn tiles of an operand in shared memory."""
    plan = plan_transposition(op)
    if plan is None:
        return None
    remark("TW0646", lambda: f"block '{op.label}' turns tiles of {BANKS} x {BANKS}", op=op, kind="analysis")
    block = sch.get_block(op.label)
    part = sch.cache_read(block, reads(op).index(plan.operand.op.buffer), loop.SHARED)
    loops = sch.get_loops(block)
    outer = [loops[a.position] for a in plan.shape.spatial if a not in (plan.across, plan.along)]
    inner: list[LoopRV] = []
    for axis in (plan.across, plan.along):
        tile, rest = sch.split(loops[axis.position], [None, BANKS])
        outer.append(tile)
        inner.append(rest)
    sch.reorder(*outer, *inner)
    row = bind_rows(sch, outer)
    depth = len(sch.get_loops(block)) - len(inner)
    sch.compute_at(part, row)
    sch.storage_align(part, 0, plan.dimension, BANKS, 1)
    for handle in (block, part):
        _share(sch, handle, depth, target)
    return [op]


def _share(sch: Schedule, block: BlockRV, depth: int, target: CudaTargetAttr) -> None:
    """Share a tile among threads, whose neighbours touch neighbours along its inner loop."""
    down, right = sch.get_loops(block)[depth:]
    steps, part = sch.split(down, [None, min(USUAL_THREADS, target.max_threads) // BANKS])
    sch.reorder(part, right, steps)
    sch.bind(part, THREADS_Y)
    sch.bind(right, THREADS)


def plan_transposition(op: loop.BlockOp) -> Transposition | None:
    """Return the plan for a block that reads an operand across the rows that it writes; None for others."""
    shape = shape_of(op)
    if shape is None or shape.reduce or not is_plain(op) or not is_free(op) or nest_of(op) != [op]:
        return None
    along = shape.row_axis()
    if along is None or along.position != len(shape.spatial) - 1 or along.extent < NARROWEST:
        return None
    for operand in shape.operands:
        across = next((a for a in shape.spatial if operand.op.index[-1:] == (Index.of(a.variable),)), None)
        is_turned = across is not None and across is not along and _is_element(operand, along)
        is_alone = [o.op.buffer for o in shape.operands].count(operand.op.buffer) == 1
        if across is not None and is_turned and is_alone and across.extent >= NARROWEST:
            return Transposition(shape, across, along, operand)
    return None


def _is_element(operand: Operand, along: Axis) -> bool:
    """Return whether the operand is indexed by axes alone, one a dimension, and constants, `along` among them."""
    moving = [e for e in operand.op.index if not e.is_constant]
    variables = [v for e in moving for v in e.values() if e == Index.of(v)]
    return not operand.op.conditions and len(set(variables)) == len(moving) and along.variable in variables
