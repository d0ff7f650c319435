"""Optimizer steps: Adagrad, Adam and Momentum. The operands are groups of n tensors each: n values, n gradients, ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....dialects import graph
from ..node import Node, Value, dtype, scalar

Step = Callable[..., Sequence[Value]]
"""New values of a tensor and its states, from the tensor, its gradient and these states."""


def adagrad(node: Node) -> Sequence[Value]:
    rate, count = node.input(0), node.input(1)
    decay, epsilon = (float(node.attr(name, 0.0)) for name in ("decay_factor", "epsilon"))
    rate = _div(node, rate, _plus(node, _times(node, node.emit(graph.CastOp, count, to=dtype(rate)), decay), 1))

    def step(x: Value, gradient: Value, squares: Value) -> Sequence[Value]:
        squares = node.emit(graph.AddOp, squares, node.emit(graph.MulOp, gradient, gradient))
        length = _plus(node, node.emit(graph.SqrtOp, squares), epsilon)
        return _moved(node, x, rate, _div(node, gradient, length)), squares

    return _stepped(node, 3, step)


def adam(node: Node) -> Sequence[Value]:
    rate, count = node.input(0), node.input(1)
    alpha, beta = float(node.attr("alpha", 0.9)), float(node.attr("beta", 0.999))
    epsilon, after = (float(node.attr(name, 0.0)) for name in ("epsilon", "norm_coefficient_post"))

    def missing(base: float) -> Value:
        """Return 1 - base ** count, the factor that averages that began at 0 lack."""
        power = node.emit(graph.PowOp, scalar(np.array(base), rate), node.emit(graph.CastOp, count, to=dtype(rate)))
        return node.emit(graph.SubOp, scalar(np.array(1), rate), power)

    corrected = _div(node, node.emit(graph.MulOp, rate, node.emit(graph.SqrtOp, missing(beta))), missing(alpha))
    rate = node.emit(graph.WhereOp, _is_later(node, count), corrected, rate)

    def step(x: Value, gradient: Value, mean: Value, squares: Value) -> Sequence[Value]:
        mean = _mixed(node, mean, alpha, gradient)
        squares = _mixed(node, squares, beta, node.emit(graph.MulOp, gradient, gradient))
        length = _plus(node, node.emit(graph.SqrtOp, squares), epsilon)
        return _times(node, _moved(node, x, rate, _div(node, mean, length)), 1 - after), mean, squares

    return _stepped(node, 4, step)


def momentum(node: Node) -> Sequence[Value]:
    rate, count = node.input(0), node.input(1)
    alpha, beta, mode = float(node.attr("alpha")), float(node.attr("beta")), node.attr("mode")
    if mode not in ("standard", "nesterov"):
        node.fail("TW0303", f"expected mode standard or nesterov, but got {mode}")
    later, first = (scalar(np.array(number), rate) for number in (beta, 1))
    weight = node.emit(graph.WhereOp, _is_later(node, count), later, first)

    def step(x: Value, gradient: Value, velocity: Value) -> Sequence[Value]:
        scaled = node.emit(graph.MulOp, weight, gradient)
        velocity = node.emit(graph.AddOp, _times(node, velocity, alpha), scaled)
        if mode == "standard":
            return _moved(node, x, rate, velocity), velocity
        return _moved(node, x, rate, node.emit(graph.AddOp, gradient, _times(node, velocity, alpha))), velocity

    return _stepped(node, 3, step)


def _stepped(node: Node, groups: int, step: Step) -> Sequence[Value]:
    """Return the new values of all tensors, then those of each state; gradients have the decay of the tensors added."""
    values, decay = node.inputs()[2:], float(node.attr("norm_coefficient", 0.0))
    if not values or len(values) % groups:
        node.fail("TW0303", f"expected {groups} inputs for each tensor, but got {len(values)}")
    count = len(values) // groups
    results: list[Sequence[Value]] = []
    for x, gradient, *states in (values[k::count] for k in range(count)):
        if decay:
            gradient = node.emit(graph.AddOp, _times(node, x, decay), gradient)
        results.append(step(x, gradient, *states))
    return [each for kind in zip(*results, strict=True) for each in kind]


def _is_later(node: Node, count: Value) -> Value:
    return node.emit(graph.GreaterOp, count, scalar(np.array(0), count))


def _moved(node: Node, x: Value, rate: Value, by: Value) -> Value:
    return node.emit(graph.SubOp, x, node.emit(graph.MulOp, rate, by))


def _mixed(node: Node, old: Value, share: float, new: Value) -> Value:
    return node.emit(graph.AddOp, _times(node, old, share), _times(node, new, 1 - share))


def _times(node: Node, x: Value, number: float) -> Value:
    return node.emit(graph.MulOp, x, scalar(np.array(number), x))


def _plus(node: Node, x: Value, number: float) -> Value:
    return node.emit(graph.AddOp, x, scalar(np.array(number), x))


def _div(node: Node, a: Value, b: Value) -> Value:
    return node.emit(graph.DivOp, a, b)
