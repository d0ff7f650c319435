"""The counts of `tilewright import --report`."""

from __future__ import annotations

from pathlib import Path

import onnx
import onnx.parser
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx.coverage import coverage
from tilewright.tools.cli import main

HEADER = '<ir_version: 10, opset_import: ["" : 21, "own" : 1]>\n'
PARTLY = """g (float[4] x, bool b) => (float[4] y) {
  a = Relu(x)
  c = Relu(a)
  d = Selu(c)
  e = own.strange(d)
  y = If (b) <then_branch = t () => (float[4] p) { p = Tanh(e) }, else_branch = f () => (float[4] q) { q = Abs(e) }>
}"""
PARTLY_REPORT = """\
opset 21
supported nodes: 5, operators: 4
      2 Relu
      1 Abs
      1 If
      1 Tanh
expanded nodes: 1, operators: 1
      1 Selu
missing nodes: 1, operators: 1
      1 own.strange, first at node 'e'
"""


def saved(folder: Path, text: str) -> str:
    path = folder / "model.onnx"
    onnx.save(onnx.parser.parse_model(HEADER + text), path)
    return str(path)


def test_all_that_is_missing_is_counted_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "--report", saved(tmp_path, PARTLY)]) == 1
    assert capsys.readouterr().out == PARTLY_REPORT
    assert [path.name for path in tmp_path.iterdir()] == ["model.onnx"]


def test_functions_of_the_model_are_expanded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = "g (float[4] x) => (float[4] y) { y = own.twice(x) }\n"
    twice = '<domain: "own", opset_import: ["" : 21]>\ntwice (x) => (y) { y = Add(x, x) }'
    assert main(["import", "--report", saved(tmp_path, call + twice)]) == 0
    assert "expanded nodes: 1, operators: 1\n      1 own.twice\nmissing nodes: 0" in capsys.readouterr().out


def test_opsets_out_of_range_are_reported_with_the_operators() -> None:
    model = onnx.parser.parse_model(HEADER.replace("21", "999") + "g (float[4] x) => (float[4] y) { y = Relu(x) }")
    found = coverage(model)
    assert (found.supported, found.is_complete) == ({"Relu": 1}, False)
    assert str(found).startswith("opset 999, expected 1 to ")


def test_weights_that_are_not_there_are_not_asked_for(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(HEADER + "g (float[4] x) => (float[4] y) { y = Add(x, w) }")
    weight = model.graph.initializer.add(
        name="w", data_type=onnx.TensorProto.FLOAT, dims=[4], data_location=onnx.TensorProto.EXTERNAL
    )
    weight.external_data.add(key="location", value="gone.bin")
    (tmp_path / "model.onnx").write_bytes(model.SerializeToString())
    assert coverage(tmp_path / "model.onnx").is_complete


def test_files_that_hold_no_model_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"\xff\xff")
    with pytest.raises(TilewrightError, match="not an ONNX model, or it is truncated") as caught:
        coverage(tmp_path / "model.onnx")
    assert caught.value.code == "TW0301"
