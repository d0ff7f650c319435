"""Reductions: axes to reduce over, combiners, and the reductions themselves.

`te.max(x, axis=k)` reduces; `te.max(x, y)` is the larger of two scalars. In both a NaN wins, as in numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .dtypes import dtype_info
from .errors import te_error
from .expr import Axis, Expr, Number, Reduce, as_expr, binary
from .shapes import as_size


@dataclass(frozen=True)
class Combiner:
    """How a reduction combines values: `name` as users write it, `kind` as the IR spells it."""

    name: str
    kind: str


SUM = Combiner("sum", "add")
PROD = Combiner("prod", "mul")
MAX = Combiner("max", "max")
MIN = Combiner("min", "min")


def reduce_axis(domain: Sequence[Any], name: str = "k") -> Axis:
    """An axis over [low, high) to reduce over; low and high are integers or sizes."""
    if not isinstance(domain, (tuple, list)) or len(domain) != 2:
        te_error("TW0457", f"expected a domain (low, high) of reduce axis {name!r}, but got {domain!r}")
    low, high = (as_size(bound, f"a bound of reduce axis {name!r}", may_be_negative=True) for bound in domain)
    if isinstance(low, int) and isinstance(high, int) and high < low:
        te_error("TW0457", f"expected a domain (low, high) of reduce axis {name!r}, but got ({low}, {high})")
    return Axis(name, low, high, is_reduce=True)


def sum(expr: Any, axis: Axis | Sequence[Axis]) -> Reduce:
    """The sum over the axes, in the expression's own type."""
    return reduce(SUM, expr, axis)


def prod(expr: Any, axis: Axis | Sequence[Axis]) -> Reduce:
    """The product over the axes, in the expression's own type."""
    return reduce(PROD, expr, axis)


def max(expr: Any, axis: Any) -> Expr:
    """The largest value over the axes, or the larger of two scalars."""
    return reduce(MAX, expr, axis) if _is_axes(axis) else binary("max", expr, axis)


def min(expr: Any, axis: Any) -> Expr:
    """The smallest value over the axes, or the smaller of two scalars."""
    return reduce(MIN, expr, axis) if _is_axes(axis) else binary("min", expr, axis)


def _is_axes(value: Any) -> bool:
    return isinstance(value, (tuple, list)) or (isinstance(value, Axis) and value.is_reduce)


def reduce(combiner: Combiner, expr: Any, axis: Axis | Sequence[Axis]) -> Reduce:
    """`expr` combined over every point of the axes."""
    axes = (axis,) if isinstance(axis, Axis) else tuple(axis)
    for a in axes:
        if not (isinstance(a, Axis) and a.is_reduce):  # pyright: ignore[reportUnnecessaryIsInstance]
            te_error("TW0456", f"expected an axis made by te.reduce_axis, but got {a!r}")
    if len(set(axes)) != len(axes) or not axes:
        te_error("TW0456", f"expected distinct axes to reduce over, but got {[a.name for a in axes]}")
    source = as_expr(expr)
    if dtype_info(source.dtype).is_bool:
        te_error("TW0451", f"expected numbers to reduce, but got `{source}` of type bool", help="use astype first")
    return Reduce(combiner, source, axes)


def identity(kind: str, dtype: str) -> Number:
    """The value that leaves the other operand of combiner `kind` as it is."""
    info = dtype_info(dtype)
    if kind in ("add", "mul"):
        value = 0 if kind == "add" else 1
        return float(value) if info.is_float else value
    if info.is_float:
        return float("-inf") if kind == "max" else float("inf")
    return info.integer_range[0 if kind == "max" else 1]
