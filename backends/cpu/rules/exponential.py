"""exp, and tanh by way of it.

exp: x = n ln 2 + r, e^x = 2^n e^r. The reduction uses ln 2 in two parts (S. Moshier, Cephes, `expf`). e^r is a
polynomial of degree 6 on [-ln 2 / 2, ln 2 / 2], a least-maximum fit of the relative error with 1 + r as its beginning;
that error is 0.03 ULP. n is rounded by adding 1.5 * 2^23, which leaves it in the low bits of a float, so that no
conversion has to be defined for NaN. 2^n is applied in two halves: results below the least normal number are rounded
once, and n = 128 gives infinity where it should.

tanh: an odd polynomial near zero, 1 - 2 / (e^(2x) + 1) beyond. The polynomial, of degree 11 for |x| < 0.625, is that of
S. Moshier's Cephes, `tanhf`.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...rules.lanes import Lanes, f32_rule

_LARGEST, _SMALLEST = 88.8, -104.0
"""Beyond them the result is infinite or zero; between them n lies in [-150, 128]."""
_LOG2_E = 1.44269504088896341
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.12194440e-4
_BIASES = 2 * 127
SHIFT = 12582912.0 + _BIASES
"""1.5 * 2^23, since a float of this size has its units in its last bit, and the biases of two exponents."""
_POLYNOMIAL = (1.3814173991e-3, 8.3689217968e-3, 4.1668407976e-2, 1.6666518939e-1, 4.9999993333e-1, 1.0, 1.0)
_TANH_BORDER = 0.625
_TANH_SATURATED = 10.0
"""From here on tanh rounds to 1."""
_TANH_POLYNOMIAL = (-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1)


def exp(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute e^x."""
    x = lanes.clamp(x, _SMALLEST, _LARGEST)
    shifted = lanes.fma(x, _LOG2_E, SHIFT)
    n = lanes.sub(shifted, SHIFT)
    r = lanes.fma(n, -_LN2_LOW, lanes.fma(n, -_LN2_HIGH, x))
    return scale(lanes, lanes.polynomial(r, _POLYNOMIAL), shifted)


def scale(lanes: Lanes, x: SSAValue, shifted: SSAValue) -> SSAValue:
    """Compute x * 2^n for n in [-252, 254], rounded once; `shifted` is n + SHIFT.

    The low bits of `shifted` are the sum of the exponents of two powers of 2, biases included. Nine bits of each half
    of the sum reach the result; the bits of 1.5 * 2^23 and of its half are zero there.
    """
    both = lanes.bits(shifted)
    half = lanes.right(both, 1)
    other = lanes.minus(both, half)
    return lanes.mul(lanes.mul(x, _power_of_two(lanes, half)), _power_of_two(lanes, other))


def _power_of_two(lanes: Lanes, exponent: SSAValue) -> SSAValue:
    """Return 2 to the power whose exponent, with its bias, the low bits are."""
    return lanes.from_bits(lanes.left(exponent, 23))


lower_exp = f32_rule(exp)


def tanh(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the hyperbolic tangent."""
    magnitude = lanes.absolute(x)
    square = lanes.mul(magnitude, magnitude)
    near = lanes.fma(lanes.mul(lanes.polynomial(square, _TANH_POLYNOMIAL), square), magnitude, magnitude)
    capped = lanes.choose(lanes.compare("ogt", magnitude, _TANH_SATURATED), _TANH_SATURATED, magnitude)
    power = exp(lanes, lanes.add(capped, capped))
    far = lanes.sub(1.0, lanes.div(2.0, lanes.add(power, 1.0)))
    return lanes.with_sign(lanes.choose(lanes.compare("olt", magnitude, _TANH_BORDER), near, far), x)


lower_tanh = f32_rule(tanh)
