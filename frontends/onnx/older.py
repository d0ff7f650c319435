"""
Conversion of nodes of opsets below 7 to nodes of opset 7: renamed attributes, attributes that became inputs, and the
older broadcasting rule. An operator is converted only if its definition is the same in both opsets, or the table of
changes has the operator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from ...dialects import graph
from .node import Node, Value, rank, shape
from .registry import BROADCASTING_OPSET, converter

_TYPES: frozenset[str] = frozenset(onnx.TensorProto.DataType.keys())


class _Changed(Node):
    """A node at opset 7 with some inputs given as values."""

    def __init__(self, node: Node, attributes: Mapping[str, Any], inputs: Mapping[int, Value], count: int):
        proto = onnx.NodeProto()
        proto.CopyFrom(node.proto)
        del proto.attribute[:]
        proto.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
        super().__init__(node.importer, proto, BROADCASTING_OPSET)
        self._given = inputs
        self._count = count

    @property
    def input_count(self) -> int:
        return self._count

    def has(self, index: int) -> bool:
        return index in self._given or (index < self._count and super().has(index))

    def input(self, index: int) -> Value:
        return self._given[index] if index in self._given else super().input(index)


class _Change:
    """The changes of a node: attributes and inputs to edit."""

    def __init__(self, node: Node):
        self.node = node
        self.attributes: dict[str, Any] = {each.name: helper.get_attribute_value(each) for each in node.proto.attribute}
        self.inputs: dict[int, Value] = {}
        self.count = node.input_count

    def drop(self, name: str, default: Any = None) -> Any:
        """Remove an attribute and return its value."""
        return self.attributes.pop(name, default)

    def give(self, index: int, value: Value, count: int) -> None:
        self.inputs[index] = value
        self.count = count


def convert(node: Node) -> Value | Sequence[Value]:
    """Convert a node of an older opset."""
    change = _Change(node)
    for name in change.attributes:
        node.has_attr(name)  # those that stay are checked where the node of opset 7 is
    change.drop("consumed_inputs")
    if node.operator in _CHANGES:
        _CHANGES[node.operator](change)
    elif _is_other(node):
        node.fail("TW0302", f"its definition of opset {node.opset} is not supported")
    changed = _Changed(node, change.attributes, change.inputs, change.count)
    result = converter(changed)(changed)
    changed.check_attributes()
    return result


def _is_other(node: Node) -> bool:
    """Return whether opset 7 defines the operator by other attributes or another number of inputs."""
    older, newer = (onnx.defs.get_schema(node.operator, opset) for opset in (node.opset, BROADCASTING_OPSET))
    lost = {*older.attributes} - {*newer.attributes, "consumed_inputs"}
    return bool(lost) or (older.min_input, older.max_input) != (newer.min_input, newer.max_input)


def _broadcast(change: _Change) -> None:
    """Align the second operand's dimensions, which stood at the end of the first one's, or from `axis` on."""
    node, axis = change.node, change.drop("axis")
    if not change.drop("broadcast", 0):
        return
    a, b = node.input(0), node.input(1)
    if axis is not None and rank(b) < rank(a):
        behind = rank(a) - node.axis(axis, rank(a)) - rank(b)
        axes = tuple(range(rank(b), rank(b) + behind))
        change.give(1, node.emit(graph.UnsqueezeOp, b, axes=axes) if axes else b, 2)


def _slope(change: _Change) -> None:
    """Reshape the slope of PRelu, which was one number, or one for each channel."""
    x, slope = change.node.input(0), change.node.input(1)
    if rank(slope) == 1 and shape(slope)[0] != 1 and rank(x) > 2:
        change.give(1, change.node.emit(graph.UnsqueezeOp, slope, axes=tuple(range(1, rank(x) - 1))), 2)


def _inference(change: _Change) -> None:
    if not change.drop("is_test", 0):
        change.node.fail("TW0302", "training mode is not supported")


def _concat(change: _Change) -> None:
    change.attributes.setdefault("axis", 1)


def _cast(change: _Change) -> None:
    """Replace the name of a type by the type."""
    to = change.attributes.get("to", b"")
    if isinstance(to, bytes):
        name = to.decode().upper()
        if name not in _TYPES:
            change.node.fail("TW0303", f"expected the name of an element type, but got '{to.decode()}'")
        change.attributes["to"] = onnx.TensorProto.DataType.Value(name)


def _pad(change: _Change) -> None:
    if "paddings" in change.attributes:
        change.attributes["pads"] = change.drop("paddings")


def _reshape(change: _Change) -> None:
    if "shape" in change.attributes:
        change.give(1, np.array(change.drop("shape"), np.int64), 2)


def _tile(change: _Change) -> None:
    """Replace the inputs of the old Tile, a number of repeats and one axis, by the repeats of all axes."""
    node = change.node
    if node.opset < 6:
        (times,), (axis,) = node.constant_ints(1, "the repeats"), node.constant_ints(2, "the axis")
        repeats = np.ones(rank(node.input(0)), np.int64)
        repeats[node.axis(axis, len(repeats))] = times
        change.give(1, repeats, 2)


def _split(change: _Change) -> None:
    if change.node.opset < 2 and change.node.has(1):
        sizes = change.node.constant_ints(1, "the sizes")
        change.count = 1
        change.attributes["split"] = sizes


def _upsample(change: _Change) -> None:
    if "height_scale" in change.attributes:
        height, width = change.drop("height_scale"), change.drop("width_scale", 1.0)
        change.attributes["scales"] = [1.0, 1.0, height, width]


def _whole_order(change: _Change) -> None:
    """Replace the p of norms, which was a float, by an integer."""
    if (order := change.attributes.get("p")) is not None:
        if order != int(order):
            change.node.fail("TW0306", f"attribute 'p' with value {order} is not supported")
        change.attributes["p"] = int(order)


def _recurrent(change: _Change) -> None:
    change.drop("output_sequence")


_CHANGES: dict[str, Callable[[_Change], None]] = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less"), _broadcast),
    **dict.fromkeys(("GRU", "LSTM", "RNN"), _recurrent),
    "BatchNormalization": _inference,
    "Cast": _cast,
    "Concat": _concat,
    "Dropout": _inference,
    "Gemm": lambda change: change.drop("broadcast"),
    "GlobalLpPool": _whole_order,
    "LpPool": _whole_order,
    "PRelu": _slope,
    "Pad": _pad,
    "Reshape": _reshape,
    "Split": _split,
    "Tile": _tile,
    "Upsample": _upsample,
}
"""Operator -> the function that converts a node of an older opset to opset 7."""
