"""Conversions of storage types, floats of 8 and 4 bits and integers of 4 and 2, as integer code on their bits.

A narrow float's fraction and exponent are shifted into position and the exponent is rebiased. Rounding to nearest even
is done in integers, where a carry propagates into the exponent. Subnormal results are rounded by adding a float whose
ULP is the least subnormal. The encodings of infinity, NaN and zero come from the type's `FloatSemantics`. Powers of two
(E8M0) have an exponent only.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    Float8E8M0FNUType,
    Float32Type,
    Float64Type,
    FloatNanEncoding,
    FloatNonfiniteBehavior,
    IntegerType,
    ReducedPrecisionFloatType,
    f32,
    i32,
)
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.dtypes import is_storage
from .lanes import Lanes
from .narrow_conversions import to_odd
from .narrow_floats import element_of

_FRACTION = 23
_BIAS = 127
_INFINITE, _QUIET, _MAGNITUDE = 0x7F800000, 0x7FC00000, 0x7FFFFFFF
"""Bits of an f32: infinity, a NaN, and all but the sign."""
_FINITE = FloatNonfiniteBehavior.FINITE_ONLY


@dataclass(frozen=True)
class _Format:
    """The encoding of a narrow float that has a sign."""

    type: ReducedPrecisionFloatType

    @property
    def fraction(self) -> int:
        return self.type.SEMANTICS.mantissa_bits

    @property
    def dropped(self) -> int:
        """The bits of fraction that an f32 has more."""
        return _FRACTION - self.fraction

    @property
    def sign(self) -> int:
        """The bit of the sign, which is all of a negative zero's."""
        return 1 << self.type.SEMANTICS.sign_shift

    @property
    def largest(self) -> int:
        """The bits of the largest finite number."""
        behavior, has_nan = self.type.SEMANTICS.nonfinite, self.type.SEMANTICS.nan_encoding
        if behavior is FloatNonfiniteBehavior.IEEE:
            return self.too_large - 1
        return self.sign - 2 if behavior is not _FINITE and has_nan is FloatNanEncoding.ALL_ONES else self.sign - 1

    @property
    def too_large(self) -> int:
        """The bits, without a sign, of the value to which numbers beyond the largest finite one are rounded."""
        return self.type.encode_bits(float("inf")) & (self.sign - 1)

    @property
    def is_unsigned_zero(self) -> bool:
        """True if the bits of a negative zero are those of the only NaN."""
        return self.type.SEMANTICS.nan_encoding is FloatNanEncoding.NEGATIVE_ZERO

    @property
    def least_normal(self) -> int:
        """The bits of the f32 that is the least normal number."""
        return (_BIAS + 1 - self.type.SEMANTICS.exponent_bias) << _FRACTION

    @property
    def rebias(self) -> int:
        """The difference of the exponents of equal f32 and narrow float, shifted to the exponent's bits of an f32."""
        return (_BIAS - self.type.SEMANTICS.exponent_bias) << _FRACTION


def expand_extf(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the conversion of a narrow float to the equal f32; to another float by way of f32."""
    (value,), result = op.operands, element_of(op.results[0].type)
    source = element_of(value.type)
    if not isinstance(source, ReducedPrecisionFloatType) or not is_storage(source):
        return False
    lanes = Lanes(op, rewriter)
    if isinstance(result, Float64Type):
        return lanes.replace(op, lanes.to_f64(lanes.wider(value, f32)))
    if not isinstance(result, Float32Type):
        return lanes.replace(op, lanes.narrower(lanes.wider(value, f32), result))
    code = lanes.extended(lanes.as_type(value, IntegerType(source.bitwidth)), i32)
    if isinstance(source, Float8E8M0FNUType):
        return lanes.replace(op, _from_power(lanes, code))
    return lanes.replace(op, _from_code(lanes, code, _Format(source)))


def expand_truncf(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the rounding of a float to the nearest narrow one, ties to even. A number that is too large becomes
    infinity, NaN or the largest number, depending on the type."""
    (value,), result = op.operands, element_of(op.results[0].type)
    if not isinstance(result, ReducedPrecisionFloatType) or not is_storage(result):
        return False
    lanes = Lanes(op, rewriter)
    source = element_of(value.type)
    if isinstance(source, Float64Type):
        return lanes.replace(op, lanes.narrower(to_odd(lanes, value), result))
    if not isinstance(source, Float32Type):
        return lanes.replace(op, lanes.narrower(lanes.wider(value, f32), result))
    number = lanes.bits(value)
    is_power = isinstance(result, Float8E8M0FNUType)
    code = _to_power(lanes, number) if is_power else _to_code(lanes, number, _Format(result))
    return lanes.replace(op, lanes.as_type(lanes.truncated(code, IntegerType(result.bitwidth)), result))


def expand_extsi(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the extension of an integer of a few bits by copies of its sign: it has zeros above, and is shifted up and
    down."""
    (value,), result = op.operands, element_of(op.results[0].type)
    source = element_of(value.type)
    if not isinstance(source, IntegerType) or not is_storage(source) or not isinstance(result, IntegerType):
        return False
    lanes = Lanes(op, rewriter)
    count = 32 - source.width.data
    word = lanes.right(lanes.left(lanes.extended(value, i32), count), count)
    if result.width.data > 32:
        return lanes.replace(op, lanes.same(op, [word]))
    return lanes.replace(op, lanes.truncated(word, result) if result.width.data < 32 else word)


def _from_code(lanes: Lanes, code: SSAValue, format: _Format) -> SSAValue:
    """Convert a code to f32: a number below the least normal one has no leading bit, and with the least normal number's
    exponent it is that number too large."""
    magnitude = lanes.both(code, format.sign - 1)
    shifted = lanes.left(magnitude, format.dropped)
    least = lanes.from_bits(lanes.plus(shifted, format.least_normal))
    subnormal = lanes.bits(lanes.sub(least, 2.0 ** (1 - format.type.SEMANTICS.exponent_bias)))
    is_subnormal = lanes.compare_integers("ult", magnitude, 1 << format.fraction)
    result = lanes.choose_integer(is_subnormal, subnormal, lanes.plus(shifted, format.rebias))
    if not format.is_unsigned_zero and format.too_large > format.largest:
        special = lanes.either(shifted, _INFINITE)
        result = lanes.choose_integer(lanes.compare_integers("ugt", magnitude, format.largest), special, result)
    sign = lanes.left(lanes.both(code, format.sign), 31 - format.type.SEMANTICS.sign_shift)
    result = lanes.either(result, sign)
    if format.is_unsigned_zero:
        result = lanes.choose_integer(lanes.compare_integers("eq", code, format.sign), _QUIET, result)
    return lanes.from_bits(result)


def _to_code(lanes: Lanes, number: SSAValue, format: _Format) -> SSAValue:
    magnitude = lanes.both(number, _MAGNITUDE)
    odd = lanes.both(lanes.unsigned_right(magnitude, format.dropped), 1)
    half_unit = lanes.plus(odd, (1 << (format.dropped - 1)) - 1 - format.rebias)
    normal = lanes.unsigned_right(lanes.plus(magnitude, half_unit), format.dropped)
    # An f32 of this size has the narrow type's least unit in its last bit.
    unit_exponent = _FRACTION + 1 - format.type.SEMANTICS.exponent_bias - format.fraction
    small = lanes.bits(lanes.add(lanes.from_bits(magnitude), 2.0**unit_exponent))
    subnormal = lanes.minus(small, (_BIAS + unit_exponent) << _FRACTION)
    is_small = lanes.compare_integers("ult", magnitude, format.least_normal)
    result = lanes.choose_integer(is_small, subnormal, normal)
    overflows = lanes.compare_integers("ugt", result, format.largest)
    is_nan = lanes.compare_integers("ugt", magnitude, _INFINITE)
    sign = lanes.both(lanes.unsigned_right(number, 31 - format.type.SEMANTICS.sign_shift), format.sign)
    if format.is_unsigned_zero:
        signed = lanes.choose_integer(lanes.compare_integers("eq", result, 0), 0, lanes.either(result, sign))
        return lanes.choose_integer(overflows, format.sign, signed)
    result = lanes.choose_integer(overflows, format.too_large, result)
    if format.type.SEMANTICS.nonfinite is _FINITE:
        return lanes.choose_integer(is_nan, format.sign, lanes.either(result, sign))
    nan = format.type.encode_bits(float("nan")) & (format.sign - 1)
    return lanes.either(lanes.choose_integer(is_nan, nan, result), sign)


_POWER_NAN = 0xFF
_LEAST_POWER = 1 << (_FRACTION - 1)
"""The f32 2^-127, which is no normal one."""


def _from_power(lanes: Lanes, code: SSAValue) -> SSAValue:
    """Return 2 to the power code - 127, of which the least is no normal f32."""
    result = lanes.choose_integer(lanes.compare_integers("eq", code, 0), _LEAST_POWER, lanes.left(code, _FRACTION))
    return lanes.from_bits(lanes.choose_integer(lanes.compare_integers("eq", code, _POWER_NAN), _QUIET, result))


def _to_power(lanes: Lanes, number: SSAValue) -> SSAValue:
    """Return the nearest power of two, of two the greater; between the two least ones the greater.

    The result is NaN for numbers that are not above 0 or too large.
    """
    rounded = lanes.unsigned_right(lanes.plus(number, 1 << (_FRACTION - 1)), _FRACTION)
    least = lanes.choose_integer(lanes.compare_integers("ugt", number, _LEAST_POWER), 1, 0)
    result = lanes.choose_integer(lanes.compare_integers("ult", number, 1 << _FRACTION), least, rounded)
    result = lanes.choose_integer(lanes.compare_integers("sgt", number, _INFINITE - 1), _POWER_NAN, result)
    return lanes.choose_integer(lanes.compare_integers("sle", number, 0), _POWER_NAN, result)
