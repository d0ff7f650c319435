"""Recompilations of a program that runs: each is announced once, with its reason and what avoids it."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import onnx
import pytest
import tilewright
from onnx import TensorProto, helper
from tilewright.diagnostics.remarks import collect_remarks

from .test_matched_sizes import SUM, drawn, parsed


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


def announced(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the warnings since the last call of this function."""
    found = [r.getMessage() for r in caplog.records if r.name == "tilewright.versions"]
    assert all(r.levelno == logging.WARNING for r in caplog.records)
    caplog.clear()
    return found


BY_VALUE = parsed("(float[n, 3] x, int64[k] axes) => (float[] y)", "y = ReduceSum(x, axes)")
BY_SIZE = parsed("(float[n, 3] x) => (float[] y)", "y = EyeLike(x)")


def test_the_first_version_is_no_recompilation(caplog: pytest.LogCaptureFixture) -> None:
    program = tilewright.compile(BY_VALUE, "interpreter")
    (x,) = drawn((2, 3))
    for axes in ([0], [0]):
        program(x, np.array(axes))
    assert announced(caplog) == []


def test_a_value_is_announced_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    program = tilewright.compile(BY_VALUE, "interpreter", specialise=[{"axes": [0]}])
    (x,) = drawn((2, 3))
    program(x, np.array([0]))
    assert announced(caplog) == []
    with collect_remarks() as remarks:
        for _ in range(2):
            np.testing.assert_allclose(program(x, np.array([1])), x.sum(1, keepdims=True), rtol=1e-6)
    text = (
        "the program is compiled again while it runs: version 2 of at most 16 is compiled for axes = [1], because "
        "node 'y' (ReduceSum, opset 21): expected the axes to be known when the model is imported, but 'axes' depends "
        "on the model's inputs"
    )
    remedy = '`specialise=[{"axes": …}, …]` compiles versions beforehand'
    assert announced(caplog) == [f"TW0330: {text} ({remedy})"]
    assert [(each.message, each.notes, each.kind) for each in remarks if each.code == "TW0330"] == [
        (text, (remedy,), "missed")
    ]


def test_a_size_that_has_to_be_a_number_is_announced(caplog: pytest.LogCaptureFixture) -> None:
    program = tilewright.compile(BY_SIZE, "interpreter")
    for rows in (1, 2, 1):
        np.testing.assert_array_equal(program(*drawn((rows, 3))), np.eye(rows, 3))
    (text,) = announced(caplog)
    assert "version 2 of at most 16 is compiled for n = 2, because node" in text
    assert '`sizes={"n": …}` fixes the size' in text


def test_sizes_that_were_taken_to_be_equal_are_announced(caplog: pytest.LogCaptureFixture) -> None:
    program = tilewright.compile(SUM, threads=1)
    for shapes in (((2, 3), (2, 3)), ((2, 3), (1, 3)), ((2, 3), (1, 3))):
        program(*drawn(*shapes))
    (text,) = announced(caplog)
    assert "because it takes sizes to be equal that differ in this call: a and n, b and k" in text
    assert "bring inputs of equal sizes" in text


def test_another_value_of_a_default_is_announced(caplog: pytest.LogCaptureFixture) -> None:
    k = helper.make_tensor_value_info("k", TensorProto.FLOAT, [3])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])
    value = onnx.numpy_helper.from_array(np.ones(3, np.float32), "k")
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node("Mul", ["x", "k"], ["y"])], "g", [x, k], [y], [value])
    program = tilewright.compile(
        helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), "interpreter"
    )
    (data,) = drawn((3,))
    program(data)
    assert announced(caplog) == []
    for factor in (2, 3):
        np.testing.assert_array_equal(program(data, np.full(3, factor, np.float32)), data * factor)
    (text,) = announced(caplog)
    assert "compiled for other values of k, because a call brings another value of 'k'" in text
    assert "leave 'k' out of calls" in text


def test_a_version_that_made_room_is_announced_again(caplog: pytest.LogCaptureFixture) -> None:
    model = parsed(
        "(int64 n) => (int64[] y)", "a = Constant<value_int = 0>() b = Constant<value_int = 1>() y = Range(a, n, b)"
    )
    program = tilewright.compile(model, "interpreter")
    for n in [*range(17), 0]:
        np.testing.assert_array_equal(program(np.array(n)), np.arange(n))
    found = announced(caplog)
    assert len(found) == 17 and "compiled for n = 0" in found[-1]
