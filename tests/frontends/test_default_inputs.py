"""Initializers that are inputs too: defaults that callers may replace, beside onnxruntime."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import helper, numpy_helper
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.frontends.onnx import import_model
from tilewright.runtime.defaults import DefaultedCall
from tilewright.tools.cli import main

FLOAT, INT = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64
X = np.array([10, 20, 30], np.float32)
K, B = np.array([1, 2, 3], np.float32), np.array([100], np.float32)


def scaled(ir_version: int = 8) -> onnx.ModelProto:
    """Return a model of x * k + b, where k and b are initializers that are inputs; k stands before x."""
    nodes = [helper.make_node("Mul", ["x", "k"], ["t"]), helper.make_node("Add", ["t", "b"], ["y"])]
    shapes = {"k": [3], "x": [3], "b": [1]}
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in shapes.items()],
        [helper.make_tensor_value_info("y", FLOAT, [3])],
        [numpy_helper.from_array(K, "k"), numpy_helper.from_array(B, "b")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=ir_version)


def reshaped(size: int | str = "n") -> onnx.ModelProto:
    """Return a reshape to a shape that is a default."""
    graph = helper.make_graph(
        [helper.make_node("Reshape", ["x", "s"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", FLOAT, [size]), helper.make_tensor_value_info("s", INT, ["rank"])],
        [helper.make_tensor_value_info("y", FLOAT, None)],
        [numpy_helper.from_array(np.array([2, -1]), "s")],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def wanted(model: onnx.ModelProto, **inputs: np.ndarray) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)[0]


def code_of(call: Any, *arrays: Any, **named: Any) -> str:
    with pytest.raises(TilewrightError) as error:
        call(*arrays, **named)
    return error.value.code


@pytest.mark.parametrize("target", ["cpu", "c", "interpreter", "cuda"])
def test_calls_may_replace_defaults(target: str) -> None:
    device = {"device": "simulator"} if target == "cuda" else {}
    model, other, more = scaled(), K + 4, B * 3
    program = tilewright.compile(model, target, **device)
    np.testing.assert_array_equal(program(X), wanted(model, x=X))
    np.testing.assert_array_equal(program(X, other), wanted(model, x=X, k=other))
    np.testing.assert_array_equal(program(X, K, more), wanted(model, x=X, b=more))
    np.testing.assert_array_equal(program(x=X, b=more, k=other), wanted(model, x=X, k=other, b=more))
    np.testing.assert_array_equal(program.run({"b": more, "x": X})["y"], wanted(model, x=X, b=more))
    np.testing.assert_array_equal(program(X, out=(out := np.empty_like(X))), wanted(model, x=X))
    np.testing.assert_array_equal(out, wanted(model, x=X))


def test_outputs_come_after_all_inputs() -> None:
    model, other = scaled(), K * 2
    program = tilewright.compile(model)
    assert str(program.signature).startswith("(x: float32[3], k: float32[3] by default, b: float32[1] by default) ->")
    kept = other.copy()
    np.testing.assert_array_equal(program(X, kept), wanted(model, x=X, k=other))
    np.testing.assert_array_equal(kept, other)
    for k in (K, other):
        out = np.empty_like(X)
        assert program(X, k, B, out) is None
        np.testing.assert_array_equal(out, wanted(model, x=X, k=k))


def test_what_a_default_cannot_be() -> None:
    program = tilewright.compile(scaled())
    assert code_of(program, X, K.astype(np.float64)) == "TW0703"
    assert code_of(program, X, np.zeros(4, np.float32)) == "TW0704"
    assert code_of(program, X, "k") == "TW0707"
    assert code_of(program, X, K, k=K) == "TW0702"
    assert code_of(program, k=K) == "TW0701"
    assert code_of(program, X, K, B, X.copy(), X.copy()) == "TW0701"


def test_a_default_that_decides_a_shape() -> None:
    model = reshaped()
    program, x = tilewright.compile(model), np.arange(12, dtype=np.float32)
    for sizes in (None, [3, -1], [3, 4], [2, 2, 3], [2, -1]):
        given = {} if sizes is None else {"s": np.array(sizes)}
        np.testing.assert_array_equal(program(x, **given), wanted(model, x=x, **given))


def test_a_program_is_compiled_once_for_all_values() -> None:
    program = tilewright.compile(scaled())
    found: list[np.ndarray] = []
    with collect_remarks() as remarks:
        program(X, K, B * 2)
    (text,) = [each.message for each in remarks if each.code == "TW0330"]
    assert "version 1 of at most 16 is compiled for other values of b, because" in text
    threads = [threading.Thread(target=lambda n=n: found.append(program(X, K + n))) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    call = program.entry._call
    assert isinstance(call, DefaultedCall) and call.versions is not None and len(call.versions.compiled) == 2
    np.testing.assert_array_equal(sorted(each[0] for each in found), [10 * n + 100 for n in range(2, 6)])


def test_a_saved_program_has_the_defaults_alone(tmp_path: Path) -> None:
    tilewright.compile(scaled()).save(tmp_path / "scaled.so")
    tilewright.compile(reshaped(6)).save(tmp_path / "reshaped.so")
    loaded = tilewright.runtime.load_module(tmp_path / "scaled.so")
    np.testing.assert_array_equal(loaded(X), wanted(scaled(), x=X))
    np.testing.assert_array_equal(loaded(X, K, B), wanted(scaled(), x=X))
    assert code_of(loaded, X, K + 1) == "TW0714"
    assert code_of(loaded, X, b=B + 1) == "TW0714"
    x = np.arange(6, dtype=np.float32)
    loaded = tilewright.runtime.load_module(tmp_path / "reshaped.so")
    np.testing.assert_array_equal(loaded(x), x.reshape(2, 3))
    assert code_of(loaded, x, np.array([3, 2])) == "TW0714"


def test_text_keeps_the_defaults() -> None:
    text = str(import_model(scaled()))
    program = tilewright.compile(text.encode())
    np.testing.assert_array_equal(program(X, K), wanted(scaled(), x=X))
    assert code_of(program, X, K + 1) == "TW0714"
    assert code_of(tilewright.compile, text.replace(', tensor<3xf32>, "', ', "').encode()) == "TW0601"


def test_before_ir_version_4_initializers_are_constants() -> None:
    with collect_remarks() as remarks:
        program = tilewright.compile(scaled(3))
    (message,) = [each.message for each in remarks if each.code == "TW0309"]
    assert message == "inputs that are initializers are constants below IR version 4: 'k', 'b'"
    np.testing.assert_array_equal(program(X), wanted(scaled(3), x=X))
    assert code_of(program, X, k=K) == "TW0702"
    assert program(X, out := np.empty_like(X)) is None
    np.testing.assert_array_equal(out, program(X))


def test_the_command_line_takes_other_values(tmp_path: Path) -> None:
    onnx.save(scaled(), tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", x=X, k=K + 1)
    arguments = ["run", str(tmp_path / "m.onnx"), "--input", str(tmp_path / "in.npz")]
    assert main([*arguments, "--output", str(tmp_path / "out.npz")]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["y"], wanted(scaled(), x=X, k=K + 1))
