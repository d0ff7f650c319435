"""log: x = 2^e m with m in [sqrt(1/2), sqrt(2)), log x = e ln 2 + log m.

log(1 + r) is r - r^2 / 2 + r^3 P(r), P of degree 8, and ln 2 has two parts (S. Moshier, Cephes, `logf`). Denormals are
scaled into the normal range first.
"""

from __future__ import annotations

from math import inf, nan

from xdsl.ir import SSAValue

from ...rules.lanes import Lanes, f32_rule

_LEAST_NORMAL = 1.17549435e-38
_ONE_BITS, _SQRT_HALF_BITS = 0x3F800000, 0x3F3504F3
_MANTISSA = 0x7FFFFF
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.12194440e-4
_POLYNOMIAL = (
    7.0376836292e-2,
    -1.1514610310e-1,
    1.1676998740e-1,
    -1.2420140846e-1,
    1.4249322787e-1,
    -1.6668057665e-1,
    2.0000714765e-1,
    -2.4999993993e-1,
    3.3333331174e-1,
)


def log(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the natural logarithm: -inf at zeros, NaN below."""
    exponent, r = split(lanes, x)
    square = lanes.mul(r, r)
    tail = lanes.fma(lanes.mul(lanes.polynomial(r, _POLYNOMIAL), r), square, lanes.mul(exponent, _LN2_LOW))
    tail = lanes.fma(square, -0.5, tail)
    return _with_special_values(lanes, x, lanes.fma(exponent, _LN2_HIGH, lanes.add(r, tail)))


def split(lanes: Lanes, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Return e and m - 1 of x = 2^e m, for x that is finite and above 0, as floats."""
    is_small = lanes.compare("olt", x, _LEAST_NORMAL)
    bits = lanes.bits(lanes.choose(is_small, lanes.mul(x, 2.0**23), x))
    shifted = lanes.plus(bits, _ONE_BITS - _SQRT_HALF_BITS)
    exponent = lanes.to_float(lanes.minus(lanes.right(shifted, 23), 127))
    exponent = lanes.add(exponent, lanes.choose(is_small, -23.0, 0.0))
    rest = lanes.sub(lanes.from_bits(lanes.plus(lanes.both(shifted, _MANTISSA), _SQRT_HALF_BITS)), 1.0)
    return exponent, rest


def _with_special_values(lanes: Lanes, x: SSAValue, result: SSAValue) -> SSAValue:
    result = lanes.choose(lanes.compare("oeq", x, inf), inf, result)
    result = lanes.choose(lanes.compare("oeq", x, 0.0), -inf, result)
    return lanes.choose(lanes.compare("oge", x, 0.0), result, nan)


lower_log = f32_rule(log)
