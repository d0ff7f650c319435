"""Tensors that are selected from several others: concatenations and what is computed of them, range by range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te, topi
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context

TARGETS = ("cpu", "c", "interpreter")


def compiled(text: str, target: str = "cpu") -> Any:
    return tilewright.compile(parse(context(), text, "program.mlir"), target=target)


def concat(shapes: list[tuple[int, ...]], axis: int, element: str = "f32") -> str:
    whole = [*shapes[0]]
    whole[axis] = sum(shape[axis] for shape in shapes)

    def typed(shape: Any) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{element}>"

    arguments = ", ".join(f"%x{n}: {typed(shape)}" for n, shape in enumerate(shapes))
    operands = ", ".join(f"%x{n}" for n in range(len(shapes)))
    return f"""
    func.func @main({arguments}) -> {typed(whole)} {{
      %y = graph.concat {operands} axis {axis} : {typed(whole)}
      func.return %y : {typed(whole)}
    }}"""


@pytest.mark.each("target", TARGETS)
@pytest.mark.parametrize(
    ("shapes", "axis", "dtype", "element"),
    [
        ([(8, 6), (4, 6), (1, 6), (5, 6)], 0, "float32", "f32"),
        ([(3, 2, 5), (3, 1, 5), (3, 4, 5)], 1, "float32", "f32"),
        ([(40, 1), (40, 3), (40, 2), (40, 1)], 1, "float16", "f16"),
        ([(2, 33), (2, 64)], 1, "int8", "i8"),
        ([(7,), (1,), (19,), (0,), (3,)], 0, "float64", "f64"),
        ([(1, 5)] * 9, 0, "int64", "i64"),
    ],
)
def test_concatenations(target: str, shapes: list[tuple[int, ...]], axis: int, dtype: str, element: str) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-99, 99, shape).astype(dtype) for shape in shapes]
    found = compiled(concat(shapes, axis, element), target)(*arrays)
    assert found.dtype == dtype
    assert np.array_equal(found, np.concatenate(arrays, axis))


@pytest.mark.parametrize("axis", [0, 1])
def test_three_hundred_tensors(axis: int) -> None:
    rng = np.random.default_rng(0)
    arrays = [
        rng.random((2, 1 + n % 5), np.float32) if axis else rng.random((1 + n % 3, 8), np.float32) for n in range(300)
    ]
    found = compiled(concat([array.shape for array in arrays], axis))(*arrays)
    assert np.array_equal(found, np.concatenate(arrays, axis))


@pytest.mark.parametrize("target", ["cpu", "c"])
@pytest.mark.parametrize("axis", [0, 1])
def test_sizes_that_a_call_tells(target: str, axis: int) -> None:
    dims = ["m, n", "k, n", '"k + m", n'] if axis == 0 else ["n, m", "n, k", 'n, "k + m"']
    first, second, whole = (f"tensor<?x?xf32, #graph.dims<{each}>>" for each in dims)
    text = f"""
    func.func @main(%a: {first}, %b: {second}) -> {whole} {{
      %y = graph.concat %a, %b axis {axis} : {whole}
      %z = graph.relu %y : {whole}
      func.return %z : {whole}
    }}"""
    f, rng = compiled(text, target), np.random.default_rng(0)
    for m, k, n in ((3, 4, 5), (0, 2, 9), (17, 1, 33), (40, 0, 2)):
        shapes = ((m, n), (k, n)) if axis == 0 else ((n, m), (n, k))
        a, b = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
        assert np.array_equal(f(a, b), np.maximum(np.concatenate([a, b], axis), 0)), (m, k, n)


@pytest.mark.each("target", TARGETS)
def test_what_is_computed_before_and_after(target: str) -> None:
    text = """
    func.func @main(%a: tensor<6x40xf32>, %b: tensor<2x40xf32>, %c: tensor<8x40xf32>) -> tensor<8x40xf32> {
      %0 = graph.exp %a : tensor<6x40xf32>
      %1 = graph.neg %b : tensor<2x40xf32>
      %2 = graph.concat %0, %1 axis 0 : tensor<8x40xf32>
      %3 = graph.mul %2, %c : tensor<8x40xf32>
      func.return %3 : tensor<8x40xf32>
    }"""
    rng = np.random.default_rng(0)
    a, b, c = (rng.standard_normal((n, 40)).astype(np.float32) for n in (6, 2, 8))
    np.testing.assert_allclose(compiled(text, target)(a, b, c), np.concatenate([np.exp(a), -b]) * c, rtol=1e-5)


def test_nests_of_guarded_reads() -> None:
    """Any selection by ranges of an axis, with other conditions and with a value that is of no tensor."""
    n = 60
    xs = [te.placeholder((n + k, 7), name=f"x{k}") for k in range(n)]

    def element(i: Any, j: Any) -> Any:
        value: Any = te.const(-1.0, "float32")
        for k, x in enumerate(xs):
            within = te.all(i >= 3 * k, i < 3 * k + 2, j < 5)
            value = te.if_then_else(within, x[i - 2 * k, j] * 2.0, value)
        return value

    y = te.compute((3 * n, 7), element, name="y")
    rng = np.random.default_rng(0)
    arrays = [rng.random((n + k, 7), np.float32) for k in range(n)]
    wanted = np.full((3 * n, 7), -1, np.float32)
    for k, array in enumerate(arrays):
        wanted[3 * k : 3 * k + 2, :5] = array[k : k + 2, :5] * 2
    assert np.array_equal(tilewright.build([*xs, y], [*xs, y], target="cpu")(*arrays), wanted)


@pytest.mark.parametrize("axis", [0, 1])
def test_parts_of_a_tensor_are_copied_by_rows(axis: int) -> None:
    x = te.placeholder((12, 35), name="x")
    sizes = [1, 4, 7] if axis == 0 else [5, 20, 10]
    parts = topi.split(x, list(np.cumsum(sizes)[:-1]), axis=axis)
    array = np.random.default_rng(0).random((12, 35), np.float32)
    found = tilewright.build([x, *parts], [x, *parts], target="cpu")(array)
    for part, wanted in zip(found, np.split(array, np.cumsum(sizes)[:-1], axis), strict=True):
        assert np.array_equal(part, wanted)


@pytest.mark.parametrize("target", ["cpu", "c"])
def test_vectors_of_open_size_are_filled_up_and_cut_off(target: str) -> None:
    text = """
    func.func @main(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<100xf32> {
      %y = graph.extend %x shape [100] : tensor<100xf32>
      func.return %y : tensor<100xf32>
    }"""
    f = compiled(text, target)
    for size in (0, 1, 37, 99, 100, 101, 300):
        x = np.arange(1, size + 1, dtype=np.float32)
        wanted = np.zeros(100, np.float32)
        wanted[: min(size, 100)] = x[:100]
        assert np.array_equal(f(x), wanted), size
