"""The loops of a product that warps compute four at a time, on operands where they lie in shared memory.

    for tiles of the result (blockIdx):
      for warps (threadIdx.y), 16 rows and all columns of the tile each:
        sums = 0                                                    (registers of the warp)
        for steps of terms:
          the threads of a block fetch a tile of both operands      (shared memory, swizzled, for a later step)
          start sums += left * right                                (four warps together)
          wait for it
        for tiles: for lanes (threadIdx.x): result = epilogue(sums)

An operand whose terms are neighbours in memory is stored by rows of terms. Of an operand whose rows or columns are
neighbours, 64 of these make a block, which is stored term by term.
"""

from __future__ import annotations

from ....dialects.index_expr import Index, Symbol
from ....dialects.loop.pragmas import PIPELINE_ASYNC
from ...handles import BlockRV, LoopRV
from ...index_map import IndexMap
from ...tensor_cores import Side
from .fetching import Lying
from .warp_loops import Place, WarpLoops

BLOCK = 64
"""Rows or columns of a block."""


class WarpgroupLoops(WarpLoops):
    """The loops of a product on tensor cores that several warps use together."""

    def order_sums(self, warp: LoopRV) -> tuple[Place, LoopRV]:
        """Split and order the loops of a warp's sums; each step is one instruction."""
        sch = self.sch
        *_, rows, columns, terms = sch.get_loops(self.parts.block)
        step, term = sch.split(terms, [None, self.core.terms])
        sch.reorder(step, rows, columns, term)
        return Place(step, step), rows

    def lay_out(self, stage: BlockRV, lying: Lying) -> None:
        sch = self.sch
        if not lying.along_terms:
            names = tuple(f"d{n}" for n in range(len(sch.block(stage).variables)))
            *batches, row, term = [Index.of(Symbol(name)) for name in names]
            sch.transform_layout(stage, 0, IndexMap(names, (*batches, row // BLOCK, term, row % BLOCK)))
        sch.storage_swizzle(stage, 0)

    def load(self, side: Side, read: int, transposed: bool, lying: Lying, group: LoopRV) -> None:
        """Do nothing: instructions read shared memory."""

    def work_ahead(self, place: Place) -> None:
        self.annotate_steps(place, [0, 0, 0, 0, 1, 1], [0, 4, 1, 5, 2, 3])

    def overlap(self, place: Place) -> None:
        """Start copies for a later step while a product is computed."""
        behind = self.tile.stages - 1
        self.annotate_steps(place, [0, 0, behind, behind], [1, 2, 0, 3])
        self.sch.annotate(place.step, PIPELINE_ASYNC, [0])
