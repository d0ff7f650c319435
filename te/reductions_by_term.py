"""Derivatives of reductions other than sums with respect to their terms.

- A maximum or minimum passes its adjoint to one term, the first that equals the result: a tensor holds its position.
- In any other reduction a term x is combined with the terms before and after it, `f(f(before, x), after)`: two more
  tensors hold the reductions of the terms before and after each term. Their cost is quadratic in the reduced extents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .combiners import Combiner, Reducer, reducer_for
from .define import compute
from .expr import Axis, Expr, Read, Reduce, cast, const
from .functions import Select, max_value
from .reduce_expressions import min as least
from .reduce_expressions import reduce, reduce_axis
from .substitution import substitute
from .tensor import Computation, Tensor

_POSITION = "int32"
"""The type of the number of a term."""


def _position(axes: Sequence[Expr], body: Reduce) -> Expr:
    """Return the number of a term in the order of the reduction."""
    total: Expr = const(0, "index")
    for axis, reduced in zip(axes, body.axes, strict=True):
        total = total * reduced.extent + (axis - reduced.low)
    return cast(_POSITION, total)


def _again(op: Computation, body: Reduce, at: Sequence[Axis]) -> tuple[dict[Expr, Expr], list[Axis]]:
    """Return the variables of a term replaced by other axes, and the new reduction axes among these."""
    inner = [reduce_axis((a.low, a.high), a.name) for a in body.axes]
    return {**dict(zip(op.axis, at, strict=False)), **dict(zip(body.axes, inner, strict=True))}, inner


def _first(op: Computation, body: Reduce) -> Tensor:
    """Return the position of the first term that equals the result; the largest number where none does."""
    result = op.outputs[op.bodies.index(body)]

    def element(*at: Axis) -> Expr:
        values, inner = _again(op, body, at)
        is_result = substitute(body.source, values, {}) == result(*at)
        return least(Select(is_result, _position(inner, body), max_value(_POSITION)), axis=inner)

    return compute(op.shape, element, name=f"{op.name}_first")


def by_first_term(op: Computation, body: Reduce, tensor: Tensor, g: Expr) -> Expr:
    """Return the derivative of a maximum or minimum by its terms."""
    first = Read(_first(op, body), op.axis)
    return Select(first == _position(body.axes, body), g, const(0, g.dtype))


def start_derivative(op: Computation, body: Reduce, g: Expr) -> Expr:
    """Return the derivative of a sum, maximum or minimum by its initial value, which counts where no term does."""
    if isinstance(body.combiner, Combiner) and body.combiner.kind == "add":
        return g
    first = Read(_first(op, body), op.axis)
    return Select(first == max_value(_POSITION), g, const(0, g.dtype))


def with_others(op: Computation, body: Reduce) -> Expr:
    """Return the result of a reduction written with one of its terms and tensors that hold the others combined."""
    bodies = [b for b in op.bodies if isinstance(b, Reduce)]
    combiner = body.combiner
    reducer = _product(body.dtype) if isinstance(combiner, Combiner) else combiner
    shape = (*(a.extent for a in op.axis), *(a.extent for a in body.axes))

    def others(is_before: bool) -> list[Expr]:
        def element(*at: Axis) -> tuple[Expr, ...]:
            values, inner = _again(op, body, at)
            here = _position([a + reduced.low for a, reduced in zip(at[len(op.axis) :], body.axes, strict=True)], body)
            there = _position(inner, body)
            terms = [substitute(b.source, values, {}) for b in bodies]
            return reduce(reducer, terms, inner, there < here if is_before else there > here, None)

        made = compute(shape, element, name=f"{op.name}_{'before' if is_before else 'behind'}")
        return [Read(t, (*op.axis, *(a - a.low for a in body.axes))) for t in made]

    first = _applied(reducer, others(True), [b.source for b in bodies])
    return _applied(reducer, first, others(False))[body.value_index]


def _applied(reducer: Reducer, x: Sequence[Expr], y: Sequence[Expr]) -> list[Expr]:
    values: Mapping[Expr, Expr] = dict(zip((*reducer.accumulated, *reducer.added), (*x, *y), strict=True))
    return [substitute(r, values, {}) for r in reducer.results]


def _product(dtype: str) -> Reducer:
    return reducer_for(lambda x, y: x * y, lambda t: const(1, t), [dtype], "prod")
