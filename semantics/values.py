"""The representation of values: numpy scalars and arrays of exactly the IR's element type.

A scalar is a numpy scalar of its dtype, an `index` a Python int; a vector is a 1-D array, a buffer or a tensor an N-D
array. Signless integers are numpy's signed ones and `i1` is numpy's bool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import IndexType, MemRefType, TensorType, VectorType
from xdsl.ir import Attribute, Operation

from ..diagnostics import fail
from ..dialects.dtypes import has_dtype, numpy_dtype

Array: TypeAlias = "np.ndarray[Any, Any]"
Function: TypeAlias = Callable[..., Any]

WITHOUT_NAN = ("float4_e2m1fn", "int4", "uint4", "int2", "uint2")
"""Storage types whose every code is a number."""
_POISON_BYTE = 0xFF
_POISON_WORD = 0xDEADBEEF


def element_of(type: Attribute) -> Attribute:
    """Return the element type of a vector, buffer or tensor type, else the type itself."""
    return type.element_type if isinstance(type, (VectorType, MemRefType, TensorType)) else type


def is_index(type: Attribute) -> bool:
    return isinstance(type, IndexType)


def dtype_of(type: Attribute, op: Operation | None = None) -> np.dtype[Any]:
    """Return the dtype that holds elements of `type`. Raises TW0720 for types without one."""
    element = element_of(type)
    if not has_dtype(element):
        fail("TW0720", f"expected an element type that numpy can hold, but got {element}", op=op)
    return numpy_dtype(element)


@cache
def name_of(dtype: np.dtype[Any]) -> str:
    """Return the name of a dtype, which numpy puts together whenever it is asked: each rounding of the interpreter
    asks."""
    return dtype.name


def without_negatives(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the extents of a tensor inside a program: where a computed size is below 0, there is no element."""
    return tuple(max(n, 0) for n in shape)


def poison(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Return a buffer as it is before anything was written: NaN in floats, a pattern that stands out in integers.

    A size below 0 is that of a dimension without elements. Bytes are those of a NaN too, so that a float buffer within
    an arena of bytes starts as NaN.
    """
    shape = without_negatives(shape)
    if dtype.kind in "iu":
        pattern = _POISON_BYTE if dtype.itemsize == 1 else _POISON_WORD * 0x1_0000_0001 >> (64 - 8 * dtype.itemsize)
        return np.full(shape, np.array(pattern, f"u{dtype.itemsize}").view(dtype))
    if name_of(dtype) in WITHOUT_NAN:
        return np.full(shape, _POISON_BYTE, np.uint8).view(dtype)
    return np.full(shape, True if dtype.kind == "b" else np.nan, dtype)
