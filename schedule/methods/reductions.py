"""Transforming reductions."""

from __future__ import annotations

from ...analysis.access import blocks_in
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.decompose import decompose_reduction
from ..primitives.rfactor import rfactor
from ..recording import recorded


class ReductionMethods(Engine):
    """Taking a reduction apart."""

    @recorded
    def rfactor(self, loop: LoopRV, factor_axis: int = 0) -> BlockRV:
        """Give each iteration of a reduction's loop a result of its own, and combine these in a nest of their own.

        Returns the block of these results. The handle of the reduction's block stands for the one that combines them.
        """
        target = self.loop(loop)
        blocks = blocks_in(target)
        partial, final = rfactor(target, factor_axis)
        self._used(reassociates=True)
        for handle, op in self._ops.items():
            if op is blocks[0]:
                self._ops[handle] = final
        return self._handle(partial)

    @recorded
    def decompose_reduction(self, block: BlockRV, loop: LoopRV) -> BlockRV:
        """Put the init of a reduction before a loop around it; returns the block of the init."""
        return self._handle(decompose_reduction(self.block(block), self.loop(loop)))
