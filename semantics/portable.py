"""Functions of float64 that give the same bits on every host: of additions, products, quotients and square roots alone.

numpy's exponentials and other functions differ between versions and processors, since numpy has separate vector code
for each instruction set. Elementary arithmetic is rounded as IEEE 754 says everywhere. Sums of two floats
("double-double", T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision", Numerische
Mathematik 18, 1971) keep the bits that one float would lose: exponentials, logarithms and powers are within 0.51 units
in the last place (ulp), the others within 6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from functools import cache, partial
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Pair = tuple[Floats, Floats]
"""A number as the sum of two floats, of which the second is smaller than half a unit in the last place of the first."""

_SPLIT = 2.0**27 + 1
_DIGITS = Context(prec=60)
_LN2 = _DIGITS.ln(Decimal(2))
_STEPS = 32
"""Parts of an octave: exponentials are looked up at each, and computed between two."""
_PIECE_BITS = 32
"""Bits of the pieces of a constant: products with integers of up to 20 bits are exact."""
_MOST_SHORT_ANGLE = 2.0**19
_TINY = 2.0**-28
"""Below it an arctangent is its operand, to all digits."""
_LARGEST_EXPONENT, _SMALLEST_EXPONENT = 710.0, -746.0
"""Of e, beyond which the result is infinite, and zero."""


def _sum(a: Floats, b: Floats) -> Pair:
    """Return the exact sum of two floats."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _product(a: Floats, b: Floats) -> Pair:
    """Return the exact product of two floats below 2**996."""
    total = a * b
    (a1, a2), (b1, b2) = (_halves(each) for each in (a, b))
    return total, ((a1 * b1 - total) + a1 * b2 + a2 * b1) + a2 * b2


def _halves(a: Floats) -> Pair:
    wide = a * _SPLIT
    high = wide - (wide - a)
    return high, a - high


def _plus(a: Pair, b: Pair) -> Pair:
    total, low = _sum(a[0], b[0])
    return _sum(total, low + (a[1] + b[1]))


def _times(a: Pair, b: Pair) -> Pair:
    total, low = _product(a[0], b[0])
    return _sum(total, low + (a[0] * b[1] + a[1] * b[0]))


def _pair(value: Decimal) -> Pair:
    """Return a constant as two floats."""
    high = float(value)
    return np.array(high), np.array(float(_DIGITS.subtract(value, Decimal(high))))


def _pieces(value: Decimal, count: int) -> list[float]:
    """Return a constant as a sum of floats of `_PIECE_BITS` bits each, but for the last."""
    found: list[float] = []
    for _ in range(count - 1):
        mantissa, exponent = math.frexp(float(value))
        found.append(math.ldexp(int(mantissa * 2**_PIECE_BITS), exponent - _PIECE_BITS))
        value = _DIGITS.subtract(value, Decimal(found[-1]))
    return [*found, float(value)]


@cache
def _octave() -> Pair:
    """Return 2**(j / _STEPS) for each j."""
    powers = [_pair(_DIGITS.exp(_DIGITS.divide(_DIGITS.multiply(_LN2, Decimal(j)), _STEPS))) for j in range(_STEPS)]
    high, low = zip(*powers, strict=True)
    return np.array(high), np.array(low)


_STEP_PIECES = _pieces(_DIGITS.divide(_LN2, _STEPS), 3)
_FACTORIALS = [1.0 / math.factorial(n) for n in range(28)]


def _series(x: Floats, coefficients: Sequence[float]) -> Floats:
    """Return the polynomial of these coefficients, that of the constant first."""
    total = np.full_like(x, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = total * x + coefficient
    return total


def _exp_pair(x: Pair) -> tuple[Pair, Any]:
    """Return a pair y and integers k with e**x = y * 2**k, for finite x whose exponential is near the range of
    floats."""
    count = np.rint(x[0] * (_STEPS / float(_LN2)))
    first, second, third = _STEP_PIECES
    rest, low = _sum(x[0] - count * first, -(count * second))
    rest, low = _sum(rest, low + (x[1] - count * third))
    square = _times((rest, low), (rest, low))
    small = _series(rest, _FACTORIALS[3:11]) * rest * square[0]
    power = _plus((rest, low), _plus((0.5 * square[0], 0.5 * square[1]), (small, np.zeros_like(small))))
    steps = count.astype(np.int64)
    high, tail = _octave()
    table = high[steps % _STEPS], tail[steps % _STEPS]
    return _plus(table, _times(table, power)), steps // _STEPS


def _scaled(y: Pair, k: Any) -> Floats:
    """Return y * 2**k, for k too where 2**k is no float."""
    half = k // 2
    return np.ldexp(np.ldexp(y[0] + y[1], half), k - half)


def _exp_of(x: Pair) -> Floats:
    """Return e**x for any finite x."""
    inside = np.clip(x[0], _SMALLEST_EXPONENT, _LARGEST_EXPONENT)
    return _scaled(*_exp_pair((inside, np.where(inside == x[0], x[1], 0.0))))


def _log_pair(x: Floats) -> Pair:
    """Return the natural logarithm of positive, finite x."""
    mantissa, exponent = np.frexp(x)
    small = mantissa < math.sqrt(0.5)
    mantissa = np.where(small, 2 * mantissa, mantissa)
    exponent = (exponent - small).astype(np.float64)
    ratio = (mantissa - 1) / (mantissa + 1)
    near = 2 * ratio * _series(ratio * ratio, [1 / (2 * n + 1) for n in range(12)])
    # One step of Newton's iteration on the exponential, which is exact to twice the digits.
    power, octaves = _exp_pair((-near, np.zeros_like(near)))
    power = np.ldexp(power[0], octaves), np.ldexp(power[1], octaves)
    off = _plus(_times((mantissa, np.zeros_like(near)), power), (np.full_like(near, -1.0), np.zeros_like(near)))
    first, second, third = _pieces(_LN2, 3)
    whole = _plus(_sum(exponent * first, exponent * second), (exponent * third, np.zeros_like(near)))
    return _plus(whole, _sum(near, off[0] + off[1]))


def _exp(x: Floats) -> Floats:
    return _exp_of((x, np.zeros_like(x)))


def _exp2(x: Floats) -> Floats:
    inside = np.clip(x, -1100.0, 1100.0)
    whole = np.rint(inside)
    y, k = _exp_pair(_times((inside - whole, np.zeros_like(x)), _pair(_LN2)))
    return _scaled(y, k + whole.astype(np.int64))


def _expm1(x: Floats) -> Floats:
    inside = np.clip(x, -50.0, _LARGEST_EXPONENT)
    y, k = _exp_pair((inside, np.zeros_like(x)))
    half = k // 2
    high, low = (np.ldexp(np.ldexp(each, half), k - half) for each in y)
    total, rest = _sum(high, np.full_like(x, -1.0))
    result = np.where(np.isinf(high), high, total + (rest + low))
    return np.where(np.abs(x) < 2.0**-30, x + 0.5 * x * x, result)


def _log(x: Floats) -> Floats:
    high, low = _log_pair(x)
    return high + low


def _log_to(base: int, x: Floats) -> Floats:
    high, low = _times(_log_pair(x), _pair(_DIGITS.divide(1, _DIGITS.ln(Decimal(base)))))
    return high + low


def _log2(x: Floats) -> Floats:
    mantissa, exponent = np.frexp(x)
    return np.where(mantissa == 0.5, exponent - 1.0, _log_to(2, x))


def _log1p(x: Floats) -> Floats:
    one, rest = _sum(np.ones_like(x), x)
    high, low = _plus(_log_pair(one), (rest / one, np.zeros_like(x)))
    return np.where(np.abs(x) < 2.0**-54, x, high + low)


def _power(x: Floats, y: Floats) -> Floats:
    is_odd = np.fmod(y, 2) != 0
    sign = np.where((x < 0) & is_odd, -1.0, 1.0)
    high, low = _log_pair(np.abs(x))
    large = np.abs(y) > 2.0**64  # |x| is not 1: the result is infinite or zero
    y = np.where(large, np.copysign(2.0**64, y), y)
    exponent = _times((high, low), (y, np.zeros_like(y)))
    return np.where((x < 0) & (np.floor(y) != y), np.nan, sign * _exp_of(exponent))


@cache
def _half_pi(bits: int) -> int:
    """Return half of pi in units of 2**-bits, by Machin's formula."""
    one = 1 << (bits + 16)

    def arctangent(inverse: int) -> int:
        total, term, n = 0, one // inverse, 1
        while term:
            total += term // n if n % 4 == 1 else -(term // n)
            term, n = term // (inverse * inverse), n + 2
        return total

    return (8 * arctangent(5) - 2 * arctangent(239)) >> 16


_ANGLE_BITS = 1300
"""Bits behind the point that the largest float needs, reduced to a quarter of a turn, for all digits of the result."""
_HALF_PI = _DIGITS.divide(Decimal(_half_pi(200)), Decimal(1 << 200))


def _reduced(x: Floats) -> tuple[Floats, Floats, Any]:
    """Return an angle between -pi/4 and pi/4 as a pair, and how many quarters of a turn it was reduced by, modulo 4."""
    short = np.where(np.abs(x) < _MOST_SHORT_ANGLE, x, 0.0)
    count = np.rint(short * (2 / math.pi))
    first, second, third, last = _pieces(_HALF_PI, 4)
    high, low = _sum(short - count * first, -(count * second))
    high, more = _sum(high, -(count * third))
    high, low = _sum(high, low + more - count * last)
    quarters = count.astype(np.int64)
    for index in zip(*np.nonzero(np.abs(x) >= _MOST_SHORT_ANGLE), strict=True):
        numerator, denominator = float(x[index]).as_integer_ratio()
        half = _half_pi(_ANGLE_BITS)
        quarter, rest = divmod((numerator << _ANGLE_BITS) // denominator + half // 2, half)
        high[index], low[index] = (rest - half // 2) / (1 << _ANGLE_BITS), 0.0
        quarters[index] = quarter % 4
    return high, low, quarters % 4


_SINES = [(-1) ** n * _FACTORIALS[2 * n + 3] for n in range(1, 10)]
_COSINES = [(-1) ** n * _FACTORIALS[2 * n + 4] for n in range(10)]


def _sine_and_cosine(high: Floats, low: Floats) -> tuple[Floats, Floats]:
    """Return the sine and the cosine of an angle between -pi/4 and pi/4."""
    square = high * high
    third = -square * high / 6
    sine = high + (low * (1 - 0.5 * square) + (third + square * square * high * _series(square, [-s for s in _SINES])))
    half = 0.5 * square
    rest = 1 - half
    cosine = rest + (((1 - rest) - half) + (square * square * _series(square, _COSINES) - high * low))
    return sine, cosine


def _turned(x: Floats, shift: int) -> Floats:
    """Return the sine of x, shifted by so many quarters of a turn."""
    high, low, quarters = _reduced(x)
    sine, cosine = _sine_and_cosine(high, low)
    quarters = (quarters + shift) % 4
    return np.where(quarters >= 2, -1.0, 1.0) * np.where(quarters % 2 == 0, sine, cosine)


def _tan(x: Floats) -> Floats:
    high, low, quarters = _reduced(x)
    sine, cosine = _sine_and_cosine(high, low)
    return np.where(quarters % 2 == 0, sine / cosine, -cosine / sine)


def _atan(x: Floats) -> Floats:
    large = np.abs(x) > 1
    inside = np.where(large, 1 / np.where(large, x, 1.0), x)
    for _ in range(2):  # half of the angle
        inside = inside / (1 + np.sqrt(1 + inside * inside))
    angle = 4 * inside * _series(inside * inside, [(-1) ** n / (2 * n + 1) for n in range(14)])
    high, low = _pair(_HALF_PI)
    result = np.where(large, np.copysign(high, x) - (angle - np.copysign(low, x)), angle)
    return np.where(np.abs(x) < _TINY, x, result)


def _atan2(y: Floats, x: Floats) -> Floats:
    ratio = np.where(np.abs(y) <= np.abs(x), y, x) / np.where(np.abs(y) <= np.abs(x), x, y)
    steep = np.abs(y) > np.abs(x)
    high, low = _pair(_HALF_PI)
    near = _atan(ratio)
    right = np.where(steep, np.copysign(high, y) - (near - np.copysign(low, y)), near)
    turn = np.where(~steep & (x < 0), np.copysign(2 * high, y), 0.0)
    return np.where(turn != 0, turn + (right + np.copysign(2 * low, y)), right)


def _asin(x: Floats) -> Floats:
    return _atan2(x, np.sqrt((1 - x) * (1 + x)))


def _acos(x: Floats) -> Floats:
    return 2 * _atan2(np.sqrt(1 - x), np.sqrt(1 + x))


def _sinh(x: Floats) -> Floats:
    size = np.abs(x)
    part = _expm1(np.minimum(size, 700.0))
    half = _exp(0.5 * size)
    return np.copysign(np.where(size < 700, 0.5 * (part + part / (part + 1)), 0.5 * half * half), x)


def _cosh(x: Floats) -> Floats:
    size = np.abs(x)
    power, half = _exp(np.minimum(size, 700.0)), _exp(0.5 * size)
    return np.where(size < 700, 0.5 * (power + 1 / power), 0.5 * half * half)


def _tanh(x: Floats) -> Floats:
    part = _expm1(2 * np.minimum(np.abs(x), 25.0))
    return np.copysign(part / (part + 2), x)


def _asinh(x: Floats) -> Floats:
    size = np.abs(x)
    near = np.minimum(size, 2.0**30)
    small = _log1p(near + near * near / (1 + np.sqrt(near * near + 1)))
    large = _log(np.maximum(size, 1.0)) + float(_LN2)
    return np.copysign(np.where(size < 2.0**28, small, large), x)


def _acosh(x: Floats) -> Floats:
    above = np.minimum(x, 2.0**30) - 1
    small = _log1p(above + np.sqrt(2 * above + above * above))
    return np.where(x < 2.0**28, small, _log(np.maximum(x, 1.0)) + float(_LN2))


def _atanh(x: Floats) -> Floats:
    size = np.abs(x)
    return np.copysign(0.5 * _log1p(2 * size / (1 - size)), x)


def _cbrt(x: Floats) -> Floats:
    high, low = _log_pair(np.abs(x))
    root = _exp_of((high / 3, low / 3))
    square = _product(root, root)
    off = _plus(_times(square, (root, np.zeros_like(x))), (-np.abs(x), np.zeros_like(x)))
    return np.copysign(root - off[0] / (3 * root * root), x)


def _bell(x: Floats) -> Floats:
    """Return e**(-x * x)."""
    high, low = _product(x, x)
    return _exp_of((-high, -low))


def _erf(x: Floats) -> Floats:
    size = np.minimum(np.abs(x), 6.5)
    near = np.minimum(size, 1.25)
    square = 2 * near * near
    total = np.ones_like(near)
    for n in range(45, 0, -1):
        total = 1 + square / (2 * n + 1) * total
    scale = 2 / math.sqrt(math.pi)
    small = scale * near * total * _bell(near)
    far = np.maximum(size, 1.25)
    fraction = np.zeros_like(far)
    for n in range(200, 0, -1):
        fraction = n / 2 / (far + fraction)
    large = 1 - _bell(far) / (math.sqrt(math.pi) * (far + fraction))
    return np.copysign(np.where(size < 1.25, small, large), x)


def _logaddexp(x: Floats, y: Floats) -> Floats:
    return np.maximum(x, y) + _log1p(_exp(-np.abs(x - y)))


def _hypot(x: Floats, y: Floats) -> Floats:
    _, exponent = np.frexp(np.maximum(np.abs(x), np.abs(y)))
    x, y = (np.ldexp(each, -exponent) for each in (x, y))
    return np.ldexp(np.sqrt(x * x + y * y), exponent)


def _is_inside(least: float, most: float) -> Callable[..., Any]:
    return lambda *operands: np.logical_and.reduce([(o > least) & (o < most) for o in operands])


_FINITE = _is_inside(-math.inf, math.inf)
_POSITIVE = _is_inside(0.0, math.inf)


def _powers(x: Floats, y: Floats) -> Any:
    return _FINITE(x, y) & (x != 0) & (y != 0) & (np.abs(x) != 1)


def _nonzero(*operands: Floats) -> Any:
    return _FINITE(*operands) & np.logical_and.reduce([o != 0 for o in operands])


FUNCTIONS: dict[str, tuple[Callable[..., Floats], Callable[..., Any]]] = {
    "arccos": (_acos, _is_inside(-1.0, 1.0)),
    "arccosh": (_acosh, _is_inside(1.0, math.inf)),
    "arcsin": (_asin, lambda x: _is_inside(-1.0, 1.0)(x) & (x != 0)),
    "arcsinh": (_asinh, _nonzero),
    "arctan": (_atan, _nonzero),
    "arctan2": (_atan2, _nonzero),
    "arctanh": (_atanh, lambda x: _is_inside(-1.0, 1.0)(x) & (x != 0)),
    "cbrt": (_cbrt, _nonzero),
    "cos": (partial(_turned, shift=1), _FINITE),
    "cosh": (_cosh, _FINITE),
    "erf": (_erf, _nonzero),
    "exp": (_exp, _FINITE),
    "exp2": (_exp2, _FINITE),
    "expm1": (_expm1, _nonzero),
    "float_power": (_power, _powers),
    "hypot": (_hypot, _nonzero),
    "log": (_log, _POSITIVE),
    "log10": (partial(_log_to, 10), _POSITIVE),
    "log1p": (_log1p, lambda x: _is_inside(-1.0, math.inf)(x) & (x != 0)),
    "log2": (_log2, _POSITIVE),
    "logaddexp": (_logaddexp, _FINITE),
    "power": (_power, _powers),
    "sin": (partial(_turned, shift=0), _nonzero),
    "sinh": (_sinh, _nonzero),
    "tan": (_tan, _nonzero),
    "tanh": (_tanh, _nonzero),
}
"""Functions by numpy's names, each with the operands that it is for. Of the others, as zeros and infinities, numpy's
results are exact everywhere."""


def evaluate(name: str, plain: Callable[..., Any], *operands: Any) -> Floats:
    """Evaluate a function of `FUNCTIONS` on float64 operands that broadcast; `plain` is numpy's, for special
    operands."""
    function, is_regular = FUNCTIONS[name]
    arrays = np.broadcast_arrays(*(np.asarray(o, np.float64) for o in operands))
    with np.errstate(all="ignore"):
        regular = np.asarray(is_regular(*arrays))
        result = np.array(plain(*arrays), np.float64)  # of regular operands nothing is kept
        if regular.any():
            result[regular] = function(*(array[regular] for array in arrays))
    return result
