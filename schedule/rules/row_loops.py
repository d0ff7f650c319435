"""The loops of reductions into short rows, as `packed_rows` plans them, whole or in chunks of the reduction."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ...diagnostics.remarks import remark
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import Axis
from .chunks import Chunks
from .contraction import find_epilogue
from .nearby_copies import copy_nearby, find_copies
from .packed_rows import PackedRowsPlan, loop_order
from .placement import share_tiles
from .tile_loops import accumulator_name, loops_by_axis, set_tile_kinds
from .tiles import tile_prediction

MOST_IN_PARTS = 4
"""The most chunks for which the first and the last one are worth separate code."""

MOST_TILES_AHEAD = 40
"""The most tiles with the same weights for which the next weights are prefetched. Only the first tile waits for weights
beyond the second cache, which matters little for more tiles."""

TERMS_TOGETHER = 2
"""Terms of the reduction in one iteration of the innermost loop."""


def schedule_packed_rows(sch: Schedule, block: BlockRV, plan: PackedRowsPlan, target: CpuTargetAttr) -> list[BlockRV]:
    """Apply a plan; returns the producers of operands that are scheduled with it.

    An elementwise consumer of the whole result becomes the epilogue; else the result is cached.
    """
    remark("TW0763", lambda: _remark_text(plan, target), op=sch.block(block), kind="analysis")
    if plan.chunks is not None:
        return _schedule_chunks(sch, block, plan, plan.chunks, target)
    epilogue = find_epilogue(sch, block) or sch.cache_write(block, accumulator_name(sch, block), "register")
    outer, tile = tile_loops(sch, sch.get_loops(epilogue), plan)
    part = _cut(sch, outer, plan)
    order = [outer[a] for a in loop_order(plan)]
    order = [*order[:1], *part, *order[1:]] if plan.images else [*part, *order]
    sch.reorder(*order, *tile)
    sch.compute_at(block, order[-1])
    sch.set_scope(accumulator_name(sch, block), "register")
    terms = schedule_reduction(sch, block, plan, len(order))
    if plan.steps is not None:
        steps = outer[plan.steps]
        prefetch_weights(sch, block, plan, steps, order[order.index(steps) + 1 :], terms)
    set_tile_kinds(sch, tile)
    share_tiles(sch, block, order, plan.shape.points, target)
    return []


def _remark_text(plan: PackedRowsPlan, target: CpuTargetAttr) -> str:
    chunks = plan.chunks
    parts = "" if chunks is None else f", sums in chunks of {chunks.terms} of {plan.shape.reduce[0].extent}"
    return tile_prediction(plan.tile, 1 / (target.multiply_adds * plan.cycles)) + parts


def tile_loops(sch: Schedule, loops: Sequence[LoopRV], plan: PackedRowsPlan) -> tuple[dict[Axis, LoopRV], list[LoopRV]]:
    """Split the loops of the result; those over tiles by axis, and those within a tile, the vectorised one last."""
    outer = {a: loops[a.position] for a in plan.shape.spatial}
    parts: list[LoopRV] = []
    for axis, extent in ((plan.steps, plan.tile.steps), (plan.rows, plan.tile.rows)):
        if axis is not None and extent > 1:
            outer[axis], inner = sch.split(outer[axis], [None, extent])
            parts.append(inner)
    if plan.tile.vectors > 1:
        return outer, [*parts, *sch.split(outer[plan.vector], [plan.tile.vectors, plan.tile.lanes])]
    return outer, [*parts, outer[plan.vector]]


def _cut(sch: Schedule, outer: dict[Axis, LoopRV], plan: PackedRowsPlan) -> list[LoopRV]:
    """Split the loop over the parts of the pixels off their outermost axis."""
    axis = next((a for a in plan.pixels if (sch.loop(outer[a]).constant_trip_count or 1) > 1), None)
    if plan.parts == 1 or axis is None:
        return []
    count = sch.loop(outer[axis]).constant_trip_count
    assert count is not None
    part, outer[axis] = sch.split(outer[axis], [None, max(1, count // plan.parts)])
    return [part]


def _schedule_chunks(
    sch: Schedule, block: BlockRV, plan: PackedRowsPlan, chunks: Chunks, target: CpuTargetAttr
) -> list[BlockRV]:
    """Compute blocks of results chunk by chunk of the reduction; the copies that chunks make for themselves."""
    assert plan.steps is not None
    copies = find_copies(sch, block)
    chunk, _ = sch.split(sch.get_loops(block)[plan.shape.reduce[0].position], [None, chunks.terms])
    part, total = sch.rfactor(chunk), block
    epilogue = find_epilogue(sch, total) or sch.cache_write(total, accumulator_name(sch, total), "global")
    loops = sch.get_loops(epilogue)
    outer, inner = {a: loops[a.position] for a in plan.shape.spatial}, list[LoopRV]()
    for axis, extent in ((plan.steps, chunks.steps), (chunks.pixel, chunks.pixels)):
        outer[axis], within = sch.split(outer[axis], [None, extent])
        inner.append(within)
    rest = [a for a in plan.pixels if a.position > chunks.pixel.position]
    order = [outer[a] for a in loop_order(plan) if a not in rest]
    sch.reorder(*order, *inner, *(outer[a] for a in rest), outer[plan.vector])
    sch.compute_at(total, order[-1])
    around, steps = tile_results(sch, total, plan, len(order))
    sch.compute_at(part, around[-1])
    sch.set_scope(accumulator_name(sch, part), "register")
    terms = schedule_reduction(sch, part, plan, len(order) + len(around), first=1)
    if steps is not None:
        prefetch_weights(sch, part, plan, steps, around[around.index(steps) + 1 :], terms)
    copy_nearby(sch, copies, around[0], target)
    _finish(sch, total, epilogue, around, len(order), plan)
    share_tiles(sch, block, order, plan.shape.points, target)
    return copies


def tile_results(sch: Schedule, total: BlockRV, plan: PackedRowsPlan, depth: int) -> tuple[list[LoopRV], LoopRV | None]:
    """Cut the results that are computed below the first `depth` loops into tiles; with chunks of the reduction, add
    these up tile by tile, so that one chunk's weights stay near while all pixels pass.

    Returns the loops around a tile, and the one of them along which other weights are read, if there is one.
    """
    below = loops_by_axis(sch, total, depth)
    tile: dict[Axis | None, LoopRV] = {}
    for axis, extent in ((plan.steps, plan.tile.steps), (plan.rows, plan.tile.rows)):
        if axis is not None and axis.position in below and extent > 1:
            below[axis.position], tile[axis] = sch.split(below[axis.position], [None, extent])
    inside = _in_order(
        plan, tile.get(plan.steps), tile.get(plan.rows), _lanes(sch, below.pop(plan.vector.position), plan)
    )
    steps = below.get(plan.steps.position) if plan.steps is not None else None
    spatial = [below.pop(a.position) for a in (*plan.weights, *plan.pixels) if a.position in below]
    around = [*below.values(), *spatial]
    sch.reorder(*around, *inside)
    set_tile_kinds(sch, inside)
    return around, steps


def _finish(
    sch: Schedule, total: BlockRV, epilogue: BlockRV, around: Sequence[LoopRV], depth: int, plan: PackedRowsPlan
) -> None:
    """Store the first sums and pass the last ones on. `around` are the loops around a tile, from that over the chunks.

    With few chunks the first one stores its sums, and the last one passes its tiles on to the epilogue. Otherwise all
    chunks add to zeros, and the epilogue runs over the finished block. `depth` loops are around all of them.
    """
    count = sch.loop(around[0]).constant_trip_count
    assert count is not None and count > 1
    if count > MOST_IN_PARTS:
        init = sch.decompose_reduction(total, around[0])
        sch.vectorize(sch.get_loops(init)[-1])
    else:
        *_, last = sch.loop_partition(around[0], points=sorted({1, count - 1}))
        *_, total = sch.get_child_blocks(last)
        if not _ends_within_tile(plan):
            sch.reverse_compute_at(epilogue, sch.get_loops(total)[depth + len(around) - 1])
            *rows, vector = sch.get_loops(epilogue)[depth + len(around) :]
            set_tile_kinds(sch, [*rows, *_lanes(sch, vector, plan)])
            return
    sch.vectorize(_lanes(sch, sch.get_loops(epilogue)[-1], plan)[-1])


def _ends_within_tile(plan: PackedRowsPlan) -> bool:
    """Return whether blocks end within tiles, which then compute more of the next block than the epilogue may take."""
    chunks = plan.chunks
    assert chunks is not None and plan.steps is not None
    blocks = [(plan.steps.extent, chunks.steps, plan.tile.steps)]
    if chunks.pixel is plan.rows:
        blocks.append((plan.rows.extent, chunks.pixels, plan.tile.rows))
    return any(block < extent and block % tile != 0 for extent, block, tile in blocks)


def schedule_reduction(sch: Schedule, block: BlockRV, plan: PackedRowsPlan, depth: int, first: int = 0) -> LoopRV:
    """Order the loops of the reduction below the outer ones, and separate its init; returns the innermost loop over
    terms.

    The block has `first` iteration variables in front of those of the plan.
    """
    below = {position - first: handle for position, handle in loops_by_axis(sch, block, depth).items()}
    steps = below.pop(plan.steps.position, None) if plan.steps is not None else None
    rows = below.pop(plan.rows.position, None)
    tile = _in_order(plan, steps, rows, _lanes(sch, below.pop(plan.vector.position), plan))
    reduce = [below.pop(a.position) for a in plan.shape.reduce if a.position in below]
    together = _take_together(sch, block, reduce)
    sch.reorder(*below.values(), *reduce, *together, *tile)
    init = sch.decompose_reduction(block, reduce[0])
    for handle in together:
        sch.unroll(handle)
    set_tile_kinds(sch, tile)
    set_tile_kinds(sch, sch.get_loops(init)[depth + len(below) :])
    _prefetch(sch, plan, reduce[0])
    return reduce[-1]


def _take_together(sch: Schedule, block: BlockRV, reduce: list[LoopRV]) -> list[LoopRV]:
    """Split off some terms of the innermost of the reduction's loops, where it has many."""
    count = sch.loop(reduce[-1]).constant_trip_count or 1
    default = 1 if count % TERMS_TOGETHER or count == TERMS_TOGETHER else TERMS_TOGETHER
    terms = decide("terms_together", (n for n in (1, 2, 4, 8) if count % n == 0 and n < count), default, block=block)
    if terms == 1:
        return []
    reduce[-1], together = sch.split(reduce[-1], [None, terms])
    return [together]


def _lanes(sch: Schedule, handle: LoopRV, plan: PackedRowsPlan) -> list[LoopRV]:
    """Split the loop along a row of results into one over its vectors and one over lanes."""
    return list(sch.split(handle, [plan.tile.vectors, plan.tile.lanes])) if plan.tile.vectors > 1 else [handle]


def _in_order(plan: PackedRowsPlan, steps: LoopRV | None, rows: LoopRV | None, lanes: Sequence[LoopRV]) -> list[LoopRV]:
    """Return the tile's loops in an order with few live operands: operands of inner loops are live while outer loops
    advance."""
    weights = [h for h in (steps, *lanes[:-1]) if h is not None]
    pixels = [rows] if rows is not None else []
    fewer_weights = plan.tile.rows > plan.tile.steps * plan.tile.vectors
    return [*pixels, *weights, lanes[-1]] if fewer_weights else [*weights, *pixels, lanes[-1]]


def _prefetch(sch: Schedule, plan: PackedRowsPlan, handle: LoopRV) -> None:
    if plan.ahead is not None and plan.ahead[1] < (sch.loop(handle).constant_trip_count or 0):
        sch.prefetch(plan.ahead[0].op.buffer, handle, plan.ahead[1])


def prefetch_weights(
    sch: Schedule, block: BlockRV, plan: PackedRowsPlan, steps: LoopRV, tiles: Sequence[LoopRV], terms: LoopRV
) -> None:
    """Prefetch the next weights while the tiles of all pixels use the current ones.

    `steps` is the loop over weights, `tiles` are those over pixels inside it, `terms` is the innermost one of the
    reduction, whose iterations share the requests. All requests at once would occupy the fill buffers that pixels need.
    """
    count = prod(sch.loop(handle).constant_trip_count or 1 for handle in tiles)
    if (sch.loop(steps).constant_trip_count or 1) == 1:
        return
    if decide("prefetch_weights", (False, True), count <= MOST_TILES_AHEAD, block=block):
        weights = max((o for o in plan.shape.operands if plan.vector.variable in o.variables), key=lambda o: o.bytes)
        sch.prefetch(weights.op.buffer, steps, 1, terms, cache=2)
