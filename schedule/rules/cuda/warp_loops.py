"""The loops of a product on tensor cores, for single warps and for four warps together.

Each warp by itself:

    for tiles of the result (blockIdx):
      for warps (threadIdx.y, threadIdx.z):
        sums = 0                                                    (registers of the warp)
        for steps of terms:
          the threads of a block fetch a tile of both operands      (shared memory, the next one while this one is used)
          for terms of one instruction:
            left, right = the warp's part of both tiles             (registers of the warp, loaded by matrices)
            for tiles of one instruction: sums += left * right
        for tiles: for lanes (threadIdx.x): result = epilogue(sums)

Operands have the same layout in shared memory as in global memory, with padded rows so that the eight rows of a matrix
are in different banks.

Four warps together, on operands in shared memory:

    for tiles of the result (blockIdx):
      for warps (threadIdx.y), 16 rows and all columns of the tile each:
        sums = 0                                                    (registers of the warp)
        for steps of terms:
          the threads of a block fetch a tile of both operands      (shared memory, swizzled, for a later step)
          start sums += left * right                                (four warps together)
          wait for it
        for tiles: for lanes (threadIdx.x): result = epilogue(sums)

An operand whose terms are contiguous in global memory is stored in shared memory by rows of terms. An operand whose
rows or columns are contiguous is stored in blocks of 64 rows or columns, each block term by term.
"""

from __future__ import annotations

from dataclasses import dataclass

from ....dialects import loop
from ....dialects.index_expr import Index, Symbol
from ....dialects.loop.pragmas import PIPELINE_ASYNC, PIPELINE_ORDER, PIPELINE_STAGE
from ...handles import BlockRV, LoopRV
from ...index_map import IndexMap
from ...schedule import Schedule
from ...tensor_cores import Side, share_among_lanes
from .fetching import Lying, lying_of, share_fetching
from .grid_threads import THREADS, THREADS_Y
from .product_form import Parts, bind_tiles
from .tensor_tiles import OVERLAPPED_STAGES, WarpTile

THREADS_Z = "threadIdx.z"

ELEMENT_BYTES, DIRECT_BYTES = 2, 4
"""Bytes of an element, and of the shortest copy from global to shared memory that goes on while threads work."""

ALIGNED, PADDING = 16, 8
"""Rows of shared memory have a multiple of ALIGNED halves and PADDING more."""

GROUP_BLOCK = 64
"""Rows or columns of a block of an operand that four warps read together."""


@dataclass(frozen=True)
class SumLoops:
    """The loops in which a warp computes its sums."""

    step: LoopRV
    """The loop over tiles in shared memory."""
    group: LoopRV
    """The loop over the terms of one instruction."""


class WarpLoops:
    """The loops of a product on tensor cores."""

    def __init__(self, sch: Schedule, parts: Parts, tile: WarpTile) -> None:
        self.sch, self.parts, self.tile, self.core = sch, parts, tile, tile.core

    def schedule(self) -> None:
        sch, parts, core = self.sch, self.parts, self.core
        sch.set_scope(parts.block, 0, core.result_scope)
        warp, rows, columns = self._bind_results()
        sch.compute_at(parts.block, warp)
        loops, tile = self.order_sums(warp)
        lyings = [self._lying(number) for number in range(2)]
        is_ahead = sch.loop(loops.step).constant_trip_count != 1
        is_direct = is_ahead and all(map(self._can_be_direct, parts.copies, lyings))
        transposed = [self._fetch(n, loops, lyings[n], is_ahead and not is_direct) for n in range(2)]
        sums = sch.tensorize(tile, core.product(*transposed))
        sch.decompose_reduction(sums, loops.step)
        share_among_lanes(sch, rows, columns, core.lane_elements("result"))
        if is_direct:
            self.overlap(loops)
        elif is_ahead:
            self.work_ahead(loops)

    def work_ahead(self, loops: SumLoops) -> None:
        """Let threads hold the operands of the next step in registers while this one is computed."""
        self.annotate_steps(loops, [0, 0, 0, 0, 1], [0, 3, 1, 4, 2])

    def annotate_steps(self, loops: SumLoops, stages: list[int], order: list[int]) -> None:
        self.sch.annotate(loops.step, PIPELINE_STAGE, stages)
        self.sch.annotate(loops.step, PIPELINE_ORDER, order)

    def overlap(self, loops: SumLoops) -> None:
        """Let copies and loads of operands go on while products are computed.

        The products of one group of terms stand between the loads for the next group and copies for a later step. The
        last products of a step stand behind the loads of the next step's first group.
        """
        sch, behind = self.sch, self.tile.stages - 1
        groups = self.tile.terms // self.core.terms
        if groups == 1 or self.tile.stages < OVERLAPPED_STAGES:
            stages, positions = [0, 0, behind], [0, 1, 2]
        else:
            sch.remove_unit_loops(*sch.loop_partition(loops.group, points=range(1, groups)))
            loads = [behind - 1, *[behind] * (groups - 1)]
            stages = [0, 0, *(stage for load in loads for stage in (load, load, behind))]
            order = self._order(groups)
            positions = [order.index(n) for n in range(len(order))]
        self.annotate_steps(loops, stages, positions)
        sch.annotate(loops.step, PIPELINE_ASYNC, [0])

    @staticmethod
    def _order(groups: int) -> list[int]:
        """Return the numbers of a step's statements in order: two copies, and of each group two loads and the products.

        The copies stand before the loads of the last group, so that the loads behind it wait for earlier copies alone.
        """
        copies = [[0], [1]]
        loads, products = [[2 + 3 * n, 3 + 3 * n] for n in range(groups)], [[4 + 3 * n] for n in range(groups)]
        order = [products[0]]
        for n in range(1, groups - 1):
            order += [loads[n], *copies[n - 1 : n], products[n]]
        order += [*copies[groups - 2 :], loads[-1], loads[0], products[-1]]
        return [number for part in order for number in part]

    def _bind_results(self) -> tuple[LoopRV, LoopRV, LoopRV]:
        """Bind the loops of the writer; the innermost one over warps, and those over a tile of one instruction."""
        sch, parts, tile, core = self.sch, self.parts, self.tile, self.core
        *batches, rows, columns = sch.get_loops(parts.writer)
        row_tile, row_warp, row_group, row = sch.split(rows, [None, tile.warp_rows, tile.row_groups, core.rows])
        column_tile, column_warp, column_group, column = sch.split(
            columns, [None, tile.warp_columns, tile.column_groups, core.columns]
        )
        sch.reorder(*batches, row_tile, column_tile, row_warp, column_warp, row_group, column_group, row, column)
        bind_tiles(sch, batches, row_tile, column_tile)
        sch.bind(row_warp, THREADS_Y)
        sch.bind(column_warp, THREADS_Z)
        return column_warp, row, column

    def order_sums(self, warp: LoopRV) -> tuple[SumLoops, LoopRV]:
        """Split and order the loops of a warp's sums; the outermost one over the tile of an instruction."""
        sch, core = self.sch, self.core
        *_, rows, columns, terms = sch.get_loops(self.parts.block)
        step, group, term = sch.split(terms, [None, self.tile.terms // core.terms, core.terms])
        row_group, row = sch.split(rows, [None, core.rows])
        column_group, column = sch.split(columns, [None, core.columns])
        sch.reorder(step, group, row_group, column_group, row, column, term)
        return SumLoops(step, group), row

    def _lying(self, number: int) -> Lying:
        extent = (self.tile.rows, self.tile.columns)[number]
        return lying_of(self.sch.block(self.parts.copies[number]), (extent, self.tile.terms))

    def _can_be_direct(self, copy: BlockRV, lying: Lying) -> bool:
        """Return whether elements go to shared memory unchanged, several at a time, without any condition."""
        loads = [op for op in self.sch.block(copy).body.block.ops if isinstance(op, loop.LoadOp)]
        return lying.lanes * ELEMENT_BYTES >= DIRECT_BYTES and not any(load.conditions for load in loads)

    def _fetch(self, number: int, loops: SumLoops, lying: Lying, is_staged: bool) -> bool:
        """Fetch the tile of an operand in each step, and a warp's part of it; returns whether it lies transposed.

        `is_staged`: through registers of the threads.
        """
        sch, tile = self.sch, self.tile
        side: Side = ("left", "right")[number]
        copy = self.parts.copies[number]
        sch.set_scope(copy, 0, "shared")
        stages = [copy]
        if is_staged:
            stages.append(sch.cache_write(copy, 0, "local"))
        for stage in reversed(stages):
            sch.compute_at(stage, loops.step)
        self.lay_out(stages[-1], lying)
        transposed = lying.along_terms == (side == "right")
        self.load(side, self.parts.reads[number], transposed, lying, loops.group)
        threads = ((tile.warp_columns, THREADS_Z), (tile.warp_rows, THREADS_Y), (loop.LANES, THREADS))
        for stage in stages:
            rows, terms = sch.get_loops(stage)[-2:]
            share_fetching(sch, rows, terms, lying, threads)
        return transposed

    def lay_out(self, stage: BlockRV, lying: Lying) -> None:
        """Let a tile lie in shared memory as its operand does, with padded rows."""
        dimensions = len(self.sch.block(stage).variables)
        if not lying.along_terms:
            names = tuple(f"d{n}" for n in range(dimensions))
            *batches, row, term = [Index.of(Symbol(name)) for name in names]
            self.sch.transform_layout(stage, 0, IndexMap(names, (*batches, term, row)))
        self.sch.storage_align(stage, 0, dimensions - 2, ALIGNED, PADDING)

    def load(self, side: Side, read: int, transposed: bool, lying: Lying, group: LoopRV) -> None:
        """Load a warp's part of an operand for one instruction's terms."""
        sch, core = self.sch, self.core
        assert side != "result"
        fragment = sch.cache_read(self.parts.block, ("read", read), core.scope(side, transposed))
        if sch.loop(group) not in [sch.loop(handle) for handle in sch.get_loops(fragment)]:
            sch.compute_at(fragment, group)
        outer, inner = sch.get_loops(fragment)[-2:]
        results, terms = (outer, inner) if lying.along_terms else (inner, outer)
        extent = core.rows if side == "left" else 2 * core.columns
        load = core.load(side, transposed, extent // core.columns)
        assert load is not None
        parts = {results: extent, terms: core.terms}
        tiles = [sch.split(handle, [None, parts[handle]]) for handle in (outer, inner)]
        sch.reorder(*(tile for tile, _ in tiles), *(part for _, part in tiles))
        sch.tensorize(tiles[0][1], load)


class WarpgroupLoops(WarpLoops):
    """The loops of a product by tensor core instructions of several warps."""

    def order_sums(self, warp: LoopRV) -> tuple[SumLoops, LoopRV]:
        """Split and order the loops of a warp's sums; each step is one instruction."""
        sch = self.sch
        *_, rows, columns, terms = sch.get_loops(self.parts.block)
        step, term = sch.split(terms, [None, self.core.terms])
        sch.reorder(step, rows, columns, term)
        return SumLoops(step, step), rows

    def lay_out(self, stage: BlockRV, lying: Lying) -> None:
        sch = self.sch
        if not lying.along_terms:
            names = tuple(f"d{n}" for n in range(len(sch.block(stage).variables)))
            *batches, row, term = [Index.of(Symbol(name)) for name in names]
            sch.transform_layout(stage, 0, IndexMap(names, (*batches, row // GROUP_BLOCK, term, row % GROUP_BLOCK)))
        sch.storage_swizzle(stage, 0)

    def load(self, side: Side, read: int, transposed: bool, lying: Lying, group: LoopRV) -> None:
        """Do nothing: instructions read shared memory."""

    def work_ahead(self, loops: SumLoops) -> None:
        self.annotate_steps(loops, [0, 0, 0, 0, 1, 1], [0, 4, 1, 5, 2, 3])

    def overlap(self, loops: SumLoops) -> None:
        """Start copies for a later step while a product is computed."""
        behind = self.tile.stages - 1
        self.annotate_steps(loops, [0, 0, behind, behind], [1, 2, 0, 3])
        self.sch.annotate(loops.step, PIPELINE_ASYNC, [0])
