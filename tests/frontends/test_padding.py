"""Pad in every mode, with amounts below 0 too: known, computed from sizes, and as inputs, beside onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from onnx import helper, numpy_helper
from tilewright.diagnostics import TilewrightError

from .models import model_of, onnxruntime_results

MODES = ("constant", "edge", "reflect", "wrap")
AMOUNTS = {
    "constant": ([-1, 2], [2, -1], [-1, -1], [-3, 4], [-5, 6], [-4, 2], [-2, -2], [0, 3], [6, -5]),
    "edge": ([-1, 2], [2, -1], [-1, -1], [-3, 4], [0, 3], [9, -3]),
    "reflect": ([-1, 2], [2, -1], [-1, -1], [-2, 1], [0, 3], [1, -2]),
    "wrap": ([-1, 2], [2, -1], [-1, -1], [-3, 4], [0, 9], [3, -2], [-2, 3]),
}
"""Amounts before and after four elements that onnxruntime takes."""


def padded(
    mode: str,
    pads: Sequence[int],
    shape: Sequence[int | str],
    opset: int = 19,
    axes: Sequence[int] | None = None,
    is_input: bool = False,
) -> onnx.ModelProto:
    """Return a model of one node; its amounts are a constant or an input, and an attribute below opset 11."""
    data = {"p": np.array(pads)} | ({} if axes is None else {"axes": np.array(axes)})
    names = ["x"] if opset < 11 else ["x", "p"] if axes is None else ["x", "p", "", "axes"]
    attributes: dict[str, Any] = {"pads": pads} if opset < 11 else {}
    inputs: dict[str, Any] = {"x": ("float32", shape)}
    if is_input:
        inputs["p"] = data.pop("p")
    node = helper.make_node("Pad", names, ["y"], mode=mode, **attributes)
    return model_of([node], inputs, ["y"], {name: data[name] for name in data if name in names}, opset)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [4, "n"])
def test_negative_amounts_take_away_before_margins_are_made(mode: str, size: int | str) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    wrong: list[str] = []
    for first, last in AMOUNTS[mode]:
        pads = [0, first, 1 if mode == "constant" else 0, last]
        (expected,) = onnxruntime_results(padded(mode, pads, [3, 4]), x)
        found = tilewright.compile(padded(mode, pads, [3, size]))(x)
        if not np.array_equal(found, expected):
            wrong.append(f"{pads}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


def test_amounts_that_calls_bring() -> None:
    x = np.arange(4, dtype=np.float32)
    wrong: list[str] = []
    for mode in MODES:
        model = padded(mode, [0, 0], ["n"], is_input=True)
        program = tilewright.compile(model, "interpreter")
        for pads in AMOUNTS[mode]:
            found, (expected,) = program(x, np.array(pads)), onnxruntime_results(model, x, np.array(pads))
            if not np.array_equal(found, expected):
                wrong.append(f"{mode} by {pads}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


def test_every_opset_and_a_choice_of_axes() -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    cases = [(opset, [0, 0, -1, 0, 1, 2], None) for opset in (7, 11, 13, 18, 19, 21, 23)]
    cases += [(opset, [1, -2, -1, 1], [-2, -1]) for opset in (18, 19, 21, 23)]
    wrong: list[str] = []
    for opset, pads, axes in cases:
        for mode in MODES if opset >= 19 else MODES[:3]:
            model = padded(mode, pads, x.shape, opset, axes)
            found, (expected,) = tilewright.compile(model, "interpreter")(x), onnxruntime_results(model, x)
            if not np.array_equal(found, expected):
                wrong.append(f"{mode} at opset {opset} by {pads}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)


def test_amounts_that_are_computed_from_sizes() -> None:
    """A row is made as long as another one: longer or shorter."""
    nodes = [
        helper.make_node("Shape", ["x"], ["have"]),
        helper.make_node("Shape", ["z"], ["want"]),
        helper.make_node("Sub", ["want", "have"], ["last"]),
        helper.make_node("Concat", ["zero", "last"], ["p"], axis=0),
    ]
    x = np.arange(4, dtype=np.float32)
    for mode in MODES:
        pad = helper.make_node("Pad", ["x", "p"], ["y"], mode=mode)
        inputs: dict[str, Any] = {"x": ("float32", ["n"]), "z": ("float32", ["m"])}
        model = model_of([*nodes, pad], inputs, ["y"], {"zero": np.array([0])}, 19)
        program = tilewright.compile(model)
        for size in (7, 4, 2):
            expected = np.pad(x, (0, max(size - 4, 0)), mode)[:size]  # pyright: ignore[reportCallIssue, reportArgumentType]
            np.testing.assert_array_equal(program(x, np.zeros(size, np.float32)), expected, mode)


def test_what_no_margin_can_be_made_of() -> None:
    for mode, pads, shape in (("edge", [-5, 9], [4]), ("wrap", [-4, 1], [4]), ("constant", [-3, -3], [4])):
        with pytest.raises(TilewrightError) as error:
            tilewright.compile(padded(mode, pads, shape))
        assert error.value.code == "TW0303", mode
    program = tilewright.compile(padded("edge", [-3, 1], ["n"]))
    np.testing.assert_array_equal(program(np.arange(5, dtype=np.float32)), [3, 4, 4])
    with pytest.raises(TilewrightError) as error:
        program(np.zeros(2, np.float32))
    assert error.value.code == "TW0730"


def test_the_reference_and_the_expression_agree() -> None:
    weights = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(2, 3), "w")
    for mode in MODES:
        nodes = [
            helper.make_node("Pad", ["w", "p"], ["c"], mode=mode),
            helper.make_node("Pad", ["x", "p"], ["d"], mode=mode),
        ]
        model = model_of(nodes, {"x": ("float32", [2, 3])}, ["c", "d"], {"p": np.array([1, -1, 0, 1])}, 19)
        model.graph.initializer.append(weights)
        folded, computed = tilewright.compile(model)(numpy_helper.to_array(weights))
        np.testing.assert_array_equal(folded, computed, mode)
