"""Draws the primitives that change loops: their shape, order and kinds, and remarks on them."""

from __future__ import annotations

from .drawing_base import Draws


class LoopDraws(Draws):
    """split, tile, fuse, merge, reorder, kinds, partitions, and the ones that move nothing."""

    def do_split(self) -> bool | None:
        if not (loops := self.loops()):
            return False
        factor = self.pick([2, 3, 4, 8])
        one = self.pick(loops)
        if self.is_counted(one) and self.flag():
            self.schedule.split(one, nparts=factor)
        else:
            self.schedule.split(one, factor=factor)

    def do_split_in_many(self) -> bool | None:
        if not (loops := self.loops()):
            return False
        one = self.pick(loops)
        factors: list[int | None] = [self.pick([1, 2, 3]) for _ in range(2)]
        position = self.pick([0, 1, 2]) if self.is_counted(one) else 0
        self.schedule.split(
            one, [*factors[:position], None, *factors[position:]], preserve_unit_iters=not self.seldom()
        )

    def do_tile(self) -> bool | None:
        if len(loops := self.loops()) < 2:
            return False
        start = self.choices.between(0, len(loops) - 2)
        self.schedule.tile(*loops[start : start + 2], self.pick([2, 3, 4]), self.pick([2, 3, 4]))

    def do_fuse(self) -> bool | None:
        if len(loops := self.loops()) < 2:
            return False
        start = self.choices.between(0, len(loops) - 2)
        self.schedule.fuse(*loops[start : start + 2])

    def do_merge(self) -> bool | None:
        """Merge neighbours, mostly such that have equal bounds."""
        outer = [None, *{h: None for b in self.blocks() for h in self.schedule.get_loops(self.handle(b))}]
        found = [self.schedule.get_child_loops(h) if h else self.schedule.get_child_loops() for h in outer]
        pairs = [pair for loops in found for pair in zip(loops, loops[1:], strict=False)]
        equal = [p for p in pairs if len({self.schedule.loop(h).uppers for h in p}) == 1]
        if not (pairs := pairs if self.seldom() else equal):
            return False
        self.schedule.merge(*self.pick(pairs))

    def do_reorder(self) -> bool | None:
        if len(loops := self.loops()) < 2:
            return False
        order = self.choices.permuted(range(len(loops)))
        self.schedule.reorder(*(loops[k] for k in order))

    def do_kind(self) -> bool | None:
        loops = [h for h in self.loops() if not self.is_reducing(h) or self.seldom()]
        if not loops:
            return False
        one = self.pick(loops)
        kinds = ["parallel", "vectorize", "unroll"] if self.is_counted(one) else ["parallel"]
        getattr(self.schedule, self.pick(kinds))(one)

    def do_vthread(self) -> bool | None:
        loops = [h for h in self.loops() if self.is_counted(h) and (not self.is_reducing(h) or self.seldom())]
        if not loops:
            return False
        self.schedule.bind(self.pick(loops), self.pick(["vthread", "vthread.x"]))

    def do_add_unit_loop(self) -> bool | None:
        if not self.seldom():
            return False
        loops = self.loops()
        self.schedule.add_unit_loop(self.pick(loops) if loops and self.flag() else self.block())

    def do_remove_unit_loops(self) -> bool | None:
        if not self.seldom():
            return False
        self.schedule.remove_unit_loops()

    def do_loop_partition(self) -> bool | None:
        loops = [h for h in self.loops() if self.is_counted(h)]
        if not loops:
            return False
        one = self.pick(loops)
        count = self.schedule.loop(one).constant_trip_count or 0
        if count > 1 and not self.seldom():
            first = self.choices.between(1, count - 1)
            if self.flag():
                self.schedule.loop_partition(one, [first, None] if self.seldom() else [first])
            else:
                self.schedule.loop_partition(one, points=[first])
        else:
            self.schedule.loop_partition(one)

    def do_partition_reduction(self) -> bool | None:
        """Partition a reduction of known extent or not, into parts of which some may be empty."""
        blocks = self.reductions()
        loops = [h for b in blocks for h in self.loops_of(b) if self.is_reducing(h)]
        if not loops:
            return False
        first = self.choices.between(1, 4)
        points = [first, first + self.choices.between(1, 8)] if self.seldom() else [first]
        self.schedule.loop_partition(self.pick(loops), points=points)

    def do_reorder_block_iter_var(self) -> bool | None:
        block = self.block()
        count = len(self.schedule.block(block).kinds)
        if count < 2 or not self.seldom():
            return False
        self.schedule.reorder_block_iter_var(block, self.choices.permuted(range(count)))

    def do_annotate(self) -> bool | None:
        if not self.seldom():
            return False
        loops = self.loops()
        self.schedule.annotate(self.pick(loops) if loops else self.block(), "stage", self.pick([1, "late"]))

    def do_pragma(self) -> bool | None:
        if not (loops := self.loops()) or not self.seldom():
            return False
        key, value = self.pick([("auto_unroll_max_step", 8), ("unroll_explicit", True)])
        self.schedule.pragma(self.pick(loops), key, value)

    def do_prefetch(self) -> bool | None:
        block = self.block()
        loads, loops = self.loads(block), self.schedule.get_loops(block)
        if not loads or not loops or not self.seldom():  # later primitives keep away from its loops
            return False
        outer = self.pick(range(len(loops)))
        within = self.pick([None, *loops[outer + 1 :]])
        self.schedule.prefetch(
            self.pick(loads).buffer, loops[outer], self.pick([1, 2]), within=within, cache=self.pick([1, 2])
        )

    def do_blockize(self) -> bool | None:
        loops = self.schedule.get_loops(self.block())
        if not loops or not self.seldom():  # the same holds of blocks over tiles
            return False
        self.schedule.blockize(self.pick(loops))
