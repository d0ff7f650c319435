"""The rule for chains of blocks over the same rows: softmax and layer normalisation as one kernel each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tilewright import te, topi
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule.rules.cuda.row_chain import threads_of_row

from .gpu import build, draw, messages_of, source


def softmax(shape: Sequence[int], dtype: str = "float32", symbolic: Sequence[int] = ()) -> Any:
    extents = [te.var(f"n{d}") if d in symbolic else n for d, n in enumerate(shape)]
    a = te.placeholder(extents, dtype, name="A")
    return build([a], topi.nn.softmax(a, axis=-1))


def expected(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x.astype(np.float64) - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def is_one_kernel(program: Any) -> bool:
    return source(program).count("def main_kernel") == 1 and "are computed row by row" in messages_of(program)[0]


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


@pytest.mark.sampled(3)
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


def test_rows_that_fit_neither_registers_nor_shared_memory_take_several_kernels() -> None:
    program = softmax((1, 60000))
    assert source(program).count("def main_kernel") > 1
    x = draw((1, 60000))
    np.testing.assert_allclose(program(x), expected(x), rtol=1e-5, atol=1e-7)


def loads_of(name: str, text: str) -> int:
    """Return how many statements of kernels load from an argument."""
    return len(re.findall(rf"\b{name}\[|load[248]\({name},", text))


def is_in_registers(text: str) -> bool:
    """Return whether nothing but results of rows and of warps is in shared memory."""
    return all(int(size) <= 32 for size in re.findall(r"shared\.array\((\d+)", text))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("shape", [(5, 96), (2, 1000), (2, 4096), (1, 16384), (3, 129), (2, 12500), (3, 2, 40)])
def test_rows_are_read_once_and_stay_in_registers(shape: tuple[int, ...]) -> None:
    program = softmax(shape)
    text = source(program)
    assert "'A' in registers" in messages_of(program)[0]
    assert (loads_of("A", text), is_in_registers(text)) == (1, True)
    x = draw(shape)
    np.testing.assert_allclose(program(x), expected(x), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(("shape", "axes"), [((2, 1000), 1), ((1, 16384), 1), ((2, 3, 129), 2), ((4, 3, 128), 2)])
def test_layer_norm_reads_rows_once(shape: tuple[int, ...], axes: int) -> None:
    a = te.placeholder(shape, name="A")
    scale, shift = (te.placeholder(shape[-axes:], name=name) for name in ("scale", "shift"))
    program = build([a, scale, shift], topi.nn.layer_norm(a, scale, shift, tuple(range(-axes, 0))))
    text = source(program)
    assert (loads_of("A", text), loads_of("scale", text), is_in_registers(text)) == (1, 1, True)
    x, s, t = draw(shape), draw(shape[-axes:]), draw(shape[-axes:])
    along = tuple(range(-axes, 0))
    centred = x - x.mean(along, keepdims=True)
    wanted = centred / np.sqrt((centred**2).mean(along, keepdims=True) + 1e-5) * s + t
    np.testing.assert_allclose(program(x, s, t), wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("shape", "barriers"), [((5, 96), 0), ((3, 2, 40), 0), ((2, 1000), 2), ((2, 3000), 2)])
def test_threads_wait_once_for_each_reduction(shape: tuple[int, ...], barriers: int) -> None:
    """For what other warps have found; where a row has one warp, nobody waits."""
    program = softmax(shape)
    assert source(program).count("syncthreads") == barriers
    x = draw(shape)
    np.testing.assert_allclose(program(x), expected(x), rtol=1e-5, atol=1e-7)


def test_rows_beyond_registers_are_read_again() -> None:
    """A copy in shared memory would be no nearer than the second cache, and twice as large as what has to be there."""
    shape = (1, 60000)
    a, scale, shift = te.placeholder(shape, name="A"), te.placeholder((60000,), name="s"), te.placeholder((60000,))
    program = build([a, scale, shift], topi.nn.layer_norm(a, scale, shift, (1,)))
    assert loads_of("A", source(program)) == 3
    assert "in registers" not in messages_of(program)[0]


def test_elements_that_other_threads_read_stay_shared() -> None:
    """Each element is divided by the sum of its row, and the one at the other end of the row added."""
    a = te.placeholder((3, 256), name="A")
    raised = te.compute((3, 256), lambda i, j: te.exp(a[i, j]), name="raised")
    k = te.reduce_axis((0, 256), name="k")
    total = te.compute((3,), lambda i: te.sum(raised[i, k], axis=k), name="total")
    result = te.compute((3, 256), lambda i, j: raised[i, j] / total[i] + raised[i, 255 - j], name="result")
    program = build([a], result)
    assert is_one_kernel(program)
    assert "shared.array(256" in source(program)
    x = draw((3, 256))
    powers = np.exp(x)
    np.testing.assert_allclose(program(x), powers / powers.sum(1, keepdims=True) + powers[:, ::-1], rtol=1e-5)


@pytest.mark.parametrize(
    ("rows", "elements", "threads"),
    [
        (9, 3, 4),
        (9, 20, 32),
        (8192, 8192, 256),
        (16, 8192, 1024),
        (9, 100, 32),
        (8192, 16384, 512),
        (8192, 40000, 1024),
    ],
)
def test_threads_of_row(rows: int, elements: int, threads: int) -> None:
    assert threads_of_row(rows, elements, CudaTargetAttr.get()) == threads
