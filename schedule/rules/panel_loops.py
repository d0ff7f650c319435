"""The loops of a product over packed panels.

    for blocks of columns (parallel):
      pack the panels of the block
      for tiles of rows: for panels:
        accumulators = identity
        for terms: for rows, vectors (unrolled): for lanes (vectorized): accumulators += …
        for rows, vectors (unrolled): for lanes (vectorized): result = epilogue(accumulators)

A block's panels stay in the second cache, and the rows of a tile in the first, while the tile runs over all panels. The
panels of all blocks are packed into the same memory. If blocks of columns cannot be divided evenly among threads, all
panels are packed first, and blocks of rows are divided among threads; these rows stay in the second cache while panels
are read. Tiles at a border compute all of their elements; the elements beyond the border are never read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...analysis.access import reads, writes
from ...diagnostics.remarks import remark
from ...dialects.index_expr import Index, Symbol
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV, LoopRV
from ..index_map import IndexMap
from ..schedule import Schedule
from .block_structure import Axis
from .contraction import find_epilogue
from .panels import Factor, PanelPlan
from .placement import share_among_threads
from .tile_loops import loops_by_axis, set_tile_kinds


def schedule_panels(sch: Schedule, block: BlockRV, plan: PanelPlan, target: CpuTargetAttr) -> None:
    """Apply a plan. An elementwise consumer of the whole result becomes the epilogue; else the result is cached."""
    remark("TW0755", lambda: _prediction(plan, target), op=sch.block(block), kind="analysis")
    epilogue = find_epilogue(sch, block)
    right = _copy(sch, block, plan.right)
    left = _copy(sch, block, plan.left) if plan.packs_left else None
    if epilogue is None:
        epilogue = sch.cache_write(block, ("write", 0), "register")
    nest = _tile_result(sch, epilogue, plan)
    order = nest.order
    sch.compute_at(block, order[-1])
    sch.set_scope(block, 0, "register")
    _tile_reduction(sch, block, plan, len(order))
    set_tile_kinds(sch, nest.tile)
    _pack(sch, right, plan.right, plan.columns, plan, order[: nest.packing], target)
    if left is not None:
        _pack(sch, left, plan.left, plan.rows, plan, (), target)
    counts = [sch.loop(handle).constant_trip_count or 1 for handle in order[: nest.packing or nest.shared]]
    share_among_threads(sch, block, order, counts, plan.shape.points, target)


def _copy(sch: Schedule, block: BlockRV, factor: Factor) -> BlockRV:
    op = sch.block(block)
    written = writes(op)
    number = [b for b in reads(op) if b not in written].index(factor.operand.op.buffer)
    return sch.cache_read(block, ("read", number), "global")


@dataclass(frozen=True)
class _Nest:
    """The loops over the result."""

    order: list[LoopRV]
    """The loops over tiles, from the outermost."""
    tile: list[LoopRV]
    packing: int
    """The number of outermost loops whose iterations pack separate panels; 0 where all panels are packed before."""
    shared: int
    """The number of outermost loops that use panels packed before."""


def _tile_result(sch: Schedule, epilogue: BlockRV, plan: PanelPlan) -> _Nest:
    """Split and order the loops of the result."""
    loops = sch.get_loops(epilogue)
    moving = [loops[a.position] for a in plan.outer if plan.right.moves_along(a)]
    others = [loops[a.position] for a in plan.outer if not plan.right.moves_along(a)]
    columns, vectors = loops[plan.columns.position], [plan.tile.vectors] if plan.tile.vectors > 1 else []
    row_tiles, row = sch.split(loops[plan.rows.position], [None, plan.tile.rows])
    panels, *lanes = sch.split(columns, [None, *vectors, plan.tile.lanes])
    outer_panels: list[LoopRV] = []
    outer_rows: list[LoopRV] = []
    if plan.shared and plan.height < plan.row_tiles:
        *outer_rows, row_tiles = sch.split(row_tiles, [None, plan.height])
    if not plan.shared and plan.panels < plan.all_panels:
        *outer_panels, panels = sch.split(panels, [None, plan.panels])
    packing = [*moving, *outer_panels]
    inner = [panels, row_tiles] if plan.shared else [row_tiles, panels]
    order = [*packing, *others, *outer_rows, *inner]
    sch.reorder(*order, row, *lanes)
    return _Nest(order, [row, *lanes], 0 if plan.shared else len(packing), len(order) - 2)


def _tile_reduction(sch: Schedule, block: BlockRV, plan: PanelPlan, depth: int) -> None:
    """Split and order the loops of the reduction below the outer ones, and separate its init."""
    below = loops_by_axis(sch, block, depth)
    row, columns = below.pop(plan.rows.position), below.pop(plan.columns.position)
    lanes = list(sch.split(columns, [plan.tile.vectors, plan.tile.lanes])) if plan.tile.vectors > 1 else [columns]
    *terms, last = [below.pop(a.position) for a in plan.shape.reduce if a.position in below]
    together: list[LoopRV] = []
    if plan.unrolled > 1:
        last, *together = sch.split(last, [None, plan.unrolled])
    # Vectors of a panel stay in registers while the loop over rows runs: there are fewer vectors.
    tile = [row, *lanes] if plan.tile.rows > plan.tile.vectors else [*lanes[:-1], row, lanes[-1]]
    sch.reorder(*below.values(), *terms, last, *together, *tile)
    init = sch.decompose_reduction(block, [*terms, last][0])
    for handle in together:
        sch.unroll(handle)
    set_tile_kinds(sch, tile)
    set_tile_kinds(sch, sch.get_loops(init)[depth + len(below) :])


# Packing


def _pack(
    sch: Schedule,
    copy: BlockRV,
    factor: Factor,
    across: Axis,
    plan: PanelPlan,
    around: Sequence[LoopRV],
    target: CpuTargetAttr,
) -> None:
    """Place and lay out a copy of an operand, and order its loops by the axis that is contiguous in the operand."""
    if around:
        sch.compute_at(copy, around[-1])
    extent = plan.tile.width if across is plan.columns else plan.tile.rows
    sch.transform_layout(copy, ("write", 0), _layout(factor, across, plan.shape.reduce, extent))
    below = loops_by_axis(sch, copy, len(around))
    columns = below.pop(factor.position(across))
    terms = [below.pop(factor.position(a)) for a in plan.shape.reduce if factor.position(a) in below]
    outer = list(below.values())
    if factor.variables[-1] is across.variable:
        order = _pack_rows(sch, columns, terms, extent, plan)
    else:
        order = _pack_columns(sch, columns, terms, extent)
    sch.reorder(*outer, *order)
    if not around:
        first = [*outer, order[0]]
        counts = [sch.loop(handle).constant_trip_count or 1 for handle in first]
        share_among_threads(sch, copy, first, counts, plan.shape.points, target)


def _pack_rows(sch: Schedule, columns: LoopRV, terms: Sequence[LoopRV], extent: int, plan: PanelPlan) -> list[LoopRV]:
    """Order the loops of a copy where the axis of a panel's rows is contiguous: whole rows are copied, some terms at a
    time."""
    *terms, last = terms
    many, few = sch.split(last, [None, plan.packed_together])
    lanes = extent if extent % plan.tile.lanes else plan.tile.lanes
    panel, *vectors, lane = sch.split(columns, [None, *([extent // lanes] if extent > lanes else []), lanes])
    set_tile_kinds(sch, [*vectors, lane])
    return [many, *terms, panel, few, *vectors, lane]


def _pack_columns(sch: Schedule, columns: LoopRV, terms: Sequence[LoopRV], extent: int) -> list[LoopRV]:
    """Order the loops of a copy where terms are contiguous: a panel is assembled from several rows, each read from left
    to right."""
    panel, column = sch.split(columns, [None, extent])
    sch.unroll(column)
    return [panel, *terms, column]


def _layout(factor: Factor, across: Axis, terms: Sequence[Axis], extent: int) -> IndexMap:
    """Return the layout of panels of `extent`, in each all terms one after the other."""
    symbols = [Symbol(f"d{n}") for n in range(len(factor.variables))]
    index = [Index.of(s) for s in symbols]
    position, summed = factor.position(across), [factor.position(a) for a in terms]
    outer = [e for n, e in enumerate(index) if n != position and n not in summed]
    results = (*outer, index[position] // extent, *(index[n] for n in summed), index[position] % extent)
    return IndexMap(tuple(s.name for s in symbols), results)


def _prediction(plan: PanelPlan, target: CpuTargetAttr) -> str:
    tile, sides = plan.tile, "both operands" if plan.packs_left else "the right operand"
    return (
        f"packs {sides} into panels for tiles of {tile.rows} x {tile.width} results, {plan.panels} panels at a time; "
        f"predicted: {plan.predicted_share(target):.0%} of the multiply-adds that the processor can do"
    )
