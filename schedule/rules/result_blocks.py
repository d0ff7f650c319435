"""Contractions over windows whose rows of results do not fit vectors, computed on blocks of another axis.

A convolution has a row of pixels for each channel of its result. If a row is not a multiple of a tile, lanes compute
unused elements, and the window shifts vectors of pixels across cache lines. Blocks of as many channels as a vector has
lanes are always full, and their weights never cross cache lines. The weights are copied into the order in which they
are read. Results are computed in blocks and transposed before the store, run by run if `turned_results` finds a run:

    weights[o, …] → packed[o / lanes, …, o mod lanes]
    for blocks, pixels, lanes (as `packed_rows` arranges them): blocked[o / lanes, pixel, o mod lanes] += …
    for blocks, tiles of pixels (as `transpose` arranges them): result[o, pixel] = epilogue(blocked …)

The model counts cycles per result: multiply-adds in either form, and the two copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2, prod

from ...analysis.access import reads, writes
from ...analysis.block_reductions import reduction_of
from ...dialects import loop
from ...dialects.index_expr import Index, Symbol
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV
from ..index_map import IndexMap
from ..schedule import Schedule
from .block_structure import Axis, Operand, Shape, element_bits, is_static
from .coefficients import BLOCK_GAIN, BLOCK_PACKING_COST, BLOCK_TURNING_CYCLES
from .contraction import ContractionPlan, find_epilogue
from .packed_rows import tile_cost
from .tiles import NARROWEST


@dataclass(frozen=True)
class ResultBlocks:
    """The axis of the result that is cut into blocks, and the operand that is packed with it."""

    shape: Shape
    axis: Axis
    weights: Operand
    lanes: int


def plan_result_blocks(block: loop.BlockOp, rows: ContractionPlan, target: CpuTargetAttr) -> ResultBlocks | None:
    """Return the blocks for a contraction that would be computed by `rows`; None where rows are as good, or are
    decided."""
    blocks = _possible_blocks(block, rows, target)
    if blocks is None:
        return None
    pays = _pays(blocks, rows, target)
    return blocks if decide("contraction.blocks", (False, True), pays, block=block, changes_sums=True) else None


def _possible_blocks(block: loop.BlockOp, rows: ContractionPlan, target: CpuTargetAttr) -> ResultBlocks | None:
    """Return the blocks of results that a contraction may have."""
    shape, lanes = rows.shape, target.lanes(element_bits(block))
    axis = rows.rows
    if axis is None or lanes < NARROWEST or axis.extent % lanes or not is_static(block):
        return None
    weights = [o for o in shape.operands if rows.vector.variable not in o.variables]
    images = [o for o in shape.operands if rows.vector.variable in o.variables]
    if len(weights) != 1 or len(images) != 1 or not _is_plain(weights[0]) or not _has_windows(images[0]):
        return None
    reduction = reduction_of(block)
    if reduction is None or not _is_result_of(shape, reduction.store):
        return None
    if any(a.variable in weights[0].variables for a in shape.spatial if a is not axis):
        return None
    return ResultBlocks(shape, axis, weights[0], lanes)


def _pays(blocks: ResultBlocks, rows: ContractionPlan, target: CpuTargetAttr) -> bool:
    """Return whether the model expects blocks to be faster than rows."""
    axis, shape, lanes = blocks.axis, blocks.shape, blocks.lanes
    terms = prod(a.extent for a in shape.reduce)
    results = prod(a.extent for a in shape.spatial)
    by_blocks = tile_cost(rows.vector.extent, axis.extent // lanes, terms, lanes, target)
    turning = (BLOCK_TURNING_CYCLES + log2(lanes)) / lanes
    copies = turning + BLOCK_PACKING_COST * axis.extent * terms / results
    return rows.cycles * terms >= BLOCK_GAIN * (by_blocks * terms + copies)


def _is_plain(operand: Operand) -> bool:
    """Return whether each dimension is indexed by one axis."""
    return all(e.single_value is not None for e in operand.op.index) and not operand.op.conditions


def _has_windows(operand: Operand) -> bool:
    return any(len(e.values()) > 1 for e in operand.op.index)


def _is_result_of(shape: Shape, store: loop.StoreOp) -> bool:
    """Return whether the result is stored at exactly its spatial axes, in order."""
    axes = [Index.of(a.variable) for a in shape.spatial]
    return list(store.index) == axes


def block_results(sch: Schedule, block: BlockRV, plan: ResultBlocks) -> tuple[BlockRV, BlockRV]:
    """Bring a contraction into blocks. Returns the copy of its weights, and the block that takes results out of the
    blocks.

    The contraction is then a reduction over rows of a vector with packed weights, scheduled by `packed_rows`.
    """
    op, lanes = sch.block(block), plan.lanes
    index = plan.weights.op.index
    written = writes(op)
    number = [b for b in reads(op) if b not in written].index(plan.weights.op.buffer)
    weights = sch.cache_read(block, ("read", number), "global")
    result = find_epilogue(sch, block) or sch.cache_write(block, ("write", 0), "global")
    dimension = [e.single_value for e in index].index(plan.axis.variable)
    rank, position = len(plan.shape.spatial), plan.axis.position
    sch.transform_layout(weights, ("write", 0), _blocked(len(index), dimension, lanes, lanes_last=True))
    sch.transform_layout(block, ("write", 0), _blocked(rank, position, lanes, lanes_last=True))
    sch.transform_block_layout(block, _blocked(rank, position, lanes, True, len(plan.shape.reduce)))
    sch.transform_block_layout(result, _blocked(rank, position, lanes, lanes_last=False))
    sch.transform_block_layout(weights, _blocked(len(index), dimension, lanes, lanes_last=True))
    return weights, result


def _blocked(rank: int, position: int, lanes: int, lanes_last: bool, reduce: int = 0) -> IndexMap:
    """Return the layout with the dimension at `position` as blocks, and positions behind them or behind all `rank`
    dimensions."""
    symbols = [Symbol(f"d{n}") for n in range(rank + reduce)]
    index: Sequence[Index] = [Index.of(s) for s in symbols]
    block, lane = index[position] // lanes, index[position] % lanes
    front, back = index[:position], index[position + 1 : rank]
    middle = [block, *back, lane] if lanes_last else [block, lane, *back]
    return IndexMap(tuple(s.name for s in symbols), (*front, *middle, *index[rank:]))
