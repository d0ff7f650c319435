"""What `make test-models` says of an export: its verdict, its error, its compilations. Needs no torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx.parser
import pytest

from . import measure
from .run import ABSENT, RAW, REFUSED, RIGHT, WRONG, Row, closing, judged, line

SUM = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n, 3] x, float[3] b) => (float[n, 3] y) { y = Add(x, b) }"""
PLACES = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n] x) => (int64[n] y) {
  zero = Constant<value_int = 0>()
  one = Constant<value_int = 1>()
  shape = Shape(x)
  many = Squeeze(shape)
  y = Range(zero, many, one)
}"""


def place_of(folder: Path, text: str, *calls: dict[str, np.ndarray]) -> Path:
    place = folder / "model-script"
    place.mkdir()
    onnx.save(onnx.parser.parse_model(text), place / "model.onnx")
    for number, call in enumerate(calls):
        np.savez(place / f"inputs-{number}.npz", **call)  # type: ignore[arg-type]
    return place


def test_an_export_is_run_at_each_of_its_sizes(tmp_path: Path) -> None:
    calls = [{"b": np.ones(3, np.float32), "x": np.full((n, 3), n, np.float32)} for n in (2, 1, 4)]
    row = judged(place_of(tmp_path, SUM, *calls), False)
    assert (row.verdict, row.error, row.versions, row.peers) == (RIGHT, 0.0, 1, {})
    assert row.compile > 0


def test_versions_for_sizes_are_counted(tmp_path: Path) -> None:
    calls = [{"x": np.zeros(n, np.float32)} for n in (3, 2)]
    row = judged(place_of(tmp_path, PLACES, *calls), False)
    assert (row.verdict, row.error) == (RIGHT, 0.0)
    assert row.versions in (1, 2)


def test_what_torch_did_not_write_is_told(tmp_path: Path) -> None:
    (tmp_path / "refused.txt").write_text("RuntimeError: no such operator\nmore\n")
    assert judged(tmp_path, False) == Row(tmp_path.name, ABSENT, "RuntimeError: no such operator")


@pytest.mark.parametrize(
    ("actual", "expected", "error"),
    [
        ([0.0, 1.0], [0.0, 2.0], 0.5),
        ([0.0, 2.0], [0.0, 2.0], 0.0),
        ([3.0, 3.5], [3.0, 3.0], 0.5),  # a spread of 0 counts as 1
        ([0.0, np.nan], [0.0, 1.0], np.inf),
        ([0.0], [0.0, 1.0], np.inf),
    ],
)
def test_errors_are_over_the_spread(actual: list[float], expected: list[float], error: float) -> None:
    assert measure.error([np.array(actual, np.float32)], [np.array(expected, np.float32)]) == error


def test_dtypes_and_counts_of_outputs_have_to_agree() -> None:
    x = np.zeros(2, np.float32)
    assert measure.error([x.astype(np.float64)], [x]) == np.inf
    assert measure.error([x], [x, x]) == np.inf


def test_the_table_counts_what_is_right() -> None:
    rows = [
        Row("a-script", RIGHT, error=1e-6, compile=2.0, time=1.0, peers={"onnxruntime": 2.0}),
        Row("b-script", WRONG, error=1.0, compile=2.0, time=1.0, peers={"onnxruntime": 0.5}),
        Row("c-script", REFUSED, "TW0302: no operator"),
        Row("d-script", ABSENT),
        Row("a-script-open", RIGHT, versions=3),
        Row("e-dynamo-open", RAW),
    ]
    assert closing(rows) == [
        "1 of 3 exports with fixed sizes are right.",
        "1 of 2 exports with open sizes are right.",
        "Time of onnxruntime over ours: geometric mean 1.00, least 0.50.",
    ]
    assert line(rows[0], 4.0) == "| a-script | right | 1.0e-06 | 1 | 2.00 | 0.50 | 1.0 | 2.00 |  |"
    assert line(rows[2], 4.0) == "| c-script | refused | | | | | | |"
