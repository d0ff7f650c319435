"""Random schedules of random programs: whatever the engine accepts computes the same values and replays."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import BlockRV, LoopRV, Schedule

from .programs import chain, conv, elementwise, execute, in_place, matmul, parse, replay_equals, verify

small = st.integers(1, 6)
PROGRAMS = st.one_of(
    st.builds(elementwise, small, small),
    st.builds(matmul, st.integers(1, 5), st.integers(1, 5), st.integers(1, 4), st.booleans()),
    st.builds(chain, st.integers(2, 9), st.sampled_from(["%vj", "%vj floordiv 2", "%vj mod 2"])),
    st.builds(conv, st.just(2), st.sampled_from([3, 4]), st.just(2), st.just(2), st.integers(1, 2), st.integers(0, 1)),
    st.builds(
        in_place,
        st.sampled_from(["%vi - 1", "%vi", "%vi + 1"]),
        st.sampled_from(["%vj - 1", "%vj", "%vj + 1", "%vi"]),
        st.just(5),
    ),
)


def labels(schedule: Schedule) -> list[str]:
    return [op.label for op in schedule.func.walk() if isinstance(op, loop.BlockOp)]


class Drawer:
    """Draws primitives with arguments that exist, not with arguments that are legal."""

    def __init__(self, schedule: Schedule, data: st.DataObject) -> None:
        self.schedule = schedule
        self.data = data

    def block(self) -> BlockRV:
        return self.schedule.get_block(self.data.draw(st.sampled_from(labels(self.schedule))))

    def loops(self) -> tuple[BlockRV, tuple[LoopRV, ...]]:
        block = self.block()
        return block, self.schedule.get_loops(block)

    def step(self) -> None:
        name = self.data.draw(st.sampled_from(sorted(k for k in dir(self) if k.startswith("do_"))))
        getattr(self, name)()

    def do_split(self) -> None:
        _, loops = self.loops()
        if loops:
            one = self.data.draw(st.sampled_from(loops))
            self.schedule.split(one, factor=self.data.draw(st.integers(1, 4)))

    def do_fuse(self) -> None:
        _, loops = self.loops()
        if len(loops) > 1:
            start = self.data.draw(st.integers(0, len(loops) - 2))
            self.schedule.fuse(*loops[start : start + 2])

    def do_reorder(self) -> None:
        _, loops = self.loops()
        if len(loops) > 1:
            self.schedule.reorder(*self.data.draw(st.permutations(loops)))

    def do_swap(self) -> None:
        _, loops = self.loops()
        if len(loops) > 1:
            start = self.data.draw(st.integers(0, len(loops) - 2))
            self.schedule.reorder(loops[start + 1], loops[start])

    def do_kind(self) -> None:
        _, loops = self.loops()
        if loops:
            one = self.data.draw(st.sampled_from(loops))
            self.schedule.set_kind(one, self.data.draw(st.sampled_from(["parallel", "vectorized", "unrolled"])))

    def do_compute_at(self) -> None:
        block, loops = self.loops()
        candidates = self.schedule.get_producers(block) or (self.block(),)
        if loops:
            self.schedule.compute_at(
                self.data.draw(st.sampled_from(candidates)), self.data.draw(st.sampled_from(loops))
            )

    def do_inline(self) -> None:
        self.schedule.compute_inline(self.block())

    def do_decompose(self) -> None:
        block, loops = self.loops()
        if loops:
            self.schedule.decompose_reduction(block, self.data.draw(st.sampled_from(loops)))

    def do_cache_write(self) -> None:
        block = self.block()
        store = next(op for op in self.schedule.block(block).walk() if isinstance(op, loop.StoreOp))
        self.schedule.cache_write(block, store.buffer, "local")

    def do_cache_read(self) -> None:
        block = self.block()
        loads = [op for op in self.schedule.block(block).walk() if isinstance(op, loop.LoadOp)]
        if loads:
            self.schedule.cache_read(block, self.data.draw(st.sampled_from(loads)).buffer, "local")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(PROGRAMS, st.data())
def test_random_schedules_keep_the_values(text: str, data: st.DataObject) -> None:
    module = parse(text)
    expected = execute(module)
    schedule = Schedule(module)
    drawer = Drawer(schedule, data)
    for _ in range(data.draw(st.integers(1, 6))):
        before = str(schedule.func)
        try:
            drawer.step()
        except TilewrightError as error:
            assert error.code.startswith("TW04")
            assert str(schedule.func) == before, "a refused primitive leaves the function as it was"
    verify(module)
    for want, got in zip(expected, execute(module), strict=True):
        np.testing.assert_array_equal(got, want)
    replay_equals(text, schedule)
