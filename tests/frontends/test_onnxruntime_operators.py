"""Operators of onnxruntime's own against onnxruntime; against numpy where it has none for CPUs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import helper
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import import_model

from .models import model_of, onnxruntime_results, reference_results

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
    """A model of one node, and its inputs. `shapes` replaces those of inputs; `results` has the outputs asked for."""
    operator, inputs, rest = node
    rest = dict(rest)
    results, domain, opset = rest.pop("results", [0]), rest.pop("domain", "com.microsoft"), rest.pop("opset", 17)
    names = ["" if array is None else f"x{k}" for k, array in enumerate(inputs)]
    outputs = [f"y{k}" if k in results else "" for k in range(max(results) + 1)]
    proto = helper.make_node(operator, names, outputs, name="the_node", domain=domain, **rest)
    given = {f"x{k}": array for k, array in enumerate(inputs) if array is not None}
    declared = {
        name: (array.dtype.name, (shapes or {}).get(int(name[1:]), array.shape)) for name, array in given.items()
    }
    model = model_of([proto], declared, [name for name in outputs if name], opset=opset)
    if operator == "MultiHeadAttention":  # whose scores onnxruntime gives no type
        for value in model.graph.output:
            value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    return model, list(given.values())


def compare(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for actual, wanted in zip(results, expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(actual, wanted, rtol=1e-4, atol=1e-5)


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

_IDS, _SEGMENTS, _MASK, _PLACES = whole(7, 2, 4), whole(2, 2, 4), whole(2, 2, 4), whole(9, 2, 4)
_TABLES = [real(7, 6), real(9, 6), real(2, 6), real(6), real(6)]

NORMS: list[Node] = [
    case("SkipLayerNormalization", real(2, 3, 5), real(2, 3, 5), *(real(5) for _ in range(3)), results=[0, 3]),
    case("SkipLayerNormalization", real(2, 3, 5), real(3, 5), real(5), None, real(5), epsilon=0.1),
    case("SkipLayerNormalization", real(3, 5), real(3, 5), real(5)),
    case("SkipSimplifiedLayerNormalization", real(2, 3, 5), real(2, 3, 5), real(5), real(5), results=[0, 3]),
    case("SkipSimplifiedLayerNormalization", real(2, 3, 5), real(1, 3, 5), real(5), epsilon=0.1),
    case("SimplifiedLayerNormalization", real(2, 3, 5), real(5), domain="", epsilon=0.1, axis=-1, results=[0, 1]),
    case("SimplifiedLayerNormalization", real(2, 3, 5), real(3, 5), domain="", axis=1, stash_type=1),
    case("LayerNormalization", real(2, 3, 5), real(5), real(5), domain="", opset=11, epsilon=0.1, results=[0, 1, 2]),
    case("EmbedLayerNormalization", _IDS, _SEGMENTS, *_TABLES, _MASK, results=[0, 1], mask_index_type=1),
    case("EmbedLayerNormalization", _IDS, _SEGMENTS, *_TABLES, None, _PLACES, epsilon=0.1, results=[0, 1, 2]),
    case("EmbedLayerNormalization", _IDS, None, *_TABLES[:2], None, *_TABLES[3:], None, _PLACES[:1], results=[0, 1]),
]

_X, _WEIGHTS, _BIAS, _PAST = real(2, 3, 5), real(5, 24), real(24), real(2, 2, 2, 2, 4)
_MASKS = [
    np.int32([2, 3]),
    np.int32([2, 3, 1, 0]),
    np.int32([[1, 0, 1], [1, 1, 1]]),
    np.int32([[0, 0, 0], [1, 1, 0]]),
    np.int32([[1], [1]]),
    whole(2, 2, 3, 3),
]

ATTENTION: list[Node] = [
    *(
        case("Attention", _X, _WEIGHTS, _BIAS, mask, num_heads=2, unidirectional=directed)
        for mask in _MASKS
        for directed in (0, 1)
    ),
    case("Attention", _X, _WEIGHTS, _BIAS, num_heads=2, scale=0.3, results=[0, 1]),
    *(
        case("Attention", _X, _WEIGHTS, None, mask, _PAST, num_heads=2, mask_filter_value=-3.0, results=[0, 1], **rest)
        for mask, rest in ((np.int32([4, 5]), {}), (whole(2, 2, 5), {"unidirectional": 1}))
    ),
    case("Attention", real(2, 1, 5), _WEIGHTS, _BIAS, None, _PAST, num_heads=2, unidirectional=1, results=[0, 1]),
    case("Attention", _X, real(5, 22), real(22), num_heads=2, qkv_hidden_sizes=[8, 8, 6]),
    *(
        case("Attention", _X, _WEIGHTS, _BIAS, _MASKS[0], None, real(*shape, 3, 3), num_heads=2)
        for shape in ((2, 2), (1, 2), (2, 1), (1, 1))
    ),
]

_QKV = [real(2, 3, 8), real(2, 5, 8), real(2, 5, 6)]

HEADS: list[Node] = [
    *(
        case("MultiHeadAttention", *_QKV, real(22), mask, num_heads=2, unidirectional=directed)
        for mask in (None, np.int32([2, 5]), whole(2, 2, 5), whole(2, 2, 3, 5))
        for directed in (0, 1)
    ),
    case("MultiHeadAttention", *_QKV, None, None, real(1, 2, 3, 5), num_heads=2, results=[0, 1, 2, 3]),
    *(
        case(
            "MultiHeadAttention",
            *(*_QKV[:2], real(2, 5, 8), real(24), whole(2, 2, 7), None, real(2, 2, 2, 4), real(2, 2, 2, 4)),
            num_heads=2,
            scale=0.3,
            mask_filter_value=-4.0,
            unidirectional=directed,
            results=[0, 1, 2, 3],
        )
        for directed in (0, 1)
    ),
    case("MultiHeadAttention", _QKV[0], real(2, 2, 5, 4), real(2, 2, 5, 4), num_heads=2),
]

NODES = [*FUSED, *NORMS, *ATTENTION, *HEADS]


@pytest.mark.parametrize("node", NODES, ids=[f"{k}-{node[0]}" for k, node in enumerate(NODES)])
def test_agrees_with_onnxruntime(node: Node) -> None:
    model, arrays = model_for(node)
    compare(reference_results(import_model(model), *arrays), onnxruntime_results(model, *arrays))


def gelu(x: np.ndarray) -> np.ndarray:
    return (0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))).astype(np.float32)


def without_kernels() -> list[tuple[Node, np.ndarray]]:
    """Operators that onnxruntime has on GPUs alone, and their results."""
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
        (case("NhwcConv", image, kernel), np.einsum("nhwcij,oijc->nhwo", windows, kernel)),
    ]


WITHOUT_KERNELS = without_kernels()
ALL = [*NODES, *(node for node, _ in WITHOUT_KERNELS)]


@pytest.mark.parametrize(("node", "wanted"), WITHOUT_KERNELS, ids=[node[0] for node, _ in WITHOUT_KERNELS])
def test_agrees_with_numpy(node: Node, wanted: np.ndarray) -> None:
    model, arrays = model_for(node)
    compare(reference_results(import_model(model), *arrays), [wanted])


_ROWS = ("n", "s", 5)

SYMBOLIC: list[tuple[Node, dict[int, Sequence[int | str]]]] = [
    (case("FastGelu", real(2, 3, 5), real(5)), {0: _ROWS}),
    (case("SkipLayerNormalization", real(2, 3, 5), real(2, 3, 5), real(5), results=[0, 3]), {0: _ROWS, 1: _ROWS}),
    (
        case("EmbedLayerNormalization", _IDS, _SEGMENTS, *_TABLES, _MASK, results=[0, 1]),
        dict.fromkeys((0, 1, 7), ("n", "s")),
    ),
    *(
        (case("Attention", _X, _WEIGHTS, _BIAS, mask, num_heads=2, unidirectional=1), {0: _ROWS, 3: dims})
        for mask, dims in ((_MASKS[0], ("n",)), (_MASKS[2], ("n", "s")), (_MASKS[5], ("n", "s", "s")))
    ),
    (
        case("Attention", _X, _WEIGHTS, _BIAS, None, _PAST, num_heads=2, unidirectional=1, results=[0, 1]),
        {0: _ROWS, 4: (2, "n", 2, "p", 4)},
    ),
    (
        case("MultiHeadAttention", *_QKV, None, whole(2, 2, 3, 5), num_heads=2),
        {0: ("n", "s", 8), 1: ("n", "t", 8), 2: ("n", "t", 6), 4: ("n", "s", "t")},
    ),
]


def grown(array: np.ndarray, dims: Sequence[int | str] | None) -> np.ndarray:
    """An array twice as long wherever its size has a name."""
    for axis, dim in enumerate(dims or ()):
        if isinstance(dim, str):
            array = np.concatenate([array, array], axis)
    return array


@pytest.mark.parametrize(("node", "shapes"), SYMBOLIC, ids=[f"{k}-{each[0][0]}" for k, each in enumerate(SYMBOLIC)])
def test_one_program_for_all_sizes(node: Node, shapes: dict[int, Sequence[int | str]]) -> None:
    model, arrays = model_for(node, shapes)
    program = tilewright.compile(import_model(model), threads=1)
    places = [k for k, array in enumerate(node[1]) if array is not None]
    for given in (arrays, [grown(array, shapes.get(k)) for k, array in zip(places, arrays, strict=True)]):
        results = program(*given)
        compare(results if isinstance(results, tuple) else [results], onnxruntime_results(model, *given))


REFUSED: list[tuple[Node, str, str]] = [
    (case("QuickGelu", real(3), scale=2.0), "TW0306", "attribute 'scale' with value 2.0 is not supported"),
    (case("Gelu", real(3), real(3)), "TW0303", "expected at most 1 inputs, but got 2"),
    (case("BiasGelu", real(3)), "TW0303", "expected input 'B'"),
    (case("BiasSplitGelu", real(3), real(3)), "TW0303", "expected an even number of channels, but got 3"),
    (case("FusedGemm", real(3, 3), real(3, 3), activation="Exp"), "TW0306", "attribute 'activation' with value Exp"),
    (
        case("FusedGemm", real(3, 3), real(3, 3), activation="Elu"),
        "TW0303",
        r"expected 1 parameters of the activation Elu, but got \[\]",
    ),
    (case("NhwcConv", real(3, 3), real(3, 3)), "TW0303", "expected an image with channels, but got rank 2"),
    (
        case("SkipLayerNormalization", real(2, 3), real(2, 3), real(3), results=[0, 1]),
        "TW0302",
        "output 'y1' of this operator is not supported",
    ),
    (
        case("EmbedLayerNormalization", _IDS, _SEGMENTS, *_TABLES, mask_index_type=2),
        "TW0306",
        "attribute 'mask_index_type' with value 2",
    ),
    (
        case("EmbedLayerNormalization", _IDS[0], _SEGMENTS, *_TABLES),
        "TW0303",
        "expected input_ids of rank 2, but got rank 1",
    ),
    *(
        (case("Attention", _X, _WEIGHTS, _BIAS, num_heads=2, **{name: 1}), "TW0306", f"attribute '{name}' with value 1")
        for name in ("do_rotary", "past_present_share_buffer", "rotary_embedding_dim")
    ),
    (
        case("Attention", _X, _WEIGHTS, _BIAS, np.int32(range(8)), num_heads=2),
        "TW0302",
        r"expected a mask of one or two numbers for each row, but got shape \[8\]",
    ),
    (
        case("Attention", _X, _WEIGHTS, _BIAS, whole(2, 2, 1, 4, 4), num_heads=2),
        "TW0302",
        "expected a mask of one to three dimensions",
    ),
    (case("Attention", _X, _WEIGHTS, _BIAS), "TW0303", "expected attribute 'num_heads' of at least 1, but got None"),
    (case("Attention", _X, _WEIGHTS, _BIAS, num_heads=3), "TW0303", "expected 3 heads to divide 8 channels"),
    (
        case("Attention", _X, _WEIGHTS, num_heads=2, qkv_hidden_sizes=[8, 6, 10]),
        "TW0303",
        "expected three sizes that make 24, the first two equal",
    ),
    (
        case("Attention", _X, _WEIGHTS, None, None, _PAST, None, np.int32([2]), num_heads=2),
        "TW0302",
        "input 'past_sequence_length' is not supported",
    ),
    (case("MultiHeadAttention", _QKV[0], num_heads=2), "TW0303", "expected key and value beside a query"),
    (
        case("MultiHeadAttention", _QKV[0], _QKV[1], real(2, 2, 5, 4), num_heads=2),
        "TW0303",
        r"but got ranks \[3, 3, 4\]",
    ),
    (
        case("MultiHeadAttention", *_QKV, None, None, None, real(2, 2, 2, 4), num_heads=2),
        "TW0303",
        "expected past_key and past_value, or none of them",
    ),
    (
        case("MultiHeadAttention", _QKV[0], real(2, 2, 5, 4), real(2, 2, 5, 4), real(24), num_heads=2),
        "TW0303",
        "expected no bias beside keys and values of rank 4",
    ),
    (case("DynamicTimeWarping", real(3, 3)), "TW0302", "com.microsoft.DynamicTimeWarping"),
]


@pytest.mark.parametrize(("node", "code", "message"), REFUSED, ids=[f"{k}-{r[0][0]}" for k, r in enumerate(REFUSED)])
def test_refused(node: Node, code: str, message: str) -> None:
    with pytest.raises(TilewrightError, match=message) as caught:
        import_model(model_for(node)[0])
    assert caught.value.code == code
