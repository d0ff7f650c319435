"""Rounding to narrower floats, exactly once.

A conversion through an intermediate format rounds twice. If an intermediate format is needed, the first step rounds to
odd (an inexact result takes the neighbour with an odd last bit), after which a second rounding to at least two bits
fewer is correct (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite, nextafter
from struct import Struct
from typing import Any

import numpy as np

from ..dialects.dtypes import STORAGE_TYPES
from .values import Function, name_of

_FLOAT32 = np.dtype(np.float32)
_FLOAT64 = np.dtype(np.float64)
_LEAST_NORMAL = np.array(np.finfo(np.float32).tiny, np.float64)
_DROPPED, _TIE = np.array(0x1FFF_FFFF), np.array(0x1000_0000)
"""The mantissa bits of a float64 that a float32 does not have, and their value half way between two float32."""
_DOUBLE, _BITS = Struct("<d"), Struct("<q")


def narrow(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return float64 values rounded to the nearest of `dtype`, ties to even."""
    if name_of(dtype) == "bfloat16":
        return _float32_to_odd(value).astype(dtype)
    if name_of(dtype) in STORAGE_TYPES:
        return _to_storage(_float32_to_odd(value), dtype)
    return value.astype(dtype)


def convert_float(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return floats of any dtype rounded to the nearest of `dtype`, ties to even."""
    if value.dtype == _FLOAT64:
        return narrow(value, dtype)
    if name_of(dtype) in STORAGE_TYPES:
        return _to_storage(value.astype(np.float32), dtype)
    return value.astype(np.float32).astype(dtype) if name_of(value.dtype) in STORAGE_TYPES else value.astype(dtype)


def _to_storage(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return float32 values as floats of 8 or 4 bits. Of four bits none is a NaN: it becomes -0."""
    with np.errstate(over="ignore", invalid="ignore"):
        converted = value.astype(dtype)
    if name_of(dtype) != "float4_e2m1fn":
        return converted
    return np.where(np.isnan(value), np.uint8(0b1000), converted.view(np.uint8)).view(dtype)[()]


def convert_integer(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return integers rounded to the nearest of the float `dtype`, ties to even."""
    if dtype in (_FLOAT32, _FLOAT64):
        return value.astype(dtype)
    if value.dtype.itemsize < 8:
        return narrow(value.astype(np.float64), dtype)
    # Beyond 53 bits, the eleven that a float64 cannot hold are folded into the lowest one that it can.
    high = value >> value.dtype.type(53)
    sticky = (value & value.dtype.type(0x7FF)) != 0
    folded = ((value >> value.dtype.type(11)) | sticky.astype(value.dtype)).astype(np.float64) * 2048.0
    is_exact = (high == 0) | (high == -1)
    return narrow(np.where(is_exact, value.astype(np.float64), folded)[()], dtype)


def in_float64(function: Function) -> Function:
    """Return `function` of float64 as a function of any float dtype, its result rounded to the dtype of the
    operands."""

    def rounded(*operands: Any) -> Any:
        dtype = operands[0].dtype
        return narrow(function(*(o.astype(np.float64) for o in operands)), dtype)

    return rounded


def fma(a: Any, b: Any, c: Any) -> Any:
    """Return a * b + c, rounded once."""
    dtype = a.dtype
    if dtype == _FLOAT64:
        return _FMA_FLOAT64(a, b, c)[()]
    # The product of two floats of at most 24 bits is exact; only the sum is rounded.
    product, c = np.multiply(a, b, dtype=np.float64), c.astype(np.float64)
    total = product + c
    if dtype == _FLOAT32 and not _is_near_tie(total):
        return total.astype(dtype)
    return narrow(_add_to_odd(product, c), dtype)


def fma_float32(a: Any, b: Any, c: Any) -> Any:
    """Return `fma` of three scalars of float32, faster."""
    product, addend = float(a) * float(b), float(c)
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    if error != 0.0 and isfinite(total) and not _BITS.unpack(_DOUBLE.pack(total))[0] & 1:
        total = nextafter(total, inf if error > 0 else -inf)
    return np.float32(total)


def _is_near_tie(total: Any) -> bool:
    """Return whether a second rounding to float32 may differ: a tie in its 24 bits, or a result with fewer.

    A sum that is zero is exact. `count_nonzero` takes a third of the time of `any` on a vector.
    """
    if np.count_nonzero((total.view(np.int64) & _DROPPED) == _TIE):
        return True
    is_small = np.abs(total) < _LEAST_NORMAL
    return bool(np.count_nonzero(is_small)) and bool(np.count_nonzero(is_small & (total != 0.0)))


def _add_to_odd(a: Any, b: Any) -> Any:
    """Return a + b in float64, rounded to odd. The error of the rounded sum is Knuth's TwoSum."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    inexact = (error != 0) & np.isfinite(total)
    even = (np.asarray(total).view(np.int64) & 1) == 0
    towards = np.where(error > 0, np.inf, -np.inf)
    return np.where(inexact & even, np.nextafter(total, towards), total)[()]


def _float32_to_odd(value: Any) -> Any:
    nearest = value.astype(np.float32)
    wide = nearest.astype(np.float64)
    even = (np.asarray(nearest).view(np.int32) & 1) == 0
    inexact = (wide != value) & np.isfinite(nearest)
    towards = np.where(value > wide, np.float32(np.inf), np.float32(-np.inf))
    return np.where(inexact & even, np.nextafter(nearest, towards), nearest)[()]


def _fma_float64(a: float, b: float, c: float) -> float:
    product = a * b
    if not (np.isfinite(a) and np.isfinite(b) and np.isfinite(c)) or a == 0 or b == 0:
        return product + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


_FMA_FLOAT64 = np.vectorize(_fma_float64, otypes=[np.float64])
