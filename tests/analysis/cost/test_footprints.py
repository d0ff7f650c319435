"""Lines that accesses touch, beside those that enumeration finds; transfers of products that fit a cache and do not."""

from __future__ import annotations

import itertools
import random

import pytest
import tilewright
from tilewright import te
from tilewright.analysis.cost import predict
from tilewright.analysis.cost.footprints import lines_of
from tilewright.analysis.cost.machine import Level, machine_of
from tilewright.dialects.target import CpuTargetAttr

LINES = Level("lines", 32 << 10, 64, 1.0)
TARGET = CpuTargetAttr.get(["avx2", "fma"], 256, (32 << 10, 512 << 10, 8 << 20), 1)


def enumerated(strides: list[tuple[int, int]], element: int) -> int:
    """Return the number of lines that all elements lie in, the first of which begins a line."""
    return len(
        {
            (at + byte) // 64
            for steps in itertools.product(*(range(n) for _, n in strides))
            for at in [sum(s * k for (s, _), k in zip(strides, steps, strict=True))]
            for byte in (0, element - 1)
        }
    )


def test_lines_of_nested_loops() -> None:
    """Rows of a matrix, windows that overlap, and columns, beside enumeration; runs are not taken to begin a line."""
    rng, failures = random.Random(0), list[str]()
    for _ in range(300):
        row = rng.choice((64, 100, 256, 2120, 4096))
        strides = [(4, rng.randint(1, 40)), (row, rng.randint(1, 12))]
        if rng.random() < 0.5:
            strides.append((row, rng.randint(1, 3)))  # a window over the rows
        if rng.random() < 0.5:
            strides.append((row * 16, rng.randint(1, 4)))
        exact = enumerated(strides, 4)
        found, occupied = lines_of(strides, 4, LINES)
        if not exact / 2 <= found <= 1.3 * exact + 1 or occupied != found:
            failures.append(f"{strides}: {found:.1f} instead of {exact}")
    assert not failures, "\n".join(failures)


@pytest.mark.each(
    "stride,count,whole",
    [(4096, 6, False), (4096, 8, True), (4096, 64, True), (4160, 64, False), (2048, 12, False), (2048, 32, True)],
)
def test_lines_that_share_sets_occupy_more_than_they_are(stride: int, count: int, whole: bool) -> None:
    """A cache of 32 KiB finds a line by the address in a page, and has 8 lines for each."""
    first = machine_of(TARGET).levels[0]
    lines, occupied = lines_of([(stride, count)], 4, first)
    assert lines == count
    assert (occupied > lines) == whole


def transfers(m: int, n: int, k: int, level: str) -> float:
    a, b = te.placeholder((m, k), name="A"), te.placeholder((k, n), name="B")
    r = te.reduce_axis((0, k), "r")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    schedule = tilewright.Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b, c])}))
    return sum(body.transfers[level] for body in predict(schedule.func, TARGET).bodies)


def test_a_product_that_fits_a_cache_brings_nothing_into_it() -> None:
    assert transfers(32, 32, 32, "L1") == 0
    assert transfers(64, 160, 160, "L1") > 0 == transfers(64, 160, 160, "L2")


def test_rows_pass_once_and_columns_for_each_row_where_they_do_not_fit() -> None:
    """i, j, r with 1100 x 1100: the right matrix does not fit the second cache, a row of the left one does."""
    m, n, k = 8, 1100, 1100
    assert transfers(m, n, k, "L2") == pytest.approx(m * (n * k / 16) * 1.0, rel=0.2)
