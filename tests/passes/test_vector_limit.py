"""Vectorized loops of very many lanes are refused before any vector is made; a setting allows more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.passes.framework.context import PassContext
from tilewright.schedule import Schedule

ROWS, COLUMNS = 6, 10


def doubled(extent: int = COLUMNS) -> Schedule:
    a = te.placeholder((ROWS, extent), name="A")
    b = te.compute((ROWS, extent), lambda i, j: a[i, j] * 2, name="B")
    return Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b])}))


def split_inner(factor: int) -> Schedule:
    s = doubled()
    s.vectorize(s.split(s.get_loops(s.get_block("B"))[1], [None, factor])[1])
    return s


def with_outer_lanes(factor: int) -> Schedule:
    """Return a schedule whose long loop stands around one that becomes vectors itself."""
    s = doubled()
    row, column = s.get_loops(s.get_block("B"))
    s.vectorize(s.split(row, [None, factor])[1])
    s.vectorize(column)
    return s


def whole_row(extent: int) -> Schedule:
    s = doubled(extent)
    s.vectorize(s.get_loops(s.get_block("B"))[1])
    return s


@pytest.mark.parametrize("count", [1_000_000, 1_000_000_000, 1 << 50])
@pytest.mark.parametrize("make", [split_inner, with_outer_lanes])
def test_loops_that_are_too_long(make: Callable[[int], Schedule], count: int) -> None:
    with pytest.raises(TilewrightError, match=rf"is vectorized and has {count} iterations, more than") as caught:
        tilewright.lower(make(count))
    assert caught.value.code == "TW0557" and "max_vector_lanes" in str(caught.value.help)
    assert "test_vector_limit.py" in str(caught.value)


def test_tensor_expressions_are_refused_too() -> None:
    a = te.placeholder((COLUMNS,), name="A")
    b = te.compute((COLUMNS,), lambda i: a[i] * 2, name="B")
    s = te.create_schedule(b.op)
    s[b].vectorize(s[b].split(b.op.axis[0], factor=1_000_000_000)[1])
    with pytest.raises(TilewrightError) as caught:
        tilewright.build(s, [a, b])
    assert caught.value.code == "TW0557"


def test_a_long_row_is_vectors() -> None:
    """No lane of it is masked."""
    row = np.arange(ROWS << 19, dtype=np.float32).reshape(ROWS, 1 << 19)
    np.testing.assert_array_equal(tilewright.build(whole_row(1 << 19), threads=1)(row), row * 2)


def test_loops_up_to_the_limit_are_vectors() -> None:
    x = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
    np.testing.assert_array_equal(tilewright.build(split_inner(1000), threads=1)(x), x * 2)


def test_the_setting_decides() -> None:
    x = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
    with PassContext(config={"max_vector_lanes": 16}):
        np.testing.assert_array_equal(tilewright.build(split_inner(16), threads=1)(x), x * 2)
        with pytest.raises(TilewrightError, match="has 17 iterations, more than 16") as caught:
            tilewright.build(split_inner(17), threads=1)
    assert caught.value.code == "TW0557"
    with PassContext(config={"max_vector_lanes": 1 << 20}):
        np.testing.assert_array_equal(tilewright.build(split_inner(300_000), threads=1)(x), x * 2)
