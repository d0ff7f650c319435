"""Memory of compiled programs: aligned arrays, and arenas that concurrent calls lease."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

ALIGNMENT = 64
"""Bytes: a cache line, and the widest vector."""

Array = npt.NDArray[Any]


def aligned_empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """An uninitialised C-contiguous array whose data starts at a multiple of ALIGNMENT."""
    count = 1
    for size in shape:
        count *= size
    size = count * dtype.itemsize
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


def aligned(array: Array) -> Array:
    """The array itself if it is contiguous and aligned to ALIGNMENT, else a copy that is."""
    if array.flags.c_contiguous and array.ctypes.data % ALIGNMENT == 0:
        return array
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


class ArenaPool:
    """Scratch memory of one size, one block a running call.

    A call takes a block from the free list, or makes one where all are in use, and puts it back. There are
    never more blocks than there have been calls at one time. List operations are atomic under the
    interpreter's lock.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._free: list[Array] = []

    @contextmanager
    def lease(self) -> Generator[int]:
        """The address of a block for the length of the `with` statement; 0 where the size is 0."""
        if not self.size:
            yield 0
            return
        try:
            block = self._free.pop()
        except IndexError:
            block = aligned_empty((self.size,), np.dtype(np.uint8))
        try:
            yield block.ctypes.data
        finally:
            self._free.append(block)
