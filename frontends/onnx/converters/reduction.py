"""Reductions, argmax and argmin, cumulative sums."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....dialects import graph
from ..node import Node, Value, as_type, dtype, in_accumulator, rank, scalar

_OPS: dict[str, type[graph.GraphOp]] = {
    "ReduceMax": graph.ReduceMaxOp,
    "ReduceMean": graph.ReduceMeanOp,
    "ReduceMin": graph.ReduceMinOp,
    "ReduceProd": graph.ReduceProdOp,
    "ReduceSum": graph.ReduceSumOp,
}


_OF_BITS: dict[str, type[graph.GraphOp]] = {"ReduceMax": graph.ReduceAnyOp, "ReduceMin": graph.ReduceAllOp}


def reduce(node: Node) -> Value:
    """Convert a reduction: axes are an attribute in older opsets and an input in newer ones; without any, all are
    reduced, or none."""
    x = node.input(0)
    axes, keepdims = _axes(node, rank(x)), node.flag("keepdims")
    if axes is None:
        return node.emit(graph.IdentityOp, x)
    op = _OF_BITS[node.operator] if dtype(x) == "bool" and node.operator in _OF_BITS else _OPS[node.operator]
    return node.emit(op, x, axes=axes, keepdims=keepdims)


def _axes(node: Node, dims: int) -> list[int] | None:
    """Return the axes that a node reduces; None where it names none and none are meant."""
    axes, stays_without = node.ints("axes", 1, "the axes"), node.attr("noop_with_empty_axes", 0)
    return axes or (None if stays_without else list(range(dims)))


def l1_norm(node: Node) -> Value:
    return _sum(node, node.emit(graph.AbsOp, node.input(0)))


def sum_of_squares(node: Node) -> Value:
    x = node.input(0)
    return _sum(node, node.emit(graph.MulOp, x, x))


def l2_norm(node: Node) -> Value:
    def build(x: Value) -> Value:
        return node.emit(graph.SqrtOp, _sum(node, node.emit(graph.MulOp, x, x)))

    return _in_floats(node, build)


def log_of_sum(node: Node) -> Value:
    return _in_floats(node, lambda x: node.emit(graph.LogOp, _sum(node, x)))


def log_of_sum_of_powers(node: Node) -> Value:
    return _in_floats(node, lambda x: _log_sum_exp(node, x))


def _sum(node: Node, x: Value) -> Value:
    axes, keepdims = _axes(node, rank(x)), node.flag("keepdims")
    return x if axes is None else node.emit(graph.ReduceSumOp, x, axes=axes, keepdims=keepdims)


def _in_floats(node: Node, build: Callable[[Value], Value]) -> Value:
    """Apply `build` to the first input in floats that are as wide as accumulators; integers are cut to their type
    again."""
    x = node.input(0)
    if dtype(x).startswith(("int", "uint")):
        return as_type(node, build(as_type(node, x, "float64")), dtype(x))
    return in_accumulator(node, [x], build)


def _log_sum_exp(node: Node, x: Value) -> Value:
    """Return m + log(sum(exp(x - m))) with the greatest element m, so that no power overflows and one of them is 1. An
    infinite m would give NaN; the sum alone gives the limit there, and where there are no elements.
    """
    axes, keepdims = _axes(node, rank(x)), node.flag("keepdims")
    if axes is None:
        return x
    greatest = node.emit(graph.ReduceMaxOp, x, axes=axes, keepdims=True)
    is_finite = node.emit(graph.IsfiniteOp, greatest)
    shift = node.emit(graph.WhereOp, is_finite, greatest, scalar(np.array(0), x))
    powers = node.emit(graph.ExpOp, node.emit(graph.SubOp, x, shift))
    total = node.emit(graph.LogOp, node.emit(graph.ReduceSumOp, powers, axes=axes, keepdims=True))
    result = node.emit(graph.AddOp, total, shift)
    return result if keepdims or not axes else node.emit(graph.SqueezeOp, result, axes=axes)


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
