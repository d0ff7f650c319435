"""Naming blocks."""

from __future__ import annotations

from ..engine import Engine
from ..handles import BlockRV
from ..primitives.rename import rename_block
from ..recording import recorded


class NameMethods(Engine):
    """Labels of blocks."""

    @recorded
    def rename_block(self, block: BlockRV, label: str) -> BlockRV:
        """Give a block another label; returns the handle that goes by it."""
        op = self.block(block)
        rename_block(op, label)
        self._retire(op, "renamed")
        return self._handle(op)
