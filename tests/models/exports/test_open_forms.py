"""Models that `make open-forms` opens are the same networks. Needs no torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.parser

from .open_forms import LAYERS, LIGHT_BATCH, LIGHT_IMAGES, Row, closing, in_turns, layer, line, networks, opened

FLAT = """<ir_version: 8, opset_import: ["" : 13]>
g (float[1, 2, 3, 3] x) => (float[1, 18] y) <int64[2] s = {1, 18}> { y = Reshape(x, s) }"""


def dimensions(model: onnx.ModelProto) -> list[str | int]:
    return [dim.dim_param or dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim]


def test_an_opened_model_keeps_its_channels_and_copies_the_batch() -> None:
    model = opened(onnx.parser.parse_model(FLAT), ("batch", None, "width"))
    assert dimensions(model) == ["batch", 2, 3, "width"]
    assert onnx.numpy_helper.to_array(model.graph.initializer[0]).tolist() == [0, 18]
    assert not model.graph.output[0].type.tensor_type.HasField("shape")
    onnx.checker.check_model(onnx.shape_inference.infer_shapes(model))


def test_exports_are_compared_with_their_fixed_form_and_at_their_sizes(tmp_path: Path) -> None:
    for name in ("a-script", "a-script-open", "b-script-open", "c-script"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.onnx").touch()
    (tmp_path / "c-script-open").mkdir()  # torch refuses this one
    found = [[case.name for case in network.cases] for network in networks(tmp_path)]
    assert found[:2] == [["a-script", "a-script-open"], ["b-script-open"]]
    assert len(found) == 2 + len(LIGHT_BATCH) + len(LIGHT_IMAGES) + 2 * len(LAYERS)
    assert [case.fixed for case in next(networks(tmp_path)).cases] == [tmp_path / "a-script" / "model.onnx", None]


def test_cases_are_chosen_by_their_names(tmp_path: Path) -> None:
    found = [case.name for network in networks(tmp_path) for case in network.matching("lstm-forward-8").cases]
    assert found == ["lstm-forward-8"]


def test_layers_have_an_open_batch() -> None:
    for kind in LAYERS:
        model = layer(kind, "bidirectional")
        assert dimensions(model)[1] == "batch"
        onnx.checker.check_model(model, full_check=True)


def test_the_table_names_what_is_slow() -> None:
    rows = {
        "a": Row(0.001, 0.002, 0.004, ratio=0.5, error=1e-6, versions=1),
        "b": Row(0.001, 0.0005, 0.001, ratio=2.0, error=1e-6, versions=2),
    }
    assert line("a", rows["a"]) == "| a | 1.00 | 2.00 | 0.50 | 4.00 | 2.00 | 1.0e-06 | 1 |"
    assert closing(rows) == (
        "Time of fixed over open sizes: geometric mean 1.00 (aim 0.9), least 0.50. Below 0.7: a 0.50."
    )
    assert [row.is_right for row in rows.values()] == [True, False]
    assert not Row(1, 1, 1, ratio=1, error=np.inf, versions=1).is_right


def test_each_function_has_a_time_for_each_turn() -> None:
    times = in_turns([lambda: None, lambda: sum(range(1000))], 1)
    assert [len(each) for each in times] == [9, 9]
    assert all(each >= 0 for each in (*times[0], *times[1]))
