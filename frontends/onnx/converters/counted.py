"""Operators whose number of result elements depends on data: results are prefixes of buffers of the largest size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ..node import Node, Value, dtype, rank, shape, static_dim


def _positions(node: Node, x: Value) -> Value:
    """Return the positions of the elements of a vector that are not 0."""
    positions, count = node.emit_all(graph.NonzeroOp, x)
    return node.prefix(positions, count)


def _flat(node: Node, x: Value) -> Value:
    return node.emit(graph.ReshapeOp, x, shape=[-1]) if rank(x) != 1 else x


def nonzero(node: Node) -> Value:
    """Convert NonZero: a row of coordinates for each dimension, in row-major order of the elements; a scalar has
    none."""
    x = node.input(0)
    if not rank(x):
        row = node.emit(graph.UnsqueezeOp, _positions(node, _flat(node, x)), axes=[0])
        return node.emit(graph.SliceOp, row, starts=[0, 0], sizes=[0, -1], steps=[1, 1])
    position, rows = _positions(node, _flat(node, x)), list[Value]()
    for axis in reversed(range(rank(x))):
        size = node.extent(shape(x)[axis])
        rows.append(position if axis == 0 else node.emit(graph.FloorModOp, position, size))
        if axis:
            position = node.emit(graph.DivOp, position, size)
    lines = [node.emit(graph.UnsqueezeOp, row, axes=[0]) for row in reversed(rows)]
    return lines[0] if len(lines) == 1 else node.emit(graph.ConcatOp, *lines, axis=0)


def compress(node: Node) -> Value:
    """Convert Compress: the parts along an axis, or the elements in a row, where a condition holds; beyond its end it
    holds nowhere."""
    x, condition, axis = node.input(0), node.input(1), node.attr("axis")
    if axis is None:
        x, axis = _flat(node, x), 0
    return node.emit(graph.GatherOp, x, _positions(node, condition), axis=node.axis(axis, rank(x)))


def unique(node: Node) -> Sequence[Value]:
    """Convert Unique: the distinct elements, or the distinct parts along an axis."""
    x = node.input(0)
    if dtype(x) != "bool":
        return _unique_numbers(node, x)
    distinct, *others = _unique_numbers(node, node.emit(graph.CastOp, x, to="uint8"))
    return node.emit(graph.CastOp, distinct, to="bool"), *others


def _unique_numbers(node: Node, x: Value) -> Sequence[Value]:
    axis = node.attr("axis")
    by_appearance = not node.attr("sorted", 1)
    if axis is not None and (rank(x) != 1 or node.axis(axis, 1)):
        return _unique_parts(node, x, node.axis(axis, rank(x)), by_appearance)
    flat = _flat(node, x)
    values, positions, inverse, counts, count = node.emit_all(graph.UniqueOp, flat, by_appearance=by_appearance)
    first, *others = node.prefixes([values, positions, counts], count)
    return first, others[0], inverse, others[1]


def _unique_parts(node: Node, x: Value, axis: int, by_appearance: bool) -> Sequence[Value]:
    """Compare parts along an axis, rows of a table, each with each: the result has the rows that equal no earlier
    row. The position of a row is the number of such rows before it, in lexicographic order or in that of the operand.
    """
    size = static_dim(node, shape(x)[axis], "the number of parts that are compared")
    order = [axis, *(k for k in range(rank(x)) if k != axis)]
    rows = node.emit(graph.ReshapeOp, node.emit(graph.TransposeOp, x, permutation=order), shape=[size, -1])
    left, right = (node.emit(graph.UnsqueezeOp, rows, axes=[k]) for k in (1, 0))
    same = node.emit(graph.ReduceAllOp, node.emit(graph.EqualOp, left, right), axes=[2], keepdims=False)
    first = node.emit(graph.ArgmaxOp, node.emit(graph.CastOp, same, to="int64"), axis=1, keepdims=False)
    is_first = node.emit(graph.EqualOp, first, np.arange(size))
    is_before = np.tril(np.ones((size, size), bool), -1) if by_appearance else _less_rows(node, left, right)
    counted = node.emit(graph.AndOp, is_before, node.emit(graph.UnsqueezeOp, is_first, axes=[0]))
    inverse = _total(node, counted, 1)
    hits = node.emit(graph.EqualOp, np.arange(size)[:, None], node.emit(graph.UnsqueezeOp, inverse, axes=[0]))
    positions = node.emit(graph.ArgmaxOp, node.emit(graph.CastOp, hits, to="int64"), axis=1, keepdims=False)
    count = node.emit(graph.ReshapeOp, _total(node, is_first, 0), shape=[1])
    positions, counts = node.prefixes([positions, _total(node, hits, 1)], count)
    return node.emit(graph.GatherOp, x, positions, axis=axis), positions, inverse, counts


def _less_rows(node: Node, left: Value, right: Value) -> Value:
    """Return whether a row comes after another one, [row, other], by the first element in which they differ."""
    differ = node.emit(graph.CastOp, node.emit(graph.NotOp, node.emit(graph.EqualOp, left, right)), to="int64")
    position = node.emit(graph.ArgmaxOp, differ, axis=2, keepdims=True)
    greater = node.emit(graph.GatherElementsOp, node.emit(graph.GreaterOp, left, right), position, axis=2)
    return node.emit(graph.SqueezeOp, greater, axes=[2])


def _total(node: Node, truths: Value, axis: int) -> Value:
    return node.emit(graph.ReduceSumOp, node.emit(graph.CastOp, truths, to="int64"), axes=[axis], keepdims=False)


def non_max_suppression(node: Node) -> Value:
    """Convert NonMaxSuppression to rows of (batch, class, box). Without a number of boxes none is chosen."""
    boxes, scores = node.input(0), node.input(1)
    most = int(node.numbers(2, "the number of boxes of a class").reshape(-1)[0]) if node.has(2) else 0
    overlap, least = (float(node.numbers(k, "a threshold").reshape(-1)[0]) if node.has(k) else None for k in (3, 4))
    rows, count = node.emit_all(
        graph.NonMaxSuppressionOp,
        boxes,
        scores,
        max_output_boxes_per_class=max(most, 0),
        iou_threshold=overlap or 0.0,
        score_threshold=float("-inf") if least is None else least,
        center_point_box=node.flag("center_point_box", 0),
    )
    return node.prefix(rows, count)
