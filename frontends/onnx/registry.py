"""Which function converts which operator: a table of names, each file imported when its first operator is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import onnx

from ...lazy import load

if TYPE_CHECKING:
    from .node import Node, Value

_FILES: dict[str, str] = {
    "elementwise:simple": (
        "Abs And Ceil Cos Div Equal Erf Exp Floor Greater GreaterOrEqual Identity Less LessOrEqual Log Mul Neg Not "
        "Or Reciprocal Relu Sigmoid Sin Sqrt Sub Tanh Where Xor Add"
    ),
    "elementwise:variadic": "Max Mean Min Sum",
    "elementwise:cast": "Cast",
    "elementwise:clip": "Clip",
    "elementwise:dropout": "Dropout",
    "elementwise:hard_sigmoid": "HardSigmoid",
    "elementwise:leaky_relu": "LeakyRelu",
    "elementwise:power": "Pow",
    "constants:constant": "Constant",
    "constants:constant_of_shape": "ConstantOfShape",
    "constants:arange": "Range",
    "constants:shape_": "Shape",
    "constants:size": "Size",
    "neural:conv": "Conv",
    "neural:batch_norm": "BatchNormalization",
    "neural:lrn": "LRN",
    "neural:softmax": "Softmax LogSoftmax",
    "pooling:pool": "MaxPool AveragePool",
    "pooling:global_pool": "GlobalAveragePool GlobalMaxPool",
    "linear:gemm": "Gemm",
    "linear:matmul": "MatMul",
    "reduction:reduce": "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum",
    "movement:concat": "Concat",
    "movement:expand": "Expand",
    "movement:flatten": "Flatten",
    "movement:gather": "Gather",
    "movement:reshape": "Reshape",
    "movement:squeeze": "Squeeze",
    "movement:transpose": "Transpose",
    "movement:unsqueeze": "Unsqueeze",
    "cutting:pad": "Pad",
    "cutting:slice_": "Slice",
    "cutting:split": "Split",
}

CONVERTERS: dict[str, str] = {name: function for function, names in _FILES.items() for name in names.split()}
"""ONNX operator of the standard domain -> "module:function", relative to `converters`."""


def converter(node: Node) -> Callable[[Node], Value | Sequence[Value]]:
    return load(CONVERTERS[node.operator], f"{__package__}.converters")


def unknown_operators(model: onnx.ModelProto, opset: int) -> str | None:
    """A message that names every operator of the model which has no converter, or None."""
    unknown = Counter[str]()
    example: dict[str, str] = {}
    for node in model.graph.node:
        name = node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"
        if name not in CONVERTERS:
            unknown[name] += 1
            example.setdefault(name, node.name or next(iter(node.output), ""))
    if not unknown:
        return None
    listed = ", ".join(f"{name} ({count}×, first at node '{example[name]}')" for name, count in unknown.items())
    return f"the model uses operators that are not supported at opset {opset}: {listed}"
