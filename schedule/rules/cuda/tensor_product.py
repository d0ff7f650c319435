"""Products of float16 on tensor cores: the same form as other products, with warps instead of threads.

Instructions of single warps and of several warps have separate rules: if the engine refuses one rule, the other is
tried. `warp_loops.py` builds the loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, MemRefType

from ....analysis.block_reductions import reduction_of
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.target import CudaTargetAttr
from ...schedule import Schedule
from ...tensor_cores import TensorCore, tensor_core, warpgroup_cores
from ..block_structure import is_plain
from .grid_threads import is_free
from .product_axes import Product, product_of
from .product_form import Parts, divisible_terms, schedule_tiles
from .spatial import nest_of
from .tensor_tiles import WarpTile, choose_warp_plan, decided_warp_plan
from .warp_loops import WarpgroupLoops, WarpLoops


def schedule_warpgroup_product(
    sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr
) -> Sequence[loop.BlockOp] | None:
    """Compute a product on tensor cores that several warps use together, where these are faster than single ones."""
    return _schedule(sch, op, target, is_for_groups=True)


def schedule_tensor_product(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Compute a product on tensor cores of single warps, with the elementwise consumer of its result."""
    return _schedule(sch, op, target, is_for_groups=False)


def _schedule(
    sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr, *, is_for_groups: bool
) -> Sequence[loop.BlockOp] | None:
    if not is_free(op) or not is_plain(op) or nest_of(op) != [op]:
        return None
    product = product_of(op)
    cores = [] if product is None else _cores_for(product, target, is_for_groups)
    if product is None or not cores:
        return None
    plan = choose_warp_plan(*product.extents, product.batch_count, divisible_terms(product), cores, target)
    if plan is None or (plan[0].core.warps > 1) != is_for_groups:
        return None
    tile, number = decided_warp_plan(plan, product.extents, divisible_terms(product), cores, target, op)

    def arrange(parts: Parts) -> None:
        loops = WarpgroupLoops if is_for_groups else WarpLoops
        loops(sch, parts, tile).schedule()

    return schedule_tiles(sch, op, product, tile, number, arrange, partial(_remark_text, tile=tile), target)


def _cores_for(product: Product, target: CudaTargetAttr, with_groups: bool) -> Sequence[TensorCore]:
    """Return the tensor cores for these operands as they are written: both extended to the type of the sums, without
    rounding."""
    types = [operand.op.buffer.type for operand in (product.left, product.right)]
    reduction = reduction_of(product.shape.block)
    assert reduction is not None and all(isinstance(type_, MemRefType) for type_ in types)
    first, second = (type_.element_type for type_ in types if isinstance(type_, MemRefType))
    if first != second or not isinstance(reduction.load.res.type, Float32Type):
        return []
    if not all(_is_extended(operand.op) for operand in (product.left, product.right)):
        return []
    name = numpy_dtype(first).name
    groups, single = warpgroup_cores(name, target), tensor_core(name, target)
    if single is None or (with_groups and not groups):
        return []
    cores = [*groups, single] if with_groups else [single]
    return [core for core in cores if not core.rounds and product.extents[2] > core.terms]


def _is_extended(load: loop.LoadOp) -> bool:
    return all(isinstance(use.operation, arith.ExtFOp) for use in load.res.uses)


def _remark_text(op: loop.BlockOp, product: Product, *, tile: WarpTile) -> str:
    rows, columns, terms = product.extents
    return (
        f"block '{op.label}' is a product of {product.batch_count} x {rows} x {columns} x {terms}: "
        f"{tile.core.name}, tiles of {tile}, {tile.warp_rows} x {tile.warp_columns} warps"
    )
