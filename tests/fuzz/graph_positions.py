"""Makers of operators that gather, order or scatter elements.

Operators that decide about positions, as an order does, take leaves alone: a rounding error would choose another
element.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np
from tilewright.dialects import graph
from tilewright.dialects.dtypes import is_float
from xdsl.ir import Attribute

from .graph_makers import makes
from .graph_modules import GraphWriter, Value, any_element, is_number


@makes("trilu")
def _trilu(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element, writer.draw.between(2, 4))
    writer.emit(op, [x], x.bound, exact=True, upper=writer.draw.chance(0.5), k=writer.draw.between(-3, 3))


@makes("dilate")
def _dilate(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_number, writer.draw.between(1, 4))
    strides = tuple(writer.draw.between(1, 3) if isinstance(d, int) else 1 for d in x.shape)
    writer.emit(op, [x], max(x.bound, 1.0), exact=True, strides=strides, dilation_value=writer.draw.one_of((0.0, 1.0)))


@makes("hardmax")
def _hardmax(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, writer.draw.between(1, 3), leaf=True)
    writer.emit(op, [x], 1.0, exact=True, axis=writer.draw.between(-1, len(x.shape) - 1))


@makes("isinf")
def _isinf(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, leaf=True)
    writer.emit(op, [x], 1.0, detect_negative=writer.draw.chance(0.7), detect_positive=writer.draw.chance(0.7))


@makes("topk", "argsort")
def _order(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, draw.between(1, 3), leaf=True)
    axis = draw.between(-1, len(x.shape) - 1)
    size = x.shape[axis]
    if op is graph.ArgsortOp:
        writer.emit(op, [x], 8.0, axis=axis, descending=draw.chance(0.5))
    elif isinstance(size, int):
        writer.emit(op, [x], x.bound, exact=True, axis=axis, k=draw.between(0, size), smallest=draw.chance(0.5))


@makes("searchsorted")
def _searchsorted(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    queries = writer.need(is_number, draw.between(1, 3), leaf=True, static=True)
    assert queries.static is not None
    rows = draw.between(0, len(queries.shape) - 1)
    elements = writer.constant(queries.element, *queries.static[:rows], draw.between(0, 5), ascending=True)
    writer.emit(op, [elements, queries], 8.0, right=draw.chance(0.5))


@makes("sequence_mask")
def _sequence_mask(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, draw.between(2, 3))
    axis = draw.between(0, 1)
    count = x.shape[1 - axis]
    if isinstance(count, int):
        lengths = writer.integers(writer.numbers.integers(0, 6, (count,)), 6)
        value = draw.one_of((0.0, 1.0))
        writer.emit(op, [x, lengths], max(x.bound, 1.0), exact=True, axis=axis, mask_value=value)


@makes("cumprod")
def _cumprod(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, draw.between(1, 3))
    if not is_float(x.element) or x.bound <= 1:
        axis = draw.between(-1, len(x.shape) - 1)
        writer.emit(op, [x], 1.0, axis=axis, exclusive=draw.chance(0.3), reverse=draw.chance(0.3))


def _filled(writer: GraphWriter, accepts: Callable[[Attribute], bool]) -> tuple[Value, tuple[int, ...]]:
    """Return a value with elements, and its sizes."""
    rank = writer.draw.between(1, 3)
    x = writer.need(accepts, rank, static=True)
    if x.static is None or 0 in x.static:
        x = writer.fresh(accepts, rank)
    assert x.static is not None
    return x, x.static


@makes("gather_nd")
def _gather_nd(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a gather; the first dimension of its indices has the coordinates of each point."""
    draw = writer.draw
    x, shape = _filled(writer, any_element)
    batch = draw.between(0, len(shape) - 1)
    depth = draw.between(1, len(shape) - batch)
    points = (*shape[:batch], *(draw.between(1, 3) for _ in range(draw.between(0, 2))))
    sizes = shape[batch : batch + depth]
    rows = [writer.numbers.integers(-size, size, points) for size in sizes]
    writer.emit(op, [x, writer.integers(np.stack(rows), max(sizes))], x.bound, exact=True, batch=batch)


REDUCTIONS = ("none", "none", "add", "mul", "max", "min")


@makes("scatter_elements")
def _scatter_elements(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a scatter; without a reduction no element is written twice."""
    draw = writer.draw
    x, shape = _filled(writer, is_number)
    reduction, axis = draw.one_of(REDUCTIONS), draw.between(0, len(shape) - 1)
    extents = [draw.between(1, size) for size in shape]
    order = np.argsort(writer.numbers.random([*extents[:axis], shape[axis], *extents[axis + 1 :]]), axis)
    indices = order.take(range(extents[axis]), axis)
    if reduction != "none":
        indices = writer.numbers.integers(-shape[axis], shape[axis], extents)
    updates = writer.constant(x.element, *extents)
    _scatter(writer, op, (x, writer.integers(indices, shape[axis]), updates), extents[axis], reduction, axis=axis)


@makes("scatter_nd")
def _scatter_nd(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a scatter; without a reduction no element is written twice."""
    draw = writer.draw
    x, shape = _filled(writer, is_number)
    reduction, depth = draw.one_of(REDUCTIONS), draw.between(1, len(shape))
    lead, count = shape[:depth], draw.between(1, 4)
    numbers = writer.numbers.integers(0, prod(lead), count)
    if reduction == "none":
        numbers = writer.numbers.permutation(prod(lead))[:count]
    points = np.stack(np.unravel_index(numbers, lead), -1)
    updates = writer.constant(x.element, len(numbers), *shape[depth:])
    _scatter(writer, op, (x, writer.integers(points, max(lead)), updates), len(numbers), reduction)


def _scatter(
    writer: GraphWriter, op: type[graph.GraphOp], operands: tuple[Value, Value, Value], most: int, reduction: str,
    **values: object,
) -> None:  # fmt: skip
    """Emit a scatter of which `most` updates meet at one element."""
    x, _, updates = operands
    bound = max(x.bound, updates.bound)
    if reduction == "add":
        bound = x.bound + most * updates.bound
    elif reduction == "mul":
        bound = x.bound * updates.bound**most
    writer.emit(op, operands, bound, exact=reduction not in ("add", "mul"), reduction=reduction, **values)


EQUATIONS = ("ij,jk->ik", "bij,bjk->bik", "ij,ij->i", "ij->ji", "ii->i", "ij,kj->ik", "...i,i->...", "i,j->ij", "ij->")


@makes("einsum")
def _einsum(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a contraction: the first operand is one in scope where it fits, the second has its sizes."""
    draw = writer.draw
    equation = draw.one_of(EQUATIONS)
    first, *others = equation.split("->")[0].split(",")
    x = writer.need(is_number, len(first.replace("...", "ab")), static=True)
    if first == "ii":
        x = writer.constant(x.element, *[draw.between(1, 4)] * 2)
    assert x.static is not None
    sizes = dict(zip(first.replace("...", "ab"), x.static, strict=True))
    shapes = [[sizes.setdefault(letter, draw.between(1, 4)) for letter in other] for other in others]
    summed = [size for letter, size in sizes.items() if letter not in equation.split("->")[1].replace("...", "ab")]
    operands = [x, *(writer.constant(x.element, *shape) for shape in shapes)]
    writer.emit(op, operands, x.bound * 1.5 * max(prod(summed), 1), equation=equation)
