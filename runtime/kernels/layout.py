"""The layout of an array in memory, flat arrays for kernels, and arrays on a device: an address beside a layout.

The checks of an array depend on its layout and its address only. Layouts are interned, so that the arrays of repeated
calls have identical layout objects and comparing them costs nothing: two layouts are equal if they are one object. A
layout that was dropped from the table and made again costs the checks once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..buffers import Array
from ..hardware import DEVICE_ALIGNMENT_BYTES

if TYPE_CHECKING:
    from .program import Entry

ALIGNMENT = DEVICE_ALIGNMENT_BYTES
"""Bytes that the temporaries of an arena begin at multiples of."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The shape, the strides and the dtype of an array."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """Bytes."""
    dtype: np.dtype[Any]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @cached_property
    def count(self) -> int:
        """The number of elements from the first to the last in memory."""
        return span(self)

    @cached_property
    def nbytes(self) -> int:
        """The bytes from the first element to the last in memory."""
        return self.count * self.dtype.itemsize

    @cached_property
    def is_dense(self) -> bool:
        """True if the elements follow one another in row-major order."""
        return 0 in self.shape or all(
            n == 1 or s == dense
            for n, s, dense in zip(self.shape, self.strides, dense_strides(self.shape, self.dtype.itemsize))
        )


@lru_cache(maxsize=1024)
def layout(shape: tuple[int, ...], strides: tuple[int, ...] | None, dtype: np.dtype[Any]) -> Layout:
    """Return a layout, the same object for the same values; dense without strides."""
    return Layout(shape, dense_strides(shape, dtype.itemsize) if strides is None else strides, dtype)


def dense_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Return the strides, in bytes, of elements that follow one another in row-major order."""
    strides: list[int] = []
    step = itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


class ForeignArray(NamedTuple):
    """An array on a device, of any library."""

    address: int
    layout: Layout
    is_read_only: bool = False
    device: int | None = None
    """Its number, where the library states it."""
    stream: int | None = None
    """The stream that computes its values; None where that is not stated, or the values are complete."""
    owner: Any = None
    """The object that keeps the memory alive."""


def storage_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of elements in kernels: numpy's types as they are, those of ml_dtypes as unsigned integers."""
    return np.dtype(f"u{dtype.itemsize}") if dtype.isbuiltin == 2 else dtype


def flat(array: Array) -> Array:
    """Return the elements of an array from the first to the last in memory; strides reach from one to another."""
    dtype = storage_dtype(array.dtype)
    if array.flags.c_contiguous:
        return array.reshape(-1).view(dtype)
    return np.lib.stride_tricks.as_strided(array, (span(array),), (array.itemsize,)).view(dtype)


def span(array: Any) -> int:
    """Return the number of elements from the first to the last in memory."""
    if 0 in array.shape:
        return 0
    size = array.dtype.itemsize
    return 1 + sum((n - 1) * (s // size) for n, s in zip(array.shape, array.strides))


def arena_layout(entry: Entry, sizes: Mapping[str, int]) -> tuple[dict[int, int], int]:
    """Return the offset of each buffer in the arena of a call, and the bytes of the arena."""
    offsets, end = dict[int, int](), 0
    for number in entry.temporaries:
        buffer = entry.buffers[number]
        offsets[number] = end
        end += -(-buffer.count(sizes) * buffer.dtype.itemsize // ALIGNMENT) * ALIGNMENT
    return offsets, end
