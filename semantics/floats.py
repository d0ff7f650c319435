"""Float arithmetic of `arith` and the functions of `math`, each result rounded once to its type.

numpy rounds the four operations, square roots and conversions correctly in every dtype, bfloat16 included. Other
functions are computed in float64 and rounded, which for the narrower floats is the correct rounding in all but some
one in a billion cases.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .rounding import fma, in_float64
from .values import Function


def maximum(a: Any, b: Any) -> Any:
    """Return the larger operand, NaN where either is; -0.0 is less than 0.0."""
    return np.where(a == b, np.where(np.signbit(a), b, a), np.maximum(a, b))[()]


def minimum(a: Any, b: Any) -> Any:
    """Return the smaller operand, NaN where either is; -0.0 is less than 0.0."""
    return np.where(a == b, np.where(np.signbit(a), a, b), np.minimum(a, b))[()]


def maximum_number(a: Any, b: Any) -> Any:
    """Return the larger operand, the other one where one is NaN."""
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, maximum(a, b)))[()]


def minimum_number(a: Any, b: Any) -> Any:
    """Return the smaller operand, the other one where one is NaN."""
    return np.where(np.isnan(a), b, np.where(np.isnan(b), a, minimum(a, b)))[()]


def _round_half_away(a: Any) -> Any:
    whole = np.trunc(a)
    return np.where(np.abs(a - whole) >= 0.5, whole + np.copysign(1.0, a), np.copysign(whole, a))[()]


def _integer_power(a: Any, b: Any) -> Any:
    return in_float64(lambda x: np.power(x, b.astype(np.float64)))(a)


def _error_function(value: Any) -> Any:
    return _ERF(value)[()]


def _unordered(a: Any, b: Any) -> Any:
    return np.isnan(a) | np.isnan(b)


def _ordered(a: Any, b: Any) -> Any:
    return ~_unordered(a, b)


def _or_unordered(compare: Function) -> Function:
    return lambda a, b: compare(a, b) | _unordered(a, b)


_ERF = np.vectorize(math.erf, otypes=[np.float64])

_IN_FLOAT64: dict[str, Function] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "atanh": np.arctanh,
    "cbrt": np.cbrt,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": _error_function,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "powf": np.power,
    "round": _round_half_away,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "sin": np.sin,
    "sinh": np.sinh,
    "tan": np.tan,
    "tanh": np.tanh,
}

FLOAT: dict[str, Function] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.negf": np.negative,
    "arith.maximumf": maximum,
    "arith.minimumf": minimum,
    "arith.maxnumf": maximum_number,
    "arith.minnumf": minimum_number,
    "arith.remf": in_float64(np.fmod),
    "math.absf": np.abs,
    "math.ceil": np.ceil,
    "math.copysign": np.copysign,
    "math.floor": np.floor,
    "math.fma": fma,
    "math.fpowi": _integer_power,
    "math.roundeven": np.rint,
    "math.sqrt": np.sqrt,
    "math.trunc": np.trunc,
    **{f"math.{name}": in_float64(function) for name, function in _IN_FLOAT64.items()},
}
"""Functions of floats of one type, with a result of that type; `fpowi` takes an integer second."""


def _never(a: Any, b: Any) -> Any:
    return np.zeros(np.broadcast(a, b).shape, np.bool_)[()]


PREDICATES: tuple[Function, ...] = (
    _never,
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    lambda a, b: (a < b) | (a > b),
    _ordered,
    _or_unordered(np.equal),
    _or_unordered(np.greater),
    _or_unordered(np.greater_equal),
    _or_unordered(np.less),
    _or_unordered(np.less_equal),
    np.not_equal,
    _unordered,
    lambda a, b: ~_never(a, b),
)
"""Comparisons by the number of the `arith.cmpf` predicate: false, oeq … one, ord, ueq … ule, une, uno, true."""
