"""Reference implementations of operations on single values. float32 values are numpy's, bits are Python integers.

`semantics` defines the operations of `arith` and `math`. The fast functions return the exact value where a device
returns an approximation (CUDA C++ Programming Guide, "Intrinsic Functions"): programs are compared within tolerances
that hold for both.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import BFloat16Type

from .....dialects.dtypes import numpy_dtype
from .....semantics.casts import CASTS
from .....semantics.floats import FLOAT
from .....semantics.rounding import fma_float32

Float = Any
"""A float32 or float64 of numpy."""

_F16, _BF16 = np.dtype(np.float16), numpy_dtype(BFloat16Type())
_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_truncate, _extend, _bitcast = CASTS["arith.truncf"], CASTS["arith.extf"], CASTS["arith.bitcast"]


def fma(x: Float, y: Float, z: Float) -> Float:
    """Return `x * y + z`, rounded once."""
    return FLOAT["math.fma"](x, y, z) if isinstance(x, np.float64) else fma_float32(x, y, z)


def float_as_uint(x: Float) -> int:
    return int(_bitcast(np.float32(x), np.dtype(np.uint32)))


def uint_as_float(bits: int) -> Float:
    return _bitcast(np.uint32(bits), _F32)


def double_as_ulong(x: Float) -> int:
    return int(_bitcast(np.float64(x), np.dtype(np.uint64)))


def ulong_as_double(bits: int) -> Float:
    return _bitcast(np.uint64(bits), _F64)


def f16_bits(x: Float) -> int:
    """Return the half nearest to `x`, ties to even, as its bits."""
    return int(_truncate(np.float32(x), _F16).view(np.uint16))


def f16_value(bits: int) -> Float:
    return _extend(np.uint16(bits).view(_F16), _F32)


def bf16_bits(x: Float) -> int:
    """Return the bfloat16 nearest to `x`, ties to even, as its bits; every NaN is 0x7fff, as cvt.rn.bf16 gives it."""
    return 0x7FFF if x != x else int(_truncate(np.float32(x), _BF16).view(np.uint16))


def bf16_value(bits: int) -> Float:
    return _extend(np.uint16(bits).view(_BF16), _F32)


def tf32(values: np.ndarray) -> np.ndarray:
    """Round values to the 10 bits after the point that tf32 has, to nearest, halves away from zero (cvt.rna.tf32)."""
    bits = np.asarray(values, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(values), rounded.view(np.float32), values)


def tf32_bits(x: Float) -> int:
    """Return the tf32 nearest to `x` as the bits of a float32."""
    return float_as_uint(tf32(np.asarray(x, np.float32))[()])


def pack_u16(low: int, high: int) -> int:
    return low | high << 16


def pack_f16(low: Float, high: Float) -> int:
    """Pack two halves in a register, the first in the low bits."""
    return f16_bits(low) | f16_bits(high) << 16


def pack_bf16(low: Float, high: Float) -> int:
    return bf16_bits(low) | bf16_bits(high) << 16


def unpack_f16(bits: int) -> tuple[Float, Float]:
    return f16_value(bits & 0xFFFF), f16_value(bits >> 16)


def unpack_bf16(bits: int) -> tuple[Float, Float]:
    return bf16_value(bits & 0xFFFF), bf16_value(bits >> 16)


def fast_divide(x: Float, y: Float) -> Float:
    return np.float32(x / y)


minimum, maximum = FLOAT["arith.minimumf"], FLOAT["arith.maximumf"]
minimum_number, maximum_number = FLOAT["arith.minnumf"], FLOAT["arith.maxnumf"]
rsqrt = fast_rsqrt = FLOAT["math.rsqrt"]
exp2 = fast_exp2 = FLOAT["math.exp2"]
cbrt = FLOAT["math.cbrt"]
rint = FLOAT["math.roundeven"]
round_away = FLOAT["math.round"]
fast_exp = FLOAT["math.exp"]
fast_log = FLOAT["math.log"]
fast_log2 = FLOAT["math.log2"]
fast_sin = FLOAT["math.sin"]
fast_cos = FLOAT["math.cos"]
fast_tanh = FLOAT["math.tanh"]
fast_sqrt = FLOAT["math.sqrt"]
fast_power = FLOAT["math.powf"]
fast_reciprocal = np.reciprocal
