"""Conversions of 16-bit floats in integer arithmetic, for targets without an instruction for them.

LLVM would call a support library, which a process need not have. bf16 is the upper half of an f32's bits.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, f32, i16
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.target import CpuTargetAttr, target_of
from ...rules.lanes import Lanes
from ...rules.narrow_conversions import to_odd
from ...rules.narrow_floats import element_of, is_narrow

_SIGN, _INFINITE, _QUIET = 0x8000, 0x7C00, 0x7E00
"""Bits of an f16; the last one is a quiet NaN."""
_FRACTION = 13
"""The bits of fraction that an f32 has more than an f16."""
_BIAS = (127 - 15) << 23
"""The difference of the exponents of equal f32 and f16, shifted to the exponent's bits of an f32."""
_LEAST_NORMAL = 2.0**-14
_LEAST_NORMAL_BITS = (127 - 14) << 23
_TOO_LARGE_BITS = (127 + 16) << 23
"""The f32 2^16: a number that is not below it becomes infinite as an f16, or NaN."""
_F32_INFINITE = 0x7F800000
_UNITS = 0.5
"""An f32 of this size has an f16's least unit, 2^-24, in its last bit."""
_UNITS_BITS = 126 << 23


def expand_extf(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the conversion of a narrow float to the equal wider one."""
    (value,), result = op.operands, element_of(op.results[0].type)
    if not is_narrow(value.type):
        return False
    lanes = Lanes(op, rewriter)
    if isinstance(result, Float64Type):
        return lanes.replace(op, lanes.to_f64(lanes.wider(value, f32)))
    if isinstance(element_of(value.type), BFloat16Type):
        return lanes.replace(op, lanes.from_bits(lanes.left(_word(lanes, value), 16)))
    return not _converts_f16(op) and lanes.replace(op, _from_f16(lanes, value))


def expand_truncf(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the rounding of a float to the nearest narrow one, ties to even; NaN stays NaN."""
    (value,), result = op.operands, element_of(op.results[0].type)
    if not is_narrow(result):
        return False
    lanes = Lanes(op, rewriter)
    if isinstance(element_of(value.type), Float64Type):
        return lanes.replace(op, lanes.narrower(to_odd(lanes, value), result))
    if not isinstance(element_of(value.type), Float32Type):
        return lanes.replace(op, lanes.narrower(lanes.wider(value, f32), result))
    if isinstance(result, BFloat16Type):
        return lanes.replace(op, _to_bf16(lanes, value))
    return not _converts_f16(op) and lanes.replace(op, _to_f16(lanes, value))


def expand_to_integer(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the conversion of a narrow float to its whole part, by way of f32."""
    (value,) = op.operands
    lanes = Lanes(op, rewriter)
    return is_narrow(value.type) and lanes.replace(op, lanes.same(op, [lanes.wider(value, f32)]))


def _word(lanes: Lanes, value: SSAValue) -> SSAValue:
    """Return the bits of a narrow float, as an i32."""
    return lanes.extended(lanes.as_type(value, i16), lanes.integer_type)


def _to_bf16(lanes: Lanes, value: SSAValue) -> SSAValue:
    number = lanes.bits(value)
    odd = lanes.both(lanes.unsigned_right(number, 16), 1)
    rounded = lanes.unsigned_right(lanes.plus(number, lanes.plus(odd, 0x7FFF)), 16)
    rounded = lanes.choose_integer(lanes.compare("uno", value, value), 0x7FC0, rounded)
    return lanes.as_type(lanes.truncated(rounded, i16), BFloat16Type())


def _from_f16(lanes: Lanes, value: SSAValue) -> SSAValue:
    """Convert an f16 to f32: shift the fraction and the exponent into position and rebias the exponent.

    A number below the least normal one has no leading bit to correct: with the least normal number's exponent it is
    that number too large.
    """
    half = _word(lanes, value)
    magnitude = lanes.both(half, _SIGN - 1)
    shifted = lanes.left(magnitude, _FRACTION)
    normal = lanes.plus(shifted, _BIAS)
    least = lanes.from_bits(lanes.plus(shifted, _LEAST_NORMAL_BITS))
    subnormal = lanes.bits(lanes.sub(least, _LEAST_NORMAL))
    infinite = lanes.either(shifted, _F32_INFINITE)
    result = lanes.choose_integer(lanes.compare_integers("ult", magnitude, 1 << 10), subnormal, normal)
    result = lanes.choose_integer(lanes.compare_integers("ugt", magnitude, _INFINITE - 1), infinite, result)
    sign = lanes.left(lanes.both(half, _SIGN), 16)
    return lanes.from_bits(lanes.either(result, sign))


def _to_f16(lanes: Lanes, value: SSAValue) -> SSAValue:
    """Round an f32 to f16: normal results in integers, where a carry moves on into the exponent; smaller ones by adding
    a float in whose last bit they have their units."""
    number = lanes.bits(value)
    magnitude = lanes.both(number, 0x7FFFFFFF)
    odd = lanes.both(lanes.unsigned_right(magnitude, _FRACTION), 1)
    half_unit = lanes.plus(odd, (1 << (_FRACTION - 1)) - 1 - _BIAS)
    normal = lanes.unsigned_right(lanes.plus(magnitude, half_unit), _FRACTION)
    small = lanes.bits(lanes.add(lanes.from_bits(magnitude), _UNITS))
    subnormal = lanes.minus(small, _UNITS_BITS)
    result = lanes.choose_integer(lanes.compare_integers("ult", magnitude, _LEAST_NORMAL_BITS), subnormal, normal)
    result = lanes.choose_integer(lanes.compare_integers("ugt", magnitude, _TOO_LARGE_BITS - 1), _INFINITE, result)
    result = lanes.choose_integer(lanes.compare_integers("ugt", magnitude, _F32_INFINITE), _QUIET, result)
    sign = lanes.both(lanes.unsigned_right(number, 16), _SIGN)
    return lanes.as_type(lanes.truncated(lanes.either(result, sign), i16), Float16Type())


def _converts_f16(op: Operation) -> bool:
    target = target_of(op)
    return isinstance(target, CpuTargetAttr) and target.converts_f16
