"""Products of halves on tensor cores: the same form as other products, with warps in place of threads.

    for tiles of the result (blockIdx):
      for warps (threadIdx.y, threadIdx.z):
        sums = 0                                                    (registers of the warp)
        for steps of terms:
          the threads of a block fetch a tile of both operands      (shared memory, the next one while this one is used)
          for terms of one instruction:
            left, right = the warp's part of both tiles             (registers of the warp, loaded by matrices)
            for tiles of one instruction: sums += left * right
        for tiles: for lanes (threadIdx.x): result = epilogue(sums)

Operands lie in shared memory as they do in global memory, each row some elements from the next so that the eight rows
of a matrix are in different banks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, MemRefType

from ....analysis.reduction import reduction_of
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.target import CudaTargetAttr
from ...schedule import Schedule
from ...tensor_cores import TensorCore, tensor_core, warpgroup_cores
from ..structure import is_plain
from .product_axes import Product, product_of
from .product_form import Parts, divisible_terms
from .product_schedule import schedule_tiles
from .spatial import nest_of
from .tensor_tiles import WarpTile, choose_warp_plan
from .threads import is_free
from .warp_loops import WarpLoops
from .warpgroup_loops import WarpgroupLoops


def schedule_tensor_product(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Compute a product on tensor cores, with the elementwise consumer of its result."""
    if not is_free(op) or not is_plain(op) or nest_of(op) != [op]:
        return None
    product = product_of(op)
    cores = [] if product is None else _cores_for(product, target)
    if product is None or not cores:
        return None
    plan = choose_warp_plan(*product.extents, product.batch_count, divisible_terms(product), cores, target)
    if plan is None:
        return None
    tile, number = plan

    def arrange(parts: Parts) -> None:
        loops = WarpLoops if tile.core.warps == 1 else WarpgroupLoops
        loops(sch, parts, tile).schedule()

    return schedule_tiles(sch, op, product, tile, number, arrange, partial(_told, tile=tile), target)


def _cores_for(product: Product, target: CudaTargetAttr) -> Sequence[TensorCore]:
    """What multiplies these operands as they are written: both extended to the type of the sums, and no digit lost."""
    types = [operand.op.buffer.type for operand in (product.left, product.right)]
    reduction = reduction_of(product.shape.block)
    assert reduction is not None and all(isinstance(type_, MemRefType) for type_ in types)
    first, second = (type_.element_type for type_ in types if isinstance(type_, MemRefType))
    if first != second or not isinstance(reduction.load.res.type, Float32Type):
        return []
    if not all(_is_extended(operand.op) for operand in (product.left, product.right)):
        return []
    name = numpy_dtype(first).name
    single = tensor_core(name, target)
    cores = [*warpgroup_cores(name, target), *([single] if single is not None else [])]
    return [core for core in cores if not core.rounds and product.extents[2] > core.terms]


def _is_extended(load: loop.LoadOp) -> bool:
    return all(isinstance(use.operation, arith.ExtFOp) for use in load.res.uses)


def _told(op: loop.BlockOp, product: Product, *, tile: WarpTile) -> str:
    rows, columns, terms = product.extents
    return (
        f"block '{op.label}' is a product of {product.batch_count} x {rows} x {columns} x {terms}: "
        f"{tile.core.name}, tiles of {tile}, {tile.warp_rows} x {tile.warp_columns} warps"
    )
