"""Transforming reductions."""

from __future__ import annotations

from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.decompose import decompose_reduction
from ..recording import recorded


class ReductionMethods(Engine):
    """Taking a reduction apart."""

    @recorded
    def decompose_reduction(self, block: BlockRV, loop: LoopRV) -> BlockRV:
        """Put the init of a reduction before a loop around it; returns the block of the init."""
        return self._handle(decompose_reduction(self.block(block), self.loop(loop)))
