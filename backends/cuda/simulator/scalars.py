"""What generated code calls for single values.

Integers and booleans are Python's, always within their type: the translator adds a cut to 64 bits where an operation
might leave it. Floats are numpy's scalars, whose arithmetic is IEEE's in their own width. Functions of `math` are
computed in double precision and rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .faults import Fault

Float = Any


def truncated(x: Float, low: int, high: int) -> int:
    """A float as an integer, towards zero; out of range the nearest bound, NaN as 0: what PTX's cvt.rzi does."""
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


def float_minimum(x: Float, y: Float) -> Float:
    """The lesser; the other where one is NaN."""
    return x if x < y or y != y else y


def float_maximum(x: Float, y: Float) -> Float:
    """The greater; the other where one is NaN."""
    return x if x > y or y != y else y


def float_power(x: Float, y: Float) -> Float:
    """`x ** y` in the type of `x`."""
    return type(x)(np.power(np.float64(x), np.float64(y)))


def _rounded(function: Callable[..., Any], fallback: Callable[..., Any]) -> Callable[..., Float]:
    """`function` of Python's math; `fallback` gives what it raises an error for."""

    def compute(*arguments: Float) -> Float:
        kind = type(arguments[0])
        try:
            return kind(function(*arguments))
        except (OverflowError, ValueError):
            return kind(fallback(*map(np.float64, arguments)))

    return compute


def _beyond(value: float) -> Callable[..., float]:
    return lambda *_: value


def _gamma(x: Float) -> float:
    if math.isnan(x) or x == -math.inf or (x < 0 and x == math.floor(x)):
        return math.nan
    return math.copysign(math.inf, x) if x == 0 else math.inf


_UNARY: dict[str, Callable[..., Any]] = {
    name: getattr(np, other)
    for name, other in {
        **{
            name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log2", "log10")
        },
        **{name: name for name in ("log1p", "sqrt", "floor", "ceil", "trunc", "fabs", "degrees", "radians")},
        "asin": "arcsin",
        "acos": "arccos",
        "atan": "arctan",
        "asinh": "arcsinh",
        "acosh": "arccosh",
        "atanh": "arctanh",
    }.items()
} | {"erf": _beyond(math.nan), "erfc": _beyond(math.nan), "gamma": _gamma, "lgamma": _beyond(math.inf)}

_BINARY: dict[str, Callable[..., Any]] = {
    "pow": np.power,
    "atan2": np.arctan2,
    "fmod": np.fmod,
    "copysign": np.copysign,
    "hypot": np.hypot,
    "remainder": lambda x, y: math.nan,
}

FLOAT_FUNCTIONS: dict[str, tuple[int, Callable[..., Float]]] = {
    **{name: (1, _rounded(getattr(math, name), fallback)) for name, fallback in _UNARY.items()},
    **{name: (2, _rounded(getattr(math, name), fallback)) for name, fallback in _BINARY.items()},
    # Python's own give integers, which have no negative zero, and `math.trunc` takes no numpy scalars.
    **{name: (1, getattr(np, name)) for name in ("floor", "ceil", "trunc")},
}
"""Functions of `math` that give a float of their arguments' type: how many arguments, and the function."""

FLOAT_TESTS: dict[str, Callable[[Float], bool]] = {
    "isnan": lambda x: bool(x != x),
    "isinf": math.isinf,
    "isfinite": math.isfinite,
}
"""Functions of `math` that give a boolean."""


def atomic_update(name: str, operand: Any, wrap: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What an atomic operation makes of the value in memory; `wrap` cuts it to the element's type."""
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
