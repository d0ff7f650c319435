"""Operands, such as images with borders, that are computed piece by piece where they are read.

A copy of a whole operand is written to and read from memory beyond every cache that it exceeds. Pieces of the copy
reuse the same memory, which stays in the second cache. An operand that is computed rather than copied is divided into
pieces only if no piece is computed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import SSAValue

from ...analysis.access import accesses_of, reads, writes
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import Axis, is_plain, shape_of
from .coefficients import CHUNK_FIRST_LEVEL
from .read_ahead import read_ahead
from .spatial import vectorize_row

LEAST_PARTS = 2
"""The fewest parts of an operand that are worth separate loops."""


def find_copies(sch: Schedule, block: BlockRV) -> list[BlockRV]:
    """Return the blocks that only copy inputs of `block`, for it alone, and are to copy piece by piece."""
    found = [producer for producer in sch.get_producers(block) if _is_copy(sch.block(producer), sch.block(block))]
    return [copy for copy in found if decide("nearby", (False, True), True, block=copy)]


def find_parts(sch: Schedule, block: BlockRV, around: Sequence[Axis], target: CpuTargetAttr) -> list[BlockRV]:
    """Return the elementwise blocks that compute inputs of `block` for it alone: each element for one iteration of the
    axes `around`, and no more elements than the first cache holds. There is an iteration for each thread."""
    reader = sch.block(block)
    shape, count = shape_of(reader), prod(axis.extent for axis in around)
    if shape is None or count < max(target.threads, LEAST_PARTS):
        return []
    found: list[BlockRV] = []
    for producer in sch.get_producers(block):
        if (buffer := _written_for(sch.block(producer), reader)) is None:
            continue
        reads_of = [o for o in shape.operands if o.op.buffer is buffer]
        along = [o.op.index for o in reads_of]
        disjoint = all(
            any(e.single_value is a.variable for e in index) for index in along for a in around if a.extent > 1
        )
        is_near = max(o.bytes for o in reads_of) <= count * target.caches[0] * CHUNK_FIRST_LEVEL
        if disjoint and is_near and decide("nearby", (False, True), True, block=producer):
            found.append(producer)
    return found


def _written_for(writer: loop.BlockOp, reader: loop.BlockOp) -> SSAValue | None:
    """Return the buffer that an elementwise block fills for `reader` alone."""
    shape, written = shape_of(writer), writes(writer)
    if shape is None or shape.reduce or not is_plain(writer) or len(written) != 1:
        return None
    (buffer,) = written
    readers = {access.block for access in accesses_of(buffer)} - {writer}
    return buffer if isinstance(buffer.owner, loop.AllocOp) and readers == {reader} else None


def _is_copy(writer: loop.BlockOp, reader: loop.BlockOp) -> bool:
    if _written_for(writer, reader) is None or len(reads(writer)) != 1:
        return False
    stores = [op for op in writer.body.block.ops if isinstance(op, loop.StoreOp)]
    return len(stores) == 1 and isinstance(stores[0].value.owner, loop.LoadOp)


def copy_nearby(sch: Schedule, copies: Sequence[BlockRV], around: LoopRV, target: CpuTargetAttr) -> None:
    """Make the pieces of operands that an iteration of `around` reads at its beginning."""
    for copy in copies:
        sch.compute_at(copy, around)
        shape = shape_of(sch.block(copy))
        assert shape is not None
        vectorize_row(sch, copy, shape, target)
        read_ahead(sch, copy, target)
