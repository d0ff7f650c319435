"""Memory of compiled programs: aligned arrays, and arenas that concurrent calls lease."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

from .hardware import CACHE_LINE_BYTES, LARGE_PAGE_BYTES
from .object_layout import ARRAY_DATA, is_known

ALIGNMENT = CACHE_LINE_BYTES
"""Bytes that arrays begin at multiples of."""

Array = npt.NDArray[Any]


def aligned_empty(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Return an uninitialised C-contiguous array whose data starts at a multiple of ALIGNMENT."""
    count = 1
    for size in shape:
        count *= size
    raw = np.empty(count * dtype.itemsize + ALIGNMENT, np.uint8)
    return np.ndarray(shape, dtype, raw, -address_of(raw) % ALIGNMENT)


def aligned(array: Array) -> Array:
    """Return the array itself if it is contiguous and aligned to ALIGNMENT, else a copy that is."""
    if is_aligned(array):
        return array
    copy = aligned_empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def all_aligned(arrays: Sequence[Array]) -> list[Array]:
    """Return each array itself where `aligned` would give it, the copies of the others behind one another in one
    block."""
    others = {id(a): a for a in arrays if not is_aligned(a)}
    block, end = large_block(sum(rounded(a.nbytes) for a in others.values())), 0
    for key, array in others.items():
        others[key] = copy = block[end : end + array.nbytes].view(array.dtype).reshape(array.shape)
        copy[...] = array
        end += rounded(array.nbytes)
    return [others.get(id(array), array) for array in arrays]


def is_aligned(array: Array) -> bool:
    """Return if `aligned` gives the array itself."""
    return array.flags.c_contiguous and address_of(array) % ALIGNMENT == 0


def rounded(size: int) -> int:
    """Return the multiple of ALIGNMENT that holds so many bytes."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def large_block(size: int) -> Array:
    """Return uninitialised bytes, in large pages if they fill half of one and the system has them, and aligned like
    arrays.

    Small pages would cost a TLB miss for nearly every page of data that is read repeatedly and spans some megabytes.
    """
    advice = getattr(mmap, "MADV_HUGEPAGE", None)
    room = None
    if size >= LARGE_PAGE_BYTES // 2 and advice is not None:
        with suppress(OSError, OverflowError):  # no memory, or a kernel without large pages
            rounded = -(-size // LARGE_PAGE_BYTES) * LARGE_PAGE_BYTES
            # Private, as many systems have no large pages for memory that processes could share.
            room = mmap.mmap(-1, rounded + LARGE_PAGE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            room.madvise(advice)
    if room is None:
        return aligned_empty((size,), np.dtype(np.uint8))
    raw = np.frombuffer(room, np.uint8)
    start = -address_of(raw) % LARGE_PAGE_BYTES
    return raw[start : start + size]


class ArenaPool:
    """Scratch memory of one size, one block a running call.

    A call takes a block from the free list, or allocates one where all are in use, and returns it to the list. The
    number of blocks is at most the largest number of concurrent calls so far. List operations are atomic under the
    interpreter's lock.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.free: list[Array] = []

    def take(self) -> Array | None:
        """Return a block for one call, which gives it back; None where the size is 0."""
        if not self.size:
            return None
        try:
            return self.free.pop()
        except IndexError:
            return large_block(self.size)

    def give_back(self, block: Array | None) -> None:
        """Take back `block` of a call that is over."""
        if block is not None:
            self.free.append(block)


def address_of(array: Array) -> int:
    """Return the address of the first element. numpy's accessors take a microsecond or two, several times the rest of a
    call."""
    if is_known():
        return _word_at(id(array) + ARRAY_DATA).value
    return array.__array_interface__["data"][0]


_word_at = ctypes.c_int64.from_address
