"""Functions for scalar values that generated code calls.

Integers and booleans are Python's, always in the range of their type: the translator adds a truncation to 64 bits where
an operation might overflow. Floats are numpy's scalars, with IEEE arithmetic in their width. `semantics` defines the
functions of `math`, under the names of the operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....semantics.floats import FLOAT
from ....semantics.rounding import in_float64
from .faults import Fault

Float = Any


def truncated(x: Float, low: int, high: int) -> int:
    """Return a float as an integer, towards zero; out of range the nearest bound, NaN as 0, like PTX's cvt.rzi."""
    try:
        return min(max(int(x), low), high)
    except OverflowError:
        return high if x > 0 else low
    except ValueError:
        return 0


def shifted_left(x: int, count: int) -> int:
    return x << _count(count)


def shifted_right(x: int, count: int) -> int:
    return x >> _count(count)


def _count(count: int) -> int:
    if not 0 <= count < 64:
        raise Fault("TW0659", f"shift of a 64-bit integer by {count}")
    return count


def integer_power(x: int, exponent: int) -> int:
    if exponent < 0:
        raise Fault("TW0659", f"integer power with exponent {exponent}")
    return x**exponent


def float_power(x: Float, y: Float) -> Float:
    """Return `x ** y` in the type of `x`."""
    return FLOAT["math.powf"](x, np.float64(y))


float_minimum, float_maximum = FLOAT["arith.minnumf"], FLOAT["arith.maxnumf"]


def _of_python(function: Callable[..., float], fallback: Callable[..., float]) -> Callable[..., Float]:
    """Return a function of Python's that no operation is; `fallback` gives the value where it raises an error."""

    def compute(*arguments: Float) -> Float:
        try:
            return type(arguments[0])(function(*arguments))
        except (OverflowError, ValueError):
            return type(arguments[0])(fallback(*arguments))

    return compute


def _gamma(x: Float) -> float:
    if math.isnan(x) or x == -math.inf or (x < 0 and x == math.floor(x)):
        return math.nan
    return math.copysign(math.inf, x) if x == 0 else math.inf


_UNARY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor", "log"),
    *("log10", "log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)

FLOAT_FUNCTIONS: dict[str, tuple[int, Callable[..., Float]]] = {
    **{name: (1, FLOAT[f"math.{name}"]) for name in _UNARY},
    **{name: (2, FLOAT[f"math.{name}"]) for name in ("atan2", "copysign")},
    "fabs": (1, FLOAT["math.absf"]),
    "fmod": (2, FLOAT["arith.remf"]),
    "pow": (2, FLOAT["math.powf"]),
    "degrees": (1, in_float64(np.degrees)),
    "erfc": (1, _of_python(math.erfc, lambda x: math.nan)),
    "gamma": (1, _of_python(math.gamma, _gamma)),
    "hypot": (2, in_float64(np.hypot)),
    "lgamma": (1, _of_python(math.lgamma, lambda x: math.inf)),
    "radians": (1, in_float64(np.radians)),
    "remainder": (2, _of_python(math.remainder, lambda x, y: math.nan)),
}
"""Functions of `math` that give a float of their arguments' type: how many arguments, and the function."""

FLOAT_TESTS: dict[str, Callable[[Float], bool]] = {
    "isnan": lambda x: bool(x != x),
    "isinf": math.isinf,
    "isfinite": math.isfinite,
}
"""Functions of `math` that give a boolean."""


def atomic_update(name: str, operand: Any, wrap: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function from the old value in memory to the one that an atomic operation stores; `wrap` truncates a
    value to the element's type."""
    match name:
        case "add":
            return lambda old: wrap(old + operand)
        case "sub":
            return lambda old: wrap(old - operand)
        case "max":
            return lambda old: operand if operand > old or old != old else old
        case "min":
            return lambda old: operand if operand < old or old != old else old
        case "exch":
            return lambda old: operand
        case "and_":
            return lambda old: old & operand
        case "or_":
            return lambda old: old | operand
        case "xor":
            return lambda old: old ^ operand
        case _:
            raise AssertionError(name)


ATOMICS = ("add", "sub", "max", "min", "exch", "and_", "or_", "xor")


def compare_and_swap(expected: Any, value: Any) -> Callable[[Any], Any]:
    """Put `value` in memory where `expected` is there."""
    return lambda old: value if old == expected else old
