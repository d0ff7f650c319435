"""
DynamicQuantizeLSTM: an LSTM whose products are sums of integers.

The sequence is quantised once, the hidden state at each step, each by its range over the whole batch. A step of the
scan is the product of the hidden state, then the gates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from ....dialects import graph
from ....operators.recurrent_activations import Activation, read_activations
from ..node import Node, Value, check_signature, shape
from .quantized_operators import OPSET, Nodes, dynamic_product
from .recurrent import Layer, activations_of, joined_directions, read_layer, taken

W, R, LENGTHS, PEEPHOLES, W_SCALE, R_SCALE = 1, 2, 4, 7, 8, 10
"""Inputs by number; behind a scale is the zero point."""


def lstm(node: Node) -> Sequence[Value]:
    """Convert DynamicQuantizeLSTM, whose weights are those of LSTM transposed: [directions, inputs, 4 * hidden]. A
    direction has one scale, or one for each column."""
    names = "X W R B sequence_lens initial_h initial_c P W_scale W_zero_point R_scale R_zero_point"
    check_signature(node, 3, names, needed="W_scale R_scale")
    layer = read_layer(node, hidden_axis=1)
    wanted = ((layer.directions,), (layer.directions, 4 * layer.hidden))
    for index in (W_SCALE, W_SCALE + 1, R_SCALE, R_SCALE + 1):
        if node.has(index) and (found := shape(node.input(index))) not in wanted:
            sizes = " or ".join(str([*each]) for each in wanted)
            node.fail("TW0303", f"expected '{names.split()[index]}' of shape {sizes}, but got {list(found)}")
    activations = activations_of(node, 3, layer.directions, ["Sigmoid", "Tanh", "Tanh"])

    nodes = Nodes(node)

    def run(d: int, properties: dict[str, Any]) -> Sequence[Value]:
        return _Direction(layer, nodes, d, read_activations(activations[d]), **properties).run()

    return joined_directions(layer, run)


class _Direction:
    """One direction of a layer."""

    def __init__(
        self,
        layer: Layer,
        nodes: Nodes,
        number: int,
        activations: list[Activation],
        reverse: bool,
        clip: float | None,
    ) -> None:
        self.layer, self.node, self.number, self.nodes = layer, layer.node, number, nodes
        self.activations, self.reverse, self.clip = activations, reverse, clip
        self.has_lengths = self.node.has(LENGTHS)

    def run(self) -> Sequence[Value]:
        """Return the sequence of hidden states, and the last hidden state and cell of each row."""
        nodes = self.nodes
        x = nodes.define(self.layer.x, "x")
        steps = self._steps(x) if self.has_lengths else ""
        if steps:
            x = self._until_last(self._reversed(x) if self.reverse else x, steps)
        biases = self.layer.biases(self.number, 4)
        bias = None if biases is None else self.node.emit(graph.AddOp, *biases)
        gates = nodes.define(dynamic_product(self.node, nodes, x, self.weights(W, W_SCALE), bias), "gates")
        states = [self._state(index) for index in (5, 6)]
        sources = [gates]
        if self.has_lengths:
            states += [self._with_steps(state) for state in states]
            sources.append(steps)
        backward = self.reverse and not self.has_lengths
        results = self._scan([*states, *sources], len(sources), backward)
        *last, every = results[-3:] if self.has_lengths else results
        if self.reverse and self.has_lengths:
            every = self._reversed(every)
        return [nodes.value(name) for name in (every, *last)]

    def _steps(self, x: str) -> str:
        """Return the numbers of the steps."""
        nodes = self.nodes
        first, count = nodes.define(np.array(0), "first"), nodes.add("Shape", [x])
        return nodes.add("Range", [first, nodes.add("Gather", [count, first]), nodes.define(np.array(1), "one")])

    def _until_last(self, x: str, steps: str) -> str:
        """Return the sequence with zeros behind the longest row, which have no part in its range."""
        nodes = self.nodes
        most = nodes.add("ReduceMax", [self._lengths()], keepdims=0)
        wide = nodes.add("Unsqueeze", [nodes.add("Less", [steps, most]), nodes.define(np.array([1, 2]), "axes")])
        return nodes.add("Where", [wide, x, nodes.define(np.array(0, np.float32), "zero")])

    def _reversed(self, name: str) -> str:
        """Return each row of a sequence backwards, as far as its length."""
        return self.nodes.add("ReverseSequence", [name, self._lengths()], time_axis=0, batch_axis=1)

    def _lengths(self) -> str:
        """Return the length of each row."""
        lengths = self.nodes.define(self.layer.lengths()[0], "lengths")
        return self.nodes.add("Cast", [lengths], to=TensorProto.INT64)

    def weights(self, index: int, scale: int) -> tuple[str, str, str]:
        """Return the names of weights, their scale and zero point."""
        found = [self.layer.part(each, self.number) for each in (index, scale, scale + 1)]
        names = ["" if value is None else self.nodes.define(value, "weights") for value in found]
        return names[0], names[1], names[2]

    def _state(self, index: int) -> str:
        """Return an initial state, [batch, hidden]."""
        nodes = self.nodes
        if self.node.has(index):
            return nodes.define(taken(self.node, self.node.input(index), self.number, 0), "state")
        rows = nodes.add("Shape", [nodes.define(self.layer.x, "x")], start=1, end=2)
        sizes = nodes.add("Concat", [rows, nodes.define(np.array([self.layer.hidden]), "hidden")], axis=0)
        return nodes.add("ConstantOfShape", [sizes], value=helper.make_tensor("zero", TensorProto.FLOAT, [1], [0.0]))

    def _with_steps(self, state: str) -> str:
        """Return an initial state that is the last one of rows of length 0: as onnxruntime has it, it is 0."""
        nodes = self.nodes
        wide = nodes.add("Unsqueeze", [self._lengths(), nodes.define(np.array([1]), "axis")])
        has_steps = nodes.add("Less", [nodes.define(np.array(0), "none"), wide])
        return nodes.add("Where", [has_steps, state, nodes.define(np.array(0, np.float32), "zero")])

    def _scan(self, given: list[str], count: int, backward: bool) -> list[str]:
        """Return the results of a scan over the gates of each step."""
        step = _Step(self)
        outputs = step.write()
        states = ["h", "c", *(("last_h", "last_c") if self.has_lengths else ())]
        sources = ["gates", *(("t",) if self.has_lengths else ())]
        inputs = [_tensor(name) for name in (*states, *sources)]
        body = helper.make_graph(step.nodes, "step", inputs, [_tensor(name) for name in outputs])
        results = [self.nodes.fresh("scan") for _ in outputs]
        proto = helper.make_node("Scan", given, results, name=self.node.label, body=body, num_scan_inputs=count)
        if backward:
            proto.attribute.append(helper.make_attribute("scan_input_directions", [1] * count))
            proto.attribute.append(helper.make_attribute("scan_output_directions", [1]))
        self.node.importer.convert_all([proto], OPSET)
        return results


def _tensor(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT64 if name == "t" else TensorProto.FLOAT, None)


class _Step:
    """The nodes of one step; the weights are names of the graph around it."""

    def __init__(self, direction: _Direction) -> None:
        self.direction = direction
        self.nodes: list[onnx.NodeProto] = []
        self.prefix = direction.nodes.fresh("step")

    def add(self, operator: str, *names: str, count: int = 1, **attributes: Any) -> Any:
        results = [f"{self.prefix}/{len(self.nodes)}.{k}" for k in range(count)]
        self.nodes.append(helper.make_node(operator, names, results, name=self.direction.node.label, **attributes))
        return results if count > 1 else results[0]

    def constant(self, number: float) -> str:
        return self.direction.nodes.define(np.array(number, np.float32), "number")

    def write(self) -> list[str]:
        """Write all, and return the names of the states and of the hidden state that is collected."""
        direction = self.direction
        weights, scale, zero = direction.weights(R, R_SCALE)
        h, h_scale, h_zero = self.add("DynamicQuantizeLinear", "h", count=3)
        total = self.add("MatMulInteger", h, weights, h_zero, *([zero] if zero else []))
        product = self.add("Mul", self.add("Cast", total, to=TensorProto.FLOAT), self.add("Mul", h_scale, scale))
        parts = self.add("Split", self.add("Add", "gates", product), count=4, axis=-1, num_outputs=4)
        hidden, cell = self._cell(parts)
        if not direction.has_lengths:
            return [hidden, cell, self.add("Identity", hidden)]
        return self._within_lengths(hidden, cell)

    def _cell(self, gates: Sequence[str]) -> tuple[str, str]:
        """Return the hidden state and the cell behind input, output, forget and candidate gates."""
        enter, leave, keep, candidate = gates
        f, g, h = self.direction.activations
        seen = self._peepholes()
        enter = self._activated(f, self._seen(enter, seen, 0, "c"))
        if self.direction.node.flag("input_forget", 0):
            keep = self.add("Sub", self.constant(1.0), enter)
        else:
            keep = self._activated(f, self._seen(keep, seen, 2, "c"))
        fresh = self.add("Mul", enter, self._activated(g, candidate))
        cell = self.add("Add", self.add("Mul", keep, "c"), fresh)
        leave = self._activated(f, self._seen(leave, seen, 1, cell))
        return self.add("Mul", leave, self._activated(h, cell, is_limited=False)), cell

    def _peepholes(self) -> list[str]:
        """Return the weights of the cell, of input, output and forget gates; none where they are not given."""
        layer = self.direction.layer
        weights = layer.part(PEEPHOLES, self.direction.number)
        if weights is None:
            return []
        parts = [layer.cut(weights, k * layer.hidden, layer.hidden) for k in range(3)]
        return [self.direction.nodes.define(part, "peephole") for part in parts]

    def _seen(self, gate: str, weights: Sequence[str], number: int, cell: str) -> str:
        return self.add("Add", gate, self.add("Mul", weights[number], cell)) if weights else gate

    def _activated(self, function: Activation, x: str, is_limited: bool = True) -> str:
        if is_limited and (clip := self.direction.clip) is not None:
            x = self.add("Clip", x, self.constant(-clip), self.constant(clip))
        match function.name:
            case "affine":
                return self.add("Add", self.add("Mul", x, self.constant(function.alpha)), self.constant(function.beta))
            case "scaled_tanh":
                inner = self.add("Tanh", self.add("Mul", x, self.constant(function.beta)))
                return self.add("Mul", inner, self.constant(function.alpha))
            case "hard_sigmoid":
                return self.add("HardSigmoid", x, alpha=function.alpha, beta=function.beta)
            case "leaky_relu" | "thresholded_relu" | "elu":
                operator = {"leaky_relu": "LeakyRelu", "thresholded_relu": "ThresholdedRelu", "elu": "Elu"}
                return self.add(operator[function.name], x, alpha=function.alpha)
            case name:
                return self.add(name.capitalize(), x)

    def _within_lengths(self, hidden: str, cell: str) -> list[str]:
        """Return states that are 0 in rows that have ended, as onnxruntime's ranges of later steps have it; the last
        ones stay."""
        lengths = self.direction.nodes.define(self.direction.layer.lengths()[0], "lengths")
        wide = self.add("Unsqueeze", self.add("Cast", lengths, to=TensorProto.INT64), self._axis())
        is_within, zero = self.add("Less", "t", wide), self.constant(0.0)
        states = [self.add("Where", is_within, each, zero) for each in (hidden, cell)]
        last = [self.add("Where", is_within, new, old) for new, old in ((hidden, "last_h"), (cell, "last_c"))]
        return [*states, *last, self.add("Identity", states[0])]

    def _axis(self) -> str:
        return self.direction.nodes.define(np.array([1]), "axis")
