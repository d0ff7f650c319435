"""Products in order: batches, row, column and term are the iteration variables, and operands are copied in that order.

All rules for products start from this form and share the next steps: the terms are divided into parts if there are few
results, and the consumer of the result is fused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Protocol

from ....analysis.access import producers
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV, LoopRV
from ...schedule import Schedule
from ..block_structure import is_plain
from ..contraction import find_epilogue
from .grid_threads import BLOCKS, BLOCKS_Y, BLOCKS_Z, is_free
from .product_axes import Digit, Product, product_of
from .result_reduction import schedule_result_reduction

MOST_BLOCKS_ACROSS = 65535
"""Blocks along the second and third axis of a grid, at most."""


class Tile(Protocol):
    """The part of a product that a block computes at a time."""

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    @property
    def terms(self) -> int:
        """The number of terms in shared memory at a time."""
        ...


@dataclass(frozen=True)
class Parts:
    """A product in order: batches, row, column and term are its iteration variables."""

    block: BlockRV
    copies: tuple[BlockRV, BlockRV]
    """Copy the operands, `left` first."""
    reads: tuple[int, int]
    """The positions of the copies among the buffers that the block reads."""
    writer: BlockRV
    """Writes the results."""
    batches: int
    """The number of axes of the batches."""


def cut_terms(sch: Schedule, block: BlockRV, product: Product, parts: int) -> BlockRV:
    """Give parts of the longest axis of terms separate sums; returns the block that computes these.

    The block that adds them up keeps the handle of the product.
    """
    part, _ = sch.split(sch.get_loops(block)[longest_term(product).position], [parts, None])
    return sch.rfactor(part, 0)


def longest_term(product: Product) -> Digit:
    return max(product.terms, key=lambda digit: digit.count)


def divisible_terms(product: Product) -> int:
    """Return the number of terms of their longest axis, to be cut into equal parts; 1 where sizes come with the
    call."""
    block = product.shape.block
    all_known = all(extent.is_constant for *_, extent in block.iteration()) and block.init is not None
    return longest_term(product).count if all_known else 1


def bring_to_order(sch: Schedule, block: BlockRV, product: Product, tile: Tile, epilogue: BlockRV | None) -> Parts:
    """Let a product be over batches, row, column and term, whole tiles of them, on copies of its operands."""
    if not product.is_plain:
        sch.transform_block_layout(block, product.index_map)
    left, right = (product.shape.operands.index(operand) for operand in (product.left, product.right))
    copies = [sch.reindex(block, ("read", number)) for number in range(2)]
    writer = sch.reindex(block, ("write", 0))
    if epilogue is not None:
        sch.reverse_compute_inline(epilogue)
    copies = _fill_up(sch, block, copies, writer, tile, len(product.batches))
    return Parts(block, (copies[left], copies[right]), (left, right), writer, len(product.batches))


def _fill_up(
    sch: Schedule, block: BlockRV, copies: Sequence[BlockRV], writer: BlockRV, tile: Tile, batches: int
) -> list[BlockRV]:
    """Pad tiles with zeros where extents are no multiples; returns the blocks that copy the operands."""
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
    """Return the block that copies an operand for `block`: `copy`, or the padding block into which `copy` is
    inlined."""
    (consumer,) = sch.get_consumers(copy)
    if sch.block(consumer) is sch.block(block):
        return copy
    sch.compute_inline(copy)
    return consumer


def inline_copies(sch: Schedule, copies: Sequence[BlockRV]) -> list[loop.BlockOp]:
    """Inline blocks that only copy an operand, or put a border around it; returns these blocks."""
    taken: list[loop.BlockOp] = []
    for copy in copies:
        for op in producers(sch.block(copy)):
            if _is_copy(op):
                sch.compute_inline(sch.get_block(op.label))
                taken.append(op)
    return taken


def _is_copy(op: loop.BlockOp) -> bool:
    """Return whether a block copies elements, under conditions or not, for one reader."""
    body = list(op.body.block.ops)
    loads = [each for each in body if isinstance(each, loop.LoadOp)]
    stores = [each for each in body if isinstance(each, loop.StoreOp)]
    if len(loads) != 1 or len(stores) != 1 or stores[0].value is not loads[0].res:
        return False
    buffer = stores[0].buffer
    readers = {use.operation.parent_op() for use in buffer.uses if isinstance(use.operation, loop.LoadOp)}
    return isinstance(buffer.owner, loop.AllocOp) and len(readers) == 1 and is_plain(op) and is_free(op)


# The grid


def bind_tiles(sch: Schedule, batches: Sequence[LoopRV], rows: LoopRV, columns: LoopRV) -> None:
    """Bind the loops over tiles: where one axis of the grid might be too short for them, all of them to the first.

    Rows or columns whose number is symbolic take the first axis, the longest.
    """
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


Arrange = Callable[[Parts], None]
RemarkText = Callable[[loop.BlockOp, Product], str]


def schedule_tiles(
    sch: Schedule,
    op: loop.BlockOp,
    product: Product,
    tile: Tile,
    number: int,
    arrange: Arrange,
    remark_text: RemarkText,
    target: CudaTargetAttr,
) -> list[loop.BlockOp]:
    """Compute a product by tiles, with the elementwise consumer of its result; returns the scheduled blocks.

    `arrange` puts the loops of a product in order that has its operands as copies, `remark_text` words the remark. The
    product is cut into `number` parts that each sum some of the terms; a second kernel adds the parts up.
    """
    handle = sch.get_block(op.label)
    if number == 1:
        return _schedule(sch, handle, product, tile, arrange, remark_text)
    partial = cut_terms(sch, handle, product, number)
    sums = product_of(sch.block(partial))
    assert sums is not None
    taken = _schedule(sch, partial, sums, tile, arrange, remark_text)
    return [*taken, *(schedule_result_reduction(sch, sch.block(handle), target) or ())]


def _schedule(
    sch: Schedule, handle: BlockRV, product: Product, tile: Tile, arrange: Arrange, remark_text: RemarkText
) -> list[loop.BlockOp]:
    op = sch.block(handle)
    remark("TW0646", lambda: remark_text(op, product), op=op, kind="analysis")
    taken = [op]
    epilogue = find_epilogue(sch, handle)
    if epilogue is not None:
        taken.append(sch.block(epilogue))
    parts = bring_to_order(sch, handle, product, tile, epilogue)
    taken += inline_copies(sch, parts.copies)
    arrange(parts)
    return taken
