"""
Operators between quantised numbers: the operator of floats between DequantizeLinear and QuantizeLinear.

A node is converted to equivalent standard nodes; the pass integer-products then computes products on integers. All but
QLinearConv and QLinearMatMul are operators of onnxruntime (domain com.microsoft), which its quantiser emits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from xdsl.ir import SSAValue

from ....dialects import graph
from ..node import Node, Value, as_type, check_signature, dtype, rank, shape

OPSET = 21
"""The opset of the standard's nodes."""


class Nodes:
    """Nodes of the standard domain that replace one node, each converted when it is added."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.count = 0

    def add(self, operator: str, names: Sequence[str], **attributes: Any) -> str:
        """Add a node of the standard and return the name of its result; attributes of None are left out."""
        given = {name: value for name, value in attributes.items() if value is not None}
        result = self.fresh(operator)
        proto = onnx.helper.make_node(operator, list(names), [result], name=self.node.label, **given)
        self.node.importer.convert_all([proto], OPSET)
        return result

    def define(self, value: Value, what: str) -> str:
        """Define a name for a value."""
        name = self.fresh(what)
        self.node.importer.define(name, value)
        return name

    def value(self, name: str) -> Value:
        value = self.node.importer.lookup(self.node, name)
        assert isinstance(value, (SSAValue, np.ndarray))
        return value

    def numbers(self, first: int, scale: int | None = None, zero: int | None = None, axis: int | None = None) -> str:
        """Return the numbers of a quantised input; its scale and zero point are the next inputs unless they are
        given."""
        scale = first + 1 if scale is None else scale
        zero = first + 2 if zero is None else zero
        names = [self.node.proto.input[first], self.node.proto.input[scale]]
        if self.node.has(zero):
            names.append(self.node.proto.input[zero])
        return self.add("DequantizeLinear", names, axis=axis)

    def quantized(self, name: str, scale: int) -> Value:
        """Return a result as integers, of the scale that is input number `scale` and the zero point after it. Without a
        zero point it has the type of the first quantised input."""
        names = [name, self.node.proto.input[scale]]
        if self.node.has(scale + 1):
            return self.value(self.add("QuantizeLinear", [*names, self.node.proto.input[scale + 1]]))
        code = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype(self.node.input(0))))
        return self.value(self.add("QuantizeLinear", names, output_dtype=code))

    def fresh(self, what: str) -> str:
        """Return a name that no other value has."""
        self.count += 1
        return f"{self.node.proto.output[0]}/{self.count}.{what}"


def binary(node: Node) -> Value:
    """Convert QLinearAdd and QLinearMul."""
    check_signature(node, 2, "A A_scale A_zero B B_scale B_zero C_scale C_zero", needed="B B_scale C_scale")
    nodes = Nodes(node)
    operator = {"QLinearAdd": "Add", "QLinearMul": "Mul"}[node.proto.op_type]
    return nodes.quantized(nodes.add(operator, [nodes.numbers(0), nodes.numbers(3)]), 6)


def unary(node: Node) -> Value:
    """Convert QLinearLeakyRelu, QLinearSigmoid and QLinearSoftmax."""
    check_signature(node, 2, "X X_scale X_zero Y_scale Y_zero", needed="Y_scale")
    nodes, operator = Nodes(node), node.proto.op_type.removeprefix("QLinear")
    attributes: dict[str, Any] = {}
    if operator == "LeakyRelu":
        attributes["alpha"] = node.attr("alpha", 0.01)
    x = nodes.numbers(0)
    if operator == "Softmax":
        return nodes.quantized(_softmax(node, nodes, x), 3)
    return nodes.quantized(nodes.add(operator, [x], **attributes), 3)


def _softmax(node: Node, nodes: Nodes, x: str) -> str:
    """Add a softmax along an axis, or before opset 13 over all axes from it on."""
    axis = node.attr("axis", -1)
    if node.attr("opset", node.opset) >= 13:
        return nodes.add("Softmax", [x], axis=axis)
    flat = nodes.add("Flatten", [x], axis=axis)
    sizes = nodes.add("Shape", [x])
    return nodes.add("Reshape", [nodes.add("Softmax", [flat], axis=1), sizes])


def concat(node: Node) -> Value:
    """Convert QLinearConcat: scale and zero point of the result, then those of each operand behind it."""
    if node.input_count < 5 or node.input_count % 3 != 2:
        node.fail("TW0303", f"expected Y_scale, Y_zero and three inputs for each operand, but got {node.input_count}")
    nodes = Nodes(node)
    operands = [nodes.numbers(first) for first in range(2, node.input_count, 3)]
    names = [nodes.add("Concat", operands, axis=node.attr("axis")), *node.proto.input[:2]]
    return nodes.value(nodes.add("QuantizeLinear", [name for name in names if name]))


_WINDOW = ("auto_pad", "kernel_shape", "pads", "strides", "dilations")


def conv(node: Node) -> Value:
    """Convert QLinearConv as optimisers write it: images may have their channels last, weights are the standard's."""
    check_signature(node, 8, "x x_scale x_zero w w_scale w_zero y_scale y_zero B")
    attributes = {name: node.attr(name) for name in (*_WINDOW, "group")}
    return _channels_first(node, "QLinearConv", bool(node.attr("channels_last", 0)), attributes)


def max_pool(node: Node) -> Value:
    """Convert NhwcMaxPool, of images with their channels last."""
    check_signature(node, 1, "x")
    return _channels_first(node, "MaxPool", True, {name: node.attr(name) for name in (*_WINDOW, "ceil_mode")})


def _channels_first(node: Node, operator: str, is_last: bool, attributes: dict[str, Any]) -> Value:
    """Apply an operator of the standard to the inputs, the first of which may have its channels last, as the result
    then."""
    nodes, last, (x, *rest) = Nodes(node), rank(node.input(0)) - 1, node.proto.input
    if not is_last:
        return nodes.value(nodes.add(operator, [x, *rest], **attributes))
    first = nodes.add("Transpose", [x], perm=[0, last, *range(1, last)])
    result = nodes.add(operator, [first, *rest], **attributes)
    return nodes.value(nodes.add("Transpose", [result], perm=[0, *range(2, last + 1), 1]))


def pool(node: Node) -> Value:
    """Convert QLinearAveragePool and QLinearGlobalAveragePool, of images with their channels first or last."""
    check_signature(node, 2, "X x_scale x_zero y_scale y_zero", needed="y_scale")
    nodes, operator = Nodes(node), node.proto.op_type.removeprefix("QLinear")
    names = (*_WINDOW, "ceil_mode", "count_include_pad")
    attributes = {name: node.attr(name) for name in names} if operator == "AveragePool" else {}
    x = nodes.numbers(0)
    if not node.attr("channels_last", 0):
        return nodes.quantized(nodes.add(operator, [x], **attributes), 3)
    last = rank(node.input(0)) - 1
    first = nodes.add("Transpose", [x], perm=[0, last, *range(1, last)])
    result = nodes.add(operator, [first], **attributes)
    return nodes.quantized(nodes.add("Transpose", [result], perm=[0, *range(2, last + 1), 1]), 3)


def mean(node: Node) -> Value:
    """Convert QLinearReduceMean."""
    check_signature(node, 2, "data data_scale data_zero reduced_scale reduced_zero", needed="reduced_scale")
    nodes = Nodes(node)
    axes = node.attr("axes")
    names = [nodes.numbers(0)]
    if axes is not None:
        names.append(nodes.define(np.array(axes, np.int64), "axes"))
    return nodes.quantized(nodes.add("ReduceMean", names, keepdims=node.attr("keepdims", 1)), 3)


def where(node: Node) -> Value:
    """Convert QLinearWhere."""
    check_signature(node, 8, "condition X x_scale x_zero Y y_scale y_zero z_scale z_zero")
    nodes = Nodes(node)
    chosen = nodes.add("Where", [node.proto.input[0], nodes.numbers(1), nodes.numbers(4)])
    return nodes.value(nodes.add("QuantizeLinear", [chosen, *node.proto.input[7:9]]))


def gemm(node: Node) -> Value:
    """Convert QGemm: alpha * A' * B' + C, where C has integers of the scale of the product; without a scale of the
    result it is float."""
    check_signature(node, 2, "A a_scale a_zero B b_scale b_zero C y_scale y_zero", needed="B b_scale")
    nodes = Nodes(node)
    scale = _product_of(node, nodes, 1, 4, node.attr("alpha", 1.0))
    a, b = nodes.numbers(0), nodes.numbers(3, axis=0 if node.flag("transB", 0) else 1)
    a = nodes.add("Transpose", [a], perm=[1, 0]) if node.flag("transA", 0) else a
    b = b if node.flag("transB", 0) else nodes.add("Transpose", [b], perm=[1, 0])
    names = [a, b]
    if node.has(6):
        if dtype(node.input(6)) != "int32":
            node.fail("TW0303", f"expected C of type int32, but got {dtype(node.input(6))}")
        c = nodes.define(_as_row(node, node.input(6)), "C")
        names.append(nodes.add("DequantizeLinear", [c, scale], axis=rank(nodes.value(c)) - 1))
    result = nodes.add("Gemm", names, transB=1, alpha=node.attr("alpha", 1.0))
    return nodes.quantized(result, 7) if node.has(7) else nodes.value(result)


def _as_row(node: Node, c: Value) -> Value:
    """Return a bias of one row as a vector."""
    return node.emit(graph.SqueezeOp, c, axes=(0,)) if rank(c) == 2 and shape(c)[0] == 1 else c


def _product_of(node: Node, nodes: Nodes, first: int, second: int, alpha: float = 1.0) -> str:
    """Return the product of two scales, which is that of a bias."""
    scale = node.emit(graph.MulOp, node.input(first), node.input(second))
    if alpha != 1:
        scale = node.emit(graph.MulOp, scale, np.array(alpha, dtype(scale)))
    return nodes.define(scale, "scale")


def dynamic_matmul(node: Node) -> Value:
    """Convert DynamicQuantizeMatMul: a matrix of floats is quantised by its range, and multiplied by one that is
    quantised."""
    check_signature(node, 3, "A B b_scale b_zero bias")
    nodes, (b, b_scale) = Nodes(node), node.proto.input[1:3]
    zero = node.proto.input[3] if node.has(3) else ""
    return dynamic_product(node, nodes, node.proto.input[0], (b, b_scale, zero), node.optional(4))


def dynamic_product(node: Node, nodes: Nodes, a: str, b: tuple[str, str, str], bias: Value | None) -> Value:
    """Return the product of floats, quantised by their range, and integers of a scale and a zero point, plus a bias."""
    results = [nodes.fresh(name) for name in ("a", "a_scale", "a_zero")]
    proto = onnx.helper.make_node("DynamicQuantizeLinear", [a], results, name=node.label)
    node.importer.convert_all([proto], OPSET)
    return scaled_product(node, nodes, [results[0], b[0], results[2], b[2]], results[1], b[1], bias)


def matmul_to_float(node: Node) -> Value:
    """Convert MatMulIntegerToFloat: a product of quantised matrices as floats, and a bias."""
    check_signature(node, 4, "A B a_scale b_scale a_zero b_zero bias")
    return quantized_product(node, (0, 1, 4, 5), (2, 3), 6)


def quantized_product(node: Node, operands: Sequence[int], scales: Sequence[int], bias: int) -> Value:
    """Return the product of two quantised matrices as floats, plus a bias: inputs by number, which are the matrices and
    their zero points, then their scales."""
    names = [node.proto.input[index] if node.has(index) else "" for index in operands]
    a_scale, b_scale = (node.proto.input[index] for index in scales)
    return scaled_product(node, Nodes(node), names, a_scale, b_scale, node.optional(bias))


def scaled_product(
    node: Node, nodes: Nodes, operands: Sequence[str], a_scale: str, b_scale: str, bias: Value | None
) -> Value:
    """Return the product of integers less their zero points times both scales, plus a bias."""
    names = list(operands)
    while not names[-1]:
        names.pop()
    total = nodes.value(nodes.add("MatMulInteger", names))
    scale = node.emit(graph.MulOp, nodes.value(a_scale), nodes.value(b_scale))
    result = node.emit(graph.MulOp, as_type(node, total, dtype(scale)), scale)
    return result if bias is None else node.emit(graph.AddOp, result, bias)
