"""Vector loads of several terms of a reduction by one thread.

for steps along the row:
  neighbours[0..4] = operand[…]        (one load of 16 bytes)
  for neighbours: partial = combine(partial, …)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ...handles import BlockRV, LoopRV
from ...schedule import Schedule
from ..block_structure import Operand, shape_of
from .grid_threads import THREADS, VECTOR_BYTES, affine_groups

MOST_LANES = 4
"""Elements that one load brings, at most."""


def share_reduction(sch: Schedule, loops: Sequence[LoopRV], threads: int, copies: Copies) -> None:
    """Share the nested loops of a reduction among `threads` threads, neighbouring terms among neighbouring threads."""
    loops = list(loops)
    vector: list[LoopRV] = []
    if copies.lanes > 1:
        loops[-1], lanes = sch.split(loops[-1], [None, copies.lanes])
        vector.append(lanes)
    *others, last = affine_groups(sch, loops)
    steps, thread = sch.split(last, [None, threads])
    sch.reorder(thread, *others, steps, *vector)
    sch.bind(thread, THREADS)
    for copy in copies.blocks:
        sch.compute_at(copy, steps)
        sch.vectorize(sch.get_loops(copy)[-1])


class Copies:
    """The copies of a reduction's operands into registers that a thread fills in each step, created before other
    scheduling.

    Each copy has `lanes` terms. None means the number of terms of one load, if all threads have that many.
    """

    def __init__(self, sch: Schedule, block: BlockRV, threads: int, lanes: int | None = None) -> None:
        op = sch.block(block)
        self.lanes, moving = _plan(op, threads if lanes is None else 1)
        self.lanes = self.lanes if lanes is None else lanes
        buffers: list[SSAValue] = list(dict.fromkeys(o.op.buffer for o in moving)) if self.lanes > 1 else []
        names = [buffer.name_hint or "" for buffer in buffers]
        self.blocks = [sch.cache_read(block, name, loop.LOCAL) for name in names]


def lanes_of_terms(block: loop.BlockOp) -> int:
    """Return the number of terms of a reduction that a load brings."""
    return _plan(block, 1)[0]


def _plan(op: loop.BlockOp, threads: int) -> tuple[int, list[Operand]]:
    """Return the number of terms that a load brings, and the operands that are loaded so; 1 where that is not
    possible."""
    shape = shape_of(op)
    if shape is None or not shape.reduce:
        return 1, []
    along = shape.reduce[-1]
    extents = [extent for _, _, _, extent in op.iteration()]
    if not all(extents[a.position].is_constant for a in shape.reduce):
        return 1, []
    moving = [o for o in shape.operands if along.variable in o.variables]
    first: dict[SSAValue, Operand] = {}
    for o in moving:
        same = first.setdefault(o.op.buffer, o)
        if o.lane_stride(along.variable) != 1 or o.op.conditions or o.op.index != same.op.index:
            return 1, []
    if not moving or any(o.op.buffer in first and o not in moving for o in shape.operands):
        return 1, []
    lanes = min(MOST_LANES, *(VECTOR_BYTES // _bytes(o) for o in moving))
    terms = prod(a.extent for a in shape.reduce)
    while lanes > 1 and (along.extent % lanes or terms < threads * lanes):
        lanes //= 2
    return lanes, moving


def _bytes(operand: Operand) -> int:
    type_ = operand.op.buffer.type
    assert isinstance(type_, MemRefType)
    return numpy_dtype(type_.element_type).itemsize
