"""Blocks over tiles, and tensor intrinsics in place of them."""

from __future__ import annotations

from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.blockize import blockize
from ..recording import recorded


class TensorMethods(Engine):
    """blockize and tensorize."""

    @recorded
    def blockize(self, loop: LoopRV) -> BlockRV:
        """Make one block over tiles of the nest under a loop; returns it."""
        op = self.loop(loop)
        outer = blockize(op)
        return self._handle(outer)
