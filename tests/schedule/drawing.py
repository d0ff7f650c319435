"""Draws primitives for a schedule as it stands: arguments that exist, most of them sensible, legal or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st
from tilewright.dialects import loop
from tilewright.schedule import BlockRV, LoopRV, Schedule

T = TypeVar("T")


class Drawer:
    """Each `do_` method draws one primitive and applies it; returns False where there is nothing to apply it to."""

    def __init__(self, schedule: Schedule, data: st.DataObject) -> None:
        self.schedule = schedule
        self.data = data

    def step(self) -> bool:
        """Apply one primitive. Raises TilewrightError where the engine refuses it."""
        name = self.pick(sorted(k for k in dir(self) if k.startswith("do_")))
        return getattr(self, name)() is not False

    def pick(self, choices: Sequence[T]) -> T:
        """One of them, drawn as a number: hypothesis would print operations whole."""
        return choices[self.data.draw(st.integers(0, len(choices) - 1))]

    def blocks(self) -> list[loop.BlockOp]:
        return [op for op in self.schedule.func.walk() if isinstance(op, loop.BlockOp)]

    def block(self) -> BlockRV:
        return self.schedule.get_block(self.pick([op.label for op in self.blocks()]))

    def reductions(self) -> list[loop.BlockOp]:
        return [op for op in self.blocks() if "reduce" in op.kinds and op.init is not None]

    def loops(self, kinds: Sequence[str] = ("serial",)) -> list[LoopRV]:
        """The loops of those kinds around one block, outermost first."""
        return [h for h in self.schedule.get_loops(self.block()) if self.schedule.loop(h).kind.kind.data in kinds]

    def is_reducing(self, handle: LoopRV) -> bool:
        """Whether some block sums over the loop."""
        op = self.schedule.loop(handle)
        blocks = [b for b in self.blocks() if op.is_ancestor(b)]
        bindings = [(kind, binding) for b in blocks for _, kind, binding, _ in b.iteration()]
        return any(kind == "reduce" and op.induction_variable in binding.values() for kind, binding in bindings)

    def private(self, block: BlockRV) -> bool:
        """Whether the block writes buffers of the function's own."""
        stores = [op for op in self.schedule.block(block).walk() if isinstance(op, loop.StoreOp)]
        return all(isinstance(op.buffer.owner, loop.AllocOp) for op in stores)

    # Loops

    def do_split(self) -> bool | None:
        if not (loops := self.loops()):
            return False
        factor = self.data.draw(st.sampled_from([2, 3, 4, 8]))
        one = self.pick(loops)
        if self.schedule.loop(one).constant_trip_count is not None and self.data.draw(st.booleans()):
            self.schedule.split(one, nparts=factor)
        else:
            self.schedule.split(one, factor=factor)

    def do_fuse(self) -> bool | None:
        if len(loops := self.loops()) < 2:
            return False
        start = self.data.draw(st.integers(0, len(loops) - 2))
        self.schedule.fuse(*loops[start : start + 2])

    def do_reorder(self) -> bool | None:
        if len(loops := self.loops()) < 2:
            return False
        order = self.data.draw(st.permutations(range(len(loops))))
        self.schedule.reorder(*(loops[k] for k in order))

    def do_kind(self) -> bool | None:
        loops = [h for h in self.loops() if not self.is_reducing(h) or self.data.draw(st.integers(0, 4)) == 0]
        if not loops:
            return False
        one = self.pick(loops)
        counted = self.schedule.loop(one).constant_trip_count is not None
        kinds = ["parallel", "vectorize", "unroll"] if counted else ["parallel"]
        getattr(self.schedule, self.pick(kinds))(one)

    def do_add_unit_loop(self) -> bool | None:
        self.schedule.add_unit_loop(self.block())

    # Placement

    def do_compute_at(self) -> bool | None:
        consumer = self.block()
        producers = [b for b in self.schedule.get_producers(consumer) if self.private(b)]
        loops = self.schedule.get_loops(consumer)
        if not producers or not loops:
            return False
        self.schedule.compute_at(self.pick(producers), self.pick(loops))

    def do_reverse_compute_at(self) -> bool | None:
        producer = self.block()
        consumers, loops = self.schedule.get_consumers(producer), self.schedule.get_loops(producer)
        loops = tuple(h for h in loops if not self.is_reducing(h))
        if not consumers or not loops:
            return False
        self.schedule.reverse_compute_at(self.pick(consumers), self.pick(loops))

    def do_inline(self) -> bool | None:
        blocks = [b for b in self.blocks() if "reduce" not in b.kinds]
        handles = [h for b in blocks if self.private(h := self.schedule.get_block(b.label))]
        if not handles:
            return False
        self.schedule.compute_inline(self.pick(handles))

    def do_reverse_inline(self) -> bool | None:
        consumers = [c for b in self.blocks() for c in self.schedule.get_consumers(self.schedule.get_block(b.label))]
        if not consumers:
            return False
        self.schedule.reverse_compute_inline(self.pick(consumers))

    # Buffers

    def do_cache_read(self) -> bool | None:
        block = self.block()
        loads = [op for op in self.schedule.block(block).walk() if isinstance(op, loop.LoadOp)]
        if not loads:
            return False
        self.schedule.cache_read(block, self.pick(loads).buffer, self.pick(["global", "local"]))

    def do_cache_write(self) -> bool | None:
        block = self.block()
        stores = [op for op in self.schedule.block(block).walk() if isinstance(op, loop.StoreOp)]
        self.schedule.cache_write(block, self.pick(stores).buffer, self.pick(["global", "local"]))

    def do_transform_layout(self) -> bool | None:
        private = [h for b in self.blocks() if self.private(h := self.schedule.get_block(b.label))]
        if not private:
            return False
        block = self.pick(private)
        store = next(op for op in self.schedule.block(block).walk() if isinstance(op, loop.StoreOp))
        if len(store.index) != 2:
            return False
        maps = ["(i, j) -> (j, i)", "(i, j) -> (i floordiv 2, j, i mod 2)", "(i, j) -> (j floordiv 4, i, j mod 4)"]
        self.schedule.transform_layout(block, store.buffer, self.pick(maps))

    def do_storage_align(self) -> bool | None:
        private = [h for b in self.blocks() if self.private(h := self.schedule.get_block(b.label))]
        if not private:
            return False
        block = self.pick(private)
        store = next(op for op in self.schedule.block(block).walk() if isinstance(op, loop.StoreOp))
        axis = self.data.draw(st.integers(0, max(len(store.index) - 2, 0)))
        self.schedule.storage_align(block, store.buffer, axis, self.pick([4, 8]), self.pick([0, 1]))

    # Reductions

    def do_decompose(self) -> bool | None:
        if not (blocks := self.reductions()):
            return False
        block = self.schedule.get_block(self.pick(blocks).label)
        loops = self.schedule.get_loops(block)
        if not loops:
            return False
        first = next((k for k, h in enumerate(loops) if self.is_reducing(h)), len(loops) - 1)
        self.schedule.decompose_reduction(block, self.pick(loops[: first + 1]))

    def do_rfactor(self) -> bool | None:
        candidates = [
            h
            for b in self.reductions()
            for h in self.schedule.get_loops(self.schedule.get_block(b.label))
            if self.is_reducing(h)
        ]
        if not candidates:
            return False
        self.schedule.rfactor(self.pick(candidates))
