"""Reductions."""

from __future__ import annotations

from ....dialects import graph
from ..node import Node, Value, rank

_OPS: dict[str, type[graph.GraphOp]] = {
    "ReduceMax": graph.ReduceMaxOp,
    "ReduceMean": graph.ReduceMeanOp,
    "ReduceMin": graph.ReduceMinOp,
    "ReduceProd": graph.ReduceProdOp,
    "ReduceSum": graph.ReduceSumOp,
}


def reduce(node: Node) -> Value:
    """Axes are an attribute in older opsets and an input in newer ones; without any, all are reduced, or none."""
    x = node.input(0)
    axes = node.ints("axes", 1, "the axes")
    if not axes:
        if node.attr("noop_with_empty_axes", 0):
            return node.emit(graph.IdentityOp, x)
        axes = list(range(rank(x)))
    return node.emit(_OPS[node.operator], x, axes=axes, keepdims=bool(node.attr("keepdims")))
