"""If, Loop and Scan of models, sequences and optionals, beside onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import TensorProto, helper
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import graph
from tilewright.frontends.onnx import import_model

from .structured_models import IF, LOOP, OPTIONAL, SEQUENCE, SPLIT, X, model, scan


def check(proto: onnx.ModelProto, *inputs: Any) -> None:
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, dict(zip([i.name for i in proto.graph.input], inputs, strict=True)))
    for target in ("interpreter", "cpu"):
        found = tilewright.compile(proto, target)(*inputs)
        results: Sequence[Any] = found if isinstance(found, tuple) else (found,)
        assert len(results) == len(expected)
        for result, value in zip(results, expected, strict=True):
            assert result.dtype == value.dtype and result.shape == value.shape
            np.testing.assert_allclose(result, value, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("condition", [True, False])
def test_if(condition: bool) -> None:
    proto = model(IF)
    assert any(isinstance(op, graph.IfOp) for op in import_model(proto).walk())
    check(proto, X, np.array(condition))


@pytest.mark.parametrize(("trips", "most"), [(4, 100.0), (0, 100.0), (50, 9.0), (9, -1.0)])
def test_loop_with_a_number_and_a_condition(trips: int, most: float) -> None:
    check(model(LOOP), X + 1, np.array(trips), np.array(most, np.float32))


def test_loop_without_a_number() -> None:
    check(model(LOOP.replace("Loop (n, go", "Loop (, go")), X + 1, np.array(0), np.array(20, np.float32))


def test_branch_that_is_known_is_converted_in_line() -> None:
    proto = model(
        """
        main (float[2, 3] x) => (float[6] y) {
          s = Shape(x)
          r = Size(s)
          two = Constant <value_int = 2> ()
          c = Equal(r, two)
          y = If (c) <then_branch = yes () => (float[6] a) { f = Constant <value_ints = [6]> ()  a = Reshape(x, f) },
                      else_branch = no () => (float[6] a) {
                          a = Constant <value_floats = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> () }>
        }
        """
    )
    module = import_model(proto)
    assert not any(isinstance(op, graph.IfOp) for op in module.walk())
    check(proto, X)


def test_loop_that_collects() -> None:
    """A number of iterations that is known, also of the outer loop's names; the body sees values from outside."""
    proto = model(
        """
        main (float[2, 3] x) => (float[2, 3] y, float[5, 2, 3] all, int64[5] ks) {
          n = Constant <value_int = 5> ()
          y, all, ks = Loop (n, , x) <body = again (int64 k, bool c, float[2, 3] h)
              => (bool next, float[2, 3] g, float[2, 3] part, int64 number) {
            next = Identity(c)
            g = Mul(h, x)
            part = Add(g, h)
            number = Identity(k)
          }>
        }
        """
    )
    assert sum(isinstance(op, graph.LoopOp) for op in import_model(proto).walk()) == 1
    check(proto, X)


def test_loop_whose_values_grow_is_written_out() -> None:
    proto = model(
        """
        main (float[2, 3] x) => (float[r, 3] y) {
          n = Constant <value_int = 3> ()
          y = Loop (n, , x) <body = again (int64 k, bool c, float[r, 3] h) => (bool next, float[s, 3] g) {
            next = Identity(c)
            g = Concat <axis = 0> (h, x)
          }>
        }
        """
    )
    assert not any(isinstance(op, graph.LoopOp) for op in import_model(proto).walk())
    check(proto, X)


@pytest.mark.parametrize(
    ("inputs", "axes"),
    [
        ("5, 2", ""),
        ("5, 2", ", scan_input_directions = [1]"),
        ("5, 2", ", scan_output_directions = [1]"),
        ("2, 5", ", scan_input_axes = [1], scan_output_axes = [-1]"),
        ("2, 5", ", scan_input_axes = [1], scan_output_axes = [1], scan_output_directions = [1]"),
    ],
)
def test_scan(inputs: str, axes: str) -> None:
    shape = [int(size) for size in inputs.split(", ")]
    x = np.arange(10, dtype=np.float32).reshape(shape)
    check(model(scan(inputs, axes)), np.float32([1, -1]), x)


def test_scan_over_a_dynamic_size() -> None:
    proto = model(scan("n, 2"))
    program = tilewright.compile(proto)
    for n in (1, 4, 9):
        x = np.arange(2 * n, dtype=np.float32).reshape(n, 2)
        last, all_ = program(np.float32([1, 2]), x)
        sums = np.cumsum(np.concatenate([[[1, 2]], x]), 0, dtype=np.float32)
        np.testing.assert_array_equal(all_, sums[1:])
        np.testing.assert_array_equal(last, sums[-1])


@pytest.mark.parametrize("text", [SEQUENCE, SPLIT, OPTIONAL], ids=["sequence", "split", "optional"])
def test_lists_are_resolved_while_a_model_is_imported(text: str) -> None:
    check(model(text), X)


REFUSED = {
    "a carried value changes": (
        """
        main (float[2, 3] x, int64 n) => (float[r, 3] y) {
          m = Neg(n)
          y = Loop (m, , x) <body = again (int64 k, bool c, float[r, 3] h) => (bool next, float[s, 3] g) {
            next = Identity(c)
            g = Concat <axis = 0> (h, x)
          }>
        }
        """,
        "TW0304",
        "a carried value changes from float32[2, 3] to float32[4, 3]",
    ),
    "without an end": (
        """
        main (float[2, 3] x) => (float[2, 3] y) {
          y = Loop (, , x) <body = again (int64 k, bool c, float[2, 3] h) => (bool next, float[2, 3] g) {
            next = Identity(c)
            g = Neg(h)
          }>
        }
        """,
        "TW0303",
        "expected a loop with an end",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, code, message = REFUSED[name]
    with pytest.raises(TilewrightError, match=message.replace("[", r"\[")) as error:
        import_model(model(text))
    assert error.value.code == code


def test_unknown_operators_of_branches_are_named() -> None:
    branch = helper.make_graph([helper.make_node("Unheard", ["x"], ["a"], domain="com.example")], "b", [], [])
    branch.output.append(helper.make_tensor_value_info("a", TensorProto.FLOAT, [2]))
    node = helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)
    inputs = [helper.make_tensor_value_info("c", TensorProto.BOOL, []), helper.make_tensor_value_info("x", 1, [2])]
    proto = helper.make_model(helper.make_graph([node], "g", inputs, [helper.make_tensor_value_info("y", 1, [2])]))
    with pytest.raises(TilewrightError, match=r"com.example.Unheard \(2×") as error:
        import_model(proto)
    assert error.value.code == "TW0302"
