"""Nodes of onnxruntime's own operators, and models of one of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from .models import model_of

_rng = np.random.default_rng(5)


def real(*shape: int) -> np.ndarray:
    return np.asarray(_rng.standard_normal(shape)).astype(np.float32)


def whole(high: int, *shape: int) -> np.ndarray:
    return np.asarray(_rng.integers(0, high, shape)).astype(np.int32)


Node = tuple[str, list[np.ndarray | None], dict[str, Any]]


def case(operator: str, *inputs: np.ndarray | None, **rest: Any) -> Node:
    return operator, list(inputs), rest


def model_for(
    node: Node, shapes: Mapping[int, Sequence[int | str]] | None = None
) -> tuple[onnx.ModelProto, list[np.ndarray]]:
    """Return a model of one node, and its inputs. `shapes` replaces those of inputs; `results` has the outputs asked
    for."""
    operator, inputs, rest = node
    rest = dict(rest)
    results, domain, opset = rest.pop("results", [0]), rest.pop("domain", "com.microsoft"), rest.pop("opset", 17)
    rest |= rest.pop("more", {})  # an attribute of one of these names
    names = ["" if array is None else f"x{k}" for k, array in enumerate(inputs)]
    outputs = [f"y{k}" if k in results else "" for k in range(max(results) + 1)]
    proto = helper.make_node(operator, names, outputs, name="the_node", domain=domain, **rest)
    given = {f"x{k}": array for k, array in enumerate(inputs) if array is not None}
    declared = {
        name: (array.dtype.name, (shapes or {}).get(int(name[1:]), array.shape)) for name, array in given.items()
    }
    model = model_of([proto], declared, [name for name in outputs if name], opset=opset)
    if operator in ("MultiHeadAttention", "GroupQueryAttention"):  # whose scores onnxruntime gives no type
        for value in model.graph.output:
            value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    return model, list(given.values())


def values_of(node: Node) -> dict[str, np.ndarray | None] | None:
    """Return the inputs that decide sizes, where an operator has some."""
    return {"x6": node[1][6]} if node[0] == "GroupQueryAttention" else None


_ACTIVATIONS: list[tuple[str, dict[str, float]]] = [
    *((name, {}) for name in ("Relu", "Sigmoid", "Softplus", "Softsign", "Tanh")),
    *((name, {"activation_alpha": 0.3}) for name in ("Celu", "Elu", "LeakyRelu", "ThresholdedRelu")),
    ("HardSigmoid", {"activation_alpha": 0.3, "activation_beta": 0.4}),
    ("Selu", {"activation_alpha": 1.5, "activation_gamma": 1.2}),
]

FUSED: list[Node] = [
    *(case(name, real(3, 5)) for name in ("Gelu", "FastGelu", "QuickGelu")),
    case("QuickGelu", real(2, 1, 5), alpha=0.7),
    case("FastGelu", real(2, 3, 5), real(5)),
    case("BiasGelu", real(2, 3, 5), real(5)),
    *(
        case(
            "FusedMatMul", real(3, 3, 3), real(3, 3, 3), transA=a, transB=b, transBatchA=c, transBatchB=1 - c, alpha=0.5
        )
        for a in (0, 1)
        for b in (0, 1)
        for c in (0, 1)
    ),
    case("FusedMatMul", real(4, 2, 5, 3), real(2, 5, 3, 6), transBatchA=1),
    case("FusedMatMul", real(3), real(3, 6), transA=1),
    case("TransposeMatMul", real(3, 4), real(3, 6), transA=1, alpha=2.0),
    *(
        case("FusedGemm", real(3, 4), real(5, 4), real(5), transB=1, alpha=0.5, activation=name, **parameters)
        for name, parameters in _ACTIVATIONS
    ),
    *(
        case("FusedConv", real(1, 4, 6, 7), real(6, 2, 3, 2), real(6), group=2, pads=[1, 0, 1, 1], activation=n, **p)
        for n, p in (
            ("Relu", {}),
            ("Clip", {"activation_params": [-0.2, 0.4]}),
            ("HardSigmoid", {"activation_params": [0.3, 0.4]}),
            ("LeakyRelu", {"activation_params": [0.3]}),
        )
    ),
    case("FusedConv", real(1, 2, 6, 7), real(6, 2, 3, 2), None, real(1, 6, 4, 6), activation="Tanh"),
]

IDS, SEGMENTS, MASK, _POSITIONS = whole(7, 2, 4), whole(2, 2, 4), whole(2, 2, 4), whole(9, 2, 4)
TABLES = [real(7, 6), real(9, 6), real(2, 6), real(6), real(6)]

NORMS: list[Node] = [
    case("SkipLayerNormalization", real(2, 3, 5), real(2, 3, 5), *(real(5) for _ in range(3)), results=[0, 3]),
    case("SkipLayerNormalization", real(2, 3, 5), real(3, 5), real(5), None, real(5), epsilon=0.1),
    case("SkipLayerNormalization", real(3, 5), real(3, 5), real(5)),
    case("SkipSimplifiedLayerNormalization", real(2, 3, 5), real(2, 3, 5), real(5), real(5), results=[0, 3]),
    case("SkipSimplifiedLayerNormalization", real(2, 3, 5), real(1, 3, 5), real(5), epsilon=0.1),
    case("SimplifiedLayerNormalization", real(2, 3, 5), real(5), domain="", epsilon=0.1, axis=-1, results=[0, 1]),
    case("SimplifiedLayerNormalization", real(2, 3, 5), real(3, 5), domain="", axis=1, stash_type=1),
    case("LayerNormalization", real(2, 3, 5), real(5), real(5), domain="", opset=11, epsilon=0.1, results=[0, 1, 2]),
    case("EmbedLayerNormalization", IDS, SEGMENTS, *TABLES, MASK, results=[0, 1], mask_index_type=1),
    case("EmbedLayerNormalization", IDS, SEGMENTS, *TABLES, None, _POSITIONS, epsilon=0.1, results=[0, 1, 2]),
    case("EmbedLayerNormalization", IDS, None, *TABLES[:2], None, *TABLES[3:], None, _POSITIONS[:1], results=[0, 1]),
]

X, WEIGHTS, BIAS, PAST = real(2, 3, 5), real(5, 24), real(24), real(2, 2, 2, 2, 4)
MASKS = [
    np.int32([2, 3]),
    np.int32([2, 3, 1, 0]),
    np.int32([[1, 0, 1], [1, 1, 1]]),
    np.int32([[0, 0, 0], [1, 1, 0]]),
    np.int32([[1], [1]]),
    whole(2, 2, 3, 3),
]

ATTENTION: list[Node] = [
    *(
        case("Attention", X, WEIGHTS, BIAS, mask, num_heads=2, unidirectional=directed)
        for mask in MASKS
        for directed in (0, 1)
    ),
    case("Attention", X, WEIGHTS, BIAS, num_heads=2, scale=0.3, results=[0, 1]),
    *(
        case("Attention", X, WEIGHTS, None, mask, PAST, num_heads=2, mask_filter_value=-3.0, results=[0, 1], **rest)
        for mask, rest in ((np.int32([4, 5]), {}), (whole(2, 2, 5), {"unidirectional": 1}))
    ),
    case("Attention", real(2, 1, 5), WEIGHTS, BIAS, None, PAST, num_heads=2, unidirectional=1, results=[0, 1]),
    case("Attention", X, real(5, 22), real(22), num_heads=2, qkv_hidden_sizes=[8, 8, 6]),
    *(
        case("Attention", X, WEIGHTS, BIAS, MASKS[0], None, real(*shape, 3, 3), num_heads=2)
        for shape in ((2, 2), (1, 2), (2, 1), (1, 1))
    ),
]

QKV = [real(2, 3, 8), real(2, 5, 8), real(2, 5, 6)]

HEADS: list[Node] = [
    *(
        case("MultiHeadAttention", *QKV, real(22), mask, num_heads=2, unidirectional=directed)
        for mask in (None, np.int32([2, 5]), whole(2, 2, 5), whole(2, 2, 3, 5))
        for directed in (0, 1)
    ),
    case("MultiHeadAttention", *QKV, None, None, real(1, 2, 3, 5), num_heads=2, results=[0, 1, 2, 3]),
    *(
        case(
            "MultiHeadAttention",
            *(*QKV[:2], real(2, 5, 8), real(24), whole(2, 2, 7), None, real(2, 2, 2, 4), real(2, 2, 2, 4)),
            num_heads=2,
            scale=0.3,
            mask_filter_value=-4.0,
            unidirectional=directed,
            results=[0, 1, 2, 3],
        )
        for directed in (0, 1)
    ),
    case("MultiHeadAttention", QKV[0], real(2, 2, 5, 4), real(2, 2, 5, 4), num_heads=2),
    case("MultiHeadAttention", *QKV, None, np.int32([3, 2, 0, 3, 5, 0, 2, 4]), num_heads=2),
]

NUMBERS = whole(9, 2, 3).astype(np.int64)
ANGLES = [real(9, 2), real(9, 2)]

ROTATED: list[Node] = [
    case("RotaryEmbedding", *inputs, *ANGLES, interleaved=interleaved, **rest)
    for interleaved in (0, 1)
    for inputs, rest in (
        ((real(2, 3, 8), NUMBERS), {}),
        ((real(2, 3, 8), np.array([2])), {"scale": 1.0, "is_packed_batching": 0}),
        ((real(2, 3, 8), np.array(2)), {}),
        ((real(2, 3, 16), NUMBERS), {"num_heads": 2, "rotary_embedding_dim": 4}),
        ((real(2, 2, 3, 4), NUMBERS), {}),
        ((real(2, 2, 3, 8), NUMBERS), {"num_heads": 2, "rotary_embedding_dim": 4}),
    )
]


def grouped(rows: int, length: int, past: int | None, ends: list[int], total: int, *more: Any, **rest: Any) -> Node:
    """Return a node in which four heads of queries share two of keys and values, each of 16 channels."""
    sizes = (64, 32, 32)
    inputs: list[np.ndarray | None] = [real(rows, length, size) for size in sizes]
    inputs += [None, None] if past is None else [real(rows, 2, past, 16), real(rows, 2, past, 16)]
    heads = {"num_heads": 4, "kv_num_heads": 2, "results": [0, 1, 2], **rest}
    return case("GroupQueryAttention", *inputs, np.int32(ends), np.int32([total]), *more, **heads)


TURNS = [real(12, 8), real(12, 8)]

WINDOW = {"sliding_window_cache": 1, "local_window_size": 3}
"""A cache of 5 keys keeps all of 5 keys, and 5 of 8 and of 11."""

GROUPED: list[Node] = [
    *(
        grouped(*sizes, *(TURNS if "do_rotary" in rest else []), **rest)
        for sizes in ((2, 3, None, [2, 2], 3), (2, 1, 5, [5, 3], 6), (2, 1, 5, [3, 2], 5), (1, 3, 5, [7], 8))
        for rest in (
            {},
            {"causal": 0, "scale": 0.1, "qk_norm_epsilon": 0.1},
            {"smooth_softmax": 1, "softcap": 2.0, "local_window_size": 2},
            {"do_rotary": 1, "k_quant_type": "NONE"},
            {"do_rotary": 1, "rotary_interleaved": 1, "local_window_size": 3},
        )
    ),
    grouped(2, 3, None, [0, 2], 3),
    grouped(1, 3, 0, [2], 3),
    grouped(1, 3, 5, [2], 3),
    grouped(1, 3, 5, [7], 8, *TURNS, whole(9, 1, 3).astype(np.int64), do_rotary=1),
    *(grouped(1, 3, 5, [7], 8, None, None, None, real(1, heads, 3, 8), softcap=1.0) for heads in (1, 4)),
    grouped(1, 3, 5, [7], 8, None, None, None, None, real(4)),
    case(
        "GroupQueryAttention",
        *(real(1, 3, 128), None, None, real(1, 2, 5, 16), real(1, 2, 5, 16), np.int32([[7]]), np.array(8, np.int32)),
        num_heads=4,
        kv_num_heads=2,
        results=[0, 1, 2],
    ),
]

GROUPED += [
    *(
        grouped(*sizes, **rest, results=[0, 1, 2, 3])
        for sizes in ((1, 3, 5, [7], 8), (2, 3, None, [2, 2], 3))
        for rest in (
            {"qk_output": 1, "local_window_size": 2, "softcap": 1.0},
            {"qk_output": 2, "smooth_softmax": 1},
        )
    ),
    *(
        grouped(*sizes, *(TURNS if turned else []), **WINDOW, do_rotary=int(turned))
        for sizes, turned in (((2, 1, 5, [7, 4], 8), False), ((1, 3, 5, [7], 8), True), ((1, 7, 5, [10], 11), False))
    ),
    grouped(2, 3, 5, [7, 4], 8, *(None,) * 9, np.int32([3, 3]), **WINDOW),
]


def integers(dtype: str, *shape: int) -> np.ndarray:
    info = np.iinfo(dtype)
    return np.asarray(_rng.integers(info.min, info.max, shape, endpoint=True)).astype(dtype)


def of_scale(scale: float, zero: int, dtype: str = "uint8") -> tuple[np.ndarray, np.ndarray]:
    return np.array(scale, np.float32), np.array(zero, dtype)


def _numbers(*values: float, dtype: str = "float32") -> list[np.ndarray]:
    return [np.array(value, dtype) for value in values]


def _where(is_given: bool, *arrays: np.ndarray) -> list[np.ndarray | None]:
    """Return inputs, or as many that are left out."""
    return [array if is_given else None for array in arrays]


def recurrent(
    directions: int = 1,
    dtype: str = "int8",
    zero: int = 0,
    lengths: Sequence[int] | None = None,
    several: bool = False,
    more: bool = False,
    **rest: Any,
) -> Node:
    """Return an LSTM of 5 steps, 3 rows, 6 inputs and a hidden size of 4; `more` are a bias, states and peepholes."""
    sizes = (directions, 16) if several else (directions,)
    parameters = [(np.abs(real(*sizes)) / 50 + 0.001, np.full(sizes, zero, dtype)) for _ in range(2)]
    return case(
        "DynamicQuantizeLSTM", real(5, 3, 6), integers(dtype, directions, 6, 16), integers(dtype, directions, 4, 16),
        *_where(more, real(directions, 32)), None if lengths is None else np.int32(lengths),
        *_where(more, real(directions, 3, 4), real(directions, 3, 4), real(directions, 12)), *parameters[0],
        *parameters[1], hidden_size=4, results=[0, 1, 2], **rest,
    )  # fmt: skip


BYTES, SCALED, SMALLER = integers("uint8", 1, 4, 6, 5), of_scale(0.0317, 101), of_scale(0.0113, 7)
_ONE, _EACH = np.array(0.02, np.float32), integers("int8", 24)

QUANTIZED: list[Node] = [
    case("QuantizeLinear", real(2, 3), *of_scale(0.1, 3)),
    case("DequantizeLinear", BYTES, *SCALED),
    *(
        case(f"QLinear{name}", BYTES, *SCALED, integers("uint8", 4, 1, 1), *SMALLER, *of_scale(0.023, 90))
        for name in ("Add", "Mul")
    ),
    case("QLinearAdd", integers("int8", 3, 5), *of_scale(0.1, 0, "int8"), integers("int8", 3, 5),
         *of_scale(0.2, 0, "int8"), *of_scale(0.25, 0, "int8")),
    case("QLinearConcat", *of_scale(0.04, 9), BYTES, *SCALED, integers("uint8", 1, 2, 6, 5), *SMALLER, axis=1),
    case("QLinearAveragePool", BYTES, *SCALED, *SMALLER, kernel_shape=[3, 2], pads=[1, 0, 1, 1], strides=[2, 1]),
    case("QLinearAveragePool", BYTES, *SCALED, *SMALLER, kernel_shape=[2, 2], channels_last=1, count_include_pad=1),
    *(case("QLinearGlobalAveragePool", BYTES, *SCALED, *SMALLER, channels_last=last) for last in (0, 1)),
    *(
        case("QLinearConv", integers("uint8", 1, 6, 5, 4), *SCALED, integers("int8", 6, 4 // group, 3, 2),
             *of_scale(0.01, 0, "int8"), *of_scale(0.9, 100), np.int32([9, -900, 0, 7, 100, 3000]), channels_last=1,
             group=group, pads=[1, 0, 1, 1], strides=[1, 2])
        for group in (1, 2)
    ),
    case("QLinearConv", BYTES, *SCALED, integers("uint8", 3, 4, 1, 1), *of_scale(0.01, 9), *of_scale(0.9, 100)),
    case("NhwcMaxPool", integers("uint8", 1, 6, 5, 4), kernel_shape=[3, 2], pads=[1, 0, 1, 1], strides=[2, 1]),
    case("QLinearLeakyRelu", BYTES, *SCALED, *of_scale(0.02, 50), alpha=0.2),
    case("QLinearSigmoid", BYTES, *SCALED, *of_scale(1 / 256, 0)),
    case("QLinearSoftmax", integers("uint8", 3, 7), *SCALED, *of_scale(1 / 256, 0), axis=1, more={"opset": 17}),
    case("QLinearWhere", integers("uint8", 1, 4, 6, 5) > 99, BYTES, *SCALED, integers("uint8", 5), *SMALLER, *SCALED),
    case("DynamicQuantizeMatMul", real(3, 8), integers("int8", 8, 5), *of_scale(0.1, 3, "int8"), real(5)),
    case("MatMulIntegerToFloat", integers("uint8", 2, 3, 8), integers("int8", 8, 5),
         *(np.array(each, np.float32) for each in (0.1, 0.02)), np.array(200, np.uint8), np.array(-7, np.int8),
         real(5)),
    *(
        case("QGemm", integers("uint8", 3, 8), *SCALED, weight, *of_scale(0.02, 5, "int8"),
             np.int32([[100, -3000, 0, 7, 90000]]), *of_scale(0.3, 140), transB=transposed)
        for weight, transposed in ((integers("int8", 8, 5), 0), (integers("int8", 5, 8), 1))
    ),
    case("QGemm", integers("uint8", 3, 8), *SCALED, integers("int8", 8, 5), *of_scale(0.02, 5, "int8"), alpha=0.5),
    *(
        case("QAttention", integers("uint8", 2, 3, 5), weights, real(24), *scales, mask, *zeros, num_heads=2, **rest)
        for weights, scales, mask, zeros, rest in (
            (integers("int8", 5, 24), (_ONE, _ONE), None, (), {}),
            (integers("uint8", 5, 24), (_ONE, _ONE), MASKS[0], _numbers(255, 0, dtype="uint8"), {"unidirectional": 1}),
            (integers("int8", 5, 24), (_ONE, np.abs(real(24)) / 9), MASKS[1], [*_numbers(0, dtype="uint8"), _EACH], {}),
        )
    ),
    case("QAttention", integers("uint8", 2, 3, 5), integers("int8", 5, 24), real(24), _ONE, _ONE, whole(2, 2, 5),
         np.array(100, np.uint8), None, PAST, num_heads=2, results=[0, 1], mask_filter_value=-5.0, unidirectional=1),
    *(
        case("QEmbedLayerNormalization", IDS, *_where(has_segments, SEGMENTS), integers("uint8", 7, 6),
             integers("uint8", 9, 6), *_where(has_segments, integers("uint8", 2, 6)), integers("uint8", 6),
             integers("uint8", 6), *_where(has_segments, MASK), *_numbers(0.1, 0.02),
             *_where(has_segments, *_numbers(0.03)), *_numbers(0.01, 0.02), *_numbers(0, 255, dtype="uint8"),
             *_where(has_segments, *_numbers(128, dtype="uint8")), *_numbers(9, 100, dtype="uint8"),
             results=[0, 1], epsilon=0.01)
        for has_segments in (False, True)
    ),
]  # fmt: skip
"""Scales and zero points are inputs, as of programs that are called with any."""

RECURRENT: list[Node] = [
    recurrent(),
    recurrent(dtype="uint8", zero=128, more=True, direction="reverse"),
    recurrent(2, several=True, more=True, direction="bidirectional"),
    recurrent(lengths=[4, 2, 3], more=True, clip=0.5, input_forget=1),
    recurrent(2, lengths=[0, 1, 5], more=True, direction="bidirectional"),
    recurrent(activations=["HardSigmoid", "Relu", "Softsign"]),
    recurrent(activations=["LeakyRelu", "Elu", "ScaledTanh"], activation_alpha=[0.1, 0.5, 0.8], activation_beta=[0.6]),
]

NODES = [*FUSED, *NORMS, *ATTENTION, *HEADS, *ROTATED, *GROUPED, *QUANTIZED]


def gelu(x: np.ndarray) -> np.ndarray:
    return (0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))).astype(np.float32)


def without_kernels() -> list[tuple[Node, np.ndarray]]:
    """Return operators that onnxruntime has on GPUs alone, and their results."""
    x, bias, skip = real(2, 3, 8), real(8), real(2, 3, 8)
    image, kernel = real(1, 5, 6, 2), real(3, 2, 2, 2)
    windows = np.lib.stride_tricks.sliding_window_view(image, (2, 2), axis=(1, 2))
    left, right = np.split(x + bias, 2, axis=-1)
    query, key, value = (real(2, 3, 2, 4) for _ in range(3))
    scores = np.einsum("bsnh,btnh->bnst", query, key) / 2
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weighted = np.einsum("bnst,btnh->bsnh", powers / powers.sum(-1, keepdims=True), value).reshape(2, 3, 8)
    return [
        (case("MultiHeadAttention", np.stack([query, key, value], 3), num_heads=2), weighted),
        (case("MultiHeadAttention", query.reshape(2, 3, 8), np.stack([key, value], 3), num_heads=2), weighted),
        (case("BiasAdd", x, bias, skip), x + bias + skip),
        (case("BiasSplitGelu", x, bias), left * gelu(right)),
        (
            case("QLinearReduceMean", BYTES, *SCALED, *SMALLER, axes=[2, 3], keepdims=0),
            np.clip(np.rint((BYTES.mean((2, 3)) - 101) * (0.0317 / 0.0113) + 7), 0, 255).astype(np.uint8),
        ),
        (case("NhwcConv", image, kernel), np.einsum("nhwcij,oijc->nhwo", windows, kernel)),
    ]


WITHOUT_KERNELS = without_kernels()
ALL = [*NODES, *RECURRENT, *(node for node, _ in WITHOUT_KERNELS)]
