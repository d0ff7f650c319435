"""The rule for chains of blocks over the same rows: softmax and layer normalisation as one kernel each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tilewright import te, topi
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule.rules.cuda.row_chain import threads_of_row

from .gpu import build, draw, source, told


def softmax(shape: Sequence[int], dtype: str = "float32", symbolic: Sequence[int] = ()) -> Any:
    extents = [te.var(f"n{d}") if d in symbolic else n for d, n in enumerate(shape)]
    a = te.placeholder(extents, dtype, name="A")
    return build([a], topi.nn.softmax(a, axis=-1))


def expected(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def is_one_kernel(program: Any) -> bool:
    return source(program).count("def main_kernel") == 1 and "are computed row by row" in told(program)[0]


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (300, 10), (7, 33), (3, 2, 128), (2, 1000), (3, 2050), (281, 4)])
def test_softmax(shape: tuple[int, ...]) -> None:
    program = softmax(shape)
    assert is_one_kernel(program)
    x = draw(shape)
    np.testing.assert_allclose(program(x), expected(x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-12), ("float16", 5e-3)])
def test_types(dtype: str, tolerance: float) -> None:
    program = softmax((4, 96), dtype)
    assert is_one_kernel(program)
    x = draw((4, 96), dtype)
    np.testing.assert_allclose(program(x), expected(x), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("symbolic", [[0], [0, 1], [1], [2], [0, 1, 2]])
def test_symbolic_sizes(symbolic: list[int]) -> None:
    """Rows may be as many as a call brings; one whose length it brings is no chain."""
    program = softmax((3, 5, 40), symbolic=symbolic)
    assert is_one_kernel(program) == (2 not in symbolic)
    for shape in [(3, 5, 40), *([(1, 5, 40)] if 0 in symbolic else [])]:
        x = draw(shape)
        np.testing.assert_allclose(program(x), expected(x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("shape", [(5, 40), (2, 3, 129), (40, 7)])
@pytest.mark.parametrize("axes", [1, 2])
def test_layer_norm(shape: tuple[int, ...], axes: int) -> None:
    if len(shape) == axes:
        pytest.skip("no rows")
    a = te.placeholder(shape, name="A")
    scale, shift = (te.placeholder(shape[-axes:], name=name) for name in ("scale", "shift"))
    program = build([a, scale, shift], topi.nn.layer_norm(a, scale, shift, tuple(range(-axes, 0))))
    assert is_one_kernel(program)
    x, s, t = draw(shape), draw(shape[-axes:]), draw(shape[-axes:])
    along = tuple(range(-axes, 0))
    centred = x - x.mean(along, keepdims=True)
    wanted = centred / np.sqrt((centred**2).mean(along, keepdims=True) + 1e-5) * s + t
    np.testing.assert_allclose(program(x, s, t), wanted, rtol=1e-4, atol=1e-5)


def test_rows_that_do_not_fit_shared_memory_take_several_kernels() -> None:
    program = softmax((2, 12500))
    assert source(program).count("def main_kernel") > 1
    x = draw((2, 12500))
    np.testing.assert_allclose(program(x), expected(x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("rows", "elements", "threads"), [(9, 3, 4), (9, 20, 32), (8192, 8192, 256), (16, 8192, 1024), (9, 100, 32)]
)
def test_threads_of_row(rows: int, elements: int, threads: int) -> None:
    assert threads_of_row(rows, elements, CudaTargetAttr.get()) == threads
