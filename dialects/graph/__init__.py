"""
The graph dialect: named operators on tensors, by value. Where models enter the compiler.

Every op is pure and states the types of its results, which must follow from its operands and properties. Sizes may be
dynamic and named in the tensor type: `tensor<?x3xf32, #graph.dims<n, _>>`. Weights are constants, large ones kept
outside the text. `graph.fused` holds what becomes one kernel.
"""

from __future__ import annotations

from xdsl.ir import Dialect, Operation

from ...diagnostics import fail
from ...diagnostics.locations import caller_location
from . import (
    arrangement,
    blocked,
    elementwise,
    image,
    linear,
    neural,
    pooling,
    reduction,
    shape,
    statistics,
    structure,
    winograd,
)
from .arrangement import (
    GatherElementsOp,
    TileOp,
)
from .base import GraphOp, is_compatible
from .blocked import (
    BlockChannelsOp,
    BlockedConv2dOp,
    UnblockChannelsOp,
)
from .elementwise import (
    AbsOp,
    AcoshOp,
    AcosOp,
    AddOp,
    AndOp,
    AsinhOp,
    AsinOp,
    AtanhOp,
    AtanOp,
    BinaryOp,
    CastOp,
    CeilOp,
    ClipOp,
    CompareOp,
    CoshOp,
    CosOp,
    DivOp,
    DropoutOp,
    Elements,
    EluOp,
    EqualOp,
    ErfOp,
    ExpOp,
    FloorOp,
    GeluOp,
    GreaterEqualOp,
    GreaterOp,
    HardSwishOp,
    IdentityOp,
    LeakyReluOp,
    LessEqualOp,
    LessOp,
    LogOp,
    MaximumOp,
    MinimumOp,
    MulOp,
    NegOp,
    NotOp,
    OrOp,
    PowOp,
    ReciprocalOp,
    ReluOp,
    RoundOp,
    SigmoidOp,
    SignOp,
    SinhOp,
    SinOp,
    SoftplusOp,
    SqrtOp,
    SubOp,
    TanhOp,
    TanOp,
    UnaryOp,
    WhereOp,
    XorOp,
)
from .image import (
    DepthToSpaceOp,
    ResizeOp,
    SpaceToDepthOp,
)
from .linear import (
    DenseOp,
    MatmulOp,
    PackedMatmulOp,
)
from .neural import (
    BatchNormOp,
    Conv2dOp,
    LogSoftmaxOp,
    LrnOp,
    SoftmaxOp,
)
from .pooling import (
    AvgPool2dOp,
    GlobalAvgPoolOp,
    MaxPool2dOp,
)
from .reduction import (
    ArgmaxOp,
    ArgminOp,
    CumsumOp,
    ReduceMaxOp,
    ReduceMeanOp,
    ReduceMinOp,
    ReduceOp,
    ReduceProdOp,
    ReduceSumOp,
)
from .shape import (
    BroadcastToOp,
    ConcatOp,
    FlattenOp,
    GatherOp,
    PadOp,
    ReshapeOp,
    SliceOp,
    SplitOp,
    SqueezeOp,
    TransposeOp,
    UnsqueezeOp,
    is_alias,
)
from .statistics import (
    GroupNormOp,
    InstanceNormOp,
    LayerNormOp,
)
from .structure import (
    ConstantOp,
    FusedOp,
    YieldOp,
)
from .types import (
    Dim,
    DimsAttr,
    Shape,
    Tensor,
    element_of,
    format_shape,
    is_static,
    make_type,
    shape_of,
    static_shape,
    tensor_type,
)
from .winograd import WinogradConv2dOp

_FILES = (
    structure,
    elementwise,
    neural,
    statistics,
    pooling,
    linear,
    reduction,
    shape,
    arrangement,
    image,
    blocked,
    winograd,
)

OPERATIONS = {operation.name.removeprefix("graph."): operation for file in _FILES for operation in file.OPERATIONS}
"""Every op class by its name without the dialect."""

_operations: list[type[Operation]] = [*OPERATIONS.values()]
Graph = Dialect("graph", _operations, [DimsAttr])


def register_operation(operation: type[GraphOp]) -> None:
    """Add an op class to the dialect: text that is parsed from now on may have it. Raises TilewrightError TW0226 for a
    name that the dialect has, or that is not of the dialect."""
    name = operation.name.removeprefix("graph.")
    if name == operation.name or name in OPERATIONS:
        reason = "has one of that name" if name in OPERATIONS else "has names that begin with 'graph.'"
        message = f"expected a new operation of the dialect graph, but it {reason}: '{operation.name}'"
        fail("TW0226", message, location=caller_location())
    OPERATIONS[name] = operation
    _operations.append(operation)


def unregister_operation(name: str) -> None:
    """Take an op class, named without the dialect, out of the dialect. Does nothing where there is none."""
    if (operation := OPERATIONS.pop(name, None)) is not None:
        _operations.remove(operation)


__all__ = [
    "OPERATIONS",
    "Graph",
    "AbsOp",
    "AcosOp",
    "AcoshOp",
    "AddOp",
    "AndOp",
    "ArgmaxOp",
    "ArgminOp",
    "AsinOp",
    "AsinhOp",
    "AtanOp",
    "AtanhOp",
    "AvgPool2dOp",
    "BatchNormOp",
    "BinaryOp",
    "BlockChannelsOp",
    "BlockedConv2dOp",
    "BroadcastToOp",
    "CastOp",
    "CeilOp",
    "ClipOp",
    "CompareOp",
    "ConcatOp",
    "ConstantOp",
    "Conv2dOp",
    "CosOp",
    "CoshOp",
    "CumsumOp",
    "DenseOp",
    "DepthToSpaceOp",
    "Dim",
    "DimsAttr",
    "DivOp",
    "DropoutOp",
    "Elements",
    "EluOp",
    "EqualOp",
    "ErfOp",
    "ExpOp",
    "FlattenOp",
    "FloorOp",
    "FusedOp",
    "GatherElementsOp",
    "GatherOp",
    "GeluOp",
    "GlobalAvgPoolOp",
    "GraphOp",
    "GreaterEqualOp",
    "GreaterOp",
    "GroupNormOp",
    "HardSwishOp",
    "IdentityOp",
    "InstanceNormOp",
    "LayerNormOp",
    "LeakyReluOp",
    "LessEqualOp",
    "LessOp",
    "LogOp",
    "LogSoftmaxOp",
    "LrnOp",
    "MatmulOp",
    "MaxPool2dOp",
    "MaximumOp",
    "MinimumOp",
    "MulOp",
    "NegOp",
    "NotOp",
    "OrOp",
    "PackedMatmulOp",
    "PadOp",
    "PowOp",
    "ReciprocalOp",
    "ReduceMaxOp",
    "ReduceMeanOp",
    "ReduceMinOp",
    "ReduceOp",
    "ReduceProdOp",
    "ReduceSumOp",
    "ReluOp",
    "ReshapeOp",
    "ResizeOp",
    "RoundOp",
    "Shape",
    "SigmoidOp",
    "SignOp",
    "SinOp",
    "SinhOp",
    "SliceOp",
    "SoftmaxOp",
    "SoftplusOp",
    "SpaceToDepthOp",
    "SplitOp",
    "SqrtOp",
    "SqueezeOp",
    "SubOp",
    "TanOp",
    "TanhOp",
    "Tensor",
    "TileOp",
    "TransposeOp",
    "UnaryOp",
    "UnblockChannelsOp",
    "UnsqueezeOp",
    "WhereOp",
    "WinogradConv2dOp",
    "XorOp",
    "YieldOp",
    "element_of",
    "format_shape",
    "is_alias",
    "is_compatible",
    "is_static",
    "make_type",
    "register_operation",
    "shape_of",
    "static_shape",
    "tensor_type",
    "unregister_operation",
]
