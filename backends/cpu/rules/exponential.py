"""exp: x = n ln 2 + r, e^x = 2^n e^r.

The reduction uses ln 2 in two parts and e^r a polynomial of degree 6 on [-ln 2 / 2, ln 2 / 2] (S. Moshier, Cephes,
`expf`). n is rounded by adding 1.5 * 2^23, which leaves it in the low bits of a float, so that no conversion has to be
defined for NaN. 2^n is applied in two halves: results below the least normal number are rounded once, and n = 128 gives
infinity where it should.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from .lanes import Lanes, f32_rule

_LARGEST, _SMALLEST = 88.8, -104.0
"""Beyond them the result is infinite or zero; between them n lies in [-150, 128]."""
_LOG2_E = 1.44269504088896341
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.12194440e-4
_SHIFT = 12582912.0
"""1.5 * 2^23: a float of this size has its units in its last bit."""
_SHIFT_BITS = 0x4B400000
_POLYNOMIAL = (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)


def exp(lanes: Lanes, x: SSAValue) -> SSAValue:
    """e^x."""
    x = lanes.clamp(x, _SMALLEST, _LARGEST)
    shifted = lanes.fma(x, _LOG2_E, _SHIFT)
    n = lanes.sub(shifted, _SHIFT)
    r = lanes.fma(n, -_LN2_LOW, lanes.fma(n, -_LN2_HIGH, x))
    tail = lanes.fma(lanes.polynomial(r, _POLYNOMIAL), lanes.mul(r, r), r)
    return scale(lanes, lanes.add(tail, 1.0), lanes.minus(lanes.bits(shifted), _SHIFT_BITS))


def scale(lanes: Lanes, x: SSAValue, n: SSAValue) -> SSAValue:
    """x * 2^n for n in [-252, 254], rounded once."""
    half = lanes.right(n, 1)
    return lanes.mul(lanes.mul(x, _power_of_two(lanes, half)), _power_of_two(lanes, lanes.minus(n, half)))


def _power_of_two(lanes: Lanes, n: SSAValue) -> SSAValue:
    return lanes.from_bits(lanes.left(lanes.plus(n, 127), 23))


lower_exp = f32_rule(exp)
