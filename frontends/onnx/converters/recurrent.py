"""LSTM, GRU and RNN: products of the whole sequence with the weights, then one recurrence a direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....dialects import graph
from ....operators.recurrent_activations import COUNTS, Activation
from ..node import Node, Value, rank, scalar, shape, static_dim

_ACTIVATIONS = {
    "affine": ("affine", 1.0, 0.0),
    "elu": ("elu", 1.0, 0.0),
    "hardsigmoid": ("hard_sigmoid", 0.2, 0.5),
    "leakyrelu": ("leaky_relu", 0.01, 0.0),
    "relu": ("relu", 0.0, 0.0),
    "scaledtanh": ("scaled_tanh", 1.0, 1.0),
    "sigmoid": ("sigmoid", 0.0, 0.0),
    "softplus": ("softplus", 0.0, 0.0),
    "softsign": ("softsign", 0.0, 0.0),
    "tanh": ("tanh", 0.0, 0.0),
    "thresholdedrelu": ("thresholded_relu", 1.0, 0.0),
}
"""Names of ONNX in small letters -> names here, and the constants where none are given."""


@dataclass(frozen=True)
class Layer:
    """The properties that the directions of a layer have in common."""

    node: Node
    x: Value
    hidden: int
    directions: int
    is_reverse: bool
    batch_first: bool

    def part(self, index: int, direction: int) -> Value | None:
        """Return the part of an input that belongs to a direction, the first dimension of the input."""
        value = self.node.optional(index)
        return None if value is None else taken(self.node, value, direction, 0)

    def state(self, index: int, direction: int) -> Value:
        """Return an initial state [batch, hidden]; zero where it is not given."""
        value = self.node.optional(index)
        if value is None:
            return scalar(np.zeros((1, self.hidden)), self.x)
        return taken(self.node, value, direction, 1 if self.batch_first else 0)

    def cut(self, value: Value, start: int, count: int) -> Value:
        """Return `count` elements of a vector from `start` on."""
        return self.node.emit(graph.SliceOp, value, starts=(start,), sizes=(count,), steps=(1,))

    def gates(self, direction: int, bias: Value | None) -> Value:
        """Return the products of the sequence with the weights."""
        weight = taken(self.node, self.node.input(1), direction, 0)
        product = self.node.emit(graph.MatmulOp, self.x, self.node.emit(graph.TransposeOp, weight, permutation=(1, 0)))
        return product if bias is None else self.node.emit(graph.AddOp, product, bias)

    def biases(self, direction: int, gates: int) -> tuple[Value, Value] | None:
        """Return the biases of the input's and of the recurrent products."""
        both, size = self.part(3, direction), gates * self.hidden
        return None if both is None else (self.cut(both, 0, size), self.cut(both, size, size))

    def lengths(self) -> list[Value]:
        return [self.node.input(4)] if self.node.has(4) else []


def taken(node: Node, value: Value, position: int, axis: int) -> Value:
    starts, sizes = [0] * rank(value), [-1] * rank(value)
    starts[axis], sizes[axis] = position, 1
    part = node.emit(graph.SliceOp, value, starts=starts, sizes=sizes, steps=[1] * rank(value))
    return node.emit(graph.SqueezeOp, part, axes=(axis,))


def read_layer(node: Node, hidden_axis: int = 2) -> Layer:
    """Return the parts that directions have in common; the recurrent weights have the hidden size along an axis."""
    direction, batch_first = node.attr("direction", "forward"), node.flag("layout", 0)
    if direction not in ("forward", "reverse", "bidirectional"):
        node.fail("TW0303", f"expected a direction of forward, reverse or bidirectional, but got {direction}")
    x, recurrent = node.input(0), node.input(2)
    if rank(x) != 3 or rank(recurrent) != 3:
        node.fail("TW0303", f"expected a sequence and weights of rank 3, but got {rank(x)} and {rank(recurrent)}")
    hidden = static_dim(node, shape(recurrent)[hidden_axis], "the hidden size")
    if node.attr("hidden_size", hidden) != hidden:
        node.fail("TW0303", f"expected hidden_size {hidden} as the weights have, but got {node.attr('hidden_size')}")
    directions = 2 if direction == "bidirectional" else 1
    if shape(recurrent)[0] != directions:
        node.fail("TW0303", f"expected weights of {directions} directions, but got {shape(recurrent)[0]}")
    if batch_first:
        x = node.emit(graph.TransposeOp, x, permutation=(1, 0, 2))
    return Layer(node, x, hidden, directions, direction == "reverse", batch_first)


def activations_of(node: Node, count: int, directions: int, default: Sequence[str]) -> list[str]:
    """Return the activations of each direction, as the operators here write them."""
    given_names = node.attr("activations") if node.has_attr("activations") else None
    names = given_names or [*default] * directions
    given: dict[str, Iterator[float]] = {
        name: iter(node.attr(f"activation_{name}") or ()) for name in ("alpha", "beta")
    }
    if len(names) != count * directions:
        node.fail("TW0303", f"expected {count * directions} activations, but got {len(names)}")
    texts: list[str] = []
    for name in names:
        text = name.decode() if isinstance(name, bytes) else name
        if text.lower() not in _ACTIVATIONS:
            node.fail("TW0303", f"expected activations of the standard, but got '{text}'")
        kind, alpha, beta = _ACTIVATIONS[text.lower()]
        alpha = next(given["alpha"], alpha) if COUNTS[kind] > 0 else alpha
        beta = next(given["beta"], beta) if COUNTS[kind] > 1 else beta
        texts.append(str(Activation(kind, float(alpha), float(beta))))
    return [", ".join(texts[k * count : (k + 1) * count]) for k in range(directions)]


def joined_directions(layer: Layer, run: Callable[[int, dict[str, Any]], Sequence[Value]]) -> Sequence[Value]:
    """Return the results of all directions, as ONNX lays them out."""
    node = layer.node
    clip = node.attr("clip")
    each = [
        run(d, {"reverse": layer.is_reverse or d == 1, "clip": None if clip is None else float(clip)})
        for d in range(layer.directions)
    ]
    joined: list[Value] = []
    for number, parts in enumerate(zip(*each, strict=True)):
        axis = 1 if number == 0 else 0
        wide = [node.emit(graph.UnsqueezeOp, part, axes=(axis,)) for part in parts]
        whole = wide[0] if len(wide) == 1 else node.emit(graph.ConcatOp, *wide, axis=axis)
        order = (2, 0, 1, 3) if number == 0 else (1, 0, 2)
        joined.append(node.emit(graph.TransposeOp, whole, permutation=order) if layer.batch_first else whole)
    return joined


def rnn(node: Node) -> Sequence[Value]:
    layer = read_layer(node)
    activations = activations_of(node, 1, layer.directions, ["Tanh"])

    def run(d: int, properties: dict[str, Any]) -> Sequence[Value]:
        biases = layer.biases(d, 1)
        gates = layer.gates(d, None if biases is None else node.emit(graph.AddOp, *biases))
        recurrent = taken(node, node.input(2), d, 0)
        operands = (gates, recurrent, layer.state(5, d), *layer.lengths())
        return node.emit_all(graph.RnnOp, *operands, activations=activations[d], **properties)

    return joined_directions(layer, run)


def gru(node: Node) -> Sequence[Value]:
    layer = read_layer(node)
    activations = activations_of(node, 2, layer.directions, ["Sigmoid", "Tanh"])
    linear = node.flag("linear_before_reset", 0)

    def run(d: int, properties: dict[str, Any]) -> Sequence[Value]:
        biases, size = layer.biases(d, 3), layer.hidden
        rest: Value = scalar(np.zeros(size), layer.x)
        bias = None
        if biases is not None:
            input_bias, recurrent_bias = biases
            rest = layer.cut(recurrent_bias, 2 * size, size)
            both = node.emit(graph.AddOp, layer.cut(input_bias, 0, 2 * size), layer.cut(recurrent_bias, 0, 2 * size))
            bias = node.emit(graph.ConcatOp, both, layer.cut(input_bias, 2 * size, size), axis=0)
        recurrent = taken(node, node.input(2), d, 0)
        operands = (layer.gates(d, bias), recurrent, rest, layer.state(5, d), *layer.lengths())
        return node.emit_all(
            graph.GruOp, *operands, activations=activations[d], linear_before_reset=linear, **properties
        )

    return joined_directions(layer, run)


def lstm(node: Node) -> Sequence[Value]:
    layer = read_layer(node)
    activations = activations_of(node, 3, layer.directions, ["Sigmoid", "Tanh", "Tanh"])
    coupled = node.flag("input_forget", 0)

    def run(d: int, properties: dict[str, Any]) -> Sequence[Value]:
        biases = layer.biases(d, 4)
        gates = layer.gates(d, None if biases is None else node.emit(graph.AddOp, *biases))
        peepholes = layer.part(7, d)
        if peepholes is None:
            peepholes = scalar(np.zeros(3 * layer.hidden), layer.x)
        recurrent = taken(node, node.input(2), d, 0)
        operands = (gates, recurrent, peepholes, layer.state(5, d), layer.state(6, d), *layer.lengths())
        return node.emit_all(graph.LstmOp, *operands, activations=activations[d], input_forget=coupled, **properties)

    return joined_directions(layer, run)
