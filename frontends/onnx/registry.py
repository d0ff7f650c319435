"""
Which function converts which operator.

An operator that ONNX and the graph dialect have with the same operands, attributes and meaning says so where it is
declared (`onnx=`) and has no function here. The others stand in a table of names, each file imported when its first
operator is met. Operators of other domains have converters that users register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import onnx

from ...lazy import load
from ...operators.declaration import operators_of_onnx, registered
from ..own_converters import own_converters
from .node import operator_name

if TYPE_CHECKING:
    from .node import Node, Value

_FILES: dict[str, str] = {
    "elementwise:variadic": "Max Mean Min Sum",
    "elementwise:cast": "Cast",
    "elementwise:clip": "Clip",
    "elementwise:dropout": "Dropout",
    "elementwise:gelu": "Gelu",
    "elementwise:hard_sigmoid": "HardSigmoid",
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
    "neural:layer_norm": "LayerNormalization",
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

_DECLARED = "declared:same_operator"


def supported_operators() -> set[str]:
    """The operators that can be imported: those of ONNX's standard domain, and "domain.name" of the others."""
    return {*own_converters(), *CONVERTERS, *operators_of_onnx()}


def converter(node: Node) -> Callable[[Node], Value | Sequence[Value]]:
    """What converts a node. An operator that a user declares as the same as ONNX's goes before the function here."""
    own = own_converters().get(node.operator)
    if own is not None:
        return own
    declared = operators_of_onnx().get(node.operator)
    is_users = declared is not None and declared.name in registered()
    place = _DECLARED if is_users else CONVERTERS.get(node.operator, _DECLARED)
    return load(place, f"{__package__}.converters")


def unknown_operators(model: onnx.ModelProto, opset: int) -> str | None:
    """A message that names every operator of the model which has no converter, or None."""
    unknown, supported = Counter[str](), supported_operators()
    example: dict[str, str] = {}
    for node in model.graph.node:
        name = operator_name(node)
        if name not in supported:
            unknown[name] += 1
            example.setdefault(name, node.name or next(iter(node.output), ""))
    if not unknown:
        return None
    listed = ", ".join(f"{name} ({count}×, first at node '{example[name]}')" for name, count in unknown.items())
    return f"the model uses operators that are not supported at opset {opset}: {listed}"
