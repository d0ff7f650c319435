"""Operators whose results have as many elements as data says: room for all that there may be, and a prefix of it."""

from __future__ import annotations

from collections.abc import Sequence

from ....dialects import graph
from ..node import Node, Value, rank, shape


def _places(node: Node, x: Value) -> Value:
    """The places of the elements of a vector that are not 0."""
    places, count = node.emit_all(graph.NonzeroOp, x)
    return node.prefix(places, count)


def _flat(node: Node, x: Value) -> Value:
    return node.emit(graph.ReshapeOp, x, shape=[-1]) if rank(x) != 1 else x


def nonzero(node: Node) -> Value:
    """A row of coordinates for each dimension, in row-major order of the elements."""
    x = node.input(0)
    if not rank(x):
        node.fail("TW0303", "expected at least one dimension")
    place, rows = _places(node, _flat(node, x)), list[Value]()
    for axis in reversed(range(rank(x))):
        size = node.extent(shape(x)[axis])
        rows.append(place if axis == 0 else node.emit(graph.FloorModOp, place, size))
        if axis:
            place = node.emit(graph.DivOp, place, size)
    lines = [node.emit(graph.UnsqueezeOp, row, axes=[0]) for row in reversed(rows)]
    return lines[0] if len(lines) == 1 else node.emit(graph.ConcatOp, *lines, axis=0)


def compress(node: Node) -> Value:
    """The parts along an axis, or the elements in a row, where a condition holds; beyond its end it holds nowhere."""
    x, condition, axis = node.input(0), node.input(1), node.attr("axis")
    if axis is None:
        x, axis = _flat(node, x), 0
    return node.emit(graph.GatherOp, x, _places(node, condition), axis=node.axis(axis, rank(x)))


def unique(node: Node) -> Sequence[Value]:
    """The distinct elements; those along an axis are not supported, unless it is the only one."""
    x, axis = node.input(0), node.attr("axis")
    if axis is not None and (rank(x) != 1 or node.axis(axis, 1)):
        node.fail("TW0302", "distinct parts along an axis are not supported")
    by_appearance = not node.attr("sorted", 1)
    values, places, inverse, counts, count = node.emit_all(graph.UniqueOp, _flat(node, x), by_appearance=by_appearance)
    first, *others = node.prefixes([values, places, counts], count)
    return first, others[0], inverse, others[1]


def non_max_suppression(node: Node) -> Value:
    """Rows of (batch, class, box). Without a number of boxes none is chosen."""
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
        center_point_box=bool(node.attr("center_point_box", 0)),
    )
    return node.prefix(rows, count)
