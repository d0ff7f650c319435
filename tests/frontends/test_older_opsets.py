"""Nodes of opsets below 7, whose attributes and broadcasting were others, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import import_model

from .models import node_model, reference_results
from .test_nodes import bits, ints, positive, real

X, CHANNELS = real(2, 3, 4), real(3)
MATRIX = real(3, 4)

CASES: list[tuple[str, int, list[np.ndarray], list[np.ndarray], dict[str, Any], np.ndarray]] = [
    ("Not", 1, [bits(2, 3)], [], {}, np.zeros(0)),
    ("Relu", 1, [X], [], {"consumed_inputs": [0]}, np.maximum(X, 0)),
    ("Add", 6, [X, X], [], {}, X + X),
    ("Add", 1, [X, CHANNELS], [], {"broadcast": 1, "axis": 1}, X + CHANNELS[:, None]),
    ("Mul", 6, [X, MATRIX], [], {"broadcast": 1}, X * MATRIX),
    ("Sub", 6, [X, real(4)], [], {"broadcast": 1, "axis": -1}, np.zeros(0)),
    ("PRelu", 6, [X], [CHANNELS], {}, np.where(X > 0, X, X * CHANNELS[:, None])),
    ("Cast", 1, [X], [], {"to": "INT32"}, X.astype(np.int32)),
    ("Concat", 1, [X, X], [], {}, np.concatenate([X, X], 1)),
    ("Pad", 1, [MATRIX], [], {"paddings": [1, 0, 0, 2], "value": 0.5}, np.zeros(0)),
    ("Reshape", 1, [X], [], {"shape": [0, -1]}, X.reshape(2, 12)),
    ("Tile", 1, [MATRIX], [np.array([2]), np.array([1])], {}, np.tile(MATRIX, (1, 2))),
    ("Split", 1, [MATRIX], [ints(4)], {"axis": 1}, MATRIX),
    ("Upsample", 1, [real(1, 1, 2, 2)], [], {"height_scale": 2.0, "width_scale": 3.0}, np.zeros(0)),
    ("GlobalLpPool", 1, [X], [], {"p": 2.0}, np.sqrt((X * X).sum(2, keepdims=True))),
    ("Dropout", 6, [X], [], {"is_test": 1}, X),
    ("Gemm", 6, [MATRIX], [real(4, 2), real(2)], {"broadcast": 1}, np.zeros(0)),
]


def _expected(operator: str, inputs: list[np.ndarray], constants: list[np.ndarray]) -> np.ndarray:
    """Return the results that are computed from drawn operands."""
    match operator:
        case "Not":
            return ~inputs[0]
        case "Sub":
            return inputs[0] - inputs[1]
        case "Pad":
            return np.pad(inputs[0], ((1, 0), (0, 2)), constant_values=0.5)
        case "Upsample":
            return np.repeat(np.repeat(inputs[0], 2, 2), 3, 3)
        case _:
            return inputs[0] @ constants[0] + constants[1]


@pytest.mark.parametrize(("operator", "opset", "inputs", "constants", "attributes", "wanted"), CASES)
def test_a_node_means_what_it_meant(
    operator: str,
    opset: int,
    inputs: list[np.ndarray],
    constants: list[np.ndarray],
    attributes: dict[str, Any],
    wanted: np.ndarray,
) -> None:
    model = node_model(operator, inputs, constants, opset=opset, **attributes)
    (result,) = reference_results(import_model(model), *inputs)
    expected = wanted if wanted.size else _expected(operator, inputs, constants)
    assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


def test_statistics_of_an_image_that_is_tested() -> None:
    x, scale, shift, mean, variance = real(2, 3, 4), real(3), real(3), real(3), positive(3)
    model = node_model("BatchNormalization", [x], [scale, shift, mean, variance], opset=6, is_test=1)
    (result,) = reference_results(import_model(model), x)
    scale, shift, mean, variance = (each[:, None] for each in (scale, shift, mean, variance))
    np.testing.assert_allclose(result, (x - mean) / np.sqrt(variance + 1e-5) * scale + shift, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("operator", "opset", "constants", "attributes", "code", "said"),
    [
        ("Dropout", 6, [], {}, "TW0302", "training mode"),
        ("Cast", 1, [], {"to": "INT33"}, "TW0303", "INT33"),
        ("GlobalLpPool", 1, [], {"p": 1.5}, "TW0306", "'p' with value 1.5"),
        ("Relu", 6, [], {"consumed_inputs": [0]}, "TW0303", "'consumed_inputs'"),
        ("Gelu", 6, [], {}, "TW0303", "opset 6 has no operator Gelu"),
    ],
)
def test_what_is_refused(
    operator: str, opset: int, constants: list[np.ndarray], attributes: dict[str, Any], code: str, said: str
) -> None:
    with pytest.raises(TilewrightError, match=said) as caught:
        import_model(node_model(operator, [X], constants, opset=opset, **attributes))
    assert caught.value.code == code
