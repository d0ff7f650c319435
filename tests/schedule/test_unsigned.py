"""Primitives that make constants of a buffer's elements, which may be unsigned, while constants are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics.verification import verify
from tilewright.schedule import Schedule
from xdsl.dialects.func import FuncOp

X = np.random.default_rng(0).integers(0, 256, (6, 10), dtype=np.uint8)


def row_sums() -> tuple[FuncOp, np.ndarray]:
    a, k = te.placeholder(X.shape, "uint8", name="A"), te.reduce_axis((0, X.shape[1]), "k")
    b = te.compute(X.shape, lambda i, j: a[i, j] + te.const(3, "uint8"), name="B")
    c = te.compute(X.shape[:1], lambda i: te.max(b[i, k], axis=k), name="C")
    return te.create_prim_func([a, c]), (X + np.uint8(3)).max(1)


def shifted() -> tuple[FuncOp, np.ndarray]:
    """Return rows with what was added to them in the middle, and 7 around it."""
    rows, columns = X.shape
    a = te.placeholder(X.shape, "uint8", name="A")
    b = te.compute(X.shape, lambda i, j: a[i, j] + te.const(3, "uint8"), name="B")
    c = te.compute(
        (rows, columns + 4),
        lambda i, j: te.if_then_else(te.all(j >= 2, j < columns + 2), b[i, j - 2], te.const(7, "uint8")),
        name="C",
    )
    return te.create_prim_func([a, c]), np.pad(X + np.uint8(3), ((0, 0), (2, 2)), constant_values=7)


def factor(s: Schedule) -> None:
    _, inner = s.split(s.get_loops(s.get_block("C"))[1], factor=4)
    s.rfactor(inner)


def inline(s: Schedule) -> None:
    s.compute_inline(s.get_block("B"))


def pad_layout(s: Schedule) -> None:
    s.transform_layout(s.get_block("B"), "B", lambda i, j: (j // 4, i, j % 4), pad_value=200)


def pad_block(s: Schedule) -> None:
    s.transform_block_layout(s.get_block("B"), lambda i, j: (i, j // 4, j % 4))


@pytest.mark.parametrize(
    ("program", "arrange"),
    [(row_sums, factor), (row_sums, pad_layout), (row_sums, pad_block), (shifted, inline), (shifted, pad_layout)],
)
def test_constants_of_unsigned_elements(
    program: Callable[[], tuple[FuncOp, np.ndarray]], arrange: Callable[[Schedule], None]
) -> None:
    function, expected = program()
    schedule = Schedule(function)
    before = str(schedule.func)
    arrange(schedule)
    assert str(schedule.func) != before
    verify(schedule.func)
    np.testing.assert_array_equal(tilewright.compile(schedule.mod)(X), expected)
