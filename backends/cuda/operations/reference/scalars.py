"""Operations on single values. float32 values are numpy's, bits are Python integers.

The fast functions give the exact value where a device gives an approximation of it (CUDA C++ Programming Guide,
"Intrinsic Functions"): programs are compared within tolerances that hold for both.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

Float = Any
"""A float32 or float64 of numpy."""


def _unary(function: Callable[[float], Any]) -> Callable[[Float], Float]:
    """The function in double precision, rounded to the argument's type."""

    def compute(x: Float) -> Float:
        return type(x)(function(np.float64(x)))

    return compute


def fma(x: Float, y: Float, z: Float) -> Float:
    """`x * y + z`, rounded once: float32 through float64, whose products of float32 values are exact.

    Rounding the sum twice goes wrong only where the first rounding ends half-way between two float32 values. There the
    sum is corrected to odd before (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). float64
    is computed with fractions.
    """
    if isinstance(x, np.float64):
        return _fma_of_doubles(x, y, z)
    product, addend = float(x) * float(y), float(z)
    total = product + addend
    if _LONG.unpack(_DOUBLE.pack(total))[0] & _REST == _HALF or -_NORMAL < total < _NORMAL:
        total = _to_odd(product, addend, total)
    return np.float32(total)


_LONG, _DOUBLE = struct.Struct("<Q"), struct.Struct("<d")
_REST, _HALF = (1 << 29) - 1, 1 << 28
"""The bits of a float64 that a float32 lacks, and what they are half-way between two."""
_NORMAL = 2.0**-126


def _to_odd(product: float, addend: float, total: float) -> float:
    """`total`, the rounded sum, with an odd last bit where the sum is not exact."""
    virtual = total - product
    error = (product - (total - virtual)) + (addend - virtual)
    bits = _LONG.unpack(_DOUBLE.pack(total))[0]
    if not error or bits & 1 or math.isnan(error) or not total:
        return total
    return _DOUBLE.unpack(_LONG.pack(bits + 1 if (error > 0) == (total > 0) else bits - 1))[0]


def _fma_of_doubles(x: Float, y: Float, z: Float) -> Float:
    from fractions import Fraction

    if not (np.isfinite(x) and np.isfinite(y) and np.isfinite(z)):
        return np.float64(x * y + z)
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    try:
        return np.float64(float(exact)) if exact else np.float64(x * y + z)
    except OverflowError:
        return np.float64(math.copysign(math.inf, exact))


def round_away(x: Float) -> Float:
    """The nearest integer, halves away from zero."""
    whole = np.trunc(x)
    return type(x)(whole + np.copysign(1.0, x)) if abs(x - whole) >= 0.5 else type(x)(whole)


def minimum(x: Float, y: Float) -> Float:
    """The lesser; NaN where one is NaN, and -0.0 is less than 0.0."""
    if x == y:
        return x if np.signbit(x) else y
    return x if x < y or x != x else y


def maximum(x: Float, y: Float) -> Float:
    """The greater; NaN where one is NaN, and 0.0 is greater than -0.0."""
    if x == y:
        return y if np.signbit(x) else x
    return x if x > y or x != x else y


def minimum_number(x: Float, y: Float) -> Float:
    """The lesser; the other where one is NaN."""
    return y if x != x else x if y != y else minimum(x, y)


def maximum_number(x: Float, y: Float) -> Float:
    """The greater; the other where one is NaN."""
    return y if x != x else x if y != y else maximum(x, y)


def float_as_uint(x: Float) -> int:
    return int(np.float32(x).view(np.uint32))


def uint_as_float(bits: int) -> Float:
    return np.uint32(bits).view(np.float32)


def double_as_ulong(x: Float) -> int:
    return int(np.float64(x).view(np.uint64))


def ulong_as_double(bits: int) -> Float:
    return np.uint64(bits).view(np.float64)


def f16_bits(x: Float) -> int:
    """The half nearest to `x`, ties to even, as its bits."""
    return int(np.float16(x).view(np.uint16))


def f16_value(bits: int) -> Float:
    return np.float32(np.uint16(bits).view(np.float16))


def bf16_bits(x: Float) -> int:
    """The bfloat16 nearest to `x`, ties to even, as its bits; every NaN is 0x7fff, as cvt.rn.bf16 gives it."""
    if x != x:
        return 0x7FFF
    bits = float_as_uint(x)
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16


def bf16_value(bits: int) -> Float:
    return uint_as_float(bits << 16)


def tf32_bits(x: Float) -> int:
    """The nearest value of 10 bits of mantissa, halves away from zero (cvt.rna.tf32), as the bits of a float32."""
    bits = float_as_uint(x)
    return bits if not np.isfinite(x) else (bits + 0x1000) & 0xFFFFE000


def pack_u16(low: int, high: int) -> int:
    return low | high << 16


def pack_f16(low: Float, high: Float) -> int:
    """Two halves in a register, the first in the low bits."""
    return f16_bits(low) | f16_bits(high) << 16


def pack_bf16(low: Float, high: Float) -> int:
    return bf16_bits(low) | bf16_bits(high) << 16


def unpack_f16(bits: int) -> tuple[Float, Float]:
    return f16_value(bits & 0xFFFF), f16_value(bits >> 16)


def unpack_bf16(bits: int) -> tuple[Float, Float]:
    return bf16_value(bits & 0xFFFF), bf16_value(bits >> 16)


def fast_divide(x: Float, y: Float) -> Float:
    return np.float32(x / y)


def fast_power(x: Float, y: Float) -> Float:
    return np.float32(np.power(np.float64(x), np.float64(y)))


rsqrt = _unary(lambda x: np.float64(1.0) / np.sqrt(x))
exp2 = _unary(np.exp2)
cbrt = _unary(np.cbrt)
rint = _unary(np.rint)
fast_exp = _unary(np.exp)
fast_exp2 = exp2
fast_log = _unary(np.log)
fast_log2 = _unary(np.log2)
fast_sin = _unary(np.sin)
fast_cos = _unary(np.cos)
fast_tanh = _unary(np.tanh)
fast_sqrt = _unary(np.sqrt)
fast_rsqrt = rsqrt
fast_reciprocal = _unary(np.reciprocal)
