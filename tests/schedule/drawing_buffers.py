"""Draws the primitives that change buffers and layouts."""

from __future__ import annotations

from .drawing_base import Draws

SCOPES = ["global", "local"]


class BufferDraws(Draws):
    """Caches, scopes, layouts, and copies for the next iteration."""

    def do_cache_read(self) -> bool | None:
        block = self.block()
        if not (loads := self.loads(block)):
            return False
        self.schedule.cache_read(block, self.pick(loads).buffer, self.pick(SCOPES))

    def do_cache_write(self) -> bool | None:
        block = self.block()
        self.schedule.cache_write(block, self.pick(self.stores(block)).buffer, self.pick(SCOPES))

    def do_reindex(self) -> bool | None:
        block = self.block()
        buffers = {op.buffer: None for op in (*self.loads(block), *self.stores(block))}
        self.schedule.reindex(block, self.pick([*buffers]))

    def do_set_scope(self) -> bool | None:
        if (found := self.private_store()) is None:
            return False
        block, store = found
        self.schedule.set_scope(block, store.buffer, self.pick(SCOPES))

    def do_transform_layout(self) -> bool | None:
        found = self.private_store()
        if found is None or len(found[1].index) != 2:
            return False
        maps = ["(i, j) -> (j, i)", "(i, j) -> (i floordiv 2, j, i mod 2)", "(i, j) -> (j floordiv 4, i, j mod 4)"]
        block, store = found
        self.schedule.transform_layout(block, store.buffer, self.pick(maps))

    def do_transform_block_layout(self) -> bool | None:
        block = self.block()
        maps = {
            1: ["(i) -> (i floordiv 4, i mod 4)"],
            2: ["(i, j) -> (j, i)", "(i, j) -> (i floordiv 2, j, i mod 2)"],
            3: ["(i, j, k) -> (j, k, i)", "(i, j, k) -> (i, j floordiv 2, j mod 2, k)"],
        }
        choices = maps.get(len(self.schedule.block(block).kinds))
        if choices is None:
            return False
        self.schedule.transform_block_layout(block, self.pick(choices))

    def do_storage_align(self) -> bool | None:
        if (found := self.private_store()) is None:
            return False
        block, store = found
        axis = self.choices.between(0, max(len(store.index) - 2, 0))
        self.schedule.storage_align(block, store.buffer, axis, self.pick([4, 8]), self.pick([0, 1]))

    def do_storage_swizzle(self) -> bool | None:
        if (found := self.private_store()) is None:
            return False
        self.schedule.storage_swizzle(found[0], found[1].buffer)

    def do_double_buffer(self) -> bool | None:
        if (found := self.refilled()) is None:
            return False
        self.schedule.double_buffer(*found)

    def do_rolling_buffer(self) -> bool | None:
        if (found := self.refilled()) is None:
            return False
        self.schedule.rolling_buffer(*found)
