"""Transforming buffers: caches, scopes and layouts.

A buffer is given by its name, as a value, as `("read", n)` or `("write", n)` into what a block reads or writes, or as n
alone, for the side that the method is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...analysis.equivalence import Axiom
from ...diagnostics import fail
from ...dialects.loop import BlockOp
from ..buffer_argument import BufferLike, Side, buffer_at
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..index_map import IndexMap, MapLike
from ..primitives.block_layout import transform_block_layout
from ..primitives.cache import cache_read, cache_write
from ..primitives.decompose_padding import decompose_padding
from ..primitives.double_buffer import double_buffer
from ..primitives.layout import transform_layout
from ..primitives.make_unsigned import make_unsigned
from ..primitives.pad_einsum import pad_einsum
from ..primitives.reindex import reindex
from ..primitives.rolling_buffer import rolling_buffer
from ..primitives.scope import set_scope
from ..primitives.storage import storage_align, storage_swizzle
from ..primitives.widen import widen
from ..recording import recorded
from ..refusal import BAD_ARGUMENT


class BufferMethods(Engine):
    """Caches, scopes and layouts."""

    @recorded
    def cache_write(self, block: BlockRV, buffer: BufferLike, scope: str) -> BlockRV:
        """Let a block write a new buffer, copied to the old one afterwards; returns the copying block."""
        op = self.block(block)
        return self._handle(cache_write(op, self._buffer_of("cache_write", op, buffer, "write"), scope))

    @recorded
    def cache_read(
        self,
        block: BlockRV,
        buffer: BufferLike,
        scope: str,
        consumer_blocks: Sequence[BlockRV] = (),
        *,
        assert_legal: bool = False,
    ) -> BlockRV:
        """Copy what a block, and other consumers with it, read of a buffer to a new one before.

        Returns the copying block.
        """
        op = self.block(block)
        found = self._buffer_of("cache_read", op, buffer, "read")
        others = [self.block(consumer) for consumer in consumer_blocks]
        return self._handle(cache_read(op, found, scope, others, assert_legal=assert_legal))

    @recorded
    def reindex(self, block: BlockRV, buffer: BufferLike) -> BlockRV:
        """Let a block access a copy indexed by its own iteration variables; returns the copying block."""
        op = self.block(block)
        return self._handle(reindex(op, self._buffer_of("reindex", op, buffer, "read")))

    @recorded
    def set_scope(self, block: BlockRV | str | SSAValue, buffer: BufferLike, scope: str | None = None) -> None:
        """Put an allocated buffer into another scope: `set_scope("C", "local")` or `set_scope(block, 0, "local")`."""
        if scope is None and not isinstance(block, BlockRV) and isinstance(buffer, str):
            set_scope(self._buffer(block), buffer)
        elif scope is not None and isinstance(block, BlockRV):
            set_scope(self._buffer_of("set_scope", self.block(block), buffer, "write"), scope)
        else:
            fail(
                BAD_ARGUMENT,
                f"set_scope: expected a buffer and a scope, or a block, a buffer and a scope, but got {block!r}, "
                f"{buffer!r} and {scope!r}",
                op=self.func,
            )

    @recorded
    def storage_align(self, block: BlockRV, buffer: BufferLike, axis: int, factor: int, offset: int = 0) -> None:
        """Let the stride of an axis of an allocated buffer, in elements, be `offset` modulo `factor`."""
        op = self.block(block)
        storage_align(op, self._buffer_of("storage_align", op, buffer, "write"), axis, factor, offset)

    @recorded
    def storage_swizzle(self, block: BlockRV, buffer: BufferLike) -> None:
        """Permute the pieces of 16 bytes in each line of 128 bytes of an allocated buffer, for a GPU's banks."""
        op = self.block(block)
        storage_swizzle(op, self._buffer_of("storage_swizzle", op, buffer, "write"))

    @recorded
    def double_buffer(self, block: BlockRV, buffer: BufferLike) -> None:
        """Fill a copy of a buffer for the next iteration of the loop around it while this one reads the other."""
        op = self.block(block)
        double_buffer(op, self._buffer_of("double_buffer", op, buffer, "write"))

    @recorded
    def rolling_buffer(self, block: BlockRV, buffer: BufferLike) -> BlockRV:
        """Keep the rows that the next iteration reads again; returns the block that computes the first ones."""
        op = self.block(block)
        first, permuted = rolling_buffer(op, self._buffer_of("rolling_buffer", op, buffer, "write"))
        self._used(reassociates=permuted)
        return self._handle(first)

    @recorded
    def transform_layout(
        self, block: BlockRV, buffer: BufferLike, index_map: MapLike, pad_value: float | None = None
    ) -> None:
        """Move the elements of an allocated buffer to where an index map puts them, in every access.

        The map is a function such as `lambda i, j: (j // 8, i, j % 8)`, its text, or an `IndexMap`. `pad_value` fills
        the padding that sizes leave which do not divide.
        """
        op = self.block(block)
        found = self._buffer_of("transform_layout", op, buffer, "write")
        transform_layout(op, found, IndexMap.of(index_map), pad_value)

    @recorded
    def widen(self, block: BlockRV, buffer: BufferLike, dtype: str) -> None:
        """Let an allocated buffer hold elements of a wider type, to which all its readers convert them anyway."""
        op = self.block(block)
        widen(op, self._buffer_of("widen", op, buffer, "write"), dtype)

    @recorded
    def make_unsigned(self, block: BlockRV, buffer: BufferLike) -> None:
        """Let an allocated buffer of signed integers hold each plus half their range, as an unsigned one."""
        op = self.block(block)
        make_unsigned(op, self._buffer_of("make_unsigned", op, buffer, "write"))

    @recorded
    def transform_block_layout(self, block: BlockRV, index_map: MapLike) -> None:
        """Run a block over the results of an index map of its iteration variables, with a loop for each."""
        self._used(reassociates=transform_block_layout(self.block(block), IndexMap.of(index_map)))

    @recorded
    def pad_einsum(self, block: BlockRV, padding: Sequence[int]) -> None:
        """Round the extents of a contraction's iteration variables up to multiples, over copies padded with zeros."""
        pad_einsum(self.block(block), padding)
        self._used(Axiom.ADD_ZERO, Axiom.MULTIPLY_ZERO)

    @recorded
    def decompose_padding(self, block: BlockRV, loop: LoopRV) -> BlockRV:
        """Let a padding block fill before a loop and copy in it; returns the block that fills."""
        return self._handle(decompose_padding(self.block(block), self.loop(loop)))

    def _buffer_of(self, primitive: str, block: BlockOp, buffer: BufferLike, side: Side) -> SSAValue:
        if isinstance(buffer, (str, SSAValue)):
            return self._buffer(buffer)
        return buffer_at(primitive, block, buffer, side)
