"""Which function converts which operator: a table of names, each file imported when its first operator is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import onnx

from ...lazy import load
from ...operators.declaration import operators_of_onnx

if TYPE_CHECKING:
    from .node import Node, Value

_FILES: dict[str, str] = {
    "elementwise:simple": (
        "Abs Acos Acosh Add And Asin Asinh Atan Atanh Ceil Cos Cosh Div Equal Erf Exp Floor Greater "
        "GreaterOrEqual HardSwish Identity Less LessOrEqual Log Mul Neg Not Or Reciprocal Relu Round Sigmoid Sign "
        "Sin Sinh Softplus Sqrt Sub Tan Tanh Where Xor"
    ),
    "elementwise:variadic": "Max Mean Min Sum",
    "elementwise:cast": "Cast",
    "elementwise:clip": "Clip",
    "elementwise:dropout": "Dropout",
    "elementwise:elu": "Elu",
    "elementwise:gelu": "Gelu",
    "elementwise:hard_sigmoid": "HardSigmoid",
    "elementwise:leaky_relu": "LeakyRelu",
    "elementwise:power": "Pow",
    "elementwise:prelu": "PRelu",
    "constants:constant": "Constant",
    "constants:constant_of_shape": "ConstantOfShape",
    "constants:arange": "Range",
    "constants:shape_": "Shape",
    "constants:size": "Size",
    "neural:conv": "Conv",
    "neural:batch_norm": "BatchNormalization",
    "neural:group_norm": "GroupNormalization",
    "neural:instance_norm": "InstanceNormalization",
    "neural:layer_norm": "LayerNormalization",
    "neural:lrn": "LRN",
    "neural:softmax": "Softmax LogSoftmax",
    "pooling:pool": "MaxPool AveragePool",
    "pooling:global_pool": "GlobalAveragePool GlobalMaxPool",
    "image:depth_to_space": "DepthToSpace",
    "image:resize": "Resize",
    "image:space_to_depth": "SpaceToDepth",
    "image:upsample": "Upsample",
    "linear:gemm": "Gemm",
    "linear:matmul": "MatMul",
    "reduction:arg": "ArgMax ArgMin",
    "reduction:cumsum": "CumSum",
    "reduction:reduce": "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum",
    "movement:concat": "Concat",
    "movement:expand": "Expand",
    "movement:flatten": "Flatten",
    "movement:gather": "Gather",
    "movement:gather_elements": "GatherElements",
    "movement:reshape": "Reshape",
    "movement:squeeze": "Squeeze",
    "movement:tile": "Tile",
    "movement:transpose": "Transpose",
    "movement:unsqueeze": "Unsqueeze",
    "cutting:pad": "Pad",
    "cutting:slice_": "Slice",
    "cutting:split": "Split",
}

CONVERTERS: dict[str, str] = {name: function for function, names in _FILES.items() for name in names.split()}
"""ONNX operator of the standard domain -> "module:function", relative to `converters`."""


def converter(node: Node) -> Callable[[Node], Value | Sequence[Value]]:
    """What converts a node; an operator that was registered as the same as ONNX's needs nothing of its own."""
    place = CONVERTERS.get(node.operator, "declared:same_operator")
    return load(place, f"{__package__}.converters")


def unknown_operators(model: onnx.ModelProto, opset: int) -> str | None:
    """A message that names every operator of the model which has no converter, or None."""
    unknown, declared = Counter[str](), operators_of_onnx()
    example: dict[str, str] = {}
    for node in model.graph.node:
        name = node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"
        if name not in CONVERTERS and name not in declared:
            unknown[name] += 1
            example.setdefault(name, node.name or next(iter(node.output), ""))
    if not unknown:
        return None
    listed = ", ".join(f"{name} ({count}×, first at node '{example[name]}')" for name, count in unknown.items())
    return f"the model uses operators that are not supported at opset {opset}: {listed}"
