"""exp2, log2, log10 and pow, computed in f64, whose rounding errors are below the precision of the f32 result.

x to the power y is 2^(y log2 |x|), except for the special cases of C's `pow`.

log2 m is the odd series of atanh in (m - 1) / (m + 1) with m in [sqrt(1/2), sqrt(2)), 2^f the series of e^(f ln 2) on
[-1/2, 1/2]; both are cut off where their terms fall below 2^-31.
"""

from __future__ import annotations

from math import factorial, inf, log, log10, nan

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...rules.lanes import Lanes, f32_rule, lanes_of_f32
from .exponential import SHIFT, scale
from .logarithm import split

_LARGEST, _SMALLEST = 130.0, -160.0
"""Powers of 2 beyond which the result is infinite or zero."""
_LOG2 = tuple(2 / log(2) / k for k in range(13, 0, -2))
_EXP2 = tuple(log(2) ** k / factorial(k) for k in range(8, -1, -1))


def lower_exp2(op: Operation, rewriter: PatternRewriter) -> bool:
    """Lower math.exp2 on f32."""
    lanes = lanes_of_f32(op, rewriter)
    return lanes is not None and lanes.replace(op, _exp2(lanes, lanes.doubles().to_f64(op.operands[0])))


def lower_log2(op: Operation, rewriter: PatternRewriter) -> bool:
    """Lower math.log2 on f32."""
    lanes = lanes_of_f32(op, rewriter)
    return lanes is not None and lanes.replace(op, _scaled_log2(lanes, op.operands[0], 1.0))


def lower_log10(op: Operation, rewriter: PatternRewriter) -> bool:
    """Lower math.log10 on f32."""
    lanes = lanes_of_f32(op, rewriter)
    return lanes is not None and lanes.replace(op, _scaled_log2(lanes, op.operands[0], log10(2)))


def power(lanes: Lanes, x: SSAValue, y: SSAValue) -> SSAValue:
    """Compute x to the power y."""
    magnitude = lanes.absolute(x)
    wide = lanes.doubles()
    result = _exp2(lanes, wide.mul(wide.to_f64(y), _log2(lanes, magnitude)))
    return _with_special_values(lanes, x, y, magnitude, result)


def _exp2(lanes: Lanes, exponent: SSAValue) -> SSAValue:
    """Compute 2 to a power in f64."""
    wide = lanes.doubles()
    exponent = wide.clamp(exponent, _SMALLEST, _LARGEST)
    whole = wide.rounded(exponent)
    fraction = lanes.to_f32(wide.polynomial(wide.sub(exponent, whole), _EXP2))
    return scale(lanes, fraction, lanes.add(lanes.to_f32(whole), SHIFT))


def _scaled_log2(lanes: Lanes, x: SSAValue, factor: float) -> SSAValue:
    """Compute factor log2 x: NaN below zero."""
    result = lanes.to_f32(lanes.doubles().mul(_log2(lanes, x), factor))
    return lanes.choose(lanes.compare("oge", x, 0.0), result, nan)


def _log2(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the logarithm to base 2 of x >= 0, in f64."""
    wide = lanes.doubles()
    exponent, rest = (wide.to_f64(part) for part in split(lanes, x))
    ratio = wide.div(rest, wide.add(rest, 2.0))
    result = wide.add(wide.mul(wide.polynomial(wide.mul(ratio, ratio), _LOG2), ratio), exponent)
    result = wide.choose(lanes.compare("oeq", x, 0.0), -inf, result)
    return wide.choose(lanes.compare("olt", x, inf), result, wide.to_f64(x))


def _with_special_values(lanes: Lanes, x: SSAValue, y: SSAValue, magnitude: SSAValue, result: SSAValue) -> SSAValue:
    """Add special values to `result`: the sign of an odd power, NaN for a fractional power of a negative number, and
    the powers that are 1 for every value of the other operand."""
    half = lanes.mul(y, 0.5)
    odd_or_fraction = lanes.compare("une", lanes.rounded(half), half)
    fraction = lanes.compare("une", lanes.rounded(y), y)
    sign = lanes.choose(odd_or_fraction, lanes.with_sign(lanes.value(1.0), x), 1.0)
    # A fractional power of a negative number is no number, unless the number is infinite: then it has no sign.
    beneath = lanes.choose(
        lanes.compare("olt", magnitude, inf), lanes.choose(lanes.compare("olt", x, 0.0), nan, 1.0), 1.0
    )
    result = lanes.mul(result, lanes.choose(fraction, beneath, sign))
    result = lanes.choose(lanes.compare("oeq", y, 0.0), 1.0, result)
    result = lanes.choose(lanes.compare("oeq", x, 1.0), 1.0, result)
    units = lanes.choose(lanes.compare("oeq", lanes.absolute(y), inf), 1.0, result)
    return lanes.choose(
        lanes.compare("oeq", magnitude, 1.0), lanes.choose(lanes.compare("oeq", x, -1.0), units, 1.0), result
    )


lower_pow = f32_rule(power)
