"""
The graph dialect: named operators on tensors, by value. Where models enter the compiler.

Every op is pure and states the types of its results, which must follow from its operands and properties. Sizes may be
dynamic and named in the tensor type: `tensor<?x3xf32, #graph.dims<n, _>>`. Weights are constants, large ones kept
outside the text. `graph.fused` holds what becomes one kernel.

A quotient or a remainder of integers by zero is 0, and the least number divided by -1 is itself and leaves 0: where
constants are folded as where the program computes.

This package has what all operators share, and the operations of structure. Each operator's own operation is declared
with what it computes in `tilewright.operators`; `graph.Conv2dOp` is the same class, found when it is asked for. The
list below shows type checkers those that code names as members of this package; a new operator needs no line in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from ...lazy import unknown_name
from .base import GraphOp, is_alias, is_compatible
from .families import BinaryOp, CompareOp, Elements, MoveOp, ReduceOp, UnaryOp
from .operations import Graph, all_operations, register_operation, unregister_operation
from .regions import IfOp, LoopOp
from .structure import ConstantOp, FusedOp, YieldOp
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

if TYPE_CHECKING:
    from ...operators.activation import EluOp as EluOp
    from ...operators.activation import GeluOp as GeluOp
    from ...operators.activation import HardSwishOp as HardSwishOp
    from ...operators.activation import LeakyReluOp as LeakyReluOp
    from ...operators.activation import ReluOp as ReluOp
    from ...operators.activation import SigmoidOp as SigmoidOp
    from ...operators.activation import SoftplusOp as SoftplusOp
    from ...operators.arrangement import DepthToSpaceOp as DepthToSpaceOp
    from ...operators.arrangement import DilateOp as DilateOp
    from ...operators.arrangement import SpaceToDepthOp as SpaceToDepthOp
    from ...operators.arrangement import TileOp as TileOp
    from ...operators.arrangement import TriluOp as TriluOp
    from ...operators.binary import AddOp as AddOp
    from ...operators.binary import AndOp as AndOp
    from ...operators.binary import DivOp as DivOp
    from ...operators.binary import EqualOp as EqualOp
    from ...operators.binary import FloorModOp as FloorModOp
    from ...operators.binary import GreaterEqualOp as GreaterEqualOp
    from ...operators.binary import GreaterOp as GreaterOp
    from ...operators.binary import LessEqualOp as LessEqualOp
    from ...operators.binary import LessOp as LessOp
    from ...operators.binary import MaximumOp as MaximumOp
    from ...operators.binary import MinimumOp as MinimumOp
    from ...operators.binary import ModOp as ModOp
    from ...operators.binary import MulOp as MulOp
    from ...operators.binary import OrOp as OrOp
    from ...operators.binary import PowOp as PowOp
    from ...operators.binary import SubOp as SubOp
    from ...operators.binary import WhereOp as WhereOp
    from ...operators.binary import XorOp as XorOp
    from ...operators.bitcast import BitcastOp as BitcastOp
    from ...operators.bits import BitwiseAndOp as BitwiseAndOp
    from ...operators.bits import BitwiseNotOp as BitwiseNotOp
    from ...operators.bits import BitwiseOrOp as BitwiseOrOp
    from ...operators.bits import BitwiseXorOp as BitwiseXorOp
    from ...operators.bits import LeftShiftOp as LeftShiftOp
    from ...operators.bits import RightShiftOp as RightShiftOp
    from ...operators.blocked_convolution import BlockChannelsOp as BlockChannelsOp
    from ...operators.blocked_convolution import BlockedConv2dOp as BlockedConv2dOp
    from ...operators.blocked_convolution import UnblockChannelsOp as UnblockChannelsOp
    from ...operators.blocked_convolution import WordsOp as WordsOp
    from ...operators.boxes import NonMaxSuppressionOp as NonMaxSuppressionOp
    from ...operators.columns import Col2imOp as Col2imOp
    from ...operators.convolution import Conv2dOp as Conv2dOp
    from ...operators.convolution import Conv3dOp as Conv3dOp
    from ...operators.depthwise_words import DepthwiseOfWordsOp as DepthwiseOfWordsOp
    from ...operators.distinct import UniqueOp as UniqueOp
    from ...operators.einsum import EinsumOp as EinsumOp
    from ...operators.indexing import GatherElementsOp as GatherElementsOp
    from ...operators.indexing import GatherNdOp as GatherNdOp
    from ...operators.indexing import GatherOp as GatherOp
    from ...operators.indexing import PackedGatherOp as PackedGatherOp
    from ...operators.linear import DenseOp as DenseOp
    from ...operators.linear import MatmulOp as MatmulOp
    from ...operators.linear import PackedMatmulOp as PackedMatmulOp
    from ...operators.movement import BroadcastToOp as BroadcastToOp
    from ...operators.movement import ConcatOp as ConcatOp
    from ...operators.movement import SliceOp as SliceOp
    from ...operators.movement import SplitOp as SplitOp
    from ...operators.movement import TransposeOp as TransposeOp
    from ...operators.normalization import BatchNormOp as BatchNormOp
    from ...operators.normalization import HardmaxOp as HardmaxOp
    from ...operators.normalization import LogSoftmaxOp as LogSoftmaxOp
    from ...operators.normalization import LrnOp as LrnOp
    from ...operators.normalization import SoftmaxOp as SoftmaxOp
    from ...operators.padding import PadOp as PadOp
    from ...operators.padding import SurroundOp as SurroundOp
    from ...operators.places import NonzeroOp as NonzeroOp
    from ...operators.pooling import AvgPool2dOp as AvgPool2dOp
    from ...operators.pooling import AvgPool3dOp as AvgPool3dOp
    from ...operators.pooling import GlobalAvgPoolOp as GlobalAvgPoolOp
    from ...operators.pooling import MaxPlaces2dOp as MaxPlaces2dOp
    from ...operators.pooling import MaxPool2dOp as MaxPool2dOp
    from ...operators.pooling import MaxPool3dOp as MaxPool3dOp
    from ...operators.quantization import DequantizeOp as DequantizeOp
    from ...operators.quantization import LookupOp as LookupOp
    from ...operators.quantization import QuantizeOp as QuantizeOp
    from ...operators.random_numbers import RandomNormalOp as RandomNormalOp
    from ...operators.random_numbers import RandomUniformOp as RandomUniformOp
    from ...operators.recurrent import GruOp as GruOp
    from ...operators.recurrent import LstmOp as LstmOp
    from ...operators.recurrent import RnnOp as RnnOp
    from ...operators.reduction import ArgmaxOp as ArgmaxOp
    from ...operators.reduction import ArgminOp as ArgminOp
    from ...operators.reduction import ReduceAllOp as ReduceAllOp
    from ...operators.reduction import ReduceAnyOp as ReduceAnyOp
    from ...operators.reduction import ReduceMaxOp as ReduceMaxOp
    from ...operators.reduction import ReduceMeanOp as ReduceMeanOp
    from ...operators.reduction import ReduceMinOp as ReduceMinOp
    from ...operators.reduction import ReduceProdOp as ReduceProdOp
    from ...operators.reduction import ReduceRangeOp as ReduceRangeOp
    from ...operators.reduction import ReduceSumOp as ReduceSumOp
    from ...operators.regions_of_interest import RoiAlignOp as RoiAlignOp
    from ...operators.regions_of_interest import RoiPoolOp as RoiPoolOp
    from ...operators.resampling import ResampleOp as ResampleOp
    from ...operators.resize import RescaleOp as RescaleOp
    from ...operators.resize import ResizeOp as ResizeOp
    from ...operators.running import CumprodOp as CumprodOp
    from ...operators.running import CumsumOp as CumsumOp
    from ...operators.sampling import DeformColumnsOp as DeformColumnsOp
    from ...operators.sampling import GridSampleOp as GridSampleOp
    from ...operators.scatter import ScatterElementsOp as ScatterElementsOp
    from ...operators.scatter import ScatterNdOp as ScatterNdOp
    from ...operators.shape import FlattenOp as FlattenOp
    from ...operators.shape import ReshapeOp as ReshapeOp
    from ...operators.shape import SqueezeOp as SqueezeOp
    from ...operators.shape import UnsqueezeOp as UnsqueezeOp
    from ...operators.shaped import CutOp as CutOp
    from ...operators.shaped import ExtendOp as ExtendOp
    from ...operators.shaped import ExtentsOp as ExtentsOp
    from ...operators.shaped import IotaOp as IotaOp
    from ...operators.shaped import MatchShapeOp as MatchShapeOp
    from ...operators.shaped import PrefixOp as PrefixOp
    from ...operators.shaped import RegroupOp as RegroupOp
    from ...operators.shaped import StretchOp as StretchOp
    from ...operators.sorting import ArgsortOp as ArgsortOp
    from ...operators.sorting import SearchsortedOp as SearchsortedOp
    from ...operators.sorting import SequenceMaskOp as SequenceMaskOp
    from ...operators.sorting import TopkOp as TopkOp
    from ...operators.statistics import GroupNormOp as GroupNormOp
    from ...operators.statistics import InstanceNormOp as InstanceNormOp
    from ...operators.statistics import LayerNormOp as LayerNormOp
    from ...operators.statistics import RmsNormOp as RmsNormOp
    from ...operators.unary import AbsOp as AbsOp
    from ...operators.unary import AcoshOp as AcoshOp
    from ...operators.unary import AcosOp as AcosOp
    from ...operators.unary import AsinhOp as AsinhOp
    from ...operators.unary import AsinOp as AsinOp
    from ...operators.unary import AtanhOp as AtanhOp
    from ...operators.unary import AtanOp as AtanOp
    from ...operators.unary import CastOp as CastOp
    from ...operators.unary import CeilOp as CeilOp
    from ...operators.unary import ClipOp as ClipOp
    from ...operators.unary import CoshOp as CoshOp
    from ...operators.unary import CosOp as CosOp
    from ...operators.unary import DropoutOp as DropoutOp
    from ...operators.unary import ErfOp as ErfOp
    from ...operators.unary import ExpOp as ExpOp
    from ...operators.unary import FloorOp as FloorOp
    from ...operators.unary import IdentityOp as IdentityOp
    from ...operators.unary import IsfiniteOp as IsfiniteOp
    from ...operators.unary import IsinfOp as IsinfOp
    from ...operators.unary import IsnanOp as IsnanOp
    from ...operators.unary import LogOp as LogOp
    from ...operators.unary import NegOp as NegOp
    from ...operators.unary import NotOp as NotOp
    from ...operators.unary import ReciprocalOp as ReciprocalOp
    from ...operators.unary import RoundOp as RoundOp
    from ...operators.unary import SignOp as SignOp
    from ...operators.unary import SinhOp as SinhOp
    from ...operators.unary import SinOp as SinOp
    from ...operators.unary import SqrtOp as SqrtOp
    from ...operators.unary import TanhOp as TanhOp
    from ...operators.unary import TanOp as TanOp
    from ...operators.winograd import WinogradConv2dOp as WinogradConv2dOp

    OPERATIONS: dict[str, type[Operation]]
    """Every op class by its name without the dialect."""

__all__ = [
    "OPERATIONS",
    "BinaryOp",
    "CompareOp",
    "ConstantOp",
    "Dim",
    "DimsAttr",
    "Elements",
    "FusedOp",
    "Graph",
    "GraphOp",
    "IfOp",
    "LoopOp",
    "MoveOp",
    "ReduceOp",
    "Shape",
    "Tensor",
    "UnaryOp",
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

_PACKAGE = f"{__name__.partition('.')[0]}."


def __getattr__(name: str) -> Any:
    """OPERATIONS, and the classes of operators; the compiler's own are then found without asking."""
    if name.startswith("_"):
        raise unknown_name(__name__, name, ())
    operations = all_operations()
    if name == "OPERATIONS":
        return operations
    classes = {operation.__name__: operation for operation in operations.values()}
    if name not in classes:
        raise unknown_name(__name__, name, [*globals(), *classes])
    if classes[name].__module__.startswith(_PACKAGE):
        globals()[name] = classes[name]
    return classes[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *(operation.__name__ for operation in all_operations().values())})
