"""Verdicts of `make test-models` on an export: status, error, number of compilations. Needs no torch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx.parser
import pytest
from onnxruntime.transformers.float16 import convert_float_to_float16

from ...frontends.quantized_networks import NETWORKS, drawn, quantized
from . import measure
from .run import ABSENT, RAW, REFUSED, RIGHT, WRONG, Row, closing, judged, line

SUM = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n, 3] x, float[3] b) => (float[n, 3] y) { y = Add(x, b) }"""
INDICES = """<ir_version: 10, opset_import: ["" : 18]>
g (float[n] x) => (int64[n] y) {
  zero = Constant<value_int = 0>()
  one = Constant<value_int = 1>()
  shape = Shape(x)
  many = Squeeze(shape)
  y = Range(zero, many, one)
}"""


CONVOLUTION = """<ir_version: 10, opset_import: ["" : 18]>
g (float[1, 4, 4, 4] x) => (float[1, 1, 1, 1] y)
<float scale = {0.05}, int8 zero = {3}> {
  a = QuantizeLinear(x, scale, zero)
  b = DequantizeLinear(a, scale, zero)
  y = Conv(b, b)
}"""
POSITIONS = """<ir_version: 10, opset_import: ["" : 18]>
g (float[batch, length] x) => (float[batch, length] y)
<float[6] table = {1, 2, 3, 4, 5, 6}> {
  zero = Constant<value_ints = [0]>()
  many = Shape<start = 1, end = 2>(x)
  first = Slice(table, zero, many)
  y = Add(x, first)
}"""


def directory_of(folder: Path, text: str, *calls: dict[str, np.ndarray]) -> Path:
    directory = folder / "model-script"
    directory.mkdir()
    onnx.save(onnx.parser.parse_model(text), directory / "model.onnx")
    for number, call in enumerate(calls):
        np.savez(directory / f"inputs-{number}.npz", **call)  # type: ignore[arg-type]
    return directory


def test_an_export_is_run_at_each_of_its_sizes(tmp_path: Path) -> None:
    calls = [{"b": np.ones(3, np.float32), "x": np.full((n, 3), n, np.float32)} for n in (2, 1, 4)]
    row = judged(directory_of(tmp_path, SUM, *calls), False)
    assert (row.verdict, row.error, row.versions, row.peers) == (RIGHT, 0.0, 1, {})
    assert row.compile > 0


def test_versions_for_sizes_are_counted(tmp_path: Path) -> None:
    calls = [{"x": np.zeros(n, np.float32)} for n in (3, 2)]
    row = judged(directory_of(tmp_path, INDICES, *calls), False)
    assert (row.verdict, row.error) == (RIGHT, 0.0)
    assert row.versions in (1, 2)


@pytest.mark.parametrize(
    ("sizes", "beyond", "verdict", "reason"),
    [
        ({"versions": 1, "refused": "length"}, 7, RIGHT, "TW0730: expected sizes min(length, 6) and length"),
        ({"versions": 1, "refused": "height"}, 7, WRONG, "says nothing of height"),
        ({"versions": 1, "refused": "length"}, 6, WRONG, "is not refused"),
        ({"versions": 2, "refused": "length"}, 7, WRONG, "1 compilations instead of 2"),
    ],
)
def test_compilations_and_lengths_beyond_positions_are_judged(
    sizes: dict[str, int | str], beyond: int, verdict: str, reason: str, tmp_path: Path
) -> None:
    directory = directory_of(tmp_path, POSITIONS, *({"x": np.zeros((2, n), np.float32)} for n in (3, 1, 6)))
    np.savez(directory / "beyond.npz", x=np.zeros((2, beyond), np.float32))
    (directory / "sizes.json").write_text(json.dumps(sizes))
    cells = measure.measured(directory, False)
    assert (cells["verdict"], cells["versions"]) == (verdict, 1)
    assert reason in cells["reason"]


def form_of(folder: Path, model: onnx.ModelProto, source: onnx.ModelProto, **form: object) -> Path:
    """Return a form of a network in a folder, beside the network."""
    for name, each in ((form["kind"], model), ("network", source)):
        (folder / str(name)).mkdir()
        onnx.save(each, folder / str(name) / "model.onnx")
    directory = folder / str(form["kind"])
    np.savez(directory / "inputs-0.npz", **drawn(source, 3))  # type: ignore[arg-type]
    (directory / "form.json").write_text(json.dumps({"export": "network", **form}))
    return directory


def test_a_quantised_network_is_judged_by_its_products_too(tmp_path: Path) -> None:
    source = NETWORKS["residual"]()
    directory = form_of(tmp_path, quantized(source, "QDQ", tmp_path), source, kind="qdq", is_every=True)
    row = judged(directory, False)
    assert (row.verdict, row.kind, row.products) == (RIGHT, "qdq", "5 of 5")


@pytest.mark.parametrize("is_every", [True, False])
def test_products_on_floats_are_wrong_where_every_one_has_to_be_on_integers(is_every: bool, tmp_path: Path) -> None:
    """Weights that are an input are not known, and a convolution of them stays on floats."""
    model = onnx.parser.parse_model(CONVOLUTION)
    cells = measure.measured(form_of(tmp_path, model, model, kind="qdq", is_every=is_every), False)
    reason = "graph.conv2d is not computed on integers: its weights are not known"
    assert (cells["verdict"], cells["products"]) == (WRONG if is_every else RIGHT, "0 of 1")
    assert cells["reason"] == (f"1 products are not on integers: 1 x {reason}" if is_every else f"1 x {reason}")


def test_float16_is_judged_beside_the_float32_network(tmp_path: Path) -> None:
    source = NETWORKS["mobile"]()
    narrow = convert_float_to_float16(onnx.ModelProto.FromString(source.SerializeToString()), keep_io_types=True)
    row = judged(form_of(tmp_path, narrow, source, kind="float16"), False)
    assert (row.verdict, row.kind, row.products) == (RIGHT, "float16", "")
    assert 1e-5 < row.beside < 1e-2


def test_what_torch_did_not_write_is_reported(tmp_path: Path) -> None:
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
        Row("a-qdq", RIGHT, kind="qdq", peers={"onnxruntime": 2.0, "float32": 4.0}, products="2 of 2"),
        Row("b-float16", REFUSED, kind="float16"),
    ]
    assert closing(rows) == [
        "1 of 3 exports with fixed sizes are right.",
        "Time of onnxruntime over ours: geometric mean 1.00, least 0.50.",
        "1 of 2 exports with open sizes are right.",
        "1 of 1 quantised networks are right.",
        "Time of onnxruntime over ours: geometric mean 2.00, least 2.00.",
        "Time of float32 over ours: geometric mean 4.00, least 4.00.",
        "0 of 1 networks in float16 are right.",
    ]
    assert line(rows[0], 4.0) == "| a-script | right | 1.0e-06 | 1 | 2.00 | 0.50 | 1.0 | 2.00 |  |  |  |"
    assert line(rows[2], 4.0) == "| c-script | refused | | | | | | | | | |"
