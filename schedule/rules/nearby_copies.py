"""Copies of operands, such as images with borders, that are made piece by piece where they are read.

A copy that is made as a whole passes through every cache that it does not fit, twice. Pieces of it use the same memory
again and again, which stays in the second cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.access import accesses_of, reads, writes
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import is_plain, shape_of
from .read_ahead import read_ahead
from .spatial import vectorize_row


def find_copies(sch: Schedule, block: BlockRV) -> list[BlockRV]:
    """The blocks that do nothing but copy what `block` reads, for it alone, and are to do so piece by piece."""
    found = [producer for producer in sch.get_producers(block) if _is_copy(sch.block(producer), sch.block(block))]
    return [copy for copy in found if decide("nearby", (False, True), True, block=copy)]


def _is_copy(writer: loop.BlockOp, reader: loop.BlockOp) -> bool:
    shape, written = shape_of(writer), writes(writer)
    if shape is None or shape.reduce or not is_plain(writer) or len(written) != 1 or len(reads(writer)) != 1:
        return False
    (buffer,) = written
    stores = [op for op in writer.body.block.ops if isinstance(op, loop.StoreOp)]
    if len(stores) != 1 or not isinstance(buffer.owner, loop.AllocOp):
        return False
    readers = {access.block for access in accesses_of(buffer)} - {writer}
    return readers == {reader} and isinstance(stores[0].value.owner, loop.LoadOp)


def copy_nearby(sch: Schedule, copies: Sequence[BlockRV], around: LoopRV, target: CpuTargetAttr) -> None:
    """Make the pieces of copies that an iteration of `around` reads at its beginning."""
    for copy in copies:
        sch.compute_at(copy, around)
        shape = shape_of(sch.block(copy))
        assert shape is not None
        vectorize_row(sch, copy, shape, target)
        read_ahead(sch, copy, target)
