"""The rule for transposition through shared memory."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import te

from .gpu import build, draw, messages_of, source


@pytest.mark.each("shape", [(16, 16), (31, 33), (32, 32), (33, 64), (70, 45)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8", "bool"])
def test_sizes_and_types(shape: tuple[int, int], dtype: str) -> None:
    a = te.placeholder(shape, dtype, name="A")
    program = build([a], te.compute(shape[::-1], lambda i, j: a[j, i], name="B"))
    x = draw(shape, dtype)
    np.testing.assert_array_equal(program(x), x.T)
    assert messages_of(program) == ["block 'B' turns tiles of 32 x 32"]
    assert "* 33 + " in source(program), "rows of the tile are 33 elements apart"


@pytest.mark.parametrize("order", [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
@pytest.mark.parametrize("shape", [(17, 3, 40), (20, 33, 2), (1, 20, 36)])
def test_orders(order: tuple[int, ...], shape: tuple[int, ...]) -> None:
    a = te.placeholder(shape, name="A")
    where = [order.index(d) for d in range(3)]
    b = te.compute([shape[d] for d in order], lambda *i: a[tuple(i[d] for d in where)] + 1, name="B")
    x = draw(shape)
    np.testing.assert_array_equal(build([a], b)(x), x.transpose(order) + 1)


@pytest.mark.parametrize("symbolic", ["m", "n", "mn", "bmn"])
def test_symbolic_sizes(symbolic: str) -> None:
    fixed = {"b": 2, "m": 20, "n": 37}
    b, m, n = (te.var(name) if name in symbolic else fixed[name] for name in "bmn")
    a = te.placeholder((b, m, n), name="A")
    program = build([a], te.compute((b, n, m), lambda k, i, j: a[k, j, i], name="B"))
    for sizes in [(2, 20, 37), (1, 1, 1), (3, 65, 32)]:
        shape = [size if name in symbolic else fixed[name] for name, size in zip("bmn", sizes, strict=True)]
        x = draw(shape)
        np.testing.assert_array_equal(program(x), x.transpose(0, 2, 1))


def test_a_sum_with_the_transposed() -> None:
    a, b = (te.placeholder((40, 40), name=name) for name in "AB")
    program = build([a, b], te.compute((40, 40), lambda i, j: a[i, j] + b[j, i], name="C"))
    x, y = draw((40, 40)), draw((40, 40))
    np.testing.assert_array_equal(program(x, y), x + y.T)
    assert "turns tiles" in messages_of(program)[0]


def test_narrow_ones_are_no_tiles() -> None:
    a = te.placeholder((3, 40), name="A")
    program = build([a], te.compute((40, 3), lambda i, j: a[j, i], name="B"))
    x = draw((3, 40))
    np.testing.assert_array_equal(program(x), x.T)
    assert "turns tiles" not in messages_of(program)[0]
