"""Reductions: axes to reduce over, and the reductions themselves.

`te.max(x, axis=k)` reduces; `te.max(x, y)` is the larger of two scalars. In both a NaN wins, as in numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce as fold
from typing import Any

from ..diagnostics.expectations import expect_type
from .combiners import MAX, MIN, PROD, SUM, Combiner, Reducer, reducer_for
from .dtypes import dtype_info
from .expr import Axis, Expr, Reduce, as_expr, binary, choice, common, refuse_storage, walk
from .shapes import as_size
from .te_errors import te_error


def reduce_axis(dom: Any, name: str = "k") -> Axis:
    """Return an axis over [low, high) to reduce over.

    The bounds are integers, sizes, or expressions of the compute's axes and of elements: a triangle, a sparse row.
    """
    if not isinstance(dom, (tuple, list)) or len(dom) != 2:
        te_error("TW0457", f"expected a domain (low, high) of reduce axis {name!r}, but got {dom!r}")
    low, high = (as_size(bound, f"a bound of reduce axis {name!r}", may_be_negative=True) for bound in dom)
    if isinstance(low, int) and isinstance(high, int) and high < low:
        te_error("TW0457", f"expected a domain (low, high) of reduce axis {name!r}, but got ({low}, {high})")
    return Axis(name, low, high, is_reduce=True)


def sum(expr: Any, axis: Axis | Sequence[Axis], where: Any = None, init: Any = None) -> Reduce:
    """Return the sum over the axes, in the type of the expression."""
    return _reduce_one(SUM, expr, axis, where, init)


def prod(expr: Any, axis: Axis | Sequence[Axis], where: Any = None, init: Any = None) -> Reduce:
    """Return the product over the axes, in the type of the expression."""
    return _reduce_one(PROD, expr, axis, where, init)


def max(expr: Any, axis: Any, where: Any = None, init: Any = None, *args: Any) -> Expr:
    """Return the largest value over the axes, or the largest of two or more scalars."""
    if _is_axes(axis):
        return _reduce_one(MAX, expr, axis, where, init)
    others = [each for each in (where, init, *args) if each is not None]
    return fold(lambda a, b: binary("max", a, b), others, binary("max", expr, axis))


def min(expr: Any, axis: Any, where: Any = None, init: Any = None, *args: Any) -> Expr:
    """Return the smallest value over the axes, or the smallest of two or more scalars."""
    if _is_axes(axis):
        return _reduce_one(MIN, expr, axis, where, init)
    others = [each for each in (where, init, *args) if each is not None]
    return fold(lambda a, b: binary("min", a, b), others, binary("min", expr, axis))


def comm_reducer(
    fcombine: Callable[..., Any], fidentity: Callable[..., Any], name: str = "reduce"
) -> Callable[..., Any]:
    """Return a reduction by a function that the user writes.

    A function that is associative and commutative, and whose identity is neutral, may be applied in any order and in
    groups. One that is not, such as `lambda x, y: x - y`, combines terms in the order of the axes: default schedules
    keep it. `rfactor`, `reorder` of reduce axes and reductions by several threads or lanes are refused with the numbers
    at which a law is broken.

    `fcombine(x, y)` combines two values, `fidentity(dtype)` leaves every other value as it is. For tuples, both
    values are tuples, and `fidentity` takes one type for each part:

        argmax = te.comm_reducer(
            lambda x, y: (te.Select(x[1] >= y[1], x[0], y[0]), te.Select(x[1] >= y[1], x[1], y[1])),
            lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
        )
        T0, T1 = te.compute((m,), lambda i: argmax((k, A[i, k]), axis=k))

    The result is called as `r(value, axis, where=condition, init=start)`: terms are taken where the condition
    holds, and the reduction starts from `init` instead of the identity. `r(x, y)` combines two values.
    """

    expect_type("name", name, str)

    def reducer(expr: Any, axis: Any, where: Any = None, init: Any = None) -> Any:
        if not isinstance(axis, (Axis, tuple, list)):
            return as_expr(fcombine(*common(expr, axis)))
        is_tuple = isinstance(expr, (tuple, list))
        sources = [_source(e) for e in (expr if is_tuple else (expr,))]
        combiner = reducer_for(fcombine, fidentity, [s.dtype for s in sources], name)
        results = reduce(combiner, sources, axis, where, init)
        return results if is_tuple else results[0]

    reducer.__name__ = name
    return reducer


def _is_axes(value: Any) -> bool:
    return isinstance(value, (tuple, list)) or (isinstance(value, Axis) and value.is_reduce)


def _reduce_one(combiner: Combiner, expr: Any, axis: Any, where: Any, init: Any) -> Reduce:
    source = _source(expr)
    if dtype_info(source.dtype).is_bool:
        te_error("TW0451", f"expected numbers to reduce, but got `{source}` of type bool", help="use astype first")
    return reduce(combiner, [source], axis, where, init)[0]


def reduce(
    combiner: Combiner | Reducer, sources: Sequence[Expr], axis: Axis | Sequence[Axis], where: Any, init: Any
) -> tuple[Reduce, ...]:
    """Return the values combined over every point of the axes at which `where` holds, starting from `init`."""
    refuse_storage("a reduction", *sources)
    axes = _axes(axis)
    dtypes = [s.dtype for s in sources]
    terms = list(sources)
    if where is not None:
        pairs = zip(sources, combiner.identities(dtypes), strict=True)
        terms = [choice(where, source, start, guarded=True) for source, start in pairs]
    starts = _starts(init, dtypes, axes)
    group = object()
    return tuple(
        Reduce(combiner, term, axes, start, k, group) for k, (term, start) in enumerate(zip(terms, starts, strict=True))
    )


def _axes(axis: Axis | Sequence[Axis]) -> tuple[Axis, ...]:
    axes: tuple[Any, ...] = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    for a in axes:
        if not (isinstance(a, Axis) and a.is_reduce):
            name = a.name if isinstance(a, Axis) else repr(a)
            te_error("TW0456", f"expected an axis made by te.reduce_axis, but got {name}")
    if len(set(axes)) != len(axes) or not axes:
        te_error("TW0456", f"expected distinct axes to reduce over, but got {[a.name for a in axes]}")
    return axes


def _source(value: Any) -> Expr:
    """Return a term; tensors hold no index, so one that is an index is int64."""
    source = as_expr(value)
    return source.astype("int64") if source.dtype == "index" else source


def _starts(init: Any, dtypes: Sequence[str], axes: tuple[Axis, ...]) -> Sequence[Expr | None]:
    if init is None:
        return [None] * len(dtypes)
    given = init if isinstance(init, (tuple, list)) else (init,)
    if len(given) != len(dtypes):
        te_error("TW0463", f"expected {len(dtypes)} values that the reduction starts from, but got {len(given)}")
    starts = [as_expr(value, dtype).astype(dtype) for value, dtype in zip(given, dtypes, strict=True)]
    for node in (n for start in starts for n in walk(start)):
        if isinstance(node, Axis) and node in set(axes):
            te_error("TW0456", f"expected what a reduction starts from not to use reduce axis {node.name!r}")
    return starts
