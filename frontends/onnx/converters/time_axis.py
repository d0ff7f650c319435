"""Operators on the time axis of sequences: reversed up to lengths of their own, and caches written at positions."""

from __future__ import annotations

import numpy as np

from ....dialects import graph
from ..node import Node, Value, rank, scalar, shape, static_dim


def reverse_sequence(node: Node) -> Value:
    """Convert ReverseSequence: each row read backwards as far as its length, and behind that as it is."""
    x, lengths = node.input(0), node.input(1)
    batch, time = node.axis(node.attr("batch_axis"), rank(x)), node.axis(node.attr("time_axis"), rank(x))
    if {batch, time} != {0, 1}:
        node.fail("TW0303", f"expected the batch and the time to be axes 0 and 1, but got {batch} and {time}")
    steps = scalar(np.arange(static_dim(node, shape(x)[time], "the length of the sequences"))[None], lengths)
    ends = node.emit(graph.UnsqueezeOp, lengths, axes=(1,))
    backwards = node.emit(graph.SubOp, node.emit(graph.SubOp, ends, scalar(np.array(1), lengths)), steps)
    inside = node.emit(graph.LessOp, steps, ends)
    return _read_rows(node, x, node.emit(graph.WhereOp, inside, backwards, steps), time)


def _read_rows(node: Node, x: Value, positions: Value, axis: int) -> Value:
    """Return the elements of each row, dimension 0, or 1 where `axis` is 0, at its positions [rows, count] along an
    axis."""
    rows = 1 if axis == 0 else 0
    order = [rows, axis, *(d for d in range(rank(x)) if d not in (rows, axis))]
    moved = node.emit(graph.TransposeOp, x, permutation=order)
    taken = node.emit(graph.GatherNdOp, moved, node.emit(graph.UnsqueezeOp, positions, axes=(0,)), batch=1)
    return node.emit(graph.TransposeOp, taken, permutation=[order.index(d) for d in range(rank(x))])


def tensor_scatter(node: Node) -> Value:
    """Convert TensorScatter: a cache with an update over the elements from a row's start on; around its end if
    `circular`."""
    cache, update, mode = node.input(0), node.input(1), node.attr("mode")
    axis = node.axis(node.attr("axis"), rank(cache))
    if mode not in ("linear", "circular") or axis == 0:
        node.fail("TW0303", f"expected mode linear or circular along an axis behind the batch, but got {mode}, {axis}")
    length, count = (static_dim(node, shape(value)[axis], "a length") for value in (cache, update))
    starts = node.optional(2)
    starts = np.zeros(1, np.int64) if starts is None else starts
    steps = scalar(np.arange(length)[None], starts)
    since = node.emit(graph.SubOp, steps, node.emit(graph.UnsqueezeOp, starts, axes=(1,)))
    if mode == "circular":
        since = node.emit(graph.FloorModOp, since, scalar(np.array(length), starts))
    zero, end = (scalar(np.array(number), starts) for number in (0, count))
    covered = node.emit(graph.AndOp, node.emit(graph.GreaterEqualOp, since, zero), node.emit(graph.LessOp, since, end))
    positions = node.emit(graph.WhereOp, covered, since, zero)
    if shape(positions)[0] != shape(cache)[0]:
        rows = static_dim(node, shape(cache)[0], "the batch")
        positions = node.emit(graph.BroadcastToOp, positions, shape=(rows, length))
    written = _read_rows(node, update, positions, axis)
    wide = (0 if d == 0 else -1 if d == axis else 1 for d in range(rank(cache)))
    covered = node.emit(graph.ReshapeOp, covered, shape=tuple(wide))
    return node.emit(graph.WhereOp, covered, written, cache)
