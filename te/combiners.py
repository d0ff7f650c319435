"""Combiners of reductions: the four predefined ones of the IR, and user-defined reducers.

A user-defined reducer combines tuples, such as (index, value) for an argmax. Its function is called once for each
combination of element types, on parameters, and returns expressions of the parameters. `semantics.combiner_laws` tests
whether the combiner is associative and commutative; if not, the order of the terms is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .dtypes import dtype_info
from .expr import Axis, Const, Expr, Number, Parameter, Read, Var, as_expr, const, walk
from .te_errors import te_error


@dataclass(frozen=True)
class Combiner:
    """A predefined combiner: `name` is its name in Python, `kind` its keyword in the IR."""

    name: str
    kind: str

    @property
    def arity(self) -> int:
        return 1

    def identities(self, dtypes: Sequence[str]) -> tuple[Const, ...]:
        return tuple(Const(identity(self.kind, dtype), dtype) for dtype in dtypes)


SUM = Combiner("sum", "add")
PROD = Combiner("prod", "mul")
MAX = Combiner("max", "max")
MIN = Combiner("min", "min")


@dataclass(frozen=True, eq=False)
class Reducer:
    """A user-defined combiner for given types: `results` are expressions of the accumulated and the added values."""

    name: str
    accumulated: tuple[Parameter, ...]
    added: tuple[Parameter, ...]
    results: tuple[Expr, ...]
    starts: tuple[Const, ...]

    @property
    def arity(self) -> int:
        return len(self.results)

    def identities(self, dtypes: Sequence[str]) -> tuple[Const, ...]:
        return self.starts


def identity(kind: str, dtype: str) -> Number:
    """Return the value that leaves the other operand of combiner `kind` as it is."""
    info = dtype_info(dtype)
    if kind in ("add", "mul"):
        value = 0 if kind == "add" else 1
        return float(value) if info.is_float else value
    if info.is_float:
        return float("-inf") if kind == "max" else float("inf")
    return info.integer_range[0 if kind == "max" else 1]


def reducer_for(
    fcombine: Callable[..., Any], fidentity: Callable[..., Any], dtypes: Sequence[str], name: str
) -> Reducer:
    """Return the reducer of values of these types. Raises TW0463 for functions that do not fit."""
    x = tuple(Parameter(f"x{k}" if len(dtypes) > 1 else "x", d) for k, d in enumerate(dtypes))
    y = tuple(Parameter(f"y{k}" if len(dtypes) > 1 else "y", d) for k, d in enumerate(dtypes))
    combined = fcombine(x, y) if len(dtypes) > 1 else fcombine(x[0], y[0])
    parameters = {*x, *y}
    results = [as_expr(r, d) for r, d in zip(_values(combined, len(dtypes), name), dtypes, strict=True)]
    starts = [_start(s, d, name) for s, d in zip(_values(fidentity(*dtypes), len(dtypes), name), dtypes, strict=True)]
    for result, dtype in zip(results, dtypes, strict=True):
        if result.dtype != dtype:
            te_error(
                "TW0463",
                f"expected reducer {name!r} to give {dtype} for values of it, but got `{result}` of {result.dtype}",
                help=f"convert it with astype('{dtype}')",
            )
        for node in walk(result):
            if isinstance(node, (Axis, Parameter, Read, Var)) and node not in parameters:
                te_error("TW0463", f"expected reducer {name!r} to use its arguments only, but got `{node}`")
    return Reducer(name, x, y, tuple(results), tuple(starts))


def _values(given: Any, count: int, name: str) -> Sequence[Any]:
    values = tuple(given) if isinstance(given, (tuple, list)) else (given,)
    if len(values) != count:
        te_error(
            "TW0463",
            f"expected the functions of reducer {name!r} to return {count} values, but got {len(values)}",
            help="they return as many values as the reducer is given",
        )
    return values


def _start(value: Any, dtype: str, name: str) -> Const:
    start = value if isinstance(value, Const) and value.dtype == dtype else None
    if start is None and not isinstance(value, Expr):
        start = const(value, dtype)
    if start is None:
        te_error("TW0463", f"expected a number of {dtype} as identity of reducer {name!r}, but got `{value}`")
    return start
