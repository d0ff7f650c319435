"""Default schedules: register tiles, where loops go, what rules see of a block, and that what they do is legal."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tilewright import TilewrightError
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule import Schedule
from tilewright.schedule.rules import coefficients, schedule_by_rule
from tilewright.schedule.rules.block_structure import ASSUMED_EXTENT, Shape, buffer_bytes, element_bits, shape_of
from tilewright.schedule.rules.contraction import find_epilogue, plan_contraction
from tilewright.schedule.rules.placement import (
    TILES_A_THREAD,
    byte_cost,
    outer_order,
    parallel_count,
)
from tilewright.schedule.rules.spatial import schedule_spatial
from tilewright.schedule.rules.tiles import LONGEST, MOST_ROWS, NARROWEST, RegisterTile, lines_touched, register_tile

from .programs import (
    chain,
    conv,
    elementwise,
    execute,
    in_place,
    matmul,
    parse,
    replay_equals,
    symbolic,
    symbolic_matmul,
)

CACHES = (32 << 10, 512 << 10, 8 << 20)


def target(vector_bits: int = 256, threads: int = 1) -> CpuTargetAttr:
    return CpuTargetAttr.get(["avx2", "fma"], vector_bits, CACHES, threads)


def block(text: str, label: str) -> loop.BlockOp:
    return next(b for b in blocks_in(parse(text)) if b.label == label)


def shape(text: str, label: str) -> Shape:
    found = shape_of(block(text, label))
    assert found is not None
    return found


# Register tiles

extent = st.one_of(st.integers(1, 40), st.sampled_from([56, 64, 112, 196, 1000, 3136, 12544]))


@given(extent, extent, extent, st.sampled_from([4, 8, 16]), st.sampled_from([16, 32]))
def test_a_tile_fits_registers_and_extents(rows: int, steps: int, width: int, lanes: int, registers: int) -> None:
    tile = register_tile(rows, steps, width, lanes, registers, target())
    assert tile.accumulators + min(tile.rows, tile.steps * tile.vectors) + 1 <= registers
    assert 1 <= tile.rows <= min(rows, MOST_ROWS)
    assert 1 <= tile.steps <= min(steps, LONGEST)
    assert tile.lanes in (lanes, lanes // 2, lanes // 4)
    assert tile.lanes >= NARROWEST
    assert 1 <= tile.vectors <= -(-width // tile.lanes)
    assert register_tile(rows, steps, width, lanes, registers, target()) == tile


@given(extent, st.sampled_from([8, 16]))
def test_no_tile_but_one_register_each_where_registers_are_few(width: int, lanes: int) -> None:
    assert register_tile(8, 8, width, lanes, 3, target()).accumulators == 1


@pytest.mark.parametrize(("width", "lanes"), [(4, 4), (8, 8), (12, 4), (16, 16), (64, 16)])
def test_a_narrow_axis_takes_a_part_of_a_vector(width: int, lanes: int) -> None:
    tile = register_tile(1, 1, width, 16, 32, target())
    assert tile.lanes == lanes
    assert tile.width < width + tile.lanes


def test_exact_tiles_win_over_tails() -> None:
    for n in (8, 16, 32, 64, 96):
        tile = register_tile(24, 1, n, 8, 16, target())
        assert n % tile.width == 0
        assert 24 % tile.rows == 0


def test_vectors_across_lines_are_loaded_twice() -> None:
    assert lines_touched(64, 64, 64) == 1
    assert lines_touched(64, 32, 64) == 1.5
    assert lines_touched(32, 96, 64) == 1
    assert lines_touched(64, 0, 64) == 1, "nothing shifts it"
    assert lines_touched(64, 4, 64) == 31 / 16
    assert lines_touched(32, 4, 64) == 23 / 16
    assert lines_touched(64, 4, 128) == 47 / 32, "longer lines"


# Placement


def test_bytes_cost_more_the_further_they_come_from() -> None:
    costs = [byte_cost(n, target()) for n in (1 << 10, 100 << 10, 4 << 20, 1 << 30)]
    assert costs == list(coefficients.PLACEMENT_BYTE_COSTS)


@given(st.lists(st.integers(1, 64), min_size=1, max_size=5), st.integers(2, 16))
def test_as_few_parallel_loops_as_feed_every_thread(counts: list[int], threads: int) -> None:
    count = parallel_count(counts, threads)
    enough = TILES_A_THREAD * threads
    assert prod(counts[:count]) >= enough or count in (0, len(counts))
    assert count == 0 or prod(counts[: count - 1]) < enough
    assert (count == 0) == (prod(counts) == 1)


def loop_order(text: str) -> list[str | None]:
    plan = plan_contraction(block(text, "C"), target())
    assert plan is not None
    order = outer_order(plan.shape, plan.vector, plan.rows, plan.steps, plan.tile, target()).order
    return [axis.variable.name_hint for axis in order]


def test_what_is_read_again_comes_from_a_near_cache() -> None:
    assert loop_order(matmul(65536, 64, 16)) == ["vi", "vj"], "B is small: it is read again for each tile of rows"
    assert loop_order(matmul(4, 65536, 16)) == ["vj", "vi"], "A is small: it is read again for each tile of columns"


def test_every_axis_occurs_once_and_untiled_ones_outside() -> None:
    order = loop_order(conv(16, 14, 32, 3, pad=1))
    assert sorted(filter(None, order)) == ["vf", "vh", "vw"]
    plan = plan_contraction(block(conv(16, 14, 32, 3, pad=1), "C"), target())
    assert plan is not None
    tiled = {axis.variable.name_hint for axis, _ in plan.tiled}
    untiled = [name for name in order if name not in tiled]
    assert order[: len(untiled)] == untiled


# Structure


def test_shape_of_a_matrix_product() -> None:
    found = shape(matmul(6, 10, 4), "C")
    assert [(a.variable.name_hint, a.position, a.extent) for a in found.spatial] == [("vi", 0, 6), ("vj", 1, 10)]
    assert [(a.variable.name_hint, a.position, a.extent) for a in found.reduce] == [("vk", 2, 4)]
    assert found.points == 240
    assert [o.op.buffer.name_hint for o in found.operands] == ["A", "B"], "the accumulator is no operand"
    assert [o.bytes for o in found.operands] == [6 * 4 * 8, 4 * 10 * 8]
    row = found.row_axis()
    assert row is not None
    assert row.variable.name_hint == "vj"
    assert [o.lane_stride(row.variable) for o in found.operands] == [0, 1]
    assert [o.lane_stride(found.spatial[0].variable) for o in found.operands] == [None, 0]
    assert element_bits(found.block) == 64


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_lane_stride_of_a_convolution(stride: int) -> None:
    found = shape(conv(2, 9, 4, 3, stride), "C")
    row = found.row_axis()
    assert row is not None
    image, weights = found.operands
    assert (image.lane_stride(row.variable), weights.lane_stride(row.variable)) == (stride, 0)
    assert image.variables == {a.variable for a in (*found.spatial[1:], *found.reduce)}


def test_quotients_and_rows_are_not_side_by_side() -> None:
    found = shape(chain(8, "%vj floordiv 2"), "C")
    (load,) = found.operands
    assert load.lane_stride(found.spatial[0].variable) is None
    found = shape(in_place("%vj", "%vi"), "S")
    (load,) = found.operands
    assert load.lane_stride(found.spatial[1].variable) is None


def test_symbolic_extents_are_taken_to_be_long() -> None:
    assert [a.extent for a in shape(symbolic(), "B").spatial] == [ASSUMED_EXTENT] * 2


@pytest.mark.parametrize("threads", [1, 4])
def test_rules_on_symbolic_extents_hold_for_every_size(threads: int) -> None:
    before, after = parse(symbolic_matmul()), parse(symbolic_matmul())
    schedule_by_rule(Schedule(after).func, target(threads=threads))
    kinds = {op.kind.kind.data for op in after.walk() if isinstance(op, loop.ForOp)}
    assert kinds >= {"vectorized", "unrolled"}
    assert ("parallel" in kinds) == (threads > 1)
    for n, m, k in [(1, 1, 1), (7, 5, 3), (8, 16, 4), (13, 17, 2)]:
        sizes = {"A": (n, k), "B": (k, m), "E": (n, m)}
        np.testing.assert_array_equal(execute(after, sizes), execute(before, sizes))


@pytest.mark.parametrize("threads", [1, 4])
def test_a_long_elementwise_block_runs_in_parallel_vectors(threads: int) -> None:
    schedule = Schedule(parse(elementwise(512, 512)))
    handle = schedule.get_block("B")
    schedule_spatial(schedule, handle, shape(elementwise(512, 512), "B"), target(threads=threads))
    kinds = [schedule.loop(h).kind.kind.data for h in schedule.get_loops(handle)]
    assert kinds[0] == ("parallel" if threads > 1 else "serial")
    assert kinds[-2:] == ["unrolled", "vectorized"]


def test_buffer_bytes() -> None:
    from xdsl.dialects.builtin import i8

    assert buffer_bytes(loop.buffer_type([3, 5], i8, None)) == 15


# Plans


def test_what_is_no_contraction() -> None:
    assert plan_contraction(block(elementwise(8, 8), "B"), target()) is None, "no reduction"
    assert plan_contraction(block(matmul(8, 3, 8), "C"), target()) is None, "rows too narrow"
    assert plan_contraction(block(matmul(8, 8, 8), "C"), target(vector_bits=64)) is None, "no vectors"
    transposed = matmul(8, 8, 8).replace("loop.load %B[%vk, %vj]", "loop.load %B[%vj, %vk]")
    assert plan_contraction(block(transposed, "C"), target()) is None, "gathered operand"


def test_tiled_axes_of_a_matrix_product() -> None:
    plan = plan_contraction(block(matmul(24, 64, 8), "C"), target())
    assert plan is not None
    assert (plan.vector.variable.name_hint, plan.rows and plan.rows.variable.name_hint) == ("vj", "vi")
    assert plan.steps is None
    assert [axis for axis, _ in plan.tiled] == [plan.rows, plan.vector]
    assert plan.tile.lanes == 4


def epilogue_of(text: str) -> str | None:
    schedule = Schedule(parse(text))
    found = find_epilogue(schedule, schedule.get_block("C"))
    return None if found is None else found.label


def test_epilogues_read_element_by_element() -> None:
    text = matmul(8, 8, 8)
    assert epilogue_of(text) == "E"
    assert epilogue_of(text.replace("loop.load %C[%vx, %vy]", "loop.load %C[%vy, %vx]")) is None
    assert epilogue_of(matmul(8, 8, 8, epilogue=False)) is None


# Whole schedules

small = st.sampled_from([1, 2, 3, 4, 5, 7, 8, 9, 13])
PROGRAMS = st.one_of(
    st.builds(matmul, small, small, small, st.booleans()),
    st.builds(elementwise, small, small),
    st.builds(chain, st.integers(2, 20), st.sampled_from(["%vj", "%vj floordiv 2", "%vj mod 2"])),
    st.builds(
        conv, st.just(2), st.integers(4, 7), st.integers(1, 5), st.integers(1, 3), st.integers(1, 2), st.integers(0, 1)
    ),
)
QUICK = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(PROGRAMS, st.sampled_from([128, 256, 512]), st.sampled_from([1, 4]))
def test_rules_keep_the_values_and_replay(text: str, vector_bits: int, threads: int) -> None:
    module = parse(text)
    expected = execute(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tilewright.schedule.rules.block_work.PARALLEL_GAIN", 0)
        schedule = schedule_by_rule(Schedule(module).func, target(vector_bits, threads))
    module.verify()
    for want, got in zip(expected, execute(module), strict=True):
        np.testing.assert_array_equal(got, want)
    replay_equals(text, schedule)


@QUICK
@given(PROGRAMS, st.data())
def test_rules_on_loops_that_somebody_has_arranged(text: str, data: st.DataObject) -> None:
    """The loops of a block need not come in the order of its variables, nor one for each."""
    module = parse(text)
    expected = execute(module)
    schedule = Schedule(module)
    for handle in [schedule.get_block(b.label) for b in blocks_in(module)]:
        loops = schedule.get_loops(handle)
        if data.draw(st.booleans()):
            position = data.draw(st.integers(0, len(loops) - 1))
            schedule.split(loops[position], factor=data.draw(st.integers(1, 4)))
        loops = schedule.get_loops(handle)
        if data.draw(st.booleans()):
            schedule.reorder(*data.draw(st.permutations(loops)))
        elif len(loops) > 1 and data.draw(st.booleans()):
            schedule.fuse(*loops[:2])
    try:
        schedule_by_rule(schedule.func, target())
    except TilewrightError as error:
        assert error.code.startswith("TW04")
        return
    module.verify()
    for want, got in zip(expected, execute(module), strict=True):
        np.testing.assert_array_equal(got, want)


def test_a_loop_of_a_nest_in_a_shared_loop_is_arranged_and_the_shared_loop_stays() -> None:
    module = parse(matmul(8, 8, 8))
    schedule = Schedule(module)
    schedule.merge(*schedule.get_child_loops())
    before = str(module)
    schedule_by_rule(schedule.func, target())
    reduction = before[before.index("loop.for %i") : before.index("loop.for %y")]
    assert reduction in str(module)
    (added,) = (b for b in blocks_in(schedule.func) if b.label == "E")
    kinds = [(op.constant_trip_count, op.kind.kind.data) for op in loops_around(added)]
    assert kinds == [(8, "serial"), (2, "serial"), (1, "unrolled"), (4, "vectorized")]


def test_a_register_tile_is_immutable_and_counts_itself() -> None:
    tile = RegisterTile(2, 3, 4, 8)
    assert (tile.accumulators, tile.width) == (24, 32)
