"""Where blocks compute: in which loop, or in place of each read."""

from __future__ import annotations

from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.compute_at import compute_at
from ..primitives.inline import compute_inline
from ..recording import recorded


class PlacementMethods(Engine):
    """compute_at, compute_inline and their mirror images."""

    @recorded
    def compute_at(self, block: BlockRV, loop: LoopRV, *, assert_legal: bool = False) -> None:
        """Compute what a block writes in the body of a loop, as much as the consumers there read."""
        compute_at(self.block(block), self.loop(loop), assert_legal=assert_legal)

    @recorded
    def compute_inline(self, block: BlockRV, *, assert_legal: bool = False) -> None:
        """Compute what a block writes at each place that reads it; the block and its buffer go."""
        compute_inline(self.block(block), assert_legal=assert_legal)
