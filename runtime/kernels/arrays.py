"""The flat arrays that kernels get of a call's arrays, and where temporaries lie in a call's arena."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..buffers import Array
from ..hardware import DEVICE_ALIGNMENT_BYTES
from .program import Entry

ALIGNMENT = DEVICE_ALIGNMENT_BYTES
"""Bytes that the temporaries of an arena begin at multiples of."""


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
