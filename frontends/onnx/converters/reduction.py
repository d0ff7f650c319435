"""Reductions, places of extremes, running sums."""

from __future__ import annotations

from ....dialects import graph
from ..node import Node, Value, dtype, rank

_OPS: dict[str, type[graph.GraphOp]] = {
    "ReduceMax": graph.ReduceMaxOp,
    "ReduceMean": graph.ReduceMeanOp,
    "ReduceMin": graph.ReduceMinOp,
    "ReduceProd": graph.ReduceProdOp,
    "ReduceSum": graph.ReduceSumOp,
}


_OF_BITS: dict[str, type[graph.GraphOp]] = {"ReduceMax": graph.ReduceAnyOp, "ReduceMin": graph.ReduceAllOp}


def reduce(node: Node) -> Value:
    """Axes are an attribute in older opsets and an input in newer ones; without any, all are reduced, or none."""
    x = node.input(0)
    axes, stays_without = node.ints("axes", 1, "the axes"), node.attr("noop_with_empty_axes", 0)
    keepdims = node.flag("keepdims")
    if not axes:
        if stays_without:
            return node.emit(graph.IdentityOp, x)
        axes = list(range(rank(x)))
    op = _OF_BITS[node.operator] if dtype(x) == "bool" and node.operator in _OF_BITS else _OPS[node.operator]
    return node.emit(op, x, axes=axes, keepdims=keepdims)


def arg(node: Node) -> Value:
    x = node.input(0)
    return node.emit(
        graph.ArgmaxOp if node.operator == "ArgMax" else graph.ArgminOp,
        x,
        axis=node.axis(node.attr("axis"), rank(x)),
        keepdims=node.flag("keepdims"),
        last=node.flag("select_last_index", 0),
    )


def running(node: Node) -> Value:
    x = node.input(0)
    (axis,) = node.constant_ints(1, "the axis")
    flags = {name: node.flag(name) for name in ("exclusive", "reverse")}
    op = graph.CumsumOp if node.operator == "CumSum" else graph.CumprodOp
    return node.emit(op, x, axis=node.axis(axis, rank(x)), **flags)
