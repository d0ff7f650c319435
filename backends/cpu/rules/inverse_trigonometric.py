"""atan, asin and acos: range reduction by identities to polynomials near zero, in f64, so that sums lose no precision.

The reductions and the polynomials are those of S. Moshier's Cephes, `atanf` and `asinf`.
"""

from __future__ import annotations

from math import pi, sqrt

from xdsl.ir import SSAValue

from ...rules.lanes import Lanes, f32_rule

_TANGENT = (8.05374449538e-2, -1.38776856032e-1, 1.99777106478e-1, -3.33329491539e-1)
_ARC = (4.2163199048e-2, 2.4181311049e-2, 4.5470025998e-2, 7.4953002686e-2, 1.6666752422e-1)


def atan(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the angle of the tangent x: pi / 2 - atan(1 / x) for large ones, pi / 4 + atan((x - 1) / (x + 1)) around
    1."""
    wide = lanes.doubles()
    x64 = wide.to_f64(lanes.absolute(x))
    large, middle = wide.compare("ogt", x64, sqrt(2) + 1), wide.compare("ogt", x64, sqrt(2) - 1)
    numerator = wide.choose(large, -1.0, wide.choose(middle, wide.sub(x64, 1.0), x64))
    denominator = wide.choose(large, x64, wide.choose(middle, wide.add(x64, 1.0), 1.0))
    start = wide.choose(large, pi / 2, wide.choose(middle, pi / 4, 0.0))
    angle = wide.add(start, _odd(wide, wide.div(numerator, denominator), None, _TANGENT))
    return lanes.with_sign(lanes.to_f32(angle), x)


def asin(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the angle of the sine x: pi / 2 - 2 asin(sqrt((1 - x) / 2)) above 1/2."""
    wide = lanes.doubles()
    far, arc = _arc(wide, wide.to_f64(lanes.absolute(x)))
    angle = wide.choose(far, wide.sub(pi / 2, wide.add(arc, arc)), arc)
    return lanes.with_sign(lanes.to_f32(angle), x)


def acos(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute acos x as pi / 2 - asin x, or by the half-angle identity above 1/2."""
    wide = lanes.doubles()
    far, arc = _arc(wide, wide.to_f64(lanes.absolute(x)))
    twice = wide.add(arc, arc)
    far_angle = wide.choose(lanes.compare("ogt", x, 0.0), twice, wide.sub(pi, twice))
    near_angle = wide.sub(pi / 2, wide.with_sign(arc, wide.to_f64(x)))
    return lanes.to_f32(wide.choose(far, far_angle, near_angle))


def _arc(wide: Lanes, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Return whether x >= 0 lies above 1/2, and the arc of the sine sqrt((1 - x) / 2) if so, else that of x."""
    far = wide.compare("ogt", x, 0.5)
    square = wide.choose(far, wide.mul(wide.sub(1.0, x), 0.5), wide.mul(x, x))
    return far, _odd(wide, wide.choose(far, wide.root(square), x), square, _ARC)


def _odd(wide: Lanes, x: SSAValue, square: SSAValue | None, coefficients: tuple[float, ...]) -> SSAValue:
    """Compute x + x^3 P(x^2)."""
    square = wide.mul(x, x) if square is None else square
    return wide.add(x, wide.mul(wide.mul(wide.polynomial(square, coefficients), square), x))


lower_atan = f32_rule(atan)
lower_asin = f32_rule(asin)
lower_acos = f32_rule(acos)
