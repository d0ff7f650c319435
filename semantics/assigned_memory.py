"""Planned memory at run time: buffers at offsets of an arena or of a thread's memory, and constant register indices."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..analysis.domain import resolve
from ..diagnostics import fail
from ..dialects.loop import UNROLLED, AllocOp, ForOp, LoadOp, StoreOp
from ..dialects.loop.memory_spaces import IN_REGISTERS, memory_space_of
from .buffers import outside
from .values import Array, poison

_lent: ContextVar[Array | None] = ContextVar("lent", default=None)
"""The part of a thread's memory that a call passes to its callee."""


def memory(size: int) -> Array:
    """Return `size` uninitialised bytes, filled with poison."""
    return poison((size,), np.dtype(np.uint8))


def memory_of_thread(size: int) -> Array:
    """Return the memory of a thread for a function that is entered: the caller's workspace, or new memory."""
    lent = _lent.get()
    _lent.set(None)
    return memory(size) if lent is None else lent


def lend(op: Operation, piece: Array, start: int, size: int) -> None:
    """Lend `size` bytes at offset `start` to the function that is called next. Raises TW0727 for an offset outside."""
    if start + size > len(piece):
        fail("TW0727", f"expected {size} bytes of a thread's memory from {start} on, but it has {len(piece)}", op=op)
    _lent.set(piece[start : start + size])


def buffer_within(op: Operation, piece: Array, start: int, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Return an uninitialised buffer at an offset of memory that is shared with other buffers."""
    fresh = poison(shape, dtype)
    end = start + prod(fresh.shape) * dtype.itemsize
    if end > len(piece):
        fail("TW0727", f"expected memory for a buffer up to byte {end}, but there are {len(piece)}", op=op)
    buffer = piece[start:end].view(dtype).reshape(fresh.shape)
    buffer[...] = fresh
    return buffer


def column(op: Operation, buffer: Array, index: Sequence[Any], lanes: int, width: int) -> tuple[Array, ...]:
    """Return the indices of a column: in each lane's chunk of `width` elements the position of the first lane in its.

    Raises TW0721 for an index outside of the buffer.
    """
    indices = [np.broadcast_to(np.asarray(e), (lanes,)) for e in index]
    strides = [prod(buffer.shape[d + 1 :]) for d in range(buffer.ndim)]
    positions = np.sum([e * stride for e, stride in zip(indices, strides, strict=True)], axis=0)
    chunks = positions // width
    moved = chunks * width + positions[0] % width
    if moved.min() < 0 or moved.max() >= buffer.size:
        outside(op, buffer, tuple(indices))
    return tuple(np.unravel_index(moved, buffer.shape))


def check_registers(op: LoadOp | StoreOp) -> None:
    """Raise TW0728 where a buffer in registers is accessed at a variable of a loop that is not written out."""
    owner = op.buffer.owner
    space = memory_space_of(owner) if isinstance(owner, AllocOp) else None
    if space is None or space.kind != IN_REGISTERS:
        return
    check_written_out(op)


def check_written_out(op: LoadOp | StoreOp) -> None:
    """Raise TW0728 where an access has an index that is no constant and that no unrolled loop writes out."""
    for value in {v for e in op.index for v in resolve(e).values()}:
        if not _is_written_out(value):
            fail(
                "TW0728",
                f"expected indices of registers to be constants and variables of unrolled loops, but got "
                f"%{value.name_hint or 'a value'}",
                op=op,
            )


def _is_written_out(value: SSAValue) -> bool:
    around = value.block.parent_op() if isinstance(value, BlockArgument) else None
    return isinstance(around, ForOp) and around.kind == UNROLLED
