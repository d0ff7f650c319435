"""ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp and ReduceSumSquare beside numpy and onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tilewright
from onnx import helper

from .models import model_of, onnxruntime_results


def _log_sum_exp(x: np.ndarray, axes: tuple[int, ...], keepdims: bool) -> np.ndarray:
    greatest = x.max(axis=axes, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(greatest), greatest, 0)
    with np.errstate(divide="ignore", over="ignore"):
        result = np.log(np.exp(x - shift).sum(axis=axes, keepdims=True)) + shift
    return result if keepdims else np.squeeze(result, axes)


def _log_sum(x: np.ndarray, axes: tuple[int, ...], keepdims: bool) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x.sum(axis=axes, keepdims=keepdims))


_MEANINGS: dict[str, Callable[[np.ndarray, tuple[int, ...], bool], np.ndarray]] = {
    "ReduceL1": lambda x, axes, keepdims: np.abs(x).sum(axis=axes, keepdims=keepdims),
    "ReduceL2": lambda x, axes, keepdims: np.sqrt((x * x).sum(axis=axes, keepdims=keepdims)),
    "ReduceLogSum": _log_sum,
    "ReduceLogSumExp": _log_sum_exp,
    "ReduceSumSquare": lambda x, axes, keepdims: (x * x).sum(axis=axes, keepdims=keepdims),
}
_TOLERANCES = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 2e-6, "float64": 1e-14}


def _model(operator: str, x: Any, opset: int, axes: tuple[int, ...] | None, keepdims: int) -> Any:
    """Return a model of one node; its axes are an attribute below opset 18 and a constant after."""
    is_input = opset >= 18 and axes is not None
    attributes = {} if opset >= 18 or axes is None else {"axes": axes}
    node = helper.make_node(operator, ["x", "axes"] if is_input else ["x"], ["y"], keepdims=keepdims, **attributes)
    return model_of([node], {"x": x}, ["y"], {"axes": np.array(axes)} if is_input else {}, opset)


def test_every_opset_takes_axes_as_it_has_them() -> None:
    x = np.random.default_rng(0).uniform(0.5, 2, (2, 3, 4)).astype(np.float32)
    wrong: list[str] = []
    for operator in _MEANINGS:
        for opset, axes, keepdims in ((7, (1,), 1), (11, (-1, 0), 0), (13, None, 0), (18, (1, 2), 1), (20, None, 1)):
            model = _model(operator, x, opset, axes, keepdims)
            found, (expected,) = tilewright.compile(model)(x), onnxruntime_results(model, x)
            if found.shape != expected.shape or not np.allclose(found, expected, rtol=2e-6):
                wrong.append(f"{operator} at opset {opset} of axes {axes}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


def test_without_axes_nothing_is_added_up() -> None:
    x = np.array([[-2.0, 3.0]], np.float32)
    expected = {"ReduceL1": np.abs(x), "ReduceL2": np.abs(x), "ReduceSumSquare": x * x, "ReduceLogSumExp": x}
    for operator, value in expected.items():
        node = helper.make_node(operator, ["x"], ["y"], noop_with_empty_axes=1)
        np.testing.assert_array_equal(tilewright.compile(model_of([node], {"x": x}, ["y"]))(x), value, operator)


_HARD = {
    "large": [[1000, 1000, 999.5], [3e4, 1, -3e4]],
    "very negative": [[-1000, -1001, -1002], [-3e4, -3e4, -3e4]],
    "infinite": [[np.inf, 1, -np.inf], [-np.inf, -np.inf, -np.inf]],
    "not numbers": [[np.nan, np.inf, 1], [1, np.nan, -np.inf]],
    "infinite beside finite": [[-np.inf, 2, 3], [np.inf, np.inf, 0]],
}


@pytest.mark.parametrize("target", ["cpu", "c", "interpreter"])
def test_the_logarithm_of_a_sum_of_powers_is_exact_where_powers_overflow(target: str) -> None:
    wrong: list[str] = []
    for dtype, tolerance in _TOLERANCES.items():
        element = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
        program = tilewright.compile(_model("ReduceLogSumExp", (dtype, ["n", 3]), 18, (1,), 0), target)
        for name, rows in _HARD.items():
            x = np.array(rows).astype(element)
            expected = _log_sum_exp(x.astype(np.float64), (1,), False)
            found = program(x).astype(np.float64)
            if not np.allclose(found, expected, rtol=tolerance, equal_nan=True):
                wrong.append(f"{name} of {dtype}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


def test_sums_over_no_elements() -> None:
    for operator, value in (("ReduceLogSumExp", -np.inf), ("ReduceLogSum", -np.inf), ("ReduceL2", 0), ("ReduceL1", 0)):
        program = tilewright.compile(_model(operator, ("float32", [2, "n"]), 18, (1,), 1))
        found = program(np.zeros((2, 0), np.float32))
        np.testing.assert_array_equal(found, np.full((2, 1), value, np.float32), operator)


def test_of_integers_sums_are_exact_and_roots_are_cut() -> None:
    x = np.array([[3, -4, 12], [1, 2, 5]], np.int32)
    expected = {"ReduceL1": [19, 8], "ReduceSumSquare": [169, 30], "ReduceL2": [13, 5], "ReduceLogSum": [2, 2]}
    for operator, value in expected.items():
        found = tilewright.compile(_model(operator, x, 18, (1,), 0))(x)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, value, operator)


def test_softmax_and_its_logarithm_of_large_numbers() -> None:
    rows = [[1000, 999, -1000], [-1e4, -1e4, -1e4 - 1], [-np.inf, 3e4, 3e4]]
    for dtype, tolerance in (("float16", 1e-3), ("float32", 2e-6), ("float64", 1e-14)):
        x = np.array(rows).astype(dtype)
        shifted = x.astype(np.float64) - x.max(axis=1, keepdims=True)
        expected = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        for operator, value in (("LogSoftmax", expected), ("Softmax", np.exp(expected))):
            node = helper.make_node(operator, ["x"], ["y"], axis=1)
            found = tilewright.compile(model_of([node], {"x": x}, ["y"]))(x)
            np.testing.assert_allclose(found, value.astype(dtype), rtol=tolerance, atol=tolerance, err_msg=operator)
