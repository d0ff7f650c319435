"""Loops whose places in a row are no 64-bit integers: split and fuse refuse to make them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.schedule import Schedule


def summed(size: int | te.Var, columns: int = 5) -> Schedule:
    a = te.placeholder((size, columns), name="A")
    k = te.reduce_axis((0, columns), "k")
    b = te.compute((size,), lambda i: te.sum(a[i, k], axis=k), name="B")
    return Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b])}))


REFUSED = {
    "one factor": (7, [1 << 63, 1]),
    "a factor that is no 64-bit integer": (7, [None, 1 << 70]),
    "the product": (7, [1 << 32, 1 << 31]),
    "the inner ones": (7, [None, 1 << 21, 1 << 21, 1 << 21]),
    "a symbolic extent rounded up": (te.var("n"), [None, 1 << 62]),
    "inner ones of a symbolic extent": (te.var("n"), [None, 1 << 32, 1 << 32]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_factors_that_overflow(name: str) -> None:
    size, factors = REFUSED[name]
    s = summed(size)
    before = str(s.mod)
    with pytest.raises(TilewrightError, match="split: with .* iterations for %i, .* more than the 2\\^63") as caught:
        s.split(s.get_loops(s.get_block("B"))[0], factors)
    assert caught.value.code == "TW0473" and str(s.mod) == before


@pytest.mark.parametrize("factors", [[1 << 30, 1 << 30], [None, (1 << 60) + 1], [None, 3, 1 << 58]])
def test_factors_that_fit(factors: Sequence[int | None]) -> None:
    s = summed(7)
    s.split(s.get_loops(s.get_block("B"))[0], factors)
    x = np.arange(35, dtype=np.float32).reshape(7, 5)
    np.testing.assert_array_equal(tilewright.build(s, threads=1)(x), x.sum(1))


def test_factors_of_a_symbolic_size_that_fit() -> None:
    s = summed(te.var("n"))
    s.split(s.get_loops(s.get_block("B"))[0], [None, 1 << 59])
    x = np.arange(35, dtype=np.float32).reshape(7, 5)
    np.testing.assert_array_equal(tilewright.build(s, threads=1)(x), x.sum(1))


def test_fused_loops_that_overflow() -> None:
    s = summed(1 << 32, 1 << 31)
    before = str(s.mod)
    with pytest.raises(TilewrightError, match="fuse: with 4294967296 \\* 2147483648 iterations for %i, %k") as caught:
        s.fuse(*s.get_loops(s.get_block("B")))
    assert caught.value.code == "TW0473" and str(s.mod) == before
    fitting = summed(1 << 31, 1 << 31)
    fitting.fuse(*fitting.get_loops(fitting.get_block("B")))


def test_parts_of_parts_that_overflow() -> None:
    """Each split fits, and what the last one makes of the nest does not."""
    s = summed(7)
    outer, _ = s.split(s.get_loops(s.get_block("B"))[0], [None, 1 << 59])
    with pytest.raises(TilewrightError) as caught:
        s.split(outer, [4, 2])
    assert caught.value.code == "TW0473"
    s.split(outer, [3, 1])
    x = np.arange(35, dtype=np.float32).reshape(7, 5)
    np.testing.assert_array_equal(tilewright.build(s, threads=1)(x), x.sum(1))


def test_a_stage_reports_the_line_of_its_split() -> None:
    a = te.placeholder((7,), name="A")
    b = te.compute((7,), lambda i: a[i] + 1, name="B")
    s = te.create_schedule(b.op)
    outer, _ = s[b].split(b.op.axis[0], factor=1 << 62)
    s[b].split(outer, nparts=4)
    with pytest.raises(TilewrightError) as caught:
        tilewright.lower(s, [a, b])
    assert caught.value.code == "TW0473" and "test_huge_loops.py" in str(caught.value)
