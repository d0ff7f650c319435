"""Shared memory of a GPU's blocks: the buffers of a nest in this memory space, and their total size in bytes."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import Operation

from ..dialects.dtypes import numpy_dtype
from ..dialects.loop import SHARED, AllocOp, ForOp, is_of_threads, scope_of
from ..dialects.loop.swizzles import swizzle_of
from ..hardware import BLOCK_INDEX, SWIZZLE_PERIOD_BYTES, THREAD_ACCESS_BYTES


def buffers_of_one_block(nest: Operation) -> list[AllocOp]:
    """Return the buffers before the nest of a block that only the threads of the block share."""
    if any(isinstance(op, ForOp) and op.kind.tag.data.startswith(BLOCK_INDEX) for op in nest.walk()):
        return []
    buffers = {v.owner: None for op in nest.walk() for v in op.operands if isinstance(v.owner, AllocOp)}
    return [
        op
        for op in buffers
        if is_of_threads(op.res.type)
        and not nest.is_ancestor(op)
        and all(nest.is_ancestor(use.operation) for use in op.res.uses)
    ]


def shared_buffers(nest: Operation) -> list[AllocOp]:
    """Return the buffers in shared memory that the threads of a nest's blocks use."""
    found = (*buffers_of_one_block(nest), *nest.walk())
    return [op for op in found if isinstance(op, AllocOp) and scope_of(op.res.type) == SHARED]


def alignment_of(alloc: AllocOp) -> int:
    """Return the bytes that a shared buffer begins at a multiple of: instructions move as many, permuted pieces
    repeat."""
    return THREAD_ACCESS_BYTES if swizzle_of(alloc) is None else SWIZZLE_PERIOD_BYTES


def bytes_in_shared_memory(alloc: AllocOp) -> int:
    """Return the bytes of a shared buffer of constant extents: at least one element, rounded up to its alignment."""
    type_, alignment = alloc.res.type, alignment_of(alloc)
    size = max(1, prod(type_.get_shape())) * numpy_dtype(type_.element_type).itemsize
    return -(-size // alignment) * alignment


def shared_layout(buffers: Sequence[AllocOp]) -> tuple[list[int], int]:
    """Return the offsets of buffers in one allocation, each aligned, and the offset at which the last buffer ends."""
    starts, end = list[int](), 0
    for buffer in buffers:
        starts.append(-(-end // alignment_of(buffer)) * alignment_of(buffer))
        end = starts[-1] + bytes_in_shared_memory(buffer)
    return starts, end
