"""Conversion of constants of the IR, and of numbers that a caller passes, to values of the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation

from ..diagnostics import fail
from ..dialects.constant_data import constant_array
from .integers import NARROW_BITS, from_bits
from .rounding import narrow
from .values import dtype_of, is_index


def constant_value(value: Attribute, type: Attribute, op: Operation) -> Any:
    """Return the value of a constant attribute as `type`: an int for `index`, a numpy scalar, or an array."""
    if isinstance(value, DenseIntOrFPElementsAttr):
        return constant_array(value)
    if not isinstance(value, (IntegerAttr, FloatAttr)):
        fail("TW0720", f"expected an integer, a float or a dense attribute, but got {value}", op=op)
    if is_index(type):
        return int(value.value.data)
    return scalar(value.value.data, dtype_of(type, op))


def scalar(value: float, dtype: np.dtype[Any]) -> Any:
    """Return `value` rounded, or wrapped where it is an integer, to a scalar of `dtype`."""
    if dtype.kind == "b":
        return np.bool_(value)
    if dtype.name in NARROW_BITS:
        return from_bits(np.uint8(int(value) & 0xFF), dtype)
    if dtype.kind in "iu":
        return np.array(int(value) & ((1 << 8 * dtype.itemsize) - 1), f"u{dtype.itemsize}").view(dtype)[()]
    with np.errstate(over="ignore"):
        return narrow(np.float64(value), dtype)
