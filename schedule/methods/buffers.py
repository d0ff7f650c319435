"""Transforming buffers: caches, scopes and layouts."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..engine import Engine
from ..handles import BlockRV
from ..primitives.cache import cache_read, cache_write
from ..primitives.scope import set_scope
from ..recording import recorded


class BufferMethods(Engine):
    """Caches, scopes and layouts."""

    @recorded
    def cache_write(self, block: BlockRV, buffer: str | SSAValue, scope: str) -> BlockRV:
        """Let a block write a new buffer, copied to the old one afterwards; returns the copying block."""
        return self._handle(cache_write(self.block(block), self._buffer(buffer), scope))

    @recorded
    def cache_read(self, block: BlockRV, buffer: str | SSAValue, scope: str, *, assert_legal: bool = False) -> BlockRV:
        """Copy what a block reads of a buffer to a new one before; returns the copying block."""
        op = cache_read(self.block(block), self._buffer(buffer), scope, assert_legal=assert_legal)
        return self._handle(op)

    @recorded
    def set_scope(self, buffer: str | SSAValue, scope: str) -> None:
        """Put an allocated buffer into another scope."""
        set_scope(self._buffer(buffer), scope)
