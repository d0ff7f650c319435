"""ONNX models whose shapes, axes or counts follow from the values of inputs: a version for each value."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.driver import load_model
from tilewright.frontends.by_value import NeedsValues
from tilewright.frontends.onnx import import_model
from tilewright.runtime import Module
from tilewright.runtime.versions import MOST_VERSIONS, VersionedCall, Versions
from tilewright.tools.cli import main

SUM = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[n, 3] x, int64[k] axes) => (float[] y) { y = ReduceSum(x, axes) }""")

RESHAPED = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[2, 6] x, int32[2] sizes, int64 k) => (float[] y, int64[] places) {
  wide = Cast<to = 7>(sizes)
  one = Constant<value_ints = [1]>()
  shape = Concat<axis = 0>(wide, one)
  moved = Reshape(x, shape)
  axis = Constant<value_ints = [-1]>()
  ks = Reshape(k, axis)
  flat = Squeeze(moved)
  y, places = TopK(flat, ks)
}""")

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def table(program: Module) -> Versions:
    call = program.entry._call
    assert isinstance(call, VersionedCall)
    return call.versions


@pytest.mark.parametrize("target", ["llvm", "interpreter"])
def test_a_call_takes_the_version_of_its_values(target: str) -> None:
    program = tilewright.compile(SUM, target)
    for axes in ([0], [1], [0, 1], [], [-1], [0]):
        given = np.array(axes, np.int64)
        expected = X.sum(axis=tuple(axes) or None, keepdims=True)
        np.testing.assert_array_equal(program(X, given), expected)
        np.testing.assert_array_equal(program.run({"axes": given, "x": X})["y"], expected)
    assert len(table(program).compiled) == 5
    out = np.empty((1, 3), np.float32)
    assert program(X, np.array([0]), out) is None
    np.testing.assert_array_equal(out, X.sum(0, keepdims=True))


def test_values_are_found_one_after_another_and_behind_operators() -> None:
    program = tilewright.compile(RESHAPED)
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    for sizes, k in (([3, 4], 2), ([4, 3], 1), ([3, 4], 1)):
        y, indices = program(x, np.array(sizes, np.int32), np.array(k))
        expected = np.sort(x.reshape(sizes), axis=-1)[:, ::-1][:, :k]
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(indices, np.argsort(-x.reshape(sizes), axis=-1, kind="stable")[:, :k])
    assert str(table(program).compiled[0]) == "sizes = [3, 4], k = 1"
    assert str(program) == (
        "<tilewright module (x: float32[2, 6], sizes: int32[2], k: int64[]) -> (y: depends on the values of inputs, "
        "places: depends on the values of inputs)>"
    )


def test_a_module_states_the_value_that_it_is_for() -> None:
    with pytest.raises(NeedsValues) as caught:
        import_model(SUM)
    assert caught.value.names == ("axes",)
    assert [each.name for each in caught.value.inputs] == ["x", "axes"]
    assert str(caught.value).splitlines()[0] == (
        "error[TW0304]: node 'y' (ReduceSum, opset 21): expected the axes to be known when the model is "
        "imported, but 'axes' depends on the model's inputs"
    )
    module = import_model(SUM, values={"axes": [1]})
    assert '%axes: tensor<1xi64> {tw.name = "axes", tw.value = dense<1> : tensor<1xi64>}' in str(module)
    program = tilewright.compile(tilewright.IRModule(module))
    assert str(program.signature) == "(x: float32[n, 3], axes: int64[1] = [1]) -> (y: float32[n, 1])"
    np.testing.assert_array_equal(program(X, np.array([1])), X.sum(1, keepdims=True))
    with pytest.raises(TilewrightError, match=r"TW0714.*expected argument 'axes' to be \[1\], for which .* got \[0\]"):
        program(X, np.array([0]))


def test_a_file_holds_the_versions_that_were_compiled(tmp_path: Path) -> None:
    program = tilewright.compile(SUM, specialise=[{"axes": [0]}, {"axes": [0, 1]}])
    assert len(table(program).compiled) == 2
    np.testing.assert_array_equal(program(X, np.array([1])), X.sum(1, keepdims=True))
    program.save(tmp_path / "sum.so")
    loaded = tilewright.load_module(tmp_path / "sum.so")
    for axes in ((0,), (1,), (0, 1)):
        np.testing.assert_array_equal(loaded(X, np.array(axes)), X.sum(axes, keepdims=True))
    with pytest.raises(TilewrightError, match=r"TW0714.*axes = \[0\]; axes = \[1\].*but got axes = \[-1\]"):
        loaded(X, np.array([-1]))
    with pytest.raises(TilewrightError, match=r"TW0614"):
        tilewright.compile(SUM).save(tmp_path / "none.so")


def test_versions_of_one_module_are_entered_by_value() -> None:
    module = load_model(SUM, specialise=[{"axes": [0]}, {"axes": [1]}])
    program = tilewright.compile(module)
    assert list(program.functions) == ["main", "main_1", "main_2"]
    for axis in (0, 1):
        np.testing.assert_array_equal(program(X, np.array([axis])), X.sum(axis, keepdims=True))


def test_the_table_is_bounded_and_reported_in_remarks() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (int64 n) => (int64[] y) <int64 zero = {0}, int64 one = {1}> { y = Range(zero, n, one) }""")
    with collect_remarks() as remarks:
        program = tilewright.compile(model, "interpreter")
        for n in [*range(MOST_VERSIONS), 0, MOST_VERSIONS, 1]:
            np.testing.assert_array_equal(program(np.array(n)), np.arange(n))
    messages = [each.message for each in remarks if each.code == "TW0308"]
    assert messages[0] == (
        "the program depends on the values of 'n': a version is compiled for each value that calls bring, up to 16"
    )
    assert [each for each in messages if "makes room" in each] == [
        "the version for n = 1, used least recently, makes room",
        "the version for n = 2, used least recently, makes room",
    ]
    assert len(table(program).compiled) == MOST_VERSIONS


def test_threads_that_ask_for_one_version_compile_it_once() -> None:
    program = tilewright.compile(SUM, "interpreter")
    versions = table(program)
    compile_, made, barrier = versions._compile, [], threading.Barrier(4)
    assert compile_ is not None

    def counted(*given):
        made.append(given)
        return compile_(*given)

    versions._compile = counted
    results = []

    def call() -> None:
        barrier.wait()
        results.append(program(X, np.array([0])))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len(results) == 4
    for result in results:
        np.testing.assert_array_equal(result, X.sum(0, keepdims=True))


def test_an_error_of_a_version_is_that_of_its_call() -> None:
    program = tilewright.compile(SUM)
    for _ in range(2):
        with pytest.raises(TilewrightError, match="TW0303"):
            program(X, np.array([5]))
    np.testing.assert_array_equal(program(X, np.array([1])), X.sum(1, keepdims=True))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"axis": [1]}, "a value was given for input 'axis', which the model does not have"),
        ({"axes": [0.5]}, "expected int64 for the value of input 'axes', but got"),
        ({"axes": [[1, 0], [0, 1]]}, "expected a value of 1 dimensions for input 'axes', but got"),
        ({"axes": "x"}, "expected int64 for the value of input 'axes', but got x"),
        ({"x": [[1.0, 2.0]]}, "expected a value of shape"),
    ],
)
def test_values_that_no_input_has(values, message: str) -> None:
    with pytest.raises(TilewrightError, match="TW0303.*") as caught:
        import_model(SUM, values=values)
    assert message in str(caught.value)


def test_a_size_that_a_value_fixes_is_fixed_everywhere() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (float[n] x, int64[n] shape) => (float[] y) { y = Expand(x, shape) }""")
    module = import_model(model, values={"shape": [2, 2]})
    assert "%x: tensor<2xf32>" in str(module)
    with pytest.raises(TilewrightError, match="TW0303.*expected size 'n' to be 2, as in the value of an input"):
        import_model(model, values={"shape": [2, 2]}, sizes={"n": 3})
    program = tilewright.compile(model)
    np.testing.assert_array_equal(program(X[0, :2], np.array([3, 2])), np.broadcast_to(X[0, :2], (3, 2)))


def test_what_depends_on_large_inputs_is_refused() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (float[9, 9] x) => (float[] y) { shape = Cast<to = 7>(x) y = ConstantOfShape(shape) }""")
    with pytest.raises(TilewrightError, match="TW0304.*expected the shape to be known") as caught:
        tilewright.compile(model)
    assert not isinstance(caught.value, NeedsValues)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    onnx.save(SUM, tmp_path / "sum.onnx")
    np.savez(tmp_path / "x.npz", x=X, axes=np.array([1]))
    return tmp_path / "sum.onnx"


def test_the_command_line_takes_values_from_inputs(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "sum.onnx", "--input", "x.npz", "--output", "y.npz"]) == 0
    assert "y: float32[2, 1] min 3 max 12 mean 7.5" in capsys.readouterr().out
    np.testing.assert_array_equal(np.load("y.npz")["y"], X.sum(1, keepdims=True))
    assert main(["run", "sum.onnx", "--size", "n=2"]) == 1
    assert "help: give values: `--specialise axes=0,1`" in capsys.readouterr().err


def test_the_command_line_takes_values(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "sum.onnx", "--size", "n=2", "--specialise", "axes=0,1"]) == 0
    assert "y: float32[1, 1]" in capsys.readouterr().out
    assert main(["import", "sum.onnx", "--specialise", "axes=1", "-o", "one.mlir"]) == 0
    assert "tw.value = dense<1> : tensor<1xi64>" in Path("one.mlir").read_text()
    assert main(["run", "one.mlir", "--input", "x.npz"]) == 0
    assert "y: float32[2, 1] min 3 max 12" in capsys.readouterr().out
    two = ["--specialise", "axes=1", "--specialise", "axes="]
    assert main(["import", "sum.onnx", *two, "-o", "two.mlir"]) == 0
    assert main(["run", "two.mlir", "--input", "x.npz"]) == 0
    assert "y: float32[2, 1] min 3 max 12" in capsys.readouterr().out
    assert main(["compile", "sum.onnx", *two, "--emit", "mlir"]) == 0
    assert '@main_2(%x: memref<?x3xf32> {tw.name = "x"}, %axes: memref<0xi64>' in capsys.readouterr().out


@pytest.mark.parametrize("text", ["axes", "=1", "axes=1;2", "axes=a"])
def test_the_command_line_refuses_what_is_no_value(text: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "sum.onnx", "--specialise", text]) == 2
    assert f"error[TW0209]: expected --specialise NAME=0,1, but got '{text}'" in capsys.readouterr().err


def test_sizes_that_an_operator_needs_as_numbers() -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (float[n, m] x, float[m] w) => (float[] y, float[] z) {
      y = EyeLike(x)
      z = Mul(x, w)
    }""")
    with pytest.raises(NeedsValues, match="TW0304.*a size of the matrix") as caught:
        import_model(model)
    assert caught.value.names == () and caught.value.sizes == ("n", "m")
    program = tilewright.compile(model)
    assert program.type_key == "llvm"
    for n, m in ((2, 3), (4, 5), (2, 3)):
        x, w = np.random.default_rng(n).random((n, m), np.float32), np.arange(m, dtype=np.float32)
        y, z = program(x, w)
        np.testing.assert_array_equal(y, np.eye(n, m))
        np.testing.assert_array_equal(z, x * w)
    assert sorted(map(str, table(program).compiled)) == ["n = 2, m = 3", "n = 4, m = 5"]
    with pytest.raises(TilewrightError, match="TW0704.*expected size m of argument 'w' to be 3 as in argument 'x'"):
        program(x, np.ones(4, np.float32))


def test_a_size_that_is_an_index_into_a_table() -> None:
    """Positions that go on behind those of keys and values from before, as decoders with a cache compute them."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 18]>
    g (float[before] past, float[length] x) => (float[length, 2] y)
    <float[8, 2] table = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}> {
      zero = Constant<value_int = 0>()
      one = Constant<value_int = 1>()
      shape = Shape(x)
      many = Squeeze(shape)
      steps = Range(zero, many, one)
      start = Shape(past)
      first = Squeeze(start)
      places = Add(steps, first)
      y = Gather(table, places)
    }""")
    program = tilewright.compile(model)
    rows = np.arange(16, dtype=np.float32).reshape(8, 2)
    for before, length in ((2, 3), (0, 1), (5, 3)):
        found = program(np.zeros(before, np.float32), np.zeros(length, np.float32))
        np.testing.assert_array_equal(found, rows[before : before + length])


def test_a_file_holds_versions_for_sizes(tmp_path: Path) -> None:
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
    g (float[n, 2] x) => (float[] y, int64[] s) { y = EyeLike(x) s = Shape(x) }""")
    program = tilewright.compile(model)
    for n in (3, 2):
        assert program(np.zeros((n, 2), np.float32))[1].tolist() == [n, 2]
    program.save(tmp_path / "eye.so")
    loaded = tilewright.load_module(tmp_path / "eye.so")
    for n in (2, 3):
        y, s = loaded(np.zeros((n, 2), np.float32))
        np.testing.assert_array_equal(y, np.eye(n, 2))
        assert s.tolist() == [n, 2]
    with pytest.raises(TilewrightError, match=r"TW0714.*\(x_dim0 = 2; x_dim0 = 3\), but got x_dim0 = 4"):
        loaded(np.ones((4, 2), np.float32))
