"""Products over packed panels: which tile and blocks the model chooses, where loops go, and that values are right."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te, topi
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule import Schedule
from tilewright.schedule.rules import coefficients, panels, schedule_by_rule
from tilewright.schedule.rules.contraction import plan_contraction
from tilewright.schedule.rules.panels import PanelPlan, evenly, panel_tile, panels_pay, plan_panels, product_of
from tilewright.schedule.rules.tiles import MOST_ROWS

from .programs import execute, matmul, parse, replay_equals

LARGE = (48 << 10, 2 << 20, 100 << 20)
SMALL = (32 << 10, 512 << 10, 8 << 20)


def target(caches: tuple[int, int, int] = LARGE, threads: int = 1) -> CpuTargetAttr:
    return CpuTargetAttr.get(["avx512f", "fma"], 512, caches, threads)


def plan(n: int, m: int, k: int, machine: CpuTargetAttr) -> PanelPlan | None:
    block = next(b for b in blocks_in(parse(matmul(n, m, k, epilogue=False))) if "reduce" in b.kinds)
    found = plan_panels(block, machine)
    return found if found is not None and panels_pay(found, machine) else None


def some_plan(n: int, m: int, k: int, machine: CpuTargetAttr) -> PanelPlan:
    found = plan(n, m, k, machine)
    assert found is not None
    return found


# The tile


@pytest.mark.parametrize("caches", [LARGE, SMALL, (0, 0, 0)])
@pytest.mark.parametrize("extent", [7, 64, 1000, 1025])
def test_rows_of_a_tile_leave_room_in_each_set(extent: int, caches: tuple[int, int, int]) -> None:
    tile = panel_tile(extent, extent + 16, 16, target(caches))
    assert tile is not None
    assert tile.rows <= max(MOST_ROWS, caches[0] // 4096 - 3)
    assert tile.accumulators + min(tile.rows, tile.vectors) < 32


def test_columns_that_fill_no_wide_tile_get_a_narrower_one() -> None:
    even, odd = panel_tile(1024, 1024, 16, target()), panel_tile(1025, 1025, 16, target())
    assert even is not None and odd is not None
    assert even.width == 64 and odd.width == 48 and odd.rows > MOST_ROWS
    small = panel_tile(1025, 1025, 16, target(SMALL))
    assert small is not None and small.rows <= MOST_ROWS, "a first cache of eight ways has no room for nine rows"


# What is packed, and blocks


def test_what_stays_in_the_first_cache_is_not_packed() -> None:
    assert plan(96, 64, 48, target()) is None
    assert plan(512, 512, 512, target()) is not None


def test_packing_pays_for_enough_rows() -> None:
    assert plan(8, 256, 1024, target()) is None
    assert plan(128, 256, 1024, target()) is not None


def test_what_lies_in_many_pages_is_worth_packing_for_fewer_rows() -> None:
    """More of them than the processor knows the addresses of."""
    few, many = (plan(24, 256, terms, target((48 << 10, 128 << 10, 100 << 20))) for terms in (1024, 4096))
    assert few is None and many is not None


def test_a_product_has_the_same_tile_packed_or_not() -> None:
    machine = target()
    block = next(b for b in blocks_in(parse(matmul(256, 128, 32, epilogue=False))) if "reduce" in b.kinds)
    found, product = plan_contraction(block, machine), product_of(block, machine)
    packed = plan_panels(block, machine)
    assert packed is not None and not panels_pay(packed, machine) and found is not None and product is not None
    assert found.tile == product.tile == panel_tile(256, 128, 8, machine)


@pytest.mark.each("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("size", [(512, 512, 512), (1025, 1025, 1025), (2048, 2048, 2048), (600, 4096, 700)])
@pytest.mark.parametrize("caches", [LARGE, SMALL])
def test_panels_of_a_block_stay_in_the_second_cache(
    size: tuple[int, int, int], threads: int, caches: tuple[int, int, int]
) -> None:
    found = some_plan(*size, target(caches, threads))
    packed = found.panels * found.tile.width * size[2] * 8
    assert found.panels == 1 or packed <= coefficients.PANEL_RIGHT_PART * caches[1]


@pytest.mark.each("count", [1, 2, 7, 16, 17, 100])
@pytest.mark.parametrize("most", [1, 2, 5, 200])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_more_than_the_most_are_taken_together(count: int, most: int, threads: int) -> None:
    together = evenly(count, most, threads)
    assert 1 <= together <= min(count, most)
    assert threads > 1 or together == min(count, most)


# The loops


def test_all_panels_of_a_block_meet_the_rows_of_a_tile() -> None:
    """Rows are in the first cache while panels pass by."""
    module = parse(matmul(600, 640, 512, epilogue=False))
    schedule_by_rule(Schedule(module).func, target())
    found = some_plan(600, 640, 512, target())
    block = next(b for b in blocks_in(module) if "reduce" in b.kinds)
    counts = [op.constant_trip_count for op in loops_around(block)]
    assert counts[:3] == [-(-found.all_panels // found.panels), found.row_tiles, found.panels]
    assert loops_around(block)[-1].kind == loop.VECTORIZED


def test_rows_are_shared_out_where_blocks_of_columns_are_too_few() -> None:
    """All panels are packed before, by loops of their own; a thread's rows then stay near while panels pass by."""
    machine, size = target(threads=3), (600, 128, 4096)
    found = some_plan(*size, machine)
    assert found.shared
    module = parse(matmul(*size, epilogue=False))
    schedule_by_rule(Schedule(module).func, machine)
    block = next(b for b in blocks_in(module) if "reduce" in b.kinds)
    rows, around, *_ = loops_around(block)
    assert rows.kind == loop.PARALLEL and rows.constant_trip_count == -(-found.row_tiles // found.height)
    assert around.constant_trip_count == found.all_panels
    assert not any(op in loops_around(b) for op in loops_around(block) for b in blocks_in(module) if "read" in b.label)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("size", [(130, 130, 300), (97, 257, 260), (300, 129, 511)])
def test_values_on_odd_sizes(size: tuple[int, int, int], threads: int) -> None:
    n, m, k = size
    a, b = te.placeholder((n, k), name="A"), te.placeholder((k, m), name="B")
    c = topi.matmul(a, b)
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(s, dtype=np.float32) for s in ((n, k), (k, m)))
    exact = x.astype(np.float64) @ y.astype(np.float64)
    found = tilewright.build([a, b, c], [a, b, c], threads=threads)(x, y)
    assert np.abs(found - exact).max() <= 1e-5 * np.abs(exact).max()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_schedule_keeps_the_values(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sizes with borders everywhere, for which packing would not pay."""
    monkeypatch.setattr(panels, "LEAST_POINTS", 0)
    monkeypatch.setattr(panels, "PANEL_GAIN", 0.0)
    text = matmul(15, 70, 19)
    module = parse(text)
    expected = execute(module)
    schedule = schedule_by_rule(Schedule(module).func, target((4096, 8192, 1 << 20), threads))
    module.verify()
    assert len(blocks_in(module)) > 3, "the right operand is copied"
    for want, got in zip(expected, execute(module), strict=True):
        np.testing.assert_array_equal(got, want)
    replay_equals(text, schedule)
