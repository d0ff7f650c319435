"""Operators of onnxruntime's own against onnxruntime; against numpy where it has none for CPUs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import helper
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import graph
from tilewright.frontends.onnx import import_model
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import i32

from .models import model_of, onnxruntime_results, reference_results
from .onnxruntime_nodes import (
    ANGLES,
    BIAS,
    IDS,
    MASK,
    MASKS,
    NODES,
    NUMBERS,
    PAST,
    QKV,
    QUANTIZED,
    RECURRENT,
    SEGMENTS,
    TABLES,
    TURNS,
    WEIGHTS,
    WINDOW,
    WITHOUT_KERNELS,
    Node,
    X,
    case,
    grouped,
    model_for,
    real,
    values_of,
    whole,
)


def compare(results: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    for actual, wanted in zip(results, expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(actual, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.each("node", NODES, ids=[f"{k}-{node[0]}" for k, node in enumerate(NODES)])
def test_agrees_with_onnxruntime(node: Node) -> None:
    model, arrays = model_for(node)
    compare(
        reference_results(import_model(model, values=values_of(node)), *arrays), onnxruntime_results(model, *arrays)
    )


def of_quantized(operator: str, kept: slice, others: dict[int, np.ndarray | None] | None = None, **rest: Any) -> Node:
    """Return the first node of an operator with some of its inputs, or others."""
    _, inputs, attributes = next(node for node in [*QUANTIZED, *RECURRENT] if node[0] == operator)
    inputs = [(others or {}).get(k, array) for k, array in enumerate(inputs)]
    return operator, inputs[kept], {**attributes, **rest}


@pytest.mark.each("node", RECURRENT)
def test_steps_on_integers_agree_with_onnxruntime(node: Node) -> None:
    model, arrays = model_for(node)
    compare(evaluate(import_model(model), *arrays), onnxruntime_results(model, *arrays))


def test_a_compiled_layer_agrees_with_onnxruntime() -> None:
    """Its products are of bytes."""
    model, arrays = model_for(RECURRENT[4])
    program = tilewright.compile(import_model(model), threads=1)
    compare(program(*arrays), onnxruntime_results(model, *arrays))
    products = [op for op in import_model(model).walk() if isinstance(op, graph.MatmulOp)]
    assert len(products) == 4 and all(op.out_dtype == i32 for op in products)


@pytest.mark.parametrize(("node", "wanted"), WITHOUT_KERNELS, ids=[node[0] for node, _ in WITHOUT_KERNELS])
def test_agrees_with_numpy(node: Node, wanted: np.ndarray) -> None:
    model, arrays = model_for(node)
    compare(reference_results(import_model(model), *arrays), [wanted])


@pytest.mark.parametrize(
    ("past", "ends", "lengths", "kept", "rest"),
    [(8, [5, 3], [2, 3], [6, 4], {}), (5, [8, 3], [3, 2], [3, 4], WINDOW), (5, [8, 5], [1, 3], [3, 3], WINDOW)],
)
def test_queries_and_kept_keys_of_any_number(
    past: int, ends: list[int], lengths: list[int], kept: list[int], rest: dict[str, int]
) -> None:
    """Elements behind the kept ones in a row are unspecified."""
    node = grouped(2, 3, past, ends, 9, *TURNS, *(None,) * 7, np.int32(lengths), do_rotary=1, **rest)
    model, arrays = model_for(node)
    results = reference_results(import_model(model, values=values_of(node)), *arrays)
    parts = [
        [result[row, :count] if position == 0 else result[row, :, :count] for row, count in enumerate(counts)]
        for found in (results, onnxruntime_results(model, *arrays))
        for position, (result, counts) in enumerate(zip(found, (lengths, kept, kept), strict=True))
    ]
    for actual, expected in zip(parts[:3], parts[3:], strict=True):
        compare(actual, expected)


_ROWS = ("n", "s", 5)

SYMBOLIC: list[tuple[Node, dict[int, Sequence[int | str]]]] = [
    (case("FastGelu", real(2, 3, 5), real(5)), {0: _ROWS}),
    (case("SkipLayerNormalization", real(2, 3, 5), real(2, 3, 5), real(5), results=[0, 3]), {0: _ROWS, 1: _ROWS}),
    (
        case("EmbedLayerNormalization", IDS, SEGMENTS, *TABLES, MASK, results=[0, 1]),
        dict.fromkeys((0, 1, 7), ("n", "s")),
    ),
    *(
        (case("Attention", X, WEIGHTS, BIAS, mask, num_heads=2, unidirectional=1), {0: _ROWS, 3: dims})
        for mask, dims in ((MASKS[0], ("n",)), (MASKS[2], ("n", "s")), (MASKS[5], ("n", "s", "s")))
    ),
    (
        case("Attention", X, WEIGHTS, BIAS, None, PAST, num_heads=2, unidirectional=1, results=[0, 1]),
        {0: _ROWS, 4: (2, "n", 2, "p", 4)},
    ),
    (
        case("MultiHeadAttention", *QKV, None, whole(2, 2, 3, 5), num_heads=2),
        {0: ("n", "s", 8), 1: ("n", "t", 8), 2: ("n", "t", 6), 4: ("n", "s", "t")},
    ),
    (case("RotaryEmbedding", real(2, 3, 8), NUMBERS, *ANGLES), {0: ("n", "s", 8), 1: ("n", "s")}),
    (case("RotaryEmbedding", real(2, 3, 8), np.array([2]), *ANGLES, interleaved=1), {0: ("n", "s", 8)}),
]


def grown(array: np.ndarray, dims: Sequence[int | str] | None) -> np.ndarray:
    """Return an array twice as long wherever its size has a name."""
    for axis, dim in enumerate(dims or ()):
        if isinstance(dim, str):
            array = np.concatenate([array, array], axis)
    return array


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("node", "shapes"), SYMBOLIC, ids=[f"{k}-{each[0][0]}" for k, each in enumerate(SYMBOLIC)])
def test_one_program_for_all_sizes(node: Node, shapes: dict[int, Sequence[int | str]]) -> None:
    model, arrays = model_for(node, shapes)
    program = tilewright.compile(import_model(model), threads=1)
    positions = [k for k, array in enumerate(node[1]) if array is not None]
    for given in (arrays, [grown(array, shapes.get(k)) for k, array in zip(positions, arrays, strict=True)]):
        results = program(*given)
        compare(results if isinstance(results, tuple) else [results], onnxruntime_results(model, *given))


def test_rows_of_any_length_behind_what_is_past() -> None:
    """One step of generation as exporters write it: the total is the length of the mask, the ends are its sums."""
    nodes = [
        helper.make_node("Shape", ["mask"], ["sizes"]),
        helper.make_node("Gather", ["sizes", "one"], ["length"]),
        helper.make_node("Cast", ["length"], ["total"], to=onnx.TensorProto.INT32),
        helper.make_node("ReduceSum", ["mask", "one"], ["sums"], keepdims=0),
        helper.make_node("Sub", ["sums", "one"], ["wide"]),
        helper.make_node("Cast", ["wide"], ["ends"], to=onnx.TensorProto.INT32),
        helper.make_node(
            "GroupQueryAttention",
            ["q", "k", "v", "past_k", "past_v", "ends", "total", "cos", "sin"],
            ["y", "present_k", "present_v"],
            domain="com.microsoft",
            num_heads=4,
            kv_num_heads=2,
            do_rotary=1,
        ),
    ]
    past = ("float32", ("n", 2, "p", 16))
    inputs = {
        **{name: ("float32", ("n", "s", size)) for name, size in (("q", 64), ("k", 32), ("v", 32))},
        "past_k": past,
        "past_v": past,
        "mask": ("int64", ("n", "p + s")),
    }
    constants = {"one": np.array([1]), "cos": TURNS[0], "sin": TURNS[1]}
    model = model_of(nodes, inputs, ["y", "present_k", "present_v"], constants, opset=17)
    program = tilewright.compile(import_model(model), threads=1)
    for rows, length, before, ends in ((2, 1, 5, (6, 4)), (1, 3, 5, (8,)), (2, 1, 1, (2, 2)), (1, 4, 0, (4,))):
        mask = (np.arange(before + length) < np.array(ends)[:, None]).astype(np.int64)
        arrays = [real(rows, length, size) for size in (64, 32, 32)]
        arrays += [real(rows, 2, before, 16), real(rows, 2, before, 16), mask]
        compare(program(*arrays), onnxruntime_results(model, *arrays))


FUSED_BY_ONNXRUNTIME: list[tuple[str, str, str, dict[str, Any]]] = [
    ("MatMul", "x wide", "product", {}),
    ("Add", "product bias", "h", {}),
    ("Div", "h root", "small", {}),
    ("Erf", "small", "erf", {}),
    ("Add", "erf one", "share", {}),
    ("Mul", "h share", "twice", {}),
    ("Mul", "twice half", "gelu", {}),
    ("MatMul", "gelu narrow", "back", {}),
    ("Add", "back shift", "shifted", {}),
    ("Add", "shifted x", "skipped", {}),
    ("LayerNormalization", "skipped scale shift", "norm", {"axis": -1}),
    ("Sigmoid", "norm", "gate", {}),
    ("Mul", "norm gate", "q", {}),
    ("Transpose", "q", "turned", {"perm": [0, 2, 1]}),
    ("MatMul", "q turned", "y", {}),
]


def test_a_model_that_onnxruntime_has_optimised(tmp_path: Path) -> None:
    nodes = [
        helper.make_node(name, inputs.split(), [output], **rest) for name, inputs, output, rest in FUSED_BY_ONNXRUNTIME
    ]
    constants = {
        "wide": real(8, 32) / 3,
        "narrow": real(32, 8) / 5,
        "bias": real(32),
        "scale": real(8),
        "shift": real(8),
        **{name: np.array(value, np.float32) for name, value in (("half", 0.5), ("one", 1), ("root", 2**0.5))},
    }
    model = model_of(nodes, {"x": ("float32", ("n", "s", 8))}, ["y"], constants, opset=17)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(tmp_path / "optimised.onnx")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    fused = {node.op_type for node in onnx.load(options.optimized_model_filepath).graph.node if node.domain}
    assert fused == {"BiasGelu", "SkipLayerNormalization", "QuickGelu", "FusedMatMul"}
    program = tilewright.compile(options.optimized_model_filepath, threads=1)
    for sizes in ((2, 3), (1, 7)):
        x = real(*sizes, 8)
        compare([program(x)], session.run(None, {"x": x}))


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
        case("EmbedLayerNormalization", IDS, SEGMENTS, *TABLES, mask_index_type=2),
        "TW0306",
        "attribute 'mask_index_type' with value 2",
    ),
    (
        case("EmbedLayerNormalization", IDS[0], SEGMENTS, *TABLES),
        "TW0303",
        "expected input_ids of rank 2, but got rank 1",
    ),
    *(
        (case("Attention", X, WEIGHTS, BIAS, num_heads=2, **{name: 1}), "TW0306", f"attribute '{name}' with value 1")
        for name in ("do_rotary", "past_present_share_buffer", "rotary_embedding_dim")
    ),
    (
        case("Attention", X, WEIGHTS, BIAS, np.int32(range(7)), num_heads=2),
        "TW0302",
        r"expected a mask of one or two numbers for each row, but got shape \[7\]",
    ),
    (
        case("Attention", X, WEIGHTS, BIAS, whole(2, 2, 1, 4, 4), num_heads=2),
        "TW0302",
        "expected a mask of one to three dimensions",
    ),
    (case("Attention", X, WEIGHTS, BIAS), "TW0303", "expected attribute 'num_heads' of at least 1, but got None"),
    (case("Attention", X, WEIGHTS, BIAS, num_heads=3), "TW0303", "expected 3 heads to divide 8 channels"),
    (
        case("Attention", X, WEIGHTS, num_heads=2, qkv_hidden_sizes=[8, 6, 10]),
        "TW0303",
        "expected three sizes that make 24, the first two equal",
    ),
    (
        case("Attention", X, WEIGHTS, None, None, PAST, None, np.int32([2]), num_heads=2),
        "TW0302",
        "input 'past_sequence_length' is not supported",
    ),
    *(
        (grouped(1, 3, None, [2], 3, **{name: value}), "TW0306", f"attribute '{name}' with value {value}")
        for name, value in (
            ("kv_cache_bit_width", 8),
            ("k_quant_type", "PER_TENSOR"),
            ("v_quant_type", "PER_CHANNEL"),
        )
    ),
    (
        grouped(1, 3, None, [2], 3, *(None,) * 7, real(16), real(16)),
        "TW0302",
        "input 'q_norm_weight' is not supported",
    ),
    (grouped(1, 3, None, [2], 3, k_quant_type="PER_TENSOR"), "TW0306", "keys that are kept are floats"),
    (grouped(1, 3, None, [2], 3, qk_output=3), "TW0303", "expected 0, 1 or 2 for attribute 'qk_output', but got 3"),
    (grouped(1, 3, 5, [7], 8, sliding_window_cache=1), "TW0303", "expected local_window_size, past_key"),
    (
        grouped(1, 3, 5, [7], 8, sliding_window_cache=1, local_window_size=6),
        "TW0303",
        "expected a cache of at least 6 keys, but got 5",
    ),
    (
        grouped(1, 3, 5, [7], 8, None, None, None, real(1, 4, 3, 8), **WINDOW),
        "TW0302",
        "input 'attention_bias' beside sliding_window_cache",
    ),
    (
        grouped(1, 3, None, [2], 3, *(None,) * 9, np.int32([3])),
        "TW0303",
        "expected past_key and past_value beside query_seqlens",
    ),
    (grouped(1, 3, None, [2], 3, do_rotary=1), "TW0303", "expected cos_cache and sin_cache beside do_rotary"),
    (
        case("GroupQueryAttention", real(1, 3, 64), num_heads=4, kv_num_heads=3),
        "TW0303",
        "expected attribute 'kv_num_heads' to divide 4 heads, but got 3",
    ),
    (
        case("GroupQueryAttention", real(1, 3, 64), num_heads=2, kv_num_heads=1),
        "TW0303",
        "expected seqlens_k and total_sequence_length",
    ),
    (
        case("GroupQueryAttention", real(1, 3, 64), real(1, 3, 64), num_heads=2, kv_num_heads=1),
        "TW0303",
        "expected key and value, or none of them",
    ),
    (
        case(
            "GroupQueryAttention",
            *(real(1, 3, 64), None, None, real(1, 1, 1, 16), None, np.int32([2]), np.int32([3])),
            num_heads=2,
            kv_num_heads=1,
        ),
        "TW0303",
        "expected past_key and past_value, or none of them",
    ),
    (
        case("RotaryEmbedding", real(2, 3, 8), NUMBERS, *ANGLES, rotary_embedding_dim=4),
        "TW0303",
        "expected attribute 'num_heads' beside rotary_embedding_dim",
    ),
    (
        case("RotaryEmbedding", real(3, 8), NUMBERS, *ANGLES),
        "TW0303",
        "expected a tensor of three or four dimensions, but got rank 2",
    ),
    (
        case("RotaryEmbedding", real(2, 2, 3, 2), NUMBERS, *ANGLES),
        "TW0303",
        "expected at most 1 angles for a head of 2 channels, but got 2",
    ),
    (case("MultiHeadAttention", QKV[0], num_heads=2), "TW0303", "expected key and value beside a query"),
    (
        case("MultiHeadAttention", QKV[0], QKV[1], real(2, 2, 5, 4), num_heads=2),
        "TW0303",
        r"but got ranks \[3, 3, 4\]",
    ),
    (
        case("MultiHeadAttention", *QKV, None, None, None, real(2, 2, 2, 4), num_heads=2),
        "TW0303",
        "expected past_key and past_value, or none of them",
    ),
    (
        case("MultiHeadAttention", QKV[0], real(2, 2, 5, 4), real(2, 2, 5, 4), real(24), num_heads=2),
        "TW0303",
        "expected no bias beside keys and values of rank 4",
    ),
    (of_quantized("QLinearAdd", slice(6)), "TW0303", "expected input 'C_scale'"),
    (of_quantized("QLinearAveragePool", slice(3)), "TW0303", "expected input 'y_scale'"),
    (of_quantized("QLinearSigmoid", slice(3)), "TW0303", "expected input 'Y_scale'"),
    (of_quantized("QGemm", slice(9), {6: real(5)}), "TW0303", "expected C of type int32, but got float32"),
    (of_quantized("QAttention", slice(3)), "TW0303", "expected input 'input_scale'"),
    (of_quantized("QAttention", slice(9), {4: real(7)}), "TW0303", r"broadcast, but got \[2, 3, 24\] and \[7\]"),
    (of_quantized("QAttention", slice(9), do_rotary=1), "TW0306", "attribute 'do_rotary' with value 1"),
    (of_quantized("QEmbedLayerNormalization", slice(18), {8: None}), "TW0303", "input 'word_embedding_scale'"),
    (of_quantized("QEmbedLayerNormalization", slice(18), {0: IDS[0]}), "TW0303", "rank 2, but got rank 1"),
    (of_quantized("DynamicQuantizeLSTM", slice(8)), "TW0303", "expected input 'W_scale'"),
    (of_quantized("DynamicQuantizeLSTM", slice(12), {8: real(3)}), "TW0303", r"of shape \[1\] or \[1, 16\], but got"),
    (of_quantized("DynamicQuantizeLSTM", slice(12), hidden_size=7), "TW0303", "hidden_size 4 as the weights have"),
    (case("DynamicTimeWarping", real(3, 3)), "TW0302", "com.microsoft.DynamicTimeWarping"),
]


@pytest.mark.each(("node", "code", "message"), REFUSED, ids=[f"{k}-{r[0][0]}" for k, r in enumerate(REFUSED)])
def test_refused(node: Node, code: str, message: str) -> None:
    with pytest.raises(TilewrightError, match=message) as caught:
        import_model(model_for(node)[0])
    assert caught.value.code == code
