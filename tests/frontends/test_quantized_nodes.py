"""Quantised operators of ONNX: values against the evaluator that onnx brings, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx.reference import ReferenceEvaluator
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import graph
from tilewright.frontends.onnx import import_model

from .models import model_of, node_model, reference_results

_rng = np.random.default_rng(11)
_NUMBERS = np.float32([[-900.0, -1.25, -0.25, 0.25], [0.5, 0.75, 1.0, 900.0]])


def _whole(dtype: str, *shape: int) -> np.ndarray:
    info = np.iinfo(dtype)
    return _rng.integers(info.min, info.max, shape, endpoint=True).astype(dtype)


def _scale(*values: float) -> np.ndarray:
    return np.float32(values if len(values) > 1 else values[0])


CASES: list[tuple[str, list[np.ndarray], list[np.ndarray | None], dict[str, Any]]] = [
    ("QuantizeLinear", [_NUMBERS], [_scale(0.5)], {"opset": 13}),
    *(
        ("QuantizeLinear", [_NUMBERS], [_scale(0.5), np.array(3, dtype)], {"opset": 21})
        for dtype in ("uint8", "int8", "uint16", "int16")
    ),
    ("QuantizeLinear", [_NUMBERS], [_scale(0.5, 1.5), np.uint8([1, 9])], {"axis": 0, "opset": 13}),
    ("QuantizeLinear", [_NUMBERS], [np.float32([[0.5, 2], [1, 3]])], {"axis": 1, "block_size": 2, "opset": 21}),
    ("QuantizeLinear", [_NUMBERS], [_scale(0.5)], {"output_dtype": onnx.TensorProto.INT16, "opset": 21}),
    *(
        ("DequantizeLinear", [_whole(dtype, 2, 4)], [_scale(0.5), np.array(3, dtype)], {"opset": 21})
        for dtype in ("uint8", "int8", "uint16", "int16")
    ),
    ("DequantizeLinear", [_whole("int8", 2, 4)], [_scale(0.5, 2, 3, 4)], {"axis": -1, "opset": 19}),
    (
        "DequantizeLinear",
        [_whole("uint8", 2, 4)],
        [np.float32([[0.5, 2], [1, 3]]), np.uint8([[1, 2], [3, 4]])],
        {"axis": 1, "block_size": 2, "opset": 21},
    ),
    ("DynamicQuantizeLinear", [_NUMBERS / 300], [], {"outputs": 3, "opset": 11}),
    ("DynamicQuantizeLinear", [np.abs(_NUMBERS)], [], {"outputs": 3, "opset": 11}),
    ("MatMulInteger", [_whole("uint8", 2, 3, 4), _whole("int8", 4, 5)], [np.uint8(7), np.int8(-3)], {"opset": 10}),
    ("MatMulInteger", [_whole("int8", 3, 4), _whole("uint8", 4)], [], {"opset": 10}),
    (
        "QLinearMatMul",
        [_whole("uint8", 3, 4)],
        [_scale(0.5), np.uint8(99), _whole("int8", 4, 5), _scale(0.25), np.int8(-3), _scale(30.0), np.uint8(120)],
        {"opset": 10},
    ),
    (
        "ConvInteger",
        [_whole("uint8", 1, 2, 5, 6), _whole("uint8", 3, 2, 2, 3)],
        [np.uint8(100)],
        {"pads": [1, 0, 1, 2], "strides": [1, 2], "opset": 10},
    ),
    (
        "QLinearConv",
        [_whole("uint8", 1, 2, 5, 6)],
        [
            *(_scale(0.5), np.uint8(99), _whole("uint8", 3, 2, 3, 3), np.float32([0.2, 0.3, 0.4]), np.uint8([5, 6, 7])),
            *(_scale(90.0), np.uint8(120), np.int32([100, -900, 30])),
        ],
        {"pads": [1, 1, 1, 1], "opset": 10},
    ),
]


@pytest.mark.each("node", CASES, ids=[f"{k}-{node[0]}" for k, node in enumerate(CASES)])
def test_agrees_with_the_evaluator_of_onnx(node: tuple[str, list[np.ndarray], list[np.ndarray | None], Any]) -> None:
    operator, inputs, constants, rest = node
    model = node_model(operator, inputs, constants, **rest)
    results = reference_results(import_model(model), *inputs)
    expected = ReferenceEvaluator(model).run(None, {f"x{k}": array for k, array in enumerate(inputs)})
    for actual, wanted in zip(results, expected, strict=True):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(actual, wanted, rtol=1e-6)


def test_columns_and_rows_have_separate_zero_points() -> None:
    a, b = _whole("uint8", 3, 4), _whole("uint8", 4, 2)
    rows, columns = np.uint8([1, 2, 3]), np.uint8([200, 9])
    module = import_model(node_model("MatMulInteger", [a, b], [rows, columns], opset=10))
    wide = [each.astype(np.int32) for each in (a, rows[:, None], b, columns)]
    np.testing.assert_array_equal(reference_results(module, a, b)[0], (wide[0] - wide[1]) @ (wide[2] - wide[3]))


WINDOWS = [
    {"pads": pads, "strides": strides, "dilations": dilations, "group": group}
    for pads in ([0, 0, 0, 0], [1, 0, 2, 1], [2, 2, 2, 2])
    for strides in ([1, 1], [2, 3])
    for dilations in ([1, 1], [2, 1])
    for group in (1, 2)
] + [{"auto_pad": mode, "strides": [2, 1]} for mode in ("SAME_UPPER", "SAME_LOWER", "VALID")]


@pytest.mark.each("window", WINDOWS)
def test_zero_points_that_are_data_are_taken_from_what_windows_see(window: dict[str, Any]) -> None:
    """As the dynamic form has them: weights at the edge that read padding take no part."""
    x, zero = _whole("uint8", 1, 4, 9, 8), np.asarray(31, np.uint8)
    weights = _whole("uint8", 4, 4 // window.get("group", 1), 3, 2) % 200  # they fit into bytes less their zero point
    names, constants = ["x", "w", "zero", "wz"], {"w": weights, "wz": np.asarray(117, np.uint8)}
    node = onnx.helper.make_node("ConvInteger", names, ["y"], **window)
    model = model_of([node], {"x": x, "zero": zero}, ["y"], constants, opset=18)
    module = import_model(model)
    images = [op.x.owner for op in module.walk() if isinstance(op, graph.Conv2dOp)]
    assert images and not any(isinstance(owner, graph.ConstantOp) for owner in images)
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x, "zero": zero})[0]
    np.testing.assert_array_equal(reference_results(module, x, zero)[0], expected)


@pytest.mark.parametrize(
    ("constants", "attributes", "message"),
    [
        (
            [_scale(0.5), np.uint8(3)],
            {"output_dtype": onnx.TensorProto.INT8},
            "a zero point of type int8, but got uint8",
        ),
        ([np.ones((2, 2), np.float32)], {}, r"expected a vector without block_size, but got shape \[2, 2\]"),
    ],
)
def test_parameters_that_do_not_fit(constants: list[np.ndarray], attributes: dict[str, Any], message: str) -> None:
    with pytest.raises(TilewrightError, match=message) as caught:
        import_model(node_model("QuantizeLinear", [_NUMBERS], constants, opset=21, **attributes))
    assert caught.value.code == "TW0303"
