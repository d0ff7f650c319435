"""Imported models as compiled programs: open batches, aliases of inputs and constants as outputs, element types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
import tilewright
from onnx.helper import make_node
from tilewright.frontends.onnx import import_model

from .models import model_of, onnxruntime_results
from .torch_exports import mobilenet


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


def test_one_program_for_every_batch() -> None:
    model = mobilenet("batch")
    program = tilewright.compile(import_model(model), threads=1)
    for batch in (1, 2, 5):
        x = np.random.default_rng(batch).standard_normal((batch, 3, 32, 32)).astype(np.float32)
        np.testing.assert_allclose(program(x), onnxruntime_results(model, x)[0], rtol=1e-4, atol=1e-5)


X = np.arange(6, dtype=np.float32).reshape(2, 3)
B = np.array([True, False])
D = np.random.default_rng(0).standard_normal((7, 5))
FLOATS = np.array([0.5, 2.0, 3.5], np.float32)

PROGRAMS: dict[str, tuple[Sequence[onnx.NodeProto], Sequence[np.ndarray], Sequence[str]]] = {
    "input": ([make_node("Identity", ["x0"], ["y"])], [X], ["y", "x0"]),
    "constant": ([make_node("Relu", ["x0"], ["y"])], [X], ["c", "y"]),
    "alias of an input": ([make_node("Flatten", ["x0"], ["y"], axis=0)], [X], ["y"]),
    "alias of a result": (
        [make_node("Relu", ["x0"], ["r"]), make_node("Flatten", ["r"], ["y"], axis=0)],
        [X],
        ["y", "r"],
    ),
    "two results": ([make_node("Split", ["x0"], ["y", "z"], axis=1, num_outputs=2)], [X], ["z", "y"]),
    "rank 0": ([make_node("ReduceSum", ["x0"], ["y"], keepdims=0)], [X], ["y"]),
    "integers": ([make_node("Cast", ["x0"], ["i"], to=7), make_node("Mul", ["i", "i"], ["y"])], [X], ["y"]),
    "conditions": (
        [make_node("Greater", ["x0", "c"], ["b"]), make_node("Where", ["b", "x0", "c"], ["y"])],
        [X],
        ["y", "b"],
    ),
    "bool": ([make_node("Not", ["x0"], ["n"]), make_node("Or", ["x0", "n"], ["y"])], [B], ["n", "y"]),
    "float64": ([make_node("Transpose", ["x0"], ["t"]), make_node("MatMul", ["x0", "t"], ["y"])], [D], ["y"]),
    "indices": ([make_node("Gather", ["x0", "x1"], ["y"], axis=1)], [X, np.array([2, 0, -1])], ["y"]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_onnxruntime(name: str) -> None:
    nodes, inputs, outputs = PROGRAMS[name]
    named = {f"x{k}": array for k, array in enumerate(inputs)}
    model = model_of(nodes, named, outputs, {"c": FLOATS})
    results = tilewright.compile(import_model(model), threads=1)(*inputs)
    results = results if len(outputs) > 1 else [results]
    for actual, expected in zip(results, onnxruntime_results(model, *inputs), strict=True):
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        np.testing.assert_allclose(actual, expected, rtol=1e-6)
