"""Where blocks compute: in which loop, or in place of each read."""

from __future__ import annotations

from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.compute_at import compute_at
from ..primitives.compute_root import compute_root
from ..primitives.inline import compute_inline
from ..primitives.reverse_compute_at import reverse_compute_at
from ..primitives.reverse_inline import reverse_compute_inline
from ..recording import recorded


class PlacementMethods(Engine):
    """compute_at, compute_inline and their mirror images."""

    @recorded
    def compute_at(
        self,
        block: BlockRV,
        loop: LoopRV,
        preserve_unit_loops: bool = False,
        index: int = -1,
        *,
        assert_legal: bool = False,
    ) -> None:
        """Compute what a block writes in the body of a loop, as much as the consumers there read.

        `index` counts the statements of the body before which it goes: -1 is the last place, -2 the first.
        """
        permuted = compute_at(
            self.block(block),
            self.loop(loop),
            preserve_unit_loops=preserve_unit_loops,
            index=index,
            assert_legal=assert_legal,
        )
        self._used(reassociates=permuted)

    @recorded
    def compute_inline(self, block: BlockRV, *, assert_legal: bool = False) -> None:
        """Compute what a block writes at each place that reads it; the block and its buffer go."""
        compute_inline(self.block(block), assert_legal=assert_legal)

    @recorded
    def reverse_compute_at(
        self, block: BlockRV, loop: LoopRV, preserve_unit_loops: bool = False, index: int = -1
    ) -> None:
        """Compute a block in the body of an earlier loop, from what the producers there write in each iteration."""
        ops = self.block(block), self.loop(loop)
        self._used(reassociates=reverse_compute_at(*ops, preserve_unit_loops=preserve_unit_loops, index=index))

    @recorded
    def reverse_compute_inline(self, block: BlockRV) -> None:
        """Append the body of a block to the block that produces what it reads; the block and that buffer go."""
        reverse_compute_inline(self.block(block))

    @recorded
    def compute_root(self, block: BlockRV) -> None:
        """Compute what a block writes in a nest of its own, before the loops that it stands in."""
        self._used(reassociates=compute_root(self.block(block)))
