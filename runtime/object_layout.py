"""The offsets of the fields of CPython's and numpy's objects that the native call entry reads, and a check of them.

The entry reads fields of arrays and tuples at fixed offsets, which no interface guarantees. A version number does not
prove them, so sample objects are read at these offsets and compared with the values that Python reports. Where a value
differs, calls go through ctypes.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .buffers import Array

OBJECT_TYPE = 8
TUPLE_ITEMS = 24
ARRAY_DATA = 16
ARRAY_RANK = 24
ARRAY_SHAPE = 32
ARRAY_STRIDES = 40
ARRAY_DTYPE = 56
ARRAY_FLAGS = 64
"""Offsets in bytes; the rank and the flags are 32-bit integers, all else is a pointer."""

C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
"""Bits of an array's flags."""


@cache
def is_known() -> bool:
    """Return whether objects of this process have the layout that the offsets describe."""
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or sys.byteorder != "little":
        return False
    if sysconfig.get_config_var("Py_GIL_DISABLED"):  # objects have another header, and lists no lock around them
        return False
    return _tuples_match() and all(_array_matches(array) for array in _samples())


def _tuples_match() -> bool:
    sample = (object(), object(), object())
    if tuple.__basicsize__ != TUPLE_ITEMS or _pointer(sample, OBJECT_TYPE) != id(tuple):
        return False
    return all(_pointer(sample, TUPLE_ITEMS + 8 * k) == id(item) for k, item in enumerate(sample))


def _samples() -> Iterator[Array]:
    """Yield arrays that differ in every field."""
    yield np.zeros((2, 3, 5), np.float32)
    yield np.zeros((7, 4), np.int16).T
    yield np.zeros(11, np.float64)[1::2]
    yield np.frombuffer(bytes(9), np.uint8)[1:].view(np.int32)
    yield np.zeros((), np.int64)


def _array_matches(array: Array) -> bool:
    if np.ndarray.__basicsize__ < ARRAY_FLAGS + 4:
        return False
    shape, strides = _pointer(array, ARRAY_SHAPE), _pointer(array, ARRAY_STRIDES)
    fields = (
        (_pointer(array, OBJECT_TYPE), id(np.ndarray)),
        (_pointer(array, ARRAY_DATA), array.__array_interface__["data"][0]),
        (_number(array, ARRAY_RANK), array.ndim),
        (_pointer(array, ARRAY_DTYPE), id(array.dtype)),
        (_number(array, ARRAY_FLAGS), _flags(array)),
    )
    if any(found != expected for found, expected in fields):
        return False
    # The pointers are dereferenced only where they are a plausible pair: numpy keeps both lists in one piece of memory.
    if array.ndim == 0:
        return True
    if shape is None or strides is None or strides - shape != 8 * array.ndim:
        return False
    return _list(shape, array.ndim) == array.shape and _list(strides, array.ndim) == array.strides


def _flags(array: Array) -> int:
    number: Any = array.flags.num
    return int(number)


def _list(address: int, count: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * count).from_address(address))


def _pointer(value: object, offset: int) -> int | None:
    return ctypes.c_void_p.from_address(id(value) + offset).value


def _number(value: object, offset: int) -> int:
    return ctypes.c_int32.from_address(id(value) + offset).value
