"""Functions of relay's networks as models of ONNX, for another runtime to compute them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from onnx import ModelProto, helper, numpy_helper
from tilewright.dialects.graph import ConstantOp, GraphOp, shape_of
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

OPSET = 17
_RENAMED = {"kernel": "kernel_shape", "padding": "pads", "groups": "group", "permutation": "perm", "epsilon": "epsilon"}
_SAME: Mapping[str, str] = {
    "add": "Add", "batch_norm": "BatchNormalization", "conv2d": "Conv", "flatten": "Flatten",
    "global_avg_pool": "GlobalAveragePool", "max_pool2d": "MaxPool", "relu": "Relu", "softmax": "Softmax",
    "transpose": "Transpose",
}  # fmt: skip


def as_onnx(main: FuncOp, params: Mapping[str, np.ndarray]) -> ModelProto:
    """Return the model of a function, its parameters as initializers."""
    names: dict[SSAValue, str] = {}
    nodes: list[Any] = []
    constants = [numpy_helper.from_array(np.asarray(value), name) for name, value in params.items()]

    def name_of(value: SSAValue) -> str:
        return names.setdefault(value, f"v{len(names)}")

    for argument in main.body.block.args:
        names[argument] = argument.name_hint or ""

    def constant(array: np.ndarray) -> str:
        name = f"c{len(constants)}"
        constants.append(numpy_helper.from_array(array, name))
        return name

    for op in main.body.block.ops:
        if isinstance(op, GraphOp):
            inputs = [name_of(operand) for operand in op.operands]
            nodes += _node(op, inputs, name_of(op.results[0]), constant)
    *_, last = main.body.block.ops
    shape = [int(size) for size in shape_of(main.body.block.args[0])]
    data = helper.make_tensor_value_info("data", 1, shape)
    results = [helper.make_tensor_value_info(name_of(value), 1, None) for value in last.operands]
    graph = helper.make_graph(nodes, "network", [data], results, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def _node(op: GraphOp, inputs: list[str], output: str, constant: Callable[[np.ndarray], str]) -> list[Any]:
    kind = op.name.removeprefix("graph.")
    if isinstance(op, ConstantOp):
        return [helper.make_node("Identity", [constant(op.array)], [output])]
    values = {k: v for k, v in op.values.items() if k != "pad_value"}
    properties = {_RENAMED.get(k, k): v for k, v in values.items() if v is not None and v is not False}
    match kind:
        case "dense":
            return [helper.make_node("Gemm", inputs, [output], transB=1)]
        case "unsqueeze" | "reshape" | "broadcast_to":
            onnx = {"unsqueeze": "Unsqueeze", "reshape": "Reshape", "broadcast_to": "Expand"}[kind]
            (given,) = properties.values()
            return [helper.make_node(onnx, [*inputs, constant(np.array(given, np.int64))], [output])]
        case _:
            return [helper.make_node(_SAME[kind], inputs, [output], **properties)]
