"""Rows that a CPU sorts by radix: long ones and those of symbolic length, beside numpy's stable order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.operators.sorting import LONG

TARGETS = ("cpu", "c", "interpreter")


def drawn(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return numbers of which many are equal; of floats some are NaN, infinite, or zeros of both signs."""
    rng = np.random.default_rng(sum(shape))
    values: Any = rng.integers(0 if dtype == "uint8" else -40, 40, shape).astype(dtype)
    if values.dtype.kind == "f":
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0], dtype)
        values = np.where(rng.random(shape) < 0.2, rng.choice(special, shape), values)
    return values


def expected(x: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """Return the order of the elements, of equal ones the first one first, in both directions."""
    ranks = np.unique(x, return_inverse=True)[1].reshape(x.shape)
    return np.argsort(-ranks if descending else ranks, axis, kind="stable")


def compiled(text: str, target: str) -> Any:
    return tilewright.compile(parse(context(), text, "program.mlir"), target=target)


def argsort(shape: str, element: str, axis: int, descending: bool, dims: str = "") -> str:
    word = " descending" if descending else ""
    return f"""
    func.func @main(%x: tensor<{shape}x{element}{dims}>) -> tensor<{shape}xi64{dims}> {{
      %y = graph.argsort %x axis {axis}{word} : tensor<{shape}xi64{dims}>
      func.return %y : tensor<{shape}xi64{dims}>
    }}"""


@pytest.mark.sampled(3)
@pytest.mark.each("target", TARGETS)
@pytest.mark.parametrize(
    ("shape", "axis", "descending", "dtype", "element"),
    [
        ((LONG + 1,), 0, False, "float32", "f32"),
        ((2, 1000), 1, True, "float32", "f32"),
        ((300, 3), 0, False, "float64", "f64"),
        ((2, 513, 2), 1, True, "int32", "i32"),
        ((2, 512), 1, False, "uint8", "ui8"),
        ((1, 700), 1, True, "float16", "f16"),
        ((2, LONG), 1, True, "float32", "f32"),
    ],
)
def test_indices_of_long_rows(
    target: str, shape: tuple[int, ...], axis: int, descending: bool, dtype: str, element: str
) -> None:
    f = compiled(argsort("x".join(map(str, shape)), element, axis, descending), target)
    x = drawn(shape, dtype)
    assert np.array_equal(f(x), expected(x, axis, descending))


@pytest.mark.parametrize("target", ["cpu", "c"])
@pytest.mark.parametrize("descending", [False, True])
def test_rows_whose_length_a_call_states(target: str, descending: bool) -> None:
    f = compiled(argsort("?x?", "f32", 1, descending, ", #graph.dims<m, n>"), target)
    for shape in ((3, 0), (0, 4), (2, 1), (1, 2), (3, 7), (2, 8), (2, 9), (1, 1025)):
        x = drawn(shape, "float32")
        assert np.array_equal(f(x), expected(x, 1, descending)), shape


@pytest.mark.sampled(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("smallest", [False, True])
@pytest.mark.parametrize("k", [0, 5, 400])
def test_the_first_elements_of_long_rows(target: str, smallest: bool, k: int) -> None:
    word = " smallest" if smallest else ""
    text = f"""
    func.func @main(%x: tensor<2x400xf32>) -> (tensor<2x{k}xf32>, tensor<2x{k}xi64>) {{
      %v, %p = graph.topk %x k {k}{word} : tensor<2x{k}xf32>, tensor<2x{k}xi64>
      func.return %v, %p : tensor<2x{k}xf32>, tensor<2x{k}xi64>
    }}"""
    x = drawn((2, 400), "float32")
    values, indices = compiled(text, target)(x)
    order = expected(x, 1, not smallest)[:, :k]
    assert np.array_equal(indices, order)
    assert np.array_equal(values, np.take_along_axis(x, order, 1), equal_nan=True)
