"""Reductions into short rows of results, a vector or two long: convolutions on blocks of channels.

Operands that move along the row are stored in the order in which the reduction reads them (packed weights). Of other
operands one element is read for all lanes (a pixel). A tile is `rows` pixels by `steps` rows of results; it stays in
registers while the reduction runs. The loops around the tile, from the outside:

    parts of pixels that fit in the second cache with all channels, if reading pixels again costs more than weights
    tiles of weights: one is used for all pixels of a part before the next
    the other axes of pixels, and tiles along the last one

Neighbouring pixels are contiguous, so a tile may have as many pixels as registers allow.

The number of images may be symbolic. The plan is then the plan for one image. The loop over images is outside of all
other loops, or next to the loops over pixels if reading weights again costs more than reading images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf, prod
from typing import NamedTuple

from ...analysis.block_reductions import reduction_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from .block_structure import Axis, Operand, Shape, element_bits, shape_of
from .chunks import Chunks, decided_chunks, plan_chunks, terms_together, weights_stream
from .coefficients import (
    ROW_BORDER,
    ROW_CACHE_PART,
    ROW_RESULT_CYCLES,
    ROW_SPILL_LOADS,
    TIE,
    TILE_NOT_HIDDEN,
    TILE_SUSTAINED_LOADS,
    TILE_TAIL,
)
from .placement import TILES_A_THREAD
from .tiles import NARROWEST, RegisterTile, even_sizes, unstreamed_bandwidth

MOST_VECTORS = 2
"""The most vectors of a short row of results."""

LEAST_PIXELS = 4
"""The fewest pixels that are worth a tile of this form."""

MOST_PIXELS = 14
"""The most pixels of a tile: with one vector of weights they fill sixteen registers."""

MOST_SPILLED = 1
"""Registers that a tile may lack: one accumulator is kept on the stack."""

OPEN_PIXELS = 56
"""The pixels that an open axis, other than that over images, is expected to have."""

MOST_STREAMS = 16
"""Runs of pixels, each a separate stream, that the hardware is expected to follow."""


@dataclass(frozen=True)
class PackedRowsPlan:
    """The axes of a tile and its extents, and the number of parts of the pixels around everything else."""

    shape: Shape
    vector: Axis
    rows: Axis
    steps: Axis | None
    tile: RegisterTile
    weights: tuple[Axis, ...]
    """The axes along which other weights are read, but for `vector`."""
    pixels: tuple[Axis, ...]
    """The others, `rows` the last of them."""
    images: Axis | None
    """The axis of `pixels` over images, where their number is open and its loop is outside of all others."""
    parts: int
    ahead: tuple[Operand, int] | None
    """The operand to prefetch, and the distance in iterations of the outermost reduce loop."""
    chunks: Chunks | None
    """The chunks of the reduction; None where it runs as a whole for each tile."""
    cycles: float
    """The cycles that the model predicts for a vector of multiply-adds."""


def plan_packed_rows(block: loop.BlockOp, target: CpuTargetAttr) -> PackedRowsPlan | None:
    """Return a plan for a reduction block, or None where the rule does not apply."""
    shape = shape_of(block)
    if shape is None or not shape.reduce or reduction_of(block) is None:
        return None
    shape = _as_expected(shape)
    vector = None if shape is None else shape.row_axis()
    if shape is None or vector is None:
        return None
    lanes = target.lanes(element_bits(block))
    if not is_short_row(vector.extent, lanes):
        return None
    still, moving = operands_by(shape, vector)
    if not still or not moving or not all(is_packed(o, vector) for o in moving):
        return None
    others = [a for a in shape.spatial if a is not vector]
    weights = tuple(a for a in others if any(a.variable in o.variables for o in moving))
    pixels = tuple(a for a in others if a not in weights)
    steps = [a for a in weights if a.extent > 1 and not any(a.variable in o.variables for o in still)]
    if not pixels or pixels[-1].extent < LEAST_PIXELS or any(a.variable not in _indices(still) for a in pixels[-1:]):
        return None
    step = steps[-1] if steps else None
    reach = partial(_reach, shape, target, weights_stream(shape))
    counts = (pixels[-1].extent, step.extent if step else 1)
    tile, cost = best_tile(*counts, vector.extent, min(lanes, vector.extent), target, reach)
    return _with_tile(_Axes(shape, vector, step, weights, pixels), tile, cost, target)


def _as_expected(shape: Shape) -> Shape | None:
    """Return the shape of a block whose extents are static, or open along pixels only: then of one image of a usual
    size."""
    found = [a for a in (*shape.spatial, *shape.reduce) if a.is_open]
    if not found:
        return shape
    if not shape.spatial:
        return None
    moving = [o for o in shape.operands if shape.spatial[-1].variable in o.variables]
    if any(a not in shape.spatial[:-1] or any(a.variable in o.variables for o in moving) for a in found):
        return None
    return shape.assuming({a: 1 if a in images_of(shape) else OPEN_PIXELS for a in found})


def images_of(shape: Shape) -> list[Axis]:
    """Return the axis over images, where their number is open: operands move along it with their outermost dimension
    alone."""
    axis, *_ = shape.spatial
    along = [o.op.index for o in shape.operands if axis.variable in o.variables]
    alone = Index.of(axis.variable)
    is_alone = all(first == alone and all(axis.variable not in e.values() for e in rest) for first, *rest in along)
    return [axis] if is_alone and axis.is_open else []


class _Axes(NamedTuple):
    """The axes of a plan by role: `vector`, `steps`, weights and pixels."""

    shape: Shape
    vector: Axis
    steps: Axis | None
    weights: tuple[Axis, ...]
    pixels: tuple[Axis, ...]


def _with_tile(axes: _Axes, tile: RegisterTile, cost: float, target: CpuTargetAttr) -> PackedRowsPlan:
    shape, vector, step, weights, pixels = axes
    still, moving = operands_by(shape, vector)
    parts = _parts(weights, step, tile, still, moving, target)
    ahead = _ahead(shape, tile, still, target)
    is_one_tile = prod(a.extent for a in pixels) <= tile.rows  # weights are read once
    chunks = None if step is None or is_one_tile else plan_chunks(shape, pixels, step, tile, image_bytes(still), target)
    images = next(iter(images_of(shape)), None)
    if images is not None and parts == 1 and not _images_outside(axes, chunks, tile, target):
        images = None
    return PackedRowsPlan(shape, vector, pixels[-1], step, tile, weights, pixels, images, parts, ahead, chunks, cost)


def _images_outside(axes: _Axes, chunks: Chunks | None, tile: RegisterTile, target: CpuTargetAttr) -> bool:
    """Return whether to read all weights again for each image, rather than all images for each tile of weights."""
    still, moving = operands_by(axes.shape, axes.vector)
    step = tile.steps if chunks is None else chunks.steps
    count = prod(-(-a.extent // step) if a is axes.steps else a.extent for a in axes.weights)
    if target.threads > 1 and count < TILES_A_THREAD * target.threads:
        return True
    return image_bytes(moving) < count * image_bytes(still)


def operands_by(shape: Shape, vector: Axis) -> tuple[list[Operand], list[Operand]]:
    """Return the operands that do not move along the vectors, pixels, and those that do, weights."""
    still = [o for o in shape.operands if vector.variable not in o.variables]
    return still, [o for o in shape.operands if vector.variable in o.variables]


def decided_rows(plan: PackedRowsPlan, target: CpuTargetAttr) -> PackedRowsPlan:
    """Return the plan with the decided tile, chunks, parts and distance of prefetches."""
    shape, block, steps = plan.shape, plan.shape.block, plan.steps
    extents = (plan.rows.extent, steps.extent if steps else 1, plan.vector.extent)
    tile = decided_tile("packed_rows.tile", plan.tile, *extents, block, target)
    if tile != plan.tile:
        reach = _reach(shape, target, weights_stream(shape), tile)
        cost = _cost(tile, *extents[:2], target, reach)
        plan = _with_tile(_Axes(shape, plan.vector, steps, plan.weights, plan.pixels), tile, cost, target)
    still, _ = operands_by(shape, plan.vector)
    chunks = plan.chunks
    if steps is not None and prod(a.extent for a in plan.pixels) > tile.rows:
        chunks = decided_chunks(chunks, shape, plan.pixels, steps, tile, image_bytes(still), target)
    ahead, parts = _decided_ahead(plan, still), plan.parts
    if chunks is None:
        parts = decide("packed_rows.parts", _part_counts(plan), parts, block=block)
    return replace(plan, chunks=chunks, parts=parts, ahead=ahead)


def decided_tile(
    name: str, tile: RegisterTile, rows: int, steps: int, width: int, block: loop.BlockOp, target: CpuTargetAttr
) -> RegisterTile:
    """Return the decided tile, over extents as `best_tile` has them."""
    candidates = _candidates(rows, steps, width // tile.lanes, tile.lanes, target.vector_registers)
    return RegisterTile(*decide(name, (t.extents for t in candidates), tile.extents, block=block))


def _part_counts(plan: PackedRowsPlan) -> Iterator[int]:
    """Yield the numbers of parts that the tiles along the outermost axis of pixels are cut into."""
    counts = [-(-a.extent // plan.tile.rows) if a is plan.rows else a.extent for a in plan.pixels]
    count = next((n for n in counts if n > 1), 1)
    return (count // size for size in even_sizes(count))


def _decided_ahead(plan: PackedRowsPlan, still: Sequence[Operand]) -> tuple[Operand, int] | None:
    """Return the pixels that are prefetched, and the number of iterations of the outermost reduce loop ahead; 0 means
    none."""
    image, outer = max(still, key=lambda o: o.bytes), plan.shape.reduce[0]
    if outer.variable not in image.variables:
        return plan.ahead
    candidates = (n for n in (0, 1, 2, 4, 8, 16) if n < outer.extent)
    distance = decide("packed_rows.ahead", candidates, plan.ahead[1] if plan.ahead else 0, block=plan.shape.block)
    return (image, distance) if distance else None


def is_short_row(extent: int, lanes: int) -> bool:
    whole = extent % lanes == 0 and extent // lanes <= MOST_VECTORS
    return lanes >= NARROWEST and (whole or (extent * 2 == lanes and extent >= NARROWEST))


def is_packed(operand: Operand, vector: Axis) -> bool:
    """Return whether the last dimension of the operand is the row of results."""
    return operand.lane_stride(vector.variable) == 1 and operand.op.buffer.type.get_shape()[-1] == vector.extent  # pyright: ignore


def _indices(operands: Sequence[Operand]) -> set[object]:
    return {v for o in operands for v in o.variables}


def image_bytes(still: Sequence[Operand]) -> int:
    return sum(o.bytes for o in still)


def loop_order(plan: PackedRowsPlan) -> list[Axis]:
    """Return the axes of the loops around tiles."""
    images = [] if plan.images is None else [plan.images]
    return [*images, *plan.weights, *(a for a in plan.pixels if a is not plan.images)]


# The tile


@dataclass(frozen=True)
class Reach:
    """The limits on computation without stalls: the bandwidth of weights, and the number of steps."""

    weight_rate: float
    """Bytes of weights per cycle from beyond the first cache, for each tile of pixels; infinite if the first cache
    holds them."""
    length: int
    """Steps of the reduction until the tile's results pass through memory."""


def _reach(shape: Shape, target: CpuTargetAttr, streams: bool, tile: RegisterTile) -> Reach:
    outer, *inner = shape.reduce
    terms = terms_together(shape, tile, target, streams=streams)
    rate = unstreamed_bandwidth(target) if terms is None else target.bandwidths[0] if streams else inf
    return Reach(rate, (terms or outer.extent) * prod(a.extent for a in inner))


def best_tile(
    rows: int, steps: int, width: int, lanes: int, target: CpuTargetAttr, reach: Callable[[RegisterTile], Reach]
) -> tuple[RegisterTile, float]:
    """Return the tile with the fewest cycles for a vector of results and a step, and these; `width` is the extent of a
    row of results."""
    best, least = RegisterTile(1, 1, width // lanes, lanes), inf
    for tile in _candidates(rows, steps, width // lanes, lanes, target.vector_registers):
        cost = _cost(tile, rows, steps, target, reach(tile))
        if cost < least * TIE:
            best, least = tile, cost
    return best, least


def tile_cost(rows: int, steps: int, terms: int, lanes: int, target: CpuTargetAttr) -> float:
    """Return the cycles of the best tile for a multiply-add; `rows` pixels, `steps` rows of one vector of results each,
    sums of `terms`. Weights are assumed to stay in the caches, as most can."""
    reach = Reach(inf, terms)
    _, cost = best_tile(rows, steps, lanes, lanes, target, lambda _: reach)
    return cost / lanes


def _candidates(rows: int, steps: int, vectors: int, lanes: int, registers: int) -> Iterator[RegisterTile]:
    """Yield the tiles that fit, more pixels first: of two that cost the same, the larger one reads its weights less
    often."""
    for t in range(1, steps + 1):
        for r in range(min(MOST_PIXELS, rows), 0, -1):
            tile = RegisterTile(r, t, vectors, lanes)
            if _live(tile) <= registers + MOST_SPILLED:
                yield tile


def _live(tile: RegisterTile) -> int:
    """Return the registers for the accumulators, for the fewer of both operands, and for one of the other."""
    return tile.accumulators + min(tile.rows, tile.steps * tile.vectors) + 1


def _cycles(tile: RegisterTile, target: CpuTargetAttr, weight_rate: float) -> float:
    weights = tile.steps * tile.vectors
    arithmetic = tile.accumulators / target.multiply_adds
    spilled = max(_live(tile) - target.vector_registers, 0)
    loads = (tile.rows + weights + ROW_SPILL_LOADS * spilled) / (TILE_SUSTAINED_LOADS * target.loads)
    stream = weights * tile.lanes * 4 / weight_rate
    return max(arithmetic, loads, stream, target.multiply_add_latency) + TILE_NOT_HIDDEN * (loads + stream)


def _cost(tile: RegisterTile, rows: int, steps: int, target: CpuTargetAttr, reach: Reach) -> float:
    """Return the cycles for a vector of results and a step, with smaller tiles at the borders."""
    total = 0.0
    for r, many in _parts_of(rows, tile.rows):
        for t, times in _parts_of(steps, tile.steps):
            part = RegisterTile(r, t, tile.vectors, tile.lanes)
            passing = ROW_RESULT_CYCLES * part.accumulators / reach.length
            total += many * times * (_cycles(part, target, reach.weight_rate) + passing)
    total *= ROW_BORDER if rows % tile.rows else 1
    total *= TILE_TAIL if steps % tile.steps else 1
    return total / (rows * steps * tile.vectors)


def _parts_of(extent: int, size: int) -> list[tuple[int, int]]:
    """Return the extents of tiles along an axis, each with its number of tiles."""
    return [part for part in ((size, extent // size), (extent % size, 1)) if 0 not in part]


# Cache blocks


def _parts(
    weights: Sequence[Axis],
    steps: Axis | None,
    tile: RegisterTile,
    still: Sequence[Operand],
    moving: Sequence[Operand],
    target: CpuTargetAttr,
) -> int:
    """Return the number of parts of the pixels with which each part stays in the second cache for all weights."""
    image, filters = image_bytes(still), image_bytes(moving)
    room = target.caches[1] * ROW_CACHE_PART
    if not room or image <= room:
        return 1
    counts = [-(-a.extent // tile.steps) if a is steps else a.extent for a in weights]
    parts = -(-image // int(room))
    return parts if image + parts * filters < prod(counts) * image + filters else 1


def _ahead(
    shape: Shape, tile: RegisterTile, still: Sequence[Operand], target: CpuTargetAttr
) -> tuple[Operand, int] | None:
    """Return the pixels to prefetch while the reduction runs, and the distance, where they come from beyond the second
    cache.

    The pixels of a tile form a run for each iteration of the outermost reduce loop, at the distance of a whole image:
    more streams than the hardware follows. Pixels that lie along the reduction are few streams.
    """
    image = max(still, key=lambda o: o.bytes)
    outer, *inner = shape.reduce
    is_far = image.bytes > target.caches[1] * ROW_CACHE_PART
    is_strided = outer.variable in image.variables and image.lane_stride(outer.variable) is None
    if not is_far or not is_strided or outer.extent < MOST_STREAMS:
        return None
    cycles = prod(a.extent for a in inner) * _cycles(tile, target, inf)
    return image, min(ceil(target.memory_latency / cycles), outer.extent - 1)
