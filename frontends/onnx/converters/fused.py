"""Fused operators of the domain com.microsoft, with which optimisers replace a standard operator and its epilogue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import onnx
from xdsl.ir import SSAValue

from ....dialects import graph
from ....operators.record import WIDE
from ..node import Node, Value, check_signature, dtype, in_accumulator, rank, scalar, shape, static_dim

Part: TypeAlias = "tuple[str, Sequence[str], dict[str, Any]]"
"""A node of the standard domain: operator, names of inputs, and attributes, those of None left out. "" as the first
input is the result of the part before."""


def by_standard(node: Node, parts: Sequence[Part]) -> Value:
    """Return the result of nodes of the standard domain, one after another, that a fused node replaces."""
    result, protos = "", list[onnx.NodeProto]()
    for number, (operator, names, attributes) in enumerate(parts):
        given = {name: value for name, value in attributes.items() if value is not None}
        operands = [names[0] or result, *names[1:]]
        result = f"{node.proto.output[0]}/{number}.{operator}"
        protos.append(onnx.helper.make_node(operator, operands, [result], name=node.label, **given))
    node.importer.convert_all(protos, onnx.defs.onnx_opset_version())
    value = node.importer.lookup(node, result)
    assert isinstance(value, (SSAValue, np.ndarray))
    return value


def gelu(node: Node) -> Value:
    """Convert Gelu by erf; BiasGelu adds a vector before."""
    biased = node.proto.op_type == "BiasGelu"
    check_signature(node, 1 + biased, "A B" if biased else "X")
    return _activated_sum(node, lambda x: node.emit(graph.GeluOp, x))


def fast_gelu(node: Node) -> Value:
    """Convert FastGelu: gelu by tanh, of the sum with a vector where there is one."""
    check_signature(node, 1, "X bias")
    return _activated_sum(node, lambda x: node.emit(graph.GeluOp, x, approximate=True))


def _activated_sum(node: Node, activation: Callable[[Value], Value]) -> Value:
    """Return an activation of the sum of a node's inputs, rounded once."""

    def build(x: Value, *bias: Value) -> Value:
        return activation(node.emit(graph.AddOp, x, *bias) if bias else x)

    return in_accumulator(node, [node.input(k) for k in range(node.input_count) if node.has(k)], build)


def quick_gelu(node: Node) -> Value:
    """Convert QuickGelu: x * sigmoid(alpha * x)."""
    check_signature(node, 1, "X")
    alpha = node.attr("alpha", 1.702)

    def build(x: Value) -> Value:
        factor = node.emit(graph.SigmoidOp, node.emit(graph.MulOp, x, scalar(np.array(alpha), x)))
        return node.emit(graph.MulOp, x, factor)

    return in_accumulator(node, [node.input(0)], build)


def bias_add(node: Node) -> Value:
    """Convert BiasAdd: the sum of an image [N, S, C], a vector and another image."""
    check_signature(node, 3, "X bias skip")

    def build(x: Value, bias: Value, skip: Value) -> Value:
        return node.emit(graph.AddOp, node.emit(graph.AddOp, x, bias), skip)

    return in_accumulator(node, node.inputs(), build)


def bias_split_gelu(node: Node) -> Value:
    """Convert BiasSplitGelu: the first half of the channels times gelu of the second half, a vector added before."""
    check_signature(node, 2, "X bias")
    channels = static_dim(node, shape(node.input(0))[-1], "the number of channels")
    if channels % 2:
        node.fail("TW0303", f"expected an even number of channels, but got {channels}")

    def build(x: Value, bias: Value) -> Value:
        total = node.emit(graph.AddOp, x, bias)
        left, right = node.emit_all(graph.SplitOp, total, axis=rank(x) - 1, sizes=(channels // 2,) * 2)
        return node.emit(graph.MulOp, left, node.emit(graph.GeluOp, right))

    return in_accumulator(node, node.inputs(), build)


def fused_matmul(node: Node) -> Value:
    """Convert FusedMatMul: alpha * A' * B'. The first dimension of an operand goes behind those of the batch where
    `transBatch` says so."""
    check_signature(node, 2, "A B")
    a, b = node.input(0), node.input(1)
    moved = [node.flag(name, 0) for name in ("transBatchA", "transBatchB")]
    turned = [node.flag(name, 0) for name in ("transA", "transB")]
    alpha, wide = node.attr("alpha", 1.0), WIDE.of(dtype(a))
    left, right = (_moved(node, x, move, turn) for x, move, turn in zip((a, b), moved, turned, strict=True))
    row, column = rank(a) == 1, rank(b) == 1
    left = node.emit(graph.UnsqueezeOp, left, axes=(0,)) if row else left
    right = node.emit(graph.UnsqueezeOp, right, axes=(1,)) if column else right
    kind = None if wide == dtype(a) or alpha == 1 else wide
    total = node.emit(
        graph.MatmulOp,
        left,
        right,
        transpose_a=turned[0] and not row,
        transpose_b=turned[1] and not column,
        out_dtype=kind,
    )
    if alpha != 1:
        total = node.emit(graph.MulOp, total, scalar(np.array(alpha), total))
    total = total if kind is None else node.emit(graph.CastOp, total, to=dtype(a))
    dropped = ([-2] if row else []) + ([-1] if column else [])
    return node.emit(graph.SqueezeOp, total, axes=dropped) if dropped else total


def _moved(node: Node, x: Value, is_moved: bool, is_turned: bool) -> Value:
    """Return an operand whose first dimension is one of the matrix, as a batch of matrices."""
    if not is_moved or rank(x) < 3:
        return x
    return node.emit(graph.TransposeOp, x, permutation=(*range(1, rank(x) - 1), 0, rank(x) - 1))


def fused_gemm(node: Node) -> Value:
    """Convert FusedGemm: Gemm, and an activation of its result."""
    check_signature(node, 2, "A B C")
    given = {name: node.attr(name) for name in ("alpha", "beta", "transA", "transB")}
    parameters = [node.attr(f"activation_{name}") for name in ("alpha", "beta", "gamma")]
    activation = _activation(node, [each for each in parameters if each is not None])
    return by_standard(node, [("Gemm", list(node.proto.input), given), *activation])


def fused_conv(node: Node) -> Value:
    """Convert FusedConv: Conv, the sum with another image where there is one, and an activation."""
    check_signature(node, 2, "X W B Z")
    other: list[Part] = [("Add", ["", node.proto.input[3]], {})] if node.has(3) else []
    activation = _activation(node, list(node.attr("activation_params", ())))
    return by_standard(node, [("Conv", list(node.proto.input[:3]), _window(node)), *other, *activation])


def nhwc_conv(node: Node) -> Value:
    """Convert NhwcConv: Conv of an image with its channels last, and weights alike."""
    check_signature(node, 2, "X W B")
    if (dims := rank(node.input(0))) < 3:
        node.fail("TW0303", f"expected an image with channels, but got rank {dims}")
    x, _, *bias = node.proto.input
    first, last = (0, dims - 1, *range(1, dims - 1)), (0, *range(2, dims), 1)
    kernel = f"{node.proto.output[0]}/kernel"
    node.importer.define(kernel, node.emit(graph.TransposeOp, node.input(1), permutation=first))
    turned: Part = ("Transpose", [x], {"perm": first})
    return by_standard(
        node, [turned, ("Conv", ["", kernel, *bias], _window(node)), ("Transpose", [""], {"perm": last})]
    )


def _window(node: Node) -> dict[str, Any]:
    names = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")
    return {name: node.attr(name) for name in names}


_PARAMETERS: dict[str, tuple[str, ...]] = {
    "": (),
    "Relu": (),
    "Sigmoid": (),
    "Softplus": (),
    "Softsign": (),
    "Tanh": (),
    "Celu": ("alpha",),
    "Elu": ("alpha",),
    "LeakyRelu": ("alpha",),
    "ThresholdedRelu": ("alpha",),
    "HardSigmoid": ("alpha", "beta"),
    "Selu": ("alpha", "gamma"),
    "Clip": ("min", "max"),
}
"""Activations of fused nodes, and the parameters that they take in this order."""


def _activation(node: Node, parameters: Sequence[float]) -> list[Part]:
    """Return the node that computes a fused node's activation; none where it has none."""
    name = node.attr("activation", "")
    if name not in _PARAMETERS:
        node.fail("TW0306", f"attribute 'activation' with value {name} is not supported")
    names = _PARAMETERS[name]
    if len(parameters) != len(names):
        node.fail("TW0303", f"expected {len(names)} parameters of the activation {name}, but got {list(parameters)}")
    if name == "Clip":
        bounds = [f"{node.proto.output[0]}/{each}" for each in names]
        for bound, value in zip(bounds, parameters, strict=True):
            node.importer.define(bound, np.array(value, np.float32))
        return [("Clip", ["", *bounds], {})]
    return [(name, [""], dict(zip(names, parameters, strict=True)))] if name else []
