"""Conversions of integers and f64 to 16-bit floats with a single rounding, through an f32 or f64 that is rounded to
odd."""

from __future__ import annotations

from xdsl.dialects.builtin import Float64Type, IndexType, IntegerType, f32
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .lanes import Lanes
from .narrow_floats import element_of, is_narrow

_F64_FRACTION = 53
_EXCESS = 11
"""The bits that an i64 has more than the fraction of an f64."""


def expand_from_double(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand arith.truncf of an f64 to the nearest narrow float, ties to even, where that of an f32 is one
    instruction."""
    (value,), result = op.operands, element_of(op.results[0].type)
    if not is_narrow(result) or not isinstance(element_of(value.type), Float64Type):
        return False
    lanes = Lanes(op, rewriter)
    return lanes.replace(op, lanes.narrower(to_odd(lanes, value), result))


def expand_from_integer(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand the rounding of an integer to the nearest narrow float: f32 represents integers of 16 bits exactly, f64 of
    53."""
    (value,), result = op.operands, element_of(op.results[0].type)
    if not is_narrow(result):
        return False
    lanes = Lanes(op, rewriter)
    source = element_of(value.type)
    width = 64 if isinstance(source, IndexType) else source.width.data if isinstance(source, IntegerType) else 0
    if width <= 16:
        return lanes.replace(op, lanes.narrower(lanes.same(op, [value], f32), result))
    wide = lanes.doubles()
    if width <= _F64_FRACTION:
        return lanes.replace(op, wide.narrower(wide.same(op, [value], wide.float), result))
    return lanes.replace(op, wide.narrower(_from_long(wide, op, value), result))


def _from_long(wide: Lanes, op: Operation, value: SSAValue) -> SSAValue:
    """Return an i64 as an f64, rounded to odd: if the number needs more than 53 bits, set bits among the excess ones
    set the lowest bit that is kept."""
    is_signed = op.name == "arith.sitofp"
    shift = wide.right if is_signed else wide.unsigned_right
    high = shift(value, _F64_FRACTION)
    sticky = wide.compare_integers("ne", wide.both(value, (1 << _EXCESS) - 1), 0)
    folded = wide.either(shift(value, _EXCESS), wide.choose_integer(sticky, 1, 0))
    rounded = wide.mul(wide.same(op, [folded], wide.float), float(1 << _EXCESS))
    is_small = wide.compare_integers("eq", high, 0)
    exact = wide.same(op, [value], wide.float)
    result = wide.choose(is_small, exact, rounded)
    return wide.choose(wide.compare_integers("eq", high, -1), exact, result) if is_signed else result


def to_odd(lanes: Lanes, value: SSAValue) -> SSAValue:
    """Return an f64 as an f32, rounded to odd, so that a second rounding gives the result of a single one.

    (S. Boldo, G. Melquiond, "When double rounding is odd", 2005.)
    """
    wide = lanes.doubles()
    nearest = lanes.to_f32(value)
    back = lanes.to_f64(nearest)
    too_large = wide.compare("ogt", wide.absolute(back), wide.absolute(value))
    inexact = wide.compare("one", back, value)
    towards_zero = lanes.minus(lanes.bits(nearest), lanes.choose_integer(too_large, 1, 0))
    return lanes.from_bits(lanes.either(towards_zero, lanes.choose_integer(inexact, 1, 0)))
