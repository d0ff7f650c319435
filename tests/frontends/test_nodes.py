"""Every ONNX operator that is imported, in its forms over the opsets, against onnxruntime."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator
from tilewright.dialects.graph import BinaryOp, Elements, UnaryOp
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.registry import supported_operators
from tilewright.operators import OPERATORS

from . import onnxruntime_nodes, structured_models, test_quantized_nodes
from .models import model_of, node_model, onnxruntime_results, reference_results

_rng = np.random.default_rng(7)


def real(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.asarray(_rng.standard_normal(shape)).astype(dtype)


def positive(*shape: int) -> np.ndarray:
    return np.asarray(_rng.uniform(0.1, 2.0, shape)).astype("float32")


def whole(*shape: int, dtype: str = "int64", low: int = -9, high: int = 10) -> np.ndarray:
    return np.asarray(_rng.integers(low, high, shape)).astype(dtype)


def bits(*shape: int) -> np.ndarray:
    return _rng.integers(0, 2, shape).astype(bool)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


Node = tuple[str, list[np.ndarray], list[np.ndarray | None], dict[str, Any]]


def case(operator: str, *inputs: np.ndarray, constants: list[np.ndarray | None] | None = None, **rest: Any) -> Node:
    return operator, list(inputs), constants or [], rest


IMAGE = real(2, 3, 9, 11)
REGIONS = np.array(
    [
        [0, 0, 0, 3, 3],
        [1, 2.5, 0.5, 9, 7],  # halves, which round away from zero
        [0, -4.5, -2.5, 3, 4.5],
        [1, 7, 5, 2, 1],  # the last corner before the first: one pixel
        [0, 30, 30, 40, 40],  # no pixel of the image
        [1, 8, 6, 25, 20],
    ]
)
"""Numbers of images and corners."""
STEPS = np.linspace(0.5, 2, 24, dtype=np.float32).reshape(2, 3, 4)
_UNPOOLED: dict[str, Any] = {"kernel_shape": [2, 2], "strides": [2, 2]}
_SYMMETRIC = {"coordinate_transformation_mode": "half_pixel_symmetric"}
_CROPPED = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 7.0}
_RESET: dict[str, Any] = {"hidden_size": 4, "linear_before_reset": 1, "outputs": 2, "opset": 14}
LARGEST = np.iinfo(np.int64).max
SMALLEST = np.iinfo(np.int64).min


def _declared() -> Iterator[Node]:
    """Yield operators of families that ONNX has too, by what their declarations say."""
    for operator in OPERATORS.values():
        if not operator.onnx or not operator.is_plain(UnaryOp, BinaryOp):
            continue
        shapes = [(3, 5)] if operator.is_plain(UnaryOp) else [(2, 3, 5), (3, 1)]
        if operator.elements is Elements.BOOL:
            yield case(operator.onnx, *(bits(*shape) for shape in shapes))
        else:
            yield case(operator.onnx, *(np.tanh(positive(*shape)) for shape in shapes))


NODES: list[Node] = [
    *(case(name, real(3, 5)) for name in ("Abs", "Ceil", "Cos", "Exp", "Floor", "Identity", "Neg", "Relu", "Sigmoid")),
    *(case(name, real(3, 1, 5)) for name in ("Sin", "Tanh", "Erf", "LeakyRelu", "HardSigmoid")),
    *(case(name, positive(7)) for name in ("Log", "Reciprocal", "Sqrt")),
    case("LeakyRelu", real(5), alpha=0.3, opset=9),
    case("HardSigmoid", real(5), alpha=0.3, beta=0.6, opset=9),
    *(case(name, real(2, 3, 5), real(3, 1)) for name in ("Add", "Sub", "Mul", "Div", "Greater", "Less")),
    *(case(name, real(4), whole(4).astype("float32")) for name in ("GreaterOrEqual", "LessOrEqual", "Equal")),
    *(case(name, whole(5), whole(5, low=1)) for name in ("Add", "Sub", "Mul", "Div", "Equal", "Greater")),
    case("Div", np.array([-7, 7, -7, 7], np.int32), np.array([2, -2, -2, 2], np.int32)),
    *(case(name, bits(2, 3), bits(3)) for name in ("And", "Or", "Xor")),
    case("Not", bits(5)),
    case("Where", bits(3, 1), real(3, 5), real(5)),
    case("Pow", positive(3, 2), real(2)),
    case("Pow", positive(3), constants=[np.array(2, np.int64)]),
    *(case(name, real(2, 3), real(3), real(2, 1)) for name in ("Max", "Mean", "Min", "Sum")),
    *(case(name, real(2, 3)) for name in ("Max", "Mean", "Min", "Sum")),
    case("Cast", real(5) * 9, to=onnx.TensorProto.INT32),
    case("Cast", whole(5, low=-1, high=2), to=onnx.TensorProto.BOOL),
    case("Cast", whole(5), to=onnx.TensorProto.DOUBLE, opset=9),
    case("Clip", real(7), min=-0.5, max=0.5, opset=10),
    case("Clip", real(7), min=0.0, opset=7),
    case("Clip", real(7), constants=[np.float32(-0.5), np.float32(0.25)]),
    case("Clip", real(7), constants=[None, np.float32(0.25)]),
    case("Clip", whole(7), constants=[np.array(-3), np.array(4)]),
    case("Clip", real(7), np.array(-0.5, np.float32), np.array(0.5, np.float32)),
    case("Celu", real(4, 3), alpha=0.7, opset=12),
    case("Dropout", real(4), ratio=0.3, opset=7),
    case("Dropout", real(4), constants=[np.float32(0.3)], opset=12),
    case("Dropout", real(4, 3), constants=[np.float32(0.3)], outputs=2, opset=13),
    case("Dropout", real(4), constants=[np.float32(0), np.array(True)], outputs=2, opset=13),
    case("Conv", IMAGE, constants=[real(4, 3, 3, 3)]),
    case(
        "Conv",
        IMAGE,
        constants=[real(6, 1, 3, 2), real(6)],
        group=3,
        strides=[2, 1],
        dilations=[1, 2],
        pads=[1, 0, 2, 1],
    ),
    *(
        case("Conv", IMAGE, constants=[real(2, 3, 4, 3)], auto_pad=mode, strides=[2, 3], opset=opset)
        for mode, opset in itertools.product(("SAME_UPPER", "SAME_LOWER", "VALID"), (7, 22))
    ),
    case("Conv", real(1, 3, 13), constants=[real(4, 3, 3), real(4)], pads=[1, 2], strides=[2]),
    case("BatchNormalization", IMAGE, constants=[real(3), real(3), real(3), positive(3)], epsilon=1e-3, opset=7),
    case("BatchNormalization", IMAGE, constants=[real(3), real(3), real(3), positive(3)], opset=9),
    case("BatchNormalization", real(5, 3), constants=[real(3), real(3), real(3), positive(3)]),
    case("LRN", IMAGE, size=3, alpha=0.2, beta=0.6, bias=1.5),
    case("LRN", IMAGE, size=5),
    *(
        case(name, real(2, 3, 4), opset=opset, **axis)
        for name, opset, axis in itertools.product(
            ("Softmax", "LogSoftmax"), (8, 11, 13), ({}, {"axis": 0}, {"axis": 2})
        )
    ),
    case("Softmax", real(2, 5, 1, 1), opset=9, axis=1),
    case("MaxPool", IMAGE, kernel_shape=[3, 2]),
    case("MaxPool", IMAGE, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], opset=8),
    case("MaxPool", IMAGE, kernel_shape=[3, 3], strides=[2, 3], pads=[1, 0, 0, 1], ceil_mode=1, opset=10),
    case("MaxPool", IMAGE, kernel_shape=[2, 3], strides=[3, 2], dilations=[2, 1], ceil_mode=1),
    case("MaxPool", IMAGE, kernel_shape=[2, 3], strides=[2, 2], auto_pad="SAME_UPPER"),
    case("MaxPool", real(2, 3, 11), kernel_shape=[3], strides=[2], pads=[1, 1]),
    *(
        case("AveragePool", IMAGE, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=p, opset=o)
        for p, o in itertools.product((0, 1), (7, 11, 22))
    ),
    case("AveragePool", IMAGE, kernel_shape=[3, 4], strides=[2, 3], ceil_mode=1, opset=22),
    case("AveragePool", IMAGE, kernel_shape=[3, 3], strides=[3, 3], pads=[1, 1, 1, 1], ceil_mode=1, opset=22),
    case("AveragePool", IMAGE, kernel_shape=[2, 2], auto_pad="SAME_LOWER"),
    case("AveragePool", IMAGE, kernel_shape=[2, 2], dilations=[2, 3], opset=22),
    *(case(name, IMAGE) for name in ("GlobalAveragePool", "GlobalMaxPool")),
    *(case(name, real(2, 3, 4, 5, 2)) for name in ("GlobalAveragePool", "GlobalMaxPool")),
    case("Gemm", real(3, 4), constants=[real(5, 4), real(5)], transB=1, opset=7),
    case("Gemm", real(3, 4), constants=[real(5, 4), real(1, 5)], transB=1),
    case("Gemm", real(4, 3), constants=[real(4, 5), real(3, 1)], transA=1, alpha=0.5, beta=0.25),
    case("Gemm", real(3, 4), constants=[real(4, 5)]),
    case("Gemm", real(3, 4), constants=[real(5, 4), real(5)], transB=1, beta=0.0),
    case("Gemm", real(3, 4), constants=[real(5, 4)], transB=1, alpha=2.0),
    case("MatMul", real(3, 4), real(4, 5)),
    case("MatMul", real(2, 1, 3, 4), real(7, 4, 5)),
    case("MatMul", real(4), real(4, 5)),
    case("MatMul", real(2, 3, 4), real(4)),
    case("MatMul", real(4), real(4)),
    *(case(f"Reduce{k}", real(2, 3, 4), axes=[0, -1], opset=11) for k in ("Max", "Mean", "Min", "Prod", "Sum")),
    *(
        case(f"Reduce{k}", real(2, 3, 4), constants=[ints(1)], keepdims=0, opset=18)
        for k in ("Max", "Mean", "Min", "Sum")
    ),
    *(
        each
        for k in ("L1", "L2", "LogSum", "LogSumExp", "SumSquare")
        for each in (
            case(f"Reduce{k}", STEPS, axes=[0, -1], opset=11),
            case(f"Reduce{k}", STEPS, constants=[ints(1)], keepdims=0, opset=18),
        )
    ),
    case("ReduceSum", real(2, 3), opset=11),
    case("ReduceSum", real(2, 3), constants=[ints()], noop_with_empty_axes=1, opset=13),
    case("ReduceMean", real(2, 3), keepdims=0),
    case("Concat", real(2, 3), real(2, 5), constants=[real(2, 1)], axis=-1),
    case("Concat", real(2, 3), axis=0),
    case("Expand", real(3, 1), constants=[ints(2, 1, 4)]),
    case("Expand", real(3, 4), constants=[ints(4)]),
    case("Expand", real(4), constants=[ints(2, 1)]),
    case("Flatten", real(2, 3, 4)),
    case("Flatten", real(2, 3, 4), axis=-1, opset=11),
    case("Flatten", real(2, 3, 4), axis=0, opset=7),
    case("Gather", real(5, 3), constants=[ints(0, -1, 4)]),
    case("Gather", real(5, 3), whole(2, 2, low=-3, high=3), axis=1),
    case("Gather", real(5, 3), constants=[np.array(2)], axis=-1),
    case("Reshape", real(2, 3, 4), constants=[ints(0, -1)], opset=7),
    case("Reshape", real(2, 3, 4), constants=[ints(4, 0, 2)], opset=14),
    case("Squeeze", real(1, 3, 1, 2), axes=[0], opset=11),
    case("Squeeze", real(1, 3, 1, 2)),
    case("Squeeze", real(1, 3, 1, 2), constants=[ints(-2)]),
    case("Transpose", real(2, 3, 4)),
    case("Transpose", real(2, 3, 4), perm=[1, 2, 0]),
    case("Unsqueeze", real(3, 2), axes=[0, 3], opset=11),
    case("Unsqueeze", real(3, 2), constants=[ints(-1, 1)]),
    case("Pad", real(3, 4), pads=[1, 0, 0, 2], value=0.5, opset=7),
    case("Pad", real(3, 4), constants=[ints(1, 0, 0, 2), np.float32(1.5)], opset=11),
    case("Pad", real(3, 4), constants=[ints(-1, 2, 0, -1)]),
    case("Pad", real(3, 4), constants=[ints(1, 2), None, ints(-1)]),
    case("Slice", real(7, 5), starts=[1, 0], ends=[-1, 100], opset=9),
    case("Slice", real(7, 5), starts=[2], ends=[5], axes=[1], opset=7),
    case("Slice", real(7, 5), constants=[ints(-1, 3), ints(SMALLEST, LARGEST), ints(0, 1), ints(-2, 1)]),
    case("Slice", real(7, 5), constants=[ints(-3), ints(LARGEST), ints(-1)]),
    case("Slice", real(7, 5), constants=[ints(5), ints(2), ints(0), ints(-1)]),
    case("Split", real(7, 6), outputs=3, axis=1, opset=11),
    case("Split", real(7, 6), outputs=2, axis=0, split=[3, 4], opset=11),
    case("Split", real(7, 6), constants=[ints(1, 5)], outputs=2, axis=-1, opset=13),
    case("Split", real(7, 6), outputs=3, num_outputs=3, opset=18),
    *(case(name, real(2, 3)) for name in ("Tan", "Atan", "Sinh", "Cosh", "Asinh", "Round", "Sign", "Softplus", "Elu")),
    *(case(name, positive(5) / 3) for name in ("Asin", "Acos", "Atanh")),
    case("Acosh", positive(5) + 1),
    case("HardSwish", real(9) * 4),
    case("Sign", whole(9)),
    case("Elu", real(5), alpha=0.4),
    case("Gelu", real(7), opset=20),
    case("Gelu", real(7), opset=20, approximate="tanh"),
    case("PRelu", real(2, 3, 4), constants=[real(3, 1)]),
    case("LayerNormalization", real(2, 3, 5), constants=[real(5), real(5)]),
    case("LayerNormalization", real(2, 3, 5), constants=[real(3, 5)], axis=1, epsilon=1e-3),
    case("InstanceNormalization", IMAGE, constants=[real(3), real(3)], epsilon=1e-3),
    case("GroupNormalization", real(2, 4, 3, 5), constants=[real(4), real(4)], num_groups=2, opset=21),
    *(
        case(name, whole(3, 40).astype("float32"), axis=axis, keepdims=keep, select_last_index=last, opset=13)
        for name, axis, keep, last in (("ArgMax", 1, 1, 0), ("ArgMin", 0, 0, 0), ("ArgMax", -1, 0, 1))
    ),
    case("ArgMin", real(4, 3), opset=11),
    case("CumSum", real(3, 5), constants=[np.array(1)]),
    case("CumSum", real(3, 5), constants=[np.array(-2)], exclusive=1, reverse=1),
    case("Tile", real(2, 3), constants=[ints(2, 3)]),
    case("GatherElements", real(4, 3), whole(2, 3, low=-4, high=4)),
    case("GatherElements", real(4, 3), whole(4, 2, low=-3, high=3), axis=1),
    *(case("Pad", real(4, 5), constants=[ints(1, 3, 0, 2)], mode=mode) for mode in ("reflect", "edge")),
    case("Pad", real(4, 5), pads=[1, 3, 0, 2], mode="reflect", opset=7),
    *(case("DepthToSpace", real(2, 8, 3, 5), blocksize=2, mode=mode, opset=11) for mode in ("DCR", "CRD")),
    case("SpaceToDepth", real(2, 3, 4, 6), blocksize=2),
    case("Upsample", IMAGE, constants=[np.array([1, 1, 2, 3], np.float32)], opset=9),
    case("Upsample", IMAGE, scales=[1.0, 1.0, 2.0, 2.0], mode="linear", opset=7),
    case("Resize", IMAGE, constants=[np.array([1, 1, 2, 3], np.float32)], opset=10),
    *(
        case(
            "Resize",
            IMAGE,
            constants=[None, None, ints(2, 3, *size)],
            mode=mode,
            coordinate_transformation_mode=coordinates,
            opset=opset,
        )
        for mode, opset in (("nearest", 13), ("linear", 19))
        for size, coordinates in (
            ((18, 5), "half_pixel"),
            ((1, 22), "pytorch_half_pixel"),
            ((13, 6), "align_corners"),
            ((18, 33), "asymmetric"),
        )
    ),
    *(
        case("Resize", real(1, 1, 4, 5), constants=[None, np.float32([1, 1, 1.5, 0.6])], nearest_mode=mode, opset=13)
        for mode in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
    ),
    case("Resize", IMAGE, constants=[None, None, ints(18, 22)], axes=[2, -1], mode="linear", opset=18),
    case("BitShift", whole(5, 3, dtype="uint8", low=0), constants=[np.uint8(2)], direction="LEFT"),
    case("BitShift", whole(5, dtype="uint32", low=0), whole(5, dtype="uint32", low=0), direction="RIGHT"),
    *(case(f"Bitwise{k}", whole(4, 3), whole(3)) for k in ("And", "Or", "Xor")),
    case("BitwiseNot", whole(5, dtype="int16")),
    *(case("Mod", whole(9, dtype="int32"), np.int32([[3], [-4]]), fmod=fmod) for fmod in (0, 1)),
    case("Mod", real(9), real(9), fmod=1),
    case("Pow", whole(7, dtype="int32"), np.int32([0, 1, 2, 3, 4, 5, 6])),
    case("Pow", whole(7), real(7).round() + np.float32(3)),
    case("IsNaN", np.float32([0.0, np.nan, np.inf])),
    *(case("IsInf", np.float32([np.nan, np.inf, -np.inf, 2]), detect_negative=k, detect_positive=1) for k in (0, 1)),
    case("IsInf", np.float32([np.nan, np.inf, -np.inf, 2]), detect_positive=0),
    *(case("Trilu", real(2, 4, 5), constants=[np.array(k)], upper=upper) for k in (-2, 0, 3) for upper in (0, 1)),
    case("Trilu", whole(5, 3)),
    case("EyeLike", real(3, 5), k=1),
    case("EyeLike", real(3, 5), k=-1, dtype=onnx.TensorProto.INT32),
    *(case("OneHot", whole(3, 2, low=-4, high=4), constants=[ints(4), real(2)], axis=a) for a in (-1, 0, 1)),
    case("OneHot", np.float32([1, 0, 5]), constants=[ints(3), ints(-1, 7)]),
    *(case("Hardmax", whole(3, 4, 5).astype("float32"), axis=a, opset=opset) for a in (0, 1, -1) for opset in (12, 13)),
    *(case("LpNormalization", real(3, 4), p=p, axis=axis) for p in (1, 2) for axis in (0, -1)),
    case("Einsum", real(2, 3, 4), real(4, 5), equation="bij, jk -> bik"),
    case("Einsum", real(2, 1, 3, 4), real(1, 7, 4, 5), equation="...ij,...jk->...ik"),
    case("Einsum", real(3, 4), equation="ij->ji"),
    case("Einsum", real(3, 3), equation="ii"),
    case("Einsum", real(3, 4), real(3, 4), equation="ij,ij"),
    case("LayerNormalization", real(2, 3, 5), constants=[real(5), real(5)], outputs=3),
    case("GroupNormalization", real(2, 4, 3, 5), constants=[real(2), real(2)], num_groups=2, opset=18),
    case("ReduceMax", bits(3, 4), constants=[ints(1)], opset=20),
    case("ReduceMin", bits(3, 4), opset=20),
    case("GatherND", real(4, 5, 3), constants=[ints(1, -2, 0, 4).reshape(2, 2)], opset=13),
    case("GatherND", real(2, 5, 3), whole(2, 4, 1, low=-5, high=5), batch_dims=1),
    case("Scatter", real(4, 5), whole(2, 3, low=0, high=4), real(2, 3), opset=9),
    *(case("ScatterElements", real(4, 5), whole(2, 3, low=-4, high=4), real(2, 3), axis=a) for a in (0, -1)),
    *(
        case(f"Scatter{kind}", real(5, 4), indices, updates, reduction=reduction, opset=18)
        for reduction in ("add", "mul", "max", "min")
        for kind, indices, updates in (
            ("Elements", whole(5, 3, low=-5, high=5), real(5, 3)),
            ("ND", whole(6, 1, low=-5, high=5), real(6, 4)),
        )
    ),
    case("ScatterND", real(4, 5), constants=[ints(1, 2, 3, 0).reshape(2, 2), real(2)], opset=11),
    case("TopK", real(3, 9), outputs=2, k=3, opset=7),
    case("TopK", real(3, 9), outputs=2, constants=[ints(9)], axis=0 - 1, largest=0),
    case("TopK", whole(7, 3).astype("float32"), outputs=2, constants=[ints(2)], axis=0, sorted=1),
    case("Conv", real(1, 2, 4, 5, 6), constants=[real(4, 1, 2, 3, 3), real(4)], group=2, pads=[0, 1, 1, 1, 0, 1]),
    case("MaxPool", real(1, 2, 4, 5, 6), kernel_shape=[2, 3, 2], strides=[1, 2, 2], pads=[0, 1, 0, 1, 1, 0]),
    case("AveragePool", real(1, 2, 4, 5, 6), kernel_shape=[2, 3, 2], count_include_pad=1, pads=[0, 1, 0, 1, 1, 0]),
    case("MaxPool", IMAGE, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1], outputs=2),
    case("MaxPool", real(2, 3, 9), kernel_shape=[3], dilations=[2], storage_order=0, outputs=2),
    case("ConvTranspose", real(1, 3, 5), constants=[real(3, 2, 3), real(2)], strides=[2], pads=[1, 0]),
    *(
        case("ConvTranspose", real(2, 4, 3, 5), constants=[real(4, 3, 3, 2), real(6)], group=2, **window)
        for window in (
            {},
            {"strides": [2, 3], "output_padding": [1, 2], "pads": [2, 0, 1, 1]},
            {"dilations": [2, 1], "pads": [1, 1, 1, 1]},
            {"strides": [3, 2], "output_shape": [9, 10]},
            {"strides": [2, 2], "auto_pad": "SAME_UPPER"},
            {"strides": [2, 2], "auto_pad": "SAME_LOWER"},
            {"pads": [3, 1, 0, 2]},
        )
    ),
    case("ConvTranspose", real(1, 2, 2, 3, 2), constants=[real(2, 3, 2, 2, 2)], strides=[2, 1, 2]),
    *(case("LpPool", IMAGE, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1], p=p) for p in (1, 2, 3)),
    case("LpPool", real(1, 2, 9), kernel_shape=[3], auto_pad="SAME_UPPER", opset=11),
    case("GlobalLpPool", IMAGE, p=3, opset=20),
    case("GlobalLpPool", real(2, 3, 5), opset=20),
    case("GridSample", IMAGE, np.tanh(real(2, 4, 5, 2)), align_corners=1, mode="bicubic", opset=16),
    case("GridSample", IMAGE, real(2, 4, 5, 2), padding_mode="reflection", mode="linear", opset=20),
    case("GridSample", IMAGE, real(2, 4, 5, 2), padding_mode="border", mode="cubic", opset=20),
    case("Det", real(2, 3, 3), opset=11),
    case("Col2Im", real(2, 12, 20), constants=[ints(7, 6), ints(2, 3)], strides=[2, 1], pads=[1, 0, 1, 1]),
    case("Col2Im", real(1, 4, 12), constants=[ints(5, 6), ints(2, 2)], dilations=[1, 3]),
    case(
        "RoiAlign",
        IMAGE,
        np.float32([[0, 0, 6, 5], [1.2, -0.7, 9, 3]]),
        constants=[ints(1, 0)],
        output_height=2,
        output_width=3,
        sampling_ratio=2,
        spatial_scale=0.75,
        opset=16,
    ),
    case(
        "RoiAlign",
        IMAGE,
        np.float32([[0, 0, 6, 5], [1.2, -0.7, 9, 3]]),
        constants=[ints(1, 0)],
        mode="max",
        coordinate_transformation_mode="output_half_pixel",
        sampling_ratio=1,
        opset=16,
    ),
    *(
        case("MaxRoiPool", image, REGIONS.astype(image.dtype), pooled_shape=[3, 2], opset=21, **scale)
        for image in (IMAGE, real(2, 3, 9, 11, dtype="float16"))
        for scale in ({}, {"spatial_scale": 0.5}, {"spatial_scale": 1.75})
    ),
    case("MaxUnpool", real(1, 1, 2, 2), constants=[ints(5, 7, 13, 15).reshape(1, 1, 2, 2)], **_UNPOOLED),
    case("MaxUnpool", real(1, 1, 2, 2), constants=[ints(5, 7, 13, 15).reshape(1, 1, 2, 2)], pads=[0] * 4, **_UNPOOLED),
    case("ReverseSequence", real(4, 3, 2), constants=[ints(4, 1, 2)], opset=10),
    case("ReverseSequence", real(3, 4), whole(3, low=1, high=5), batch_axis=0, time_axis=1, opset=10),
    *(
        case("DFT", real(2, 7, 5, parts), constants=[length], axis=axis, inverse=inverse, onesided=onesided, opset=17)
        for parts, length, axis, inverse, onesided in (
            (1, None, 1, 0, 0),
            (1, None, 1, 0, 1),
            (2, None, 1, 1, 0),
            (2, np.array(9), 2, 0, 0),
            (2, np.array(3), 2, 1, 0),
        )
    ),
    case("DFT", real(2, 7, 5, 1), constants=[None, np.array(1)], opset=20),
    case("STFT", real(2, 20, 1), constants=[np.array(3), positive(8)], opset=17),
    case("STFT", real(1, 16, 1), constants=[np.array(4), None, np.array(8)], onesided=0, opset=17),
    case(
        "MelWeightMatrix",
        constants=[np.array(8), np.array(16), np.array(8192), np.float32(0), np.float32(4096)],
        output_datatype=onnx.TensorProto.FLOAT,
        opset=17,
    ),
    *(
        case("Resize", IMAGE[:1], constants=constants, opset=19, **rest)
        for constants, rest in (
            ([None, None, ints(1, 3, 13, 6)], {"mode": "cubic"}),
            ([None, np.float32([1, 1, 0.7, 1.3])], {"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1}),
            ([None, None, ints(1, 3, 4, 20)], {"mode": "linear", "antialias": 1}),
            ([None, None, ints(1, 3, 4, 5)], {"mode": "cubic", "antialias": 1}),
            ([None, np.float32([0.6, 0.6])], {"mode": "linear", "axes": [2, 3], **_SYMMETRIC}),
            ([None, None, ints(7, 8)], {"axes": [2, 3], "keep_aspect_ratio_policy": "not_larger"}),
            ([np.float32([0.1, 0.2, 0.8, 1.3]), None, ints(4, 5)], {"axes": [2, 3], "mode": "linear", **_CROPPED}),
            ([np.float32([0.1, 0.2, 0.8, 0.9]), None, ints(4, 5)], {"axes": [2, 3], **_CROPPED}),
        )
    ),
    *(
        case(
            operator,
            real(5, 2, 3),
            constants=[real(ways, gates * 4, 3), real(ways, gates * 4, 4), *rest],
            outputs=results,
            hidden_size=4,
            opset=14,
            **attributes,
        )
        for operator, gates, results in (("RNN", 1, 2), ("GRU", 3, 2), ("LSTM", 4, 3))
        for ways, rest, attributes in (
            (1, [], {}),
            (1, [real(1, gates * 8)], {"direction": "reverse"}),
            (2, [real(2, gates * 8), np.int32([5, 3]), real(2, 2, 4)], {"direction": "bidirectional", "clip": 0.8}),
        )
    ),
    case("GRU", real(5, 2, 3), constants=[real(1, 12, 3), real(1, 12, 4), real(1, 24)], **_RESET),
    case(
        "LSTM",
        real(5, 2, 3),
        constants=[real(1, 16, 3), real(1, 16, 4), real(1, 32), None, real(1, 2, 4), real(1, 2, 4), real(1, 12)],
        hidden_size=4,
        outputs=3,
        input_forget=0,
        activations=["HardSigmoid", "Softsign", "Elu"],
        activation_alpha=[0.3, 0.9],
        activation_beta=[0.4],
        opset=14,
    ),
    case("RNN", real(5, 2, 3), constants=[real(1, 4, 3), real(1, 4, 4)], hidden_size=4, activations=["Relu"], opset=14),
    *_declared(),
]

NEWER: list[Node] = [
    case("CumProd", real(3, 5), constants=[np.array(-2)], exclusive=1, reverse=1, opset=26),
    case("RMSNormalization", real(2, 3, 5), constants=[real(5)], epsilon=1e-3, axis=-1, stash_type=1, opset=23),
    *(case("AffineGrid", real(2, 2, 3), constants=[ints(2, 3, 4, 5)], align_corners=a, opset=20) for a in (0, 1)),
    case("AffineGrid", real(1, 3, 4), constants=[ints(1, 2, 3, 4, 2)], opset=20),
    case(
        "MaxUnpool", real(1, 1, 2, 2), constants=[ints(5, 7, 13, 15).reshape(1, 1, 2, 2), ints(1, 1, 5, 5)], **_UNPOOLED
    ),
    case("BitCast", real(3), to=onnx.TensorProto.INT32, opset=26),
    case(
        "DeformConv",
        real(1, 4, 5, 6),
        constants=[real(2, 2, 2, 3), real(1, 24, 4, 4), real(2), real(1, 12, 4, 4)],
        group=2,
        offset_group=2,
        kernel_shape=[2, 3],
        opset=22,
    ),
    case(
        "DeformConv",
        real(1, 2, 5, 6),
        constants=[real(3, 2, 2, 2), real(1, 8, 5, 7)],
        pads=[1, 1, 1, 1],
        dilations=[2, 1],
        strides=[1, 1],
        opset=19,
    ),
    *(
        case("TensorScatter", real(2, 3, 5, 2), real(2, 3, 4, 2), constants=[starts], mode=mode, opset=24)
        for mode, starts in (("linear", ints(1, 0)), ("circular", ints(3, 1)))
    ),
    case("TensorScatter", real(2, 5, 2), real(2, 3, 2), axis=1, opset=24),
    case(
        "BatchNormalization",
        IMAGE,
        constants=[real(3), real(3), real(3), positive(3)],
        training_mode=1,
        momentum=0.7,
        outputs=3,
        opset=15,
    ),
    case(
        "LSTM", real(2, 5, 3), constants=[real(1, 16, 3), real(1, 16, 4)], hidden_size=4, layout=1, outputs=3, opset=14
    ),
    case("RNN", real(2, 5, 3), constants=[real(1, 4, 3), real(1, 4, 4)], hidden_size=4, layout=1, outputs=2, opset=14),
    case(
        "GRU", real(2, 5, 3), constants=[real(1, 12, 3), real(1, 12, 4)], hidden_size=4, layout=1, outputs=2, opset=14
    ),
]
"""Nodes that onnxruntime lacks, compared with onnx's reference evaluator."""

RANDOM: list[Node] = [
    case("RandomUniform", seed=3.0, shape=[40, 50], low=-1.0, high=2.0, dtype=onnx.TensorProto.DOUBLE),
    case("RandomNormal", shape=[40, 50], mean=2.0, scale=0.5, seed=1.0, dtype=onnx.TensorProto.FLOAT),
    case("RandomUniformLike", real(40, 50), low=-1.0, high=2.0, seed=2.5),
    case("RandomNormalLike", whole(40, 50), mean=2.0, scale=0.5, seed=7.0, dtype=onnx.TensorProto.FLOAT),
    case("Multinomial", np.float32([[0, np.log(3)], [-np.inf, 1]]), sample_size=1000, seed=4.0, dtype=7),
]
"""Nodes whose numbers are ours."""


@pytest.mark.each("node", NODES, ids=[f"{k}-{node[0]}" for k, node in enumerate(NODES)])
def test_agrees_with_onnxruntime(node: Node) -> None:
    operator, inputs, constants, rest = node
    model = node_model(operator, inputs, constants, **rest)
    module = import_model(model)
    module.verify()
    results, expected = reference_results(module, *inputs), onnxruntime_results(model, *inputs)
    for actual, wanted in zip(results, expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(actual, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("node", NEWER, ids=[f"{k}-{node[0]}" for k, node in enumerate(NEWER)])
def test_agrees_with_the_evaluator_of_onnx(node: Node) -> None:
    operator, inputs, constants, rest = node
    model = node_model(operator, inputs, constants, **rest)
    results = reference_results(import_model(model), *inputs)
    expected = ReferenceEvaluator(model).run(None, {f"x{k}": array for k, array in enumerate(inputs)})
    for actual, wanted in zip(results, expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(actual, wanted, rtol=1e-5, atol=1e-5)


FOLDED: list[tuple[str, onnx.NodeProto, dict[str, np.ndarray]]] = [
    ("Constant", helper.make_node("Constant", [], ["y"], value_floats=[1.0, 2.0]), {}),
    ("Constant", helper.make_node("Constant", [], ["y"], value_int=3), {}),
    ("ConstantOfShape", helper.make_node("ConstantOfShape", ["s"], ["y"]), {"s": ints(2, 3)}),
    (
        "ConstantOfShape",
        helper.make_node("ConstantOfShape", ["s"], ["y"], value=helper.make_tensor("v", 7, [1], [5])),
        {"s": ints()},
    ),
    (
        "Range",
        helper.make_node("Range", ["a", "b", "c"], ["y"]),
        dict(zip("abc", map(np.array, (9, 1, -3)), strict=True)),
    ),
    ("Shape", helper.make_node("Shape", ["x"], ["y"], start=-2), {}),
    ("Shape", helper.make_node("Shape", ["x"], ["y"]), {}),
    ("Size", helper.make_node("Size", ["x"], ["y"]), {}),
]


@pytest.mark.parametrize(("operator", "node", "constants"), FOLDED, ids=[f"{k}-{f[0]}" for k, f in enumerate(FOLDED)])
def test_known_while_importing(operator: str, node: onnx.NodeProto, constants: dict[str, np.ndarray]) -> None:
    x = real(2, 3, 5)
    model = model_of([node], {"x": x}, ["y"], constants)
    results, expected = reference_results(import_model(model), x), onnxruntime_results(model, x)
    assert results[0].dtype == expected[0].dtype
    np.testing.assert_array_equal(results[0], expected[0])


@pytest.mark.parametrize("node", RANDOM, ids=[node[0] for node in RANDOM])
def test_random_numbers_are_those_of_their_seed(node: Node) -> None:
    operator, inputs, constants, rest = node
    results = [
        reference_results(import_model(node_model(operator, inputs, constants, **rest | {"seed": seed})), *inputs)[0]
        for seed in (rest["seed"], rest["seed"], rest["seed"] + 1)
    ]
    numbers = results[0]
    np.testing.assert_array_equal(numbers, results[1])
    assert not np.array_equal(numbers, results[2])
    if operator == "Multinomial":
        assert (numbers.dtype, numbers.shape) == (np.int64, (2, 1000))
        assert abs(numbers[0].mean() - 0.75) < 0.05 and numbers[1].min() == 1
        return
    dtype = {1: np.float32, 11: np.float64}[rest.get("dtype", 1)]
    assert (numbers.dtype, numbers.shape) == (dtype, (40, 50))
    mean, deviation = (0.5, 3 / np.sqrt(12)) if "Uniform" in operator else (2.0, 0.5)
    assert abs(numbers.mean() - mean) < 0.05 and abs(numbers.std() - deviation) < 0.05
    if "Uniform" in operator:
        assert numbers.min() >= -1 and numbers.max() < 2


def test_nodes_without_a_seed_differ() -> None:
    nodes = [helper.make_node("RandomUniform", [], [name], shape=[9]) for name in ("y", "z")]
    first, second = reference_results(import_model(model_of(nodes, {}, ["y", "z"])))
    assert not np.array_equal(first, second)


IN_MODELS = {
    "RegexFullMatch", "StringConcat", "StringNormalizer", "StringSplit", "TfIdfVectorizer",  # test_strings
    "ai.onnx.ml.ArrayFeatureExtractor", "ai.onnx.ml.Binarizer",  # cases of the standard, tests/onnx_suite
    "ai.onnx.ml.LabelEncoder", "ai.onnx.ml.TreeEnsemble",  # test_strings, test_more_operators
    "ai.onnx.preview.training.Adagrad", "ai.onnx.preview.training.Adam", "ai.onnx.preview.training.Momentum",
    "ai.onnx.preview.training.Gradient",  # test_gradients
}  # fmt: skip
"""Operators that whole models test, as their operands are strings, trees or graphs."""


def test_every_converter_is_tested() -> None:
    tested = {node[0] for node in (*NODES, *NEWER, *RANDOM)} | {folded[0] for folded in FOLDED}
    counted = {"Compress", "NonMaxSuppression", "NonZero", "Unique"}  # test_counted_results
    quantized = {node[0] for node in test_quantized_nodes.CASES}
    from_onnxruntime = {
        f"{node[2].get('domain', 'com.microsoft')}.{node[0]}".lstrip(".") for node in onnxruntime_nodes.ALL
    }
    found = tested | structured_models.operators() | counted | quantized | from_onnxruntime | IN_MODELS
    assert found == supported_operators()
