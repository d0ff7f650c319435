"""sin, cos and tan: the argument modulo a quarter turn, exactly, then a polynomial for the octants around it.

x / 2 pi is the sum of the products of x with 29-bit pieces of 1 / 2 pi. Each product is exact in f64, and so is its
remainder modulo whole turns, so the reduction is accurate for the largest floats (M. Payne and R. Hanek, "Radian
reduction for trigonometric functions", 1983). Quarter turns are subtracted after every piece, so that no partial sum is
rounded before it cancels. The polynomials are those of S. Moshier's Cephes, `sinf`.
"""

from __future__ import annotations

from math import pi

from xdsl.ir import SSAValue

from ...rules.lanes import Lanes, f32_rule

_PIECES = tuple(
    bits * 2.0 ** (-29 * (k + 1))
    for k, bits in enumerate((0x517CC1B, 0xE4E4415, 0x53F84EA, 0x1F47D4D3, 0xEE06DB1, 0x95993C4, 0x72083FC))
)
"""1 / 2 pi to 203 bits: enough for 2^128 next to a multiple of a quarter turn."""
_WITH_TURNS = 5
"""Products with the pieces after these are less than a turn for every float."""
_QUARTERS = 1.5 * 2.0**50
"""An f64 of this size has its last bit at 1/4, as an f32 has at the size below."""
_QUARTERS_F32 = 1.5 * 2.0**21
_ONE_BITS = 0x3F800000
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)


def sin(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the sine; that of -0 is -0."""
    angle, quarter = _reduced(lanes, lanes.absolute(x))
    return lanes.mul(_wave(lanes, lanes.to_f32(angle), quarter), _sign(lanes, x))


def cos(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the cosine."""
    angle, quarter = _reduced(lanes, lanes.absolute(x))
    return _wave(lanes, lanes.to_f32(angle), lanes.plus(quarter, 1))


def tan(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Compute the tangent, whose quotient is made in f64: a quarter turn on, it is -1 / tan."""
    angle, quarter = _reduced(lanes, lanes.absolute(x))
    wide = lanes.doubles()
    sine, cosine = _sine(wide, angle), _cosine(wide, angle)
    odd = _is_odd(lanes, quarter)
    quotient = wide.div(wide.choose(odd, cosine, sine), wide.choose(odd, wide.mul(sine, -1.0), cosine))
    return lanes.mul(lanes.to_f32(quotient), _sign(lanes, x))


def _reduced(lanes: Lanes, x: SSAValue) -> tuple[SSAValue, SSAValue]:
    """Return x >= 0 as an angle of about an eighth of a turn at most, in f64, and the number of quarter turns modulo
    4."""
    wide = lanes.doubles()
    x = wide.to_f64(x)
    rest = turns = wide.value(0.0)
    for k, piece in enumerate(_PIECES[:_WITH_TURNS]):
        product = wide.mul(x, piece)
        product = wide.sub(product, wide.rounded(product))
        rest = product if k == 0 else wide.add(rest, product)
        quarters = wide.sub(wide.add(rest, _QUARTERS), _QUARTERS)
        rest = wide.sub(rest, quarters)
        turns = quarters if k == 0 else wide.add(turns, quarters)
    for piece in _PIECES[_WITH_TURNS:]:
        rest = wide.fma(x, piece, rest)
    return wide.mul(rest, 2 * pi), lanes.bits(lanes.add(lanes.to_f32(turns), _QUARTERS_F32))


def _wave(lanes: Lanes, angle: SSAValue, quarter: SSAValue) -> SSAValue:
    """Compute the sine of an angle some quarter turns on."""
    value = lanes.choose(_is_odd(lanes, quarter), _cosine(lanes, angle), _sine(lanes, angle))
    return lanes.mul(value, lanes.from_bits(lanes.plus(lanes.left(lanes.both(quarter, 2), 30), _ONE_BITS)))


def _sine(lanes: Lanes, angle: SSAValue) -> SSAValue:
    square = lanes.mul(angle, angle)
    return lanes.fma(lanes.mul(lanes.polynomial(square, _SINE), square), angle, angle)


def _cosine(lanes: Lanes, angle: SSAValue) -> SSAValue:
    square = lanes.mul(angle, angle)
    tail = lanes.fma(lanes.polynomial(square, _COSINE), square, -0.5)
    return lanes.fma(tail, square, 1.0)


def _is_odd(lanes: Lanes, quarter: SSAValue) -> SSAValue:
    return lanes.compare("ogt", lanes.to_float(lanes.both(quarter, 1)), 0.5)


def _sign(lanes: Lanes, x: SSAValue) -> SSAValue:
    """Return 1 with the sign of x."""
    return lanes.with_sign(lanes.value(1.0), x)


lower_sin = f32_rule(sin)
lower_cos = f32_rule(cos)
lower_tan = f32_rule(tan)
