"""Products of matrices, and other contractions of their form: batches, transposed operands, convolutions.

    for tiles of the result (blockIdx):
      for groups of rows and columns (threadIdx):
        sums = 0                                                    (registers)
        for steps of terms:
          the threads of a block fetch a tile of both operands      (shared memory, the next one while this one is used)
          for terms of the step:
            row, column = a thread's part of both tiles             (registers, loads of 16 bytes)
            for groups, neighbours: sums += row * column
        for groups, neighbours: result = epilogue(sums)

The operands are first copied in the order of rows, columns and terms (`reindex`), independent of their indices, and
padded with zeros to whole tiles. The copies are computed as tiles in shared memory, which the threads of a block fetch
together.

Source of the idea: S. Tomov, R. Nath, J. Dongarra, "An Improved MAGMA GEMM for Fermi GPUs", IJHPCA 24(4), 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....analysis.block_reductions import reduction_of
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.index_expr import Index, Symbol
from ....dialects.loop.pragmas import AUTO_UNROLL, PIPELINE_ORDER, PIPELINE_STAGE, UNROLL_EXPLICIT
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV, LoopRV
from ...index_map import IndexMap
from ...schedule import Schedule
from ..block_structure import Operand, is_plain
from ..coefficients import GPU_TILE_GATHERED, GPU_TILE_PLAIN
from .fetching import BANKS, Lying, lying_of, share_fetching
from .grid_threads import THREADS, THREADS_Y, is_free
from .product_axes import Product, product_of
from .product_form import Parts, bind_tiles, divisible_terms, schedule_tiles
from .product_tiles import LANES, ProductTile, choose_plan, decided_plan
from .spatial import nest_of

SHORT_PIPELINE = [0, 0, 0, 0, 1], [0, 3, 1, 4, 2]
"""Stages and positions of fetching and storing each operand, and of using both: the next tiles are fetched, the current
ones are used, and the next ones replace them in shared memory, between two barriers."""

LONG_PIPELINE = [0, 1, 0, 1, 2, 2], [3, 1, 4, 2, 0, 5]
"""Likewise with two tiles of each operand in shared memory: while the first terms of one are added, the next ones are
stored and the ones after these are fetched, with one barrier. The pipeline takes more steps to fill and to drain."""

LONG = 16
"""The least number of steps for the long pipeline."""

GROUPS = 2
"""Parts of a step's terms. The terms of a part are unrolled, so that loads of the next term overlap with the additions
of one term."""


def schedule_product(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Compute a product by tiles, with the elementwise consumer of its result, and the padding of its operands."""
    if not is_free(op) or not is_plain(op) or nest_of(op) != [op]:
        return None
    product = product_of(op)
    plan = None if product is None else _plan(product, op, target)
    if product is None or plan is None:
        return None
    size = _result_bytes(op)
    tile, number = decided_plan(plan, product.extents, divisible_terms(product), size, target, op)

    def arrange(parts: Parts) -> None:
        _Arrangement(sch, parts, tile).schedule()

    return schedule_tiles(sch, op, product, tile, number, arrange, partial(_remark_text, tile=tile), target)


def _plan(product: Product, op: loop.BlockOp, target: CudaTargetAttr) -> tuple[ProductTile, int] | None:
    """Return the tile, and the number of parts of the terms where results are few."""
    size = _result_bytes(op)
    costs = _fetch_cost(product.left), _fetch_cost(product.right)
    return choose_plan(*product.extents, product.batch_count, divisible_terms(product), size, target, costs)


def _result_bytes(op: loop.BlockOp) -> int:
    reduction = reduction_of(op)
    assert reduction is not None
    return numpy_dtype(reduction.load.res.type).itemsize


def _fetch_cost(operand: Operand) -> float:
    """Return the cost of fetching an element: an image is read at sums of axes, beyond its borders too."""
    return GPU_TILE_GATHERED if any(len(e.variables) > 1 for e in operand.op.index) else GPU_TILE_PLAIN


def _remark_text(op: loop.BlockOp, product: Product, *, tile: ProductTile) -> str:
    rows, columns, terms = product.extents
    return (
        f"block '{op.label}' is a product of {product.batch_count} x {rows} x {columns} x {terms}: tiles of {tile}, "
        f"{tile.threads} threads of {tile.thread_rows} x {tile.thread_columns}"
    )


class _Arrangement:
    """The loops of a product in order."""

    def __init__(self, sch: Schedule, parts: Parts, tile: ProductTile) -> None:
        self.sch, self.parts, self.tile = sch, parts, tile

    def schedule(self) -> None:
        sch, parts = self.sch, self.parts
        sch.set_scope(parts.block, 0, "local")
        self._cut_into_tiles()
        thread = self._bind_results()
        sch.compute_at(parts.block, thread)
        around = len(sch.get_loops(parts.writer)) - self._thread_loops
        *results, terms = sch.get_loops(parts.block)[around:]
        inner = self._by_side(results)
        together = max(self.tile.terms // GROUPS, 1)
        step, group, term = sch.split(terms, [None, self.tile.terms // together, together])
        sch.reorder(step, group, term, *inner)
        sch.decompose_reduction(parts.block, step)
        steps = sch.loop(step).constant_trip_count
        for number, copy in enumerate(parts.copies):
            self._fetch(number, copy, step, term, steps != 1)
        if steps != 1:
            self._overlap(step, group, term, is_long=steps is None or steps >= LONG)
        self._vectorize_results()

    def _by_side(self, results: Sequence[LoopRV]) -> list[LoopRV]:
        """Return one loop over a thread's rows and one over its columns, without loops that run once."""
        sch, first = self.sch, self.parts.batches
        bindings = [binding for _, _, binding, _ in sch.block(self.parts.block).iteration()]
        along = {value for e in bindings[first : first + PIECES] for value in e.values()}
        rows = [handle for handle in results if sch.loop(handle).induction_variable in along]
        columns = [handle for handle in results if handle not in rows]
        return [sch.fuse(*loops) if len(loops) > 1 else loops[0] for loops in (rows, columns) if loops]

    def _overlap(self, step: LoopRV, group: LoopRV, term: LoopRV, is_long: bool) -> None:
        """Let the fetching of later tiles go on while the terms of one are added."""
        sch = self.sch
        if is_long:
            sch.unroll(term)
            # Of the steps, these are written out; the few before and behind them are not worth it.
            sch.pragma(step, AUTO_UNROLL, 0)
            sch.pragma(step, UNROLL_EXPLICIT, True)
            sch.loop_partition(group, points=[1])
        stages, order = LONG_PIPELINE if is_long else SHORT_PIPELINE
        sch.annotate(step, PIPELINE_STAGE, stages)
        sch.annotate(step, PIPELINE_ORDER, order)

    def _cut_into_tiles(self) -> None:
        """Make tiles, groups, threads and neighbours dimensions of the results, and loops around them."""
        sch, parts = self.sch, self.parts
        cut = [(self.tile.rows, self.tile.row_parts), (self.tile.columns, self.tile.column_parts)]
        names = [f"b{n}" for n in range(parts.batches)] + ["row", "column"]
        symbols = [Index.of(Symbol(name)) for name in names]
        pieces = [p for e, (n, lengths) in zip(symbols[-2:], cut, strict=True) for p in _pieces(e, n, lengths)]
        results = IndexMap(tuple(names), (*symbols[:-2], *pieces))
        term = Symbol("term")
        sch.transform_block_layout(parts.block, IndexMap((*names, term.name), (*results.results, Index.of(term))))
        sch.transform_layout(parts.block, 0, results)
        sch.transform_block_layout(parts.writer, results)

    _thread_loops = 4
    """Loops of a thread over its results: groups and neighbours of rows and columns."""

    def _bind_results(self) -> LoopRV:
        """Bind the loops of the writer; the innermost one over threads."""
        sch, parts = self.sch, self.parts
        loops = list(sch.get_loops(parts.writer))
        batches = loops[: parts.batches]
        rows, row_group, row_thread, row = loops[parts.batches : parts.batches + 4]
        columns, column_group, column_thread, column = loops[parts.batches + 4 :]
        inner = [row_group, row, column_group, column]
        sch.reorder(*batches, rows, columns, row_thread, column_thread, *inner)
        bind_tiles(sch, batches, rows, columns)
        self._bind_threads(row_thread, self.tile.row_parts[1], THREADS_Y)
        return self._bind_threads(column_thread, self.tile.column_parts[1], THREADS)

    def _bind_threads(self, handle: LoopRV, threads: int, axis: str) -> LoopRV:
        """Bind a loop to all threads along an axis; it is shorter where there is one tile, and not all of it."""
        if self.sch.loop(handle).constant_trip_count != threads:
            _, handle = self.sch.split(handle, [1, threads])
        self.sch.bind(handle, axis)
        return handle

    def _fetch(self, number: int, copy: BlockRV, step: LoopRV, term: LoopRV, is_ahead: bool) -> None:
        """Fetch the tile of an operand in each step, and a thread's part of it for each term."""
        sch, tile = self.sch, self.tile
        extent, parts = ((tile.rows, tile.row_parts), (tile.columns, tile.column_parts))[number]
        sch.set_scope(copy, 0, "shared")
        lying = lying_of(sch.block(copy), (extent, tile.terms))
        stages = [copy]
        if is_ahead:
            stages.append(sch.cache_write(copy, 0, "local"))
        for stage in reversed(stages):
            sch.compute_at(stage, step)
        self._lay_out(stages[-1], extent, parts, lying)
        read = self._part_of_thread(number, term)
        sch.vectorize(sch.get_loops(read)[-1])
        threads = ((tile.row_parts[1], THREADS_Y), (tile.column_parts[1], THREADS))
        for stage in stages:
            rows, terms = sch.get_loops(stage)[-2:]
            share_fetching(sch, rows, terms, lying, threads)

    def _lay_out(self, stage: BlockRV, extent: int, parts: tuple[int, int, int], lying: Lying) -> None:
        """Let a tile in shared memory have its terms outermost, and its rows cut as threads have them.

        Where neighbouring threads fetch different terms of a row, the stride of terms is padded so that they are in
        different banks.
        """
        op = self.sch.block(stage)
        names = tuple(f"d{n}" for n in range(len(op.variables)))
        *batches, row, term = [Index.of(Symbol(name)) for name in names]
        self.sch.transform_layout(stage, 0, IndexMap(names, (*batches, term, *_pieces(row, extent, parts))))
        if lying.along_terms:
            self.sch.storage_align(stage, 0, len(batches), BANKS, LANES)

    def _part_of_thread(self, number: int, term: LoopRV) -> BlockRV:
        sch, block = self.sch, self.parts.block
        read = sch.cache_read(block, ("read", self.parts.reads[number]), "local")
        if sch.loop(term) not in [sch.loop(handle) for handle in sch.get_loops(read)]:
            sch.compute_at(read, term)
        return read

    def _vectorize_results(self) -> None:
        sch = self.sch
        last = sch.get_loops(self.parts.writer)[-1]
        if (sch.loop(last).constant_trip_count or 1) > 1:
            sch.vectorize(last)


PIECES = 4
"""The number of pieces of a row's or a column's index."""


def _pieces(e: Index, extent: int, parts: tuple[int, int, int]) -> list[Index]:
    """Return an index as the tile, the group, the thread and the neighbour."""
    _, threads, lanes = parts
    return [e // extent, e % extent // (threads * lanes), e % (threads * lanes) // lanes, e % lanes]
