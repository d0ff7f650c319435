"""The rule for blocks without reduction, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import te

from .gpu import build, draw, messages_of, source

SIZES = [1, 3, 4, 127, 128, 129, 1021, 1024, 1028]


@pytest.mark.parametrize("size", SIZES)
def test_elementwise_sizes(size: int) -> None:
    a = te.placeholder((size,), name="A")
    program = build([a], te.compute((size,), lambda i: a[i] * 2 + 1, name="B"))
    x = draw((size,))
    np.testing.assert_array_equal(program(x), x * 2 + 1)
    assert ("device.load4" in source(program)) == (size % 4 == 0)
    lanes = next(n for n in (4, 2, 1) if size % n == 0)
    assert messages_of(program)[0].endswith(f"threads, {lanes} neighbours each")


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "int8", "bool"])
@pytest.mark.parametrize("size", [5, 256, 260])
def test_elementwise_types(dtype: str, size: int) -> None:
    a = te.placeholder((size,), dtype, name="A")
    program = build([a], te.compute((size,), lambda i: te.max(a[i], a[i]) if dtype != "bool" else ~a[i], name="B"))
    x = draw((size,), dtype)
    np.testing.assert_array_equal(program(x), x if dtype != "bool" else ~x)


@pytest.mark.parametrize("symbolic", ["m", "n", "mn"])
def test_symbolic_sizes(symbolic: str) -> None:
    m = te.var("m") if "m" in symbolic else 6
    n = te.var("n") if "n" in symbolic else 9
    a = te.placeholder((m, n), name="A")
    program = build([a], te.compute((n, m), lambda i, j: a[j, i] + 1, name="B"))
    for rows, columns in [(1, 1), (6, 9), (40, 11)]:
        x = draw((rows if "m" in symbolic else 6, columns if "n" in symbolic else 9))
        np.testing.assert_array_equal(program(x), x.T + 1)


def test_a_scalar() -> None:
    a = te.placeholder((), name="A")
    program = build([a], te.compute((), lambda: a() * 3, name="B"))
    assert program(np.float32(2).reshape(())) == 6


@pytest.mark.parametrize("columns", [1, 5, 300])
def test_each_line_of_a_scan_has_a_thread(columns: int) -> None:
    n = 9
    a = te.placeholder((n, columns), name="A")
    state = te.placeholder((n, columns), name="S")
    init = te.compute((1, columns), lambda _, j: a[0, j])
    update = te.compute((n, columns), lambda t, j: state[t - 1, j] + a[t, j])
    program = build([a], te.scan(init, update, state))
    x = draw((n, columns))
    np.testing.assert_allclose(program(x), np.cumsum(x, 0), rtol=1e-5, atol=1e-6)
    assert not messages_of(program, "TW0647")
    assert "1 loops of block 'compute_1' run in order" in messages_of(program)[-1]


def test_a_scan_of_numbers_has_one_thread() -> None:
    a = te.placeholder((9,), name="A")
    state = te.placeholder((9,), name="S")
    init = te.compute((1,), lambda _: a[0])
    update = te.compute((9,), lambda t: state[t - 1] + a[t])
    program = build([a], te.scan(init, update, state))
    x = draw((9,))
    np.testing.assert_allclose(program(x), np.cumsum(x), rtol=1e-5, atol=1e-6)
    assert "run by one thread" in messages_of(program, "TW0647")[0]
