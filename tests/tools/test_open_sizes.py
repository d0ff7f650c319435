"""Models whose sizes are open, on the command lines: what Python takes without shapes, these take too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from tilewright.tools.cli import main

FLOAT = np.float32
X = np.arange(6, dtype=FLOAT).reshape(2, 3)

PLAIN = "(float[n, 3] x, float[3] w) => (float[n, 3] y) { y = Mul(x, w) }"
CROPPED = """(float[n, m] x, float[m] w) => (float[] y, float[] z) <int64[4] pads = {0, -1, 0, 0}> {
  y = Pad(x, pads)
  z = Mul(x, w)
}"""
STRETCHED = "(float[n] x, float[m] w) => (float[] y) { y = Mul(x, w) }"
PADDED = """(float[1, 1, h, 8] x) => (float[] y) <float[1, 1, 3, 3] w = {1, 0, 0, 0, 1, 0, 0, 0, 1}> {
  y = Conv<auto_pad = "SAME_UPPER">(x, w)
}"""
REDUCED = "(float[n, 3] x, int64[k] axes) => (float[] y) { y = ReduceSum(x, axes) }"
POSITIONS = """(float[batch, seq] x) => (float[] y)
  <int64[4] numbers = {0, 1, 2, 3}, float[4] table = {1, 2, 3, 4}> {
  zero = Constant<value_ints = [0]>()
  one = Constant<value_ints = [1]>()
  two = Constant<value_ints = [2]>()
  shape = Shape(x)
  length = Slice(shape, one, two)
  positions = Slice(numbers, zero, length)
  embedded = Gather(table, positions)
  y = Add(x, embedded)
}"""
TEXT = '(string[n] x) => (string[n] y) { y = StringNormalizer<case_change_action = "LOWER">(x) }'


def model(folder: Path, graph: str, ranked: bool = True) -> Path:
    parsed = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["" : 21]> g {graph}')
    if not ranked:
        parsed.graph.input[0].type.tensor_type.ClearField("shape")
    path = folder / "m.onnx"
    onnx.save(parsed, path)
    return path


def ran(folder: Path, path: Path, *words: str, **arrays: Any) -> dict[str, np.ndarray]:
    """Return the outputs of `tilewright run --input`."""
    np.savez(folder / "x.npz", **arrays)
    assert main(["run", str(path), "--input", str(folder / "x.npz"), "--output", str(folder / "y.npz"), *words]) == 0
    with np.load(folder / "y.npz") as file:
        return dict(file)


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) in (1, 2)
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_import_and_compile_leave_sizes_open(tmp_path: Path) -> None:
    for graph, arrays, expected in (
        (PLAIN, {"x": X, "w": X[1]}, X * X[1]),
        (POSITIONS, {"x": X}, X + np.array([1, 2, 3], FLOAT)),
        (STRETCHED, {"x": X[0], "w": X[1]}, X[0] * X[1]),
    ):
        path, saved = model(tmp_path, graph), tmp_path / "m.mlir"
        assert main(["compile", str(path), "-o", str(tmp_path / "m.s")]) == 0
        assert main(["import", str(path), "-o", str(saved)]) == 0
        assert main(["compile", str(saved), "-o", str(tmp_path / "m.s")]) == 0
        for each in (path, saved):
            np.testing.assert_array_equal(ran(tmp_path, each, **arrays)["y"], expected)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_run_reads_from_its_inputs_what_the_model_leaves_open(backend: str, tmp_path: Path) -> None:
    """Sizes that an operator needs as numbers, sizes that are stretched, values, ranks, and strings."""
    words = ("--backend", backend)
    y = ran(tmp_path, model(tmp_path, CROPPED), *words, x=X, w=X[0])
    np.testing.assert_array_equal(y["y"], X[:, 1:])
    np.testing.assert_array_equal(y["z"], X * X[0])
    image = np.arange(40, dtype=FLOAT).reshape(1, 1, 5, 8)
    y = ran(tmp_path, model(tmp_path, PADDED), *words, x=image)
    assert y["y"].shape == image.shape and y["y"][0, 0, 1, 1] == image[0, 0, [0, 1, 2], [0, 1, 2]].sum()
    y = ran(tmp_path, model(tmp_path, STRETCHED), *words, x=X[0, 1:2], w=X[1])
    np.testing.assert_array_equal(y["y"], X[0, 1] * X[1])
    y = ran(tmp_path, model(tmp_path, REDUCED), *words, x=X, axes=np.array([1]))
    np.testing.assert_array_equal(y["y"], X.sum(1, keepdims=True))
    y = ran(tmp_path, model(tmp_path, PLAIN, ranked=False), *words, x=X, w=X[0])
    np.testing.assert_array_equal(y["y"], X * X[0])
    y = ran(tmp_path, model(tmp_path, TEXT), *words, x=np.array(["Ab", "c"]))
    assert y["y"].tolist() == ["ab", "c"]


def test_validation_takes_the_values_and_skips_what_the_model_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for graph, arrays in (
        (REDUCED, {"x": X, "axes": np.array([0])}),
        (POSITIONS, {"x": X}),
        (CROPPED, {"x": X, "w": X[0]}),
    ):
        ran(tmp_path, model(tmp_path, graph), "--validate", **arrays)
        assert "agree with unoptimised code" in capsys.readouterr().err


def test_sizes_are_asked_for_where_nothing_states_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = model(tmp_path, STRETCHED)
    assert refused(capsys, "run", path) == (
        "error[TW0209]: input 'x' has a symbolic size 'n'\nhelp: give --size n=N --size m=N, or --input\n"
    )
    assert main(["run", str(path), "--size", "n=1", "--size", "m=4"]) == 0
    assert capsys.readouterr().out.startswith("y: float32[4]")
    path = model(tmp_path, PADDED)
    for words in (("run", path), ("import", path, "-o", tmp_path / "m.mlir"), ("compile", path)):
        message = refused(capsys, *words)
        assert "error[TW0304]" in message and "give numbers: `--size h=N`" in message, message
    path = model(tmp_path, PLAIN, ranked=False)
    assert "`--shape x=1,3,224,224`; `tilewright run` takes it from --input" in refused(capsys, "import", path)


def test_sizes_that_do_not_fit_the_given_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "x.npz", x=X, w=X[0])
    path = model(tmp_path, CROPPED)
    message = refused(capsys, "run", path, "--input", tmp_path / "x.npz", "--size", "n=5", "--size", "m=3")
    assert message.startswith("error[TW0704]: expected argument 'x' to have shape [5, 3], but got [2, 3]")
    np.savez(tmp_path / "x.npz", x=X[0], w=X[1, :2])
    message = refused(capsys, "run", model(tmp_path, STRETCHED), "--input", tmp_path / "x.npz")
    assert "error[TW0730]: expected sizes m and n to be equal, but got 2 and 3" in message
