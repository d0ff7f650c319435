"""Draws the primitives that say where blocks compute, and those that take reductions apart."""

from __future__ import annotations

from .drawing_base import Draws


class PlacementDraws(Draws):
    """compute_at, inlining, the root, and reductions."""

    def do_compute_at(self) -> bool | None:
        consumer = self.block()
        producers = [b for b in self.schedule.get_producers(consumer) if self.private(b)]
        loops = self.schedule.get_loops(consumer)
        if not producers or not loops:
            return False
        self.schedule.compute_at(
            self.pick(producers), self.pick(loops), preserve_unit_loops=self.seldom(), index=self.pick([-1, -1, -2])
        )

    def do_reverse_compute_at(self) -> bool | None:
        producer = self.block()
        consumers, loops = self.schedule.get_consumers(producer), self.schedule.get_loops(producer)
        loops = tuple(h for h in loops if not self.is_reducing(h))
        if not consumers or not loops:
            return False
        self.schedule.reverse_compute_at(self.pick(consumers), self.pick(loops), preserve_unit_loops=self.seldom())

    def do_inline(self) -> bool | None:
        blocks = [b for b in self.blocks() if "reduce" not in b.kinds]
        handles = [h for b in blocks if self.private(h := self.handle(b))]
        if not handles:
            return False
        self.schedule.compute_inline(self.pick(handles))

    def do_reverse_inline(self) -> bool | None:
        consumers = [c for b in self.blocks() for c in self.schedule.get_consumers(self.handle(b))]
        if not consumers:
            return False
        self.schedule.reverse_compute_inline(self.pick(consumers))

    def do_compute_root(self) -> bool | None:
        """Draw a stage to move out of the loop that it shares with its consumer."""
        attached = [
            h
            for b in self.blocks()
            if self.private(h := self.handle(b))
            for c in self.schedule.get_consumers(h)
            if {*map(self.schedule.loop, self.schedule.get_loops(h))}
            & {*map(self.schedule.loop, self.schedule.get_loops(c))}
        ]
        if not attached:
            return False
        self.schedule.compute_root(self.pick(attached))

    def do_decompose(self) -> bool | None:
        if not (blocks := self.reductions()):
            return False
        block = self.handle(self.pick(blocks))
        loops = self.schedule.get_loops(block)
        if not loops:
            return False
        first = next((k for k, h in enumerate(loops) if self.is_reducing(h)), len(loops) - 1)
        self.schedule.decompose_reduction(block, self.pick(loops if self.seldom() else loops[: first + 1]))

    def do_rfactor(self) -> bool | None:
        loops = [h for b in self.reductions() for h in self.schedule.get_loops(self.handle(b)) if self.is_reducing(h)]
        if not loops:
            return False
        self.schedule.rfactor(self.pick(loops), self.pick([0, 0, 1, -1]))

    def do_pad_einsum(self) -> bool | None:
        """Pad a contraction whose loops are mostly as they were: `pad_einsum` comes before other primitives."""
        blocks = [b for b in self.reductions() if len(self.schedule.get_loops(self.handle(b))) == len(b.kinds)]
        if not blocks:
            return False
        block = self.pick(blocks)
        padding = [self.pick([1, 2, 4]) if kind == "spatial" or self.seldom() else 1 for kind in block.kinds]
        self.schedule.pad_einsum(self.handle(block), padding)

    def do_decompose_padding(self) -> bool | None:
        """Try to decompose a block that reads under a condition, which perhaps makes it a padding one."""
        handles = [self.handle(b) for b in self.blocks()]
        blocks = [h for h in handles if any(op.conditions for op in self.loads(h))]
        if not blocks:
            return False
        block = self.pick(blocks)
        if not (loops := self.schedule.get_loops(block)):
            return False
        self.schedule.decompose_padding(block, self.pick(loops))
