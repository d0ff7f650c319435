"""Conversions between integers, floats and index.

A float outside of the integer type's range, or NaN, has no value in it: as on x86 the result is the least signed
number, for unsigned results the greatest one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .integers import as_signed, as_unsigned, from_bits
from .rounding import convert_float, convert_integer
from .values import Function


def _truncate_integer(value: Any, dtype: np.dtype[Any]) -> Any:
    return from_bits(as_unsigned(value).astype(f"u{dtype.itemsize}"), dtype)


def _extend_signed(value: Any, dtype: np.dtype[Any]) -> Any:
    return from_bits(as_signed(value).astype(f"i{dtype.itemsize}"), dtype)


def _extend_unsigned(value: Any, dtype: np.dtype[Any]) -> Any:
    return from_bits(as_unsigned(value).astype(f"u{dtype.itemsize}"), dtype)


def _signed_to_float(value: Any, dtype: np.dtype[Any]) -> Any:
    return convert_integer(as_signed(value), dtype)


def _unsigned_to_float(value: Any, dtype: np.dtype[Any]) -> Any:
    return convert_integer(as_unsigned(value), dtype)


def _float_to_signed(value: Any, dtype: np.dtype[Any]) -> Any:
    bits = 1 if dtype.kind == "b" else 8 * dtype.itemsize
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1)
    return from_bits(_float_to_integer(value, low, high, low).astype(f"i{dtype.itemsize}"), dtype)


def _float_to_unsigned(value: Any, dtype: np.dtype[Any]) -> Any:
    bits = 1 if dtype.kind == "b" else 8 * dtype.itemsize
    whole = np.trunc(value.astype(np.float64))
    inside = (whole >= 0) & (whole < 2.0**bits)
    # Only uint64 holds the upper half of the 64-bit range.
    numbers = np.where(inside, whole, 0).astype(np.uint64)
    numbers = np.where(inside, numbers, np.uint64(2**bits - 1))[()]
    return from_bits(numbers.astype(f"u{dtype.itemsize}"), dtype)


def _float_to_integer(value: Any, low: int, high: int, otherwise: int) -> Any:
    whole = np.trunc(value.astype(np.float64))
    inside = (whole >= low) & (whole < high)
    return np.where(inside, np.where(inside, whole, 0).astype(np.int64), otherwise)[()]


def _bitcast(value: Any, dtype: np.dtype[Any]) -> Any:
    return np.asarray(value).view(dtype)[()]


def _index_cast(value: Any, dtype: np.dtype[Any]) -> Any:
    return (_extend_signed if dtype.itemsize > value.dtype.itemsize else _truncate_integer)(value, dtype)


def _index_cast_unsigned(value: Any, dtype: np.dtype[Any]) -> Any:
    return _extend_unsigned(value, dtype)


CASTS: dict[str, Function] = {
    "arith.bitcast": _bitcast,
    "arith.extf": convert_float,
    "arith.extsi": _extend_signed,
    "arith.extui": _extend_unsigned,
    "arith.fptosi": _float_to_signed,
    "arith.fptoui": _float_to_unsigned,
    "arith.index_cast": _index_cast,
    "arith.index_castui": _index_cast_unsigned,
    "arith.sitofp": _signed_to_float,
    "arith.truncf": convert_float,
    "arith.trunci": _truncate_integer,
    "arith.uitofp": _unsigned_to_float,
}
"""Functions of a value and the dtype of the result."""
