"""Axes whose values decide what a block computes."""

from __future__ import annotations

from tilewright import te
from tilewright.analysis.access import blocks_in
from tilewright.schedule.rules.block_structure import shape_of
from tilewright.schedule.rules.transformed_product import cases_of


def cases(*extents: int, choose: object) -> dict[int, int]:
    """Return the position of each axis that cases go by, and their period; `choose` gives the condition of a choice."""
    x = te.placeholder((64, *extents), name="X")
    result = te.compute(extents, lambda *i: te.Select(choose(*i), x(0, *i), x(1, *i)), name="C")  # pyright: ignore
    (block,) = blocks_in(te.create_prim_func([x, result]))
    shape = shape_of(block)
    assert shape is not None
    return {axis.position: period for axis, period in cases_of(shape).items()}


def test_a_small_axis_is_all_cases() -> None:
    assert cases(4, 32, choose=lambda i, j: i == 2) == {0: 4}


def test_remainders_repeat() -> None:
    assert cases(32, 30, choose=lambda i, j: te.all(i % 2 == 0, j % 3 == 1)) == {0: 2, 1: 3}


def test_of_two_periods_the_smaller_one_counts() -> None:
    assert cases(8, 32, choose=lambda i, j: te.all(i % 2 == 0, i < 5)) == {0: 2}
    assert cases(8, 32, choose=lambda i, j: te.all(i < 5, i % 2 == 0)) == {0: 2}


def test_many_values_are_no_cases() -> None:
    assert cases(32, 30, choose=lambda i, j: te.all(i < 5, j % 16 == 0)) == {}
