"""Results without elements: NonZero of scalars and of nothing, Tile by 0, beside the standard's reference and numpy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import tilewright
from onnx import helper
from onnx.reference import ReferenceEvaluator

from .models import model_of


@pytest.mark.parametrize("target", ["cpu", "c", "interpreter"])
def test_nonzero_of_scalars_and_of_nothing(target: str) -> None:
    """A scalar has no coordinates: the standard's shape is (0, N), where numpy has (1, N)."""
    for dtype, shape in itertools.product(("float32", "int64", "bool"), ((), (0,), (2, 0), (0, 3), (1, 2))):
        node = helper.make_node("NonZero", ["x"], ["y"])
        model = model_of([node], {"x": (dtype, shape)}, ["y"])
        program = tilewright.compile(model, target)
        for value in (1, 0):
            x = np.full(shape, value, dtype)
            (expected,) = ReferenceEvaluator(model).run(None, {"x": x})
            found = program(x)
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype), (dtype, shape, value)
            np.testing.assert_array_equal(found, expected)


def test_a_scalar_without_coordinates_goes_on() -> None:
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"]),
        helper.make_node("Shape", ["rows"], ["count"]),
        helper.make_node("NonZero", ["k"], ["known"]),
    ]
    outputs = ["rows", "count", "known"]
    model = model_of(nodes, {"x": ("float32", [])}, outputs, {"k": np.array(2, np.float32)})
    program = tilewright.compile(model)
    for value in (3, 0):
        x = np.array(value, np.float32)
        expected = ReferenceEvaluator(model).run(None, {"x": x})
        for found, wanted in zip(program(x), expected, strict=True):
            assert found.shape == wanted.shape
            np.testing.assert_array_equal(found, wanted)


def test_no_copies_along_a_dimension() -> None:
    wrong: list[str] = []
    for shape in ((2, 3), (0, 3), (2,), ()):
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        stated: tuple[Any, ...] = ("n", *shape[1:]) if shape else shape
        for declared, repeats in itertools.product((shape, stated), itertools.product((0, 1, 3), repeat=len(shape))):
            constants = {"r": np.array(repeats, np.int64)}
            model = model_of(
                [helper.make_node("Tile", ["x", "r"], ["y"])], {"x": ("float32", declared)}, ["y"], constants
            )
            found = tilewright.compile(model, "interpreter")(x)
            if found.shape != (wanted := np.tile(x, repeats)).shape or not np.array_equal(found, wanted):
                wrong.append(f"{declared} by {repeats}: {found.shape}")
    assert not wrong, "\n".join(wrong)


def test_numbers_of_copies_that_calls_bring() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    inputs: dict[str, Any] = {"x": ("float32", ["n", 3]), "r": ("int64", [2])}
    by_value = tilewright.compile(model_of([helper.make_node("Tile", ["x", "r"], ["y"])], inputs, ["y"]))
    nodes = [helper.make_node("Shape", ["z"], ["r"]), helper.make_node("Tile", ["x", "r"], ["y"])]
    inputs = {"x": ("float32", ["n", 3]), "z": ("float32", ["a", "b"])}
    by_size = tilewright.compile(model_of(nodes, inputs, ["y"]))
    for repeats in ((0, 2), (2, 0), (3, 1), (0, 0)):
        np.testing.assert_array_equal(by_value(x, np.array(repeats)), np.tile(x, repeats))
        np.testing.assert_array_equal(by_size(x, np.zeros(repeats, np.float32)), np.tile(x, repeats))
