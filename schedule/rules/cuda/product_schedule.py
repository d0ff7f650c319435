"""Common steps of the rules for products: bring them to order, and cut their terms where results are few."""

from __future__ import annotations

from collections.abc import Callable

from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV
from ...schedule import Schedule
from ..contraction import find_epilogue
from .product_axes import Product, product_of
from .product_form import Parts, Tile, bring_to_order, cut_terms, inline_copies
from .result_reduction import schedule_result_reduction

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
