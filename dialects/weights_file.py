"""Arrays in files of other programs, which are read at their use and dropped when unused."""

from __future__ import annotations

import mmap
import os
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from ..diagnostics import fail
from ..diagnostics.files import FilePath, open_file, reason, shown
from .dtypes import numpy_dtype

if TYPE_CHECKING:
    import numpy as np

    from ..runtime.buffers import Array

_PART = 1 << 20
"""Bytes that are read at once where an array is read from one end to the other."""


class WeightsFile:
    """A file that stays open as long as its arrays may be read, so that another file may replace it under its name.

    Raises OSError where it is no regular file that can be read.
    """

    def __init__(self, path: FilePath) -> None:
        self.path = shown(path)
        with open_file(path) as file:
            self._descriptor = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._descriptor)
        self._stamp = self._stamp_now()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WeightsFile) and self._stamp == other._stamp

    def __hash__(self) -> int:
        return hash(self._stamp)

    def mapped(self) -> Array:
        """Map the file's pages, read-only, for as long as the result is used. Raises OSError where none are mapped."""
        import numpy as np

        *_, size, _ = self._stamp
        return np.frombuffer(mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_READ) if size else b"", np.uint8)

    def read_into(self, array: Array, offset: int) -> None:
        """Read the bytes from `offset` on into a contiguous array. Raises TW0705 where the file was changed."""
        room, at = array.reshape(-1).view("uint8").data, 0
        try:
            while at < len(room) and (count := os.preadv(self._descriptor, [room[at:]], offset + at)):
                at += count
            is_whole = at == len(room) and self._stamp_now() == self._stamp
        except OSError as error:
            fail("TW0705", f"weights file '{self.path}' cannot be read: {reason(error)}")
        if not is_whole:
            fail(
                "TW0705",
                f"weights file '{self.path}' changed while it was in use",
                help="compile the model again, and write a new model to another file",
            )

    def _stamp_now(self) -> tuple[int, ...]:
        """Return the numbers that differ between files and between contents of one."""
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@dataclass(frozen=True)
class StoredArray:
    """A dense array at a position of a file."""

    file: WeightsFile
    offset: int
    dtype: str
    shape: tuple[int, ...]
    may_stay: bool = False
    """A program may read the elements from the file's pages: the file has weights alone, which may be larger than the
    memory."""

    def mapped(self) -> np.ndarray:
        """Return the elements in the file's pages. Raises OSError where they cannot be mapped."""
        dtype = numpy_dtype(self.dtype)
        size = prod(self.shape) * dtype.itemsize
        return self.file.mapped()[self.offset : self.offset + size].view(dtype).reshape(self.shape)

    def load(self) -> np.ndarray:
        """Read the elements. Raises TW0705 where the file was changed."""
        from ..runtime.buffers import aligned_empty  # which imports numpy

        array = aligned_empty(self.shape, numpy_dtype(self.dtype))
        self.load_into(array)
        return array

    def parts(self) -> Iterator[np.ndarray]:
        """Yield the array cut along its first dimension, each part until the next one is asked for. Raises TW0705 where
        the file was changed."""
        from ..runtime.buffers import aligned_empty

        dtype = numpy_dtype(self.dtype)
        count, *inner = self.shape or (1,)
        row = prod(inner) * dtype.itemsize
        step = max(1, _PART // max(row, 1))
        room = aligned_empty((min(step, count), *inner), dtype)
        for at in range(0, count, step):
            part = room[: min(step, count - at)]
            self.file.read_into(part, self.offset + at * row)
            yield part

    def load_into(self, array: Array) -> None:
        """Read the elements into an array of the same type. Raises TW0705 where the file was changed."""
        self.file.read_into(array, self.offset)
