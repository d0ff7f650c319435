"""Products of matrices, and whatever has their form: batches of them, transposed ones, convolutions.

    for tiles of the result (blockIdx):
      for groups of rows and columns (threadIdx):
        sums = 0                                                    (registers)
        for steps of terms:
          the threads of a block fetch a tile of both operands      (shared memory, the next one while this one is used)
          for terms of the step:
            row, column = a thread's part of both tiles             (registers, loads of 16 bytes)
            for groups, neighbours: sums += row * column
        for groups, neighbours: result = epilogue(sums)

The operands are first copies in the order of rows, columns and terms (`reindex`), whatever they were indexed by, and
filled up with zeros to whole tiles where the extents are no multiples; computed as tiles in shared memory, these
copies are what threads fetch.

Source of the idea: S. Tomov, R. Nath, J. Dongarra, "An Improved MAGMA GEMM for Fermi GPUs", IJHPCA 24(4), 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ....analysis.access import producers
from ....analysis.reduction import reduction_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.index_expr import Index, Symbol
from ....dialects.loop.pragmas import PIPELINE_ORDER, PIPELINE_STAGE
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV, LoopRV
from ...index_map import IndexMap
from ...schedule import Schedule
from ..contraction import find_epilogue
from ..structure import is_plain
from .fetching import BANKS, Lying, lying_of, share_fetching
from .product_axes import Product, product_of
from .product_tiles import LANES, ProductTile, choose_plan
from .result_reduction import schedule_result_reduction
from .spatial import nest_of
from .threads import BLOCKS, BLOCKS_Y, BLOCKS_Z, THREADS, THREADS_Y, is_free

UNROLLED_TERMS = 8
"""Terms of an innermost loop, which the compiler repeats: loads of the next are under way while one is added."""

MOST_BLOCKS_ACROSS = 65535
"""Blocks along the second and third axis of a grid, at most."""


def schedule_product(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Compute a product by tiles, with the elementwise consumer of its result, and the padding of what it reads."""
    if not is_free(op) or not is_plain(op) or nest_of(op) != [op]:
        return None
    product = product_of(op)
    plan = None if product is None else _plan(product, op, target)
    if product is None or plan is None:
        return None
    handle = sch.get_block(op.label)
    if plan.parts == 1:
        return _schedule_tiles(sch, handle, product, plan.tile)
    terms = sch.get_loops(handle)[plan.cut]
    part, _ = sch.split(terms, [plan.parts, None])
    partial = sch.rfactor(part, 0)
    sums = product_of(sch.block(partial))
    assert sums is not None
    taken = _schedule_tiles(sch, partial, sums, plan.tile)
    return [*taken, *(schedule_result_reduction(sch, sch.block(handle), target) or ())]


def _schedule_tiles(sch: Schedule, handle: BlockRV, product: Product, tile: ProductTile) -> list[loop.BlockOp]:
    op = sch.block(handle)
    remark("TW0646", lambda: _told(op, product, tile), op=op, kind="analysis")
    taken = [op]
    epilogue = find_epilogue(sch, handle)
    if epilogue is not None:
        taken.append(sch.block(epilogue))
    parts = _bring_to_order(sch, handle, product, tile, epilogue)
    taken += _inline_copies(sch, parts.copies)
    _Arrangement(sch, parts, tile).schedule()
    return taken


def _plan(product: Product, op: loop.BlockOp, target: CudaTargetAttr) -> ProductPlan | None:
    """The tile, and where results are few into how many parts the longest axis of terms is cut."""
    reduction = reduction_of(op)
    assert reduction is not None
    size = numpy_dtype(reduction.load.res.type).itemsize
    longest = max(product.terms, key=lambda digit: digit.count)
    all_known = all(extent.is_constant for *_, extent in op.iteration()) and op.init is not None
    divisible = longest.count if all_known else 1
    plan = choose_plan(*product.extents, product.batch_count, divisible, size, target)
    return None if plan is None else ProductPlan(plan[0], plan[1], longest.position)


def _told(op: loop.BlockOp, product: Product, tile: ProductTile) -> str:
    rows, columns, terms = product.extents
    return (
        f"block '{op.label}' is a product of {product.batch_count} x {rows} x {columns} x {terms}: tiles of {tile}, "
        f"{tile.threads} threads of {tile.thread_rows} x {tile.thread_columns}"
    )


@dataclass(frozen=True)
class ProductPlan:
    """How a product is computed."""

    tile: ProductTile
    parts: int
    """Of the terms, each with sums of its own."""
    cut: int
    """The position of the axis of terms that is cut into parts."""


@dataclass(frozen=True)
class Parts:
    """A product in order: batches, row, column and term are its iteration variables."""

    block: BlockRV
    copies: tuple[BlockRV, BlockRV]
    """Copy the operands, `left` first."""
    writer: BlockRV
    """Writes the results."""
    batches: int
    """How many axes the batches have."""


# The form


def _bring_to_order(
    sch: Schedule, block: BlockRV, product: Product, tile: ProductTile, epilogue: BlockRV | None
) -> Parts:
    """Let a product be over batches, row, column and term, whole tiles of them, on copies of its operands."""
    if not product.is_plain:
        sch.transform_block_layout(block, product.index_map)
    numbers = [product.shape.operands.index(operand) for operand in (product.left, product.right)]
    copies = [sch.reindex(block, ("read", number)) for number in sorted(numbers)]
    writer = sch.reindex(block, ("write", 0))
    if epilogue is not None:
        sch.reverse_compute_inline(epilogue)
    copies = _fill_up(sch, block, copies, writer, tile, len(product.batches))
    return Parts(block, (copies[numbers[0]], copies[numbers[1]]), writer, len(product.batches))


def _fill_up(
    sch: Schedule, block: BlockRV, copies: Sequence[BlockRV], writer: BlockRV, tile: ProductTile, batches: int
) -> list[BlockRV]:
    """Fill tiles up with zeros where extents are no multiples; the blocks that copy the operands."""
    extents = [extent for *_, extent in sch.block(block).iteration()][batches:]
    wanted = (tile.rows, tile.columns, tile.terms)
    padding = [1 if e.is_constant and e.constant % n == 0 else n for e, n in zip(extents, wanted, strict=True)]
    if padding == [1, 1, 1]:
        return list(copies)
    sch.pad_einsum(block, [1] * batches + padding)
    filled = [_inlined_into_consumer(sch, copy, block) for copy in copies]
    if padding[:2] != [1, 1]:
        (cropped,) = sch.get_producers(writer)
        sch.compute_inline(cropped)
    return filled


def _inlined_into_consumer(sch: Schedule, copy: BlockRV, block: BlockRV) -> BlockRV:
    """The block that copies an operand for `block`: `copy`, or the one that fills it up, which takes `copy` in."""
    (consumer,) = sch.get_consumers(copy)
    if sch.block(consumer) is sch.block(block):
        return copy
    sch.compute_inline(copy)
    return consumer


def _inline_copies(sch: Schedule, copies: Sequence[BlockRV]) -> list[loop.BlockOp]:
    """Read through blocks that only copy an operand, or put a border around it; these blocks."""
    taken: list[loop.BlockOp] = []
    for copy in copies:
        for op in producers(sch.block(copy)):
            if _is_copy(op):
                sch.compute_inline(sch.get_block(op.label))
                taken.append(op)
    return taken


def _is_copy(op: loop.BlockOp) -> bool:
    """Whether a block copies elements, under conditions or not, for one reader."""
    body = list(op.body.block.ops)
    loads = [each for each in body if isinstance(each, loop.LoadOp)]
    stores = [each for each in body if isinstance(each, loop.StoreOp)]
    if len(loads) != 1 or len(stores) != 1 or stores[0].value is not loads[0].res:
        return False
    buffer = stores[0].buffer
    readers = {use.operation.parent_op() for use in buffer.uses if isinstance(use.operation, loop.LoadOp)}
    return isinstance(buffer.owner, loop.AllocOp) and len(readers) == 1 and is_plain(op) and is_free(op)


# The loops


class _Arrangement:
    """The loops of a product in order."""

    def __init__(self, sch: Schedule, parts: Parts, tile: ProductTile) -> None:
        self.sch, self.parts, self.tile = sch, parts, tile
        reduction = reduction_of(sch.block(parts.block))
        assert reduction is not None
        self.sums_type = reduction.load.res.type

    def schedule(self) -> None:
        sch, parts = self.sch, self.parts
        sch.set_scope(parts.block, 0, "local")
        self._cut_into_tiles()
        thread = self._bind_results()
        sch.compute_at(parts.block, thread)
        around = len(sch.get_loops(parts.writer)) - self._own_loops
        *results, terms = sch.get_loops(parts.block)[around:]
        together = min(self.tile.terms, UNROLLED_TERMS)
        step, group, term = sch.split(terms, [None, self.tile.terms // together, together])
        sch.reorder(step, group, term, *results)
        sch.decompose_reduction(parts.block, step)
        is_ahead = sch.loop(step).constant_trip_count != 1
        for number, copy in enumerate(parts.copies):
            self._fetch(number, copy, step, term, is_ahead)
        if is_ahead:
            sch.annotate(step, PIPELINE_STAGE, [0, 0, 0, 0, 1])
            sch.annotate(step, PIPELINE_ORDER, [0, 3, 1, 4, 2])
        self._vectorize_results()

    def _cut_into_tiles(self) -> None:
        """Let tiles, groups, threads and neighbours be dimensions of the results, and loops around them."""
        sch, parts = self.sch, self.parts
        cut = [(self.tile.rows, self.tile.row_parts), (self.tile.columns, self.tile.column_parts)]
        names = [f"b{n}" for n in range(parts.batches)] + ["row", "column"]
        symbols = [Index.of(Symbol(name)) for name in names]
        pieces = [p for e, (n, own) in zip(symbols[-2:], cut, strict=True) for p in _pieces(e, n, own)]
        results = IndexMap(tuple(names), (*symbols[:-2], *pieces))
        term = Symbol("term")
        sch.transform_block_layout(parts.block, IndexMap((*names, term.name), (*results.results, Index.of(term))))
        sch.transform_layout(parts.block, 0, results)
        sch.transform_block_layout(parts.writer, results)

    _own_loops = 4
    """Loops of a thread over its results: groups and neighbours of rows and columns."""

    def _bind_results(self) -> LoopRV:
        """Bind the loops of the writer; the innermost one over threads."""
        sch, parts = self.sch, self.parts
        loops = list(sch.get_loops(parts.writer))
        batches = loops[: parts.batches]
        rows, row_group, row_thread, row = loops[parts.batches : parts.batches + 4]
        columns, column_group, column_thread, column = loops[parts.batches + 4 :]
        own = [row_group, row, column_group, column]
        sch.reorder(*batches, rows, columns, row_thread, column_thread, *own)
        self._bind_blocks(batches, rows, columns)
        self._bind_threads(row_thread, self.tile.row_parts[1], THREADS_Y)
        return self._bind_threads(column_thread, self.tile.column_parts[1], THREADS)

    def _bind_threads(self, handle: LoopRV, threads: int, axis: str) -> LoopRV:
        """Bind a loop to all threads along an axis; it is shorter where there is one tile, and not all of it."""
        if self.sch.loop(handle).constant_trip_count != threads:
            _, handle = self.sch.split(handle, [1, threads])
        self.sch.bind(handle, axis)
        return handle

    def _bind_blocks(self, batches: Sequence[LoopRV], rows: LoopRV, columns: LoopRV) -> None:
        """Bind the loops over tiles: where one axis of the grid might be too short for them, all of them to the first.

        Rows or columns whose number is symbolic take the first axis, the longest.
        """
        sch = self.sch
        counts = [sch.loop(handle).constant_trip_count for handle in (*batches, rows, columns)]
        known = [count for count in counts if count is not None]
        if len(known) == len(counts) and max(prod(known[:-2]), known[-2]) > MOST_BLOCKS_ACROSS:
            sch.bind(sch.fuse(*batches, rows, columns), BLOCKS)
            return
        x, y = (rows, columns) if counts[-2] is None else (columns, rows)
        sch.bind(x, BLOCKS)
        sch.bind(y, BLOCKS_Y)
        if batches:
            sch.bind(sch.fuse(*batches) if len(batches) > 1 else batches[0], BLOCKS_Z)

    def _fetch(self, number: int, copy: BlockRV, step: LoopRV, term: LoopRV, is_ahead: bool) -> None:
        """Fetch the tile of an operand in each step, and a thread's part of it for each term."""
        sch, tile = self.sch, self.tile
        extent, own = ((tile.rows, tile.row_parts), (tile.columns, tile.column_parts))[number]
        sch.set_scope(copy, 0, "shared")
        lying = lying_of(sch.block(copy), (extent, tile.terms))
        stages = [copy]
        if is_ahead:
            stages.append(sch.cache_write(copy, 0, "local"))
        for stage in reversed(stages):
            sch.compute_at(stage, step)
        self._lay_out(stages[-1], extent, own, lying)
        read = self._part_of_thread(number, term)
        sch.vectorize(sch.get_loops(read)[-1])
        for stage in stages:
            rows, terms = sch.get_loops(stage)[-2:]
            share_fetching(sch, stage, rows, terms, lying, (tile.row_parts[1], tile.column_parts[1]))

    def _lay_out(self, stage: BlockRV, extent: int, own: tuple[int, int, int], lying: Lying) -> None:
        """Let a tile in shared memory have its terms outermost, and its rows cut as threads have them.

        Where neighbouring threads fetch different terms of a row, terms are that far apart that they do not meet in
        one bank.
        """
        op = self.sch.block(stage)
        names = tuple(f"d{n}" for n in range(len(op.variables)))
        *batches, row, term = [Index.of(Symbol(name)) for name in names]
        self.sch.transform_layout(stage, 0, IndexMap(names, (*batches, term, *_pieces(row, extent, own))))
        if lying.along_terms:
            self.sch.storage_align(stage, 0, len(batches), BANKS, LANES)

    def _part_of_thread(self, number: int, term: LoopRV) -> BlockRV:
        sch, block = self.sch, self.parts.block
        read = sch.cache_read(block, ("read", number), "local")
        if sch.loop(term) not in [sch.loop(handle) for handle in sch.get_loops(read)]:
            sch.compute_at(read, term)
        return read

    def _vectorize_results(self) -> None:
        sch = self.sch
        last = sch.get_loops(self.parts.writer)[-1]
        if (sch.loop(last).constant_trip_count or 1) > 1:
            sch.vectorize(last)


def _pieces(e: Index, extent: int, parts: tuple[int, int, int]) -> list[Index]:
    """An index as the tile, the group, the thread and the neighbour."""
    _, threads, lanes = parts
    return [e // extent, e % extent // (threads * lanes), e % (threads * lanes) // lanes, e % lanes]
