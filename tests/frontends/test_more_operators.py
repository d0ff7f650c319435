"""Operators and forms of them that few models have, beside numpy and the standard's reference evaluator."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import helper, numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import backend

_HEADER = '<ir_version: 10, opset_import: ["" : 21, "ai.onnx.preview.training" : 1]>\n'


def _model(text: str) -> onnx.ModelProto:
    return parser.parse_model(_HEADER + text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("is_sorted", [0, 1])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_unique_parts_along_an_axis(axis: int, is_sorted: int) -> None:
    x = np.random.default_rng(axis + 2).integers(0, 2, (5, 6, 2)).astype(np.int32)
    model = _model(
        f"main (int32[5, 6, 2] x) => (int32[a, b, c] y, int64[n] p, int64[m] i, int64[n] k) {{\n"
        f"y, p, i, k = Unique <axis = {axis}, sorted = {is_sorted}> (x)\n}}"
    )
    values, indices, inverse, counts = np.unique(x, True, True, True, axis=axis)
    order = np.arange(len(indices)) if is_sorted else np.argsort(indices)
    expected = [np.take(values, order, axis), indices[order], np.argsort(order)[inverse], counts[order]]
    for found, value in zip(tilewright.compile(model)(x), expected, strict=True):
        np.testing.assert_array_equal(found, value)


def test_margins_that_wrap() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    text = 'main (float[2, 3] x, int64[4] p) => (float[a, b] y) {\ny = Pad <mode = "wrap"> (x, p)\n}'
    found = tilewright.compile(_model(text))(x, np.array([1, 4, 0, 2]))
    np.testing.assert_array_equal(found, np.pad(x, [(1, 0), (4, 2)], "wrap"))


def test_dropout_in_training_is_that_of_the_reference() -> None:
    text = """main (float[4, 5] x) => (float[4, 5] y, bool[4, 5] mask) {
      ratio = Constant <value_float = 0.3> ()
      trains = Constant <value = bool {1}> ()
      y, mask = Dropout <seed = 7> (x, ratio, trains)
    }"""
    x = np.random.default_rng(0).normal(size=(4, 5)).astype(np.float32)
    expected = ReferenceEvaluator(_model(text)).run(None, {"x": x})
    y, mask = tilewright.compile(_model(text))(x)
    np.testing.assert_allclose(y, expected[0], rtol=1e-6)
    np.testing.assert_array_equal(mask, expected[1])
    with pytest.raises(TilewrightError, match="without a seed"):
        tilewright.compile(_model(text.replace("<seed = 7>", "")))


def test_empty_results_of_a_reshape() -> None:
    text = "main (float[0, 3] x, int64[2] s) => (float[a, b] y) {\ny = Reshape <allowzero = 1> (x, s)\n}"
    program = tilewright.compile(_model(text))
    assert program(np.zeros((0, 3), np.float32), np.array([3, 0])).shape == (3, 0)
    with pytest.raises(TilewrightError) as error:
        program(np.zeros((0, 3), np.float32), np.array([0, -1]))
    assert error.value.code == "TW0303"


@pytest.mark.each(("element", "scale"), [("float", 1.0), ("float", 0.3), ("float16", 0.3), ("float16", 2.0)])
def test_pooled_regions_are_those_of_onnxruntime(element: str, scale: float) -> None:
    """Regions beyond the image, turned around, with corners at halves; their number is known when called."""
    rng = np.random.default_rng(int(10 * scale))
    model = _model(
        f"main ({element}[3, 2, 7, 9] x, {element}[n, 5] rois) => ({element}[n, 2, 3, 4] y) {{\n"
        f"y = MaxRoiPool <pooled_shape = [3, 4], spatial_scale = {scale}> (x, rois)\n}}"
    )
    program, judge = tilewright.compile(model), onnxruntime.InferenceSession(model.SerializeToString())
    for count in (1, 12):
        corners = rng.integers(-14, 28, (count, 4)) / 2
        arrays = [rng.normal(size=(3, 2, 7, 9)), np.concatenate([rng.integers(0, 3, (count, 1)), corners], 1)]
        x, rois = (array.astype("float16" if element == "float16" else "float32") for array in arrays)
        np.testing.assert_array_equal(program(x, rois), judge.run(None, {"x": x, "rois": rois})[0])


def test_regions_of_another_width_are_refused() -> None:
    text = "main (float[1, 1, 4, 4] x, float[2, {}] rois) => (float[2, 1, 1, 1] y) {{\n"
    text += "y = MaxRoiPool <pooled_shape = [1, 1]> (x, rois)\n}}"
    with pytest.raises(TilewrightError, match=r"regions of shape \[n, 5\], but got \[2, 4\]") as error:
        tilewright.compile(_model(text.format(4)))
    assert error.value.code == "TW0303"
    program = tilewright.compile(_model(text.format("k")))
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    assert program(x, np.float32([[0, 0, 0, 3, 3], [0, 1, 1, 2, 2]])).ravel().tolist() == [15, 10]
    with pytest.raises(TilewrightError) as error:
        program(x, np.zeros((2, 6), np.float32))
    assert error.value.code == "TW0730"


_TENSORS = {"R": np.float32(0.1), "X": [1.0, 2.0], "G": [-0.5, 1.5], "V": [0.5, 0.25], "H": [0.75, 2.0]}
_OPTIMIZERS = [
    ("Adagrad <norm_coefficient = 0.01, decay_factor = 0.1, epsilon = 0.001>", "H"),
    ("Adam <norm_coefficient = 0.01, norm_coefficient_post = 0.02, epsilon = 0.01>", "VH"),
    ('Momentum <alpha = 0.9, beta = 0.5, norm_coefficient = 0.01, mode = "standard">', "V"),
    ('Momentum <alpha = 0.9, beta = 0.5, norm_coefficient = 0.01, mode = "nesterov">', "V"),
]


@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize(("operator", "states"), _OPTIMIZERS)
def test_steps_of_optimizers(operator: str, states: str, count: int) -> None:
    names = ["X", "G", *states]
    inputs = ", ".join(["float R", "int64 T", *(f"float[2] {name}" for name in names)])
    outputs = ["X", *states]
    model = _model(
        f"main ({inputs}) => ({', '.join(f'float[2] n{name}' for name in outputs)}) {{\n"
        f"{', '.join(f'n{name}' for name in outputs)} = ai.onnx.preview.training.{operator} (R, T, {', '.join(names)})"
        "\n}"
    )
    values: dict[str, Any] = {name: np.asarray(_TENSORS[name], np.float32) for name in ("R", *names)}
    values["T"] = np.array(count)
    expected = ReferenceEvaluator(model).run(None, values)
    for found, value in zip(tilewright.compile(model).run(values).values(), expected, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-5)


def test_a_loop_whose_body_needs_its_number_is_written_out() -> None:
    text = """main (int64 n, float[1] x) => (float[1] y, float[a, 1] all) {
      y, all = Loop <body = step (int64 i, bool go, float[1] v) => (bool again, float[1] w, float[1] part) {
        table = Constant <value = float[4] {1.0, 2.0, 3.0, 4.0}> ()
        zero = Constant <value_ints = [0]> ()
        one = Constant <value_int = 1> ()
        start = Unsqueeze(i, zero)
        next = Add(i, one)
        end = Unsqueeze(next, zero)
        row = Slice(table, start, end)
        w = Add(v, row)
        part = Identity(row)
        again = Identity(go)
      }> (n, , x)
    }"""
    program = tilewright.compile(_model(text))
    for count in (4, 2):
        y, rows = program(np.array(count), np.float32([10]))
        np.testing.assert_array_equal(rows[:, 0], np.arange(1, count + 1))
        np.testing.assert_array_equal(y, [10 + count * (count + 1) / 2])


def test_sequences_as_long_as_an_input_says() -> None:
    node = helper.make_node("SplitToSequence", ["x", "sizes"], ["y"])
    x = helper.make_tensor_value_info("x", 1, [6])
    sizes = helper.make_tensor_value_info("sizes", 7, ["n"])
    y = helper.make_tensor_sequence_value_info("y", 1, None)
    model = helper.make_model(helper.make_graph([node], "g", [x, sizes], [y]))
    prepared = backend.prepare(model)
    data = np.arange(6, dtype=np.float32)
    for each in ([2, 4], [1, 2, 3], [6]):
        (found,) = prepared.run([data, np.array(each)])
        assert len(found) == len(each)
        np.testing.assert_array_equal(np.concatenate(found), data)
        assert [len(part) for part in found] == each


def _forest(**attributes: Any) -> onnx.ModelProto:
    """Return two trees over three features: one of two levels, and one that looks its feature up in a set."""
    given: dict[str, Any] = {
        "n_targets": 2,
        "nodes_featureids": [0, 1, 2, 2],
        "nodes_modes": numpy_helper.from_array(np.array([0, 3, 5, 6], np.uint8)),
        "nodes_splits": numpy_helper.from_array(np.array([0.5, -1, 2, 0], np.float32)),
        "nodes_truenodeids": [1, 0, 2, 4],
        "nodes_trueleafs": [0, 1, 1, 1],
        "nodes_falsenodeids": [2, 1, 3, 5],
        "nodes_falseleafs": [0, 1, 1, 1],
        "membership_values": numpy_helper.from_array(np.array([2, 3, np.nan], np.float32)),
        "leaf_targetids": [0, 1, 1, 0, 0, 1],
        "leaf_weights": numpy_helper.from_array(np.array([1, 2, 4, 8, 16, 32], np.float32)),
        "tree_roots": [0, 3],
    }
    node = helper.make_node("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", **given, **attributes)
    x, y = (helper.make_tensor_value_info(name, 1, ["n", None]) for name in "xy")
    opsets = [helper.make_opsetid("ai.onnx.ml", 5), helper.make_opsetid("", 21)]
    return helper.make_model(helper.make_graph([node], "forest", [x], [y]), opset_imports=opsets, ir_version=10)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("aggregate", range(4))
def test_ensembles_of_trees(aggregate: int) -> None:
    model = _forest(aggregate_function=aggregate, nodes_missing_value_tracks_true=[0, 1, 0, 0])
    x = np.random.default_rng(1).integers(-3, 4, (20, 3)).astype(np.float32)
    x[3, 1] = np.nan
    (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
    program = tilewright.compile(model, shapes={"x": ("n", 3)})
    np.testing.assert_array_equal(program(x), expected)
    np.testing.assert_array_equal(program(x[:1]), expected[:1])


def test_ensembles_whose_results_are_transformed() -> None:
    x = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32)
    plain = tilewright.compile(_forest(), shapes={"x": ("n", 3)})(x)
    found = tilewright.compile(_forest(post_transform=2), shapes={"x": ("n", 3)})(x)
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-plain)), rtol=1e-5)
    with pytest.raises(TilewrightError) as error:
        tilewright.compile(_forest(post_transform=4), shapes={"x": ("n", 3)})
    assert error.value.code == "TW0306"


def test_nodes_that_lead_back_are_no_tree() -> None:
    model = _forest()
    (ids,) = (each for each in model.graph.node[0].attribute if each.name == "nodes_falsenodeids")
    ids.ints[0] = 0
    with pytest.raises(TilewrightError, match="lead back") as error:
        tilewright.compile(model, shapes={"x": ("n", 3)})
    assert error.value.code == "TW0303"
