"""Chunks of a long reduction, so that its operands stay in the caches.

With an undivided reduction, each tile of pixels reads all weights from the second cache. If the reduction is divided
into chunks whose weights fit in the first cache, weights are read from there, and results are loaded and stored once
per chunk:

    for blocks of weights, for blocks of pixels (parallel outside):
      for chunks of the reduction:
        copy the pixels that the chunk reads, if they are copied
        for tiles of weights, for tiles of pixels: results += …
      epilogue of the block, or of each tile of the last chunk where they are few

The block's results, and the pixels that a chunk reads, share the second cache.

If pixels are contiguous along the reduction, as in a matrix product, the pixels of a tile stay in the first cache for
many more terms. Weights then come from the second cache as one stream that keeps up with the multiply-adds. Chunks are
as long as the first cache allows, so that results are loaded and stored less often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from .block_structure import Axis, Shape, element_bits
from .coefficients import (
    CHUNK_FIRST_LEVEL,
    CHUNK_FULL,
    CHUNK_MOST_OF_FIRST_LEVEL,
    CHUNK_NEARLY_FULL,
    CHUNK_ROWS_IN_A_SET,
    CHUNK_SECOND_LEVEL,
    CHUNK_SHORTEST,
    CHUNK_STREAM,
)
from .tiles import RegisterTile, divisors

TASKS_A_THREAD = 2
"""Blocks for each thread."""


@dataclass(frozen=True)
class Chunks:
    """The part of each axis that one chunk of one block of results covers."""

    terms: int
    """Of the outermost reduce axis."""
    steps: int
    """Of the axis along which other weights are read."""
    pixel: Axis
    """The outermost axis of pixels that has several."""
    pixels: int


def plan_chunks(
    shape: Shape, pixels: Sequence[Axis], steps: Axis, tile: RegisterTile, image: int, target: CpuTargetAttr
) -> Chunks | None:
    """Plan chunks for a reduction of tiles; `pixels` are the axes of which `image` bytes depend. None where it is
    short."""
    terms = terms_together(shape, tile, target, streams=weights_stream(shape))
    if terms in (None, shape.reduce[0].extent):
        return None
    return _with_terms(terms, shape, pixels, steps, tile, image, target)


def decided_chunks(
    chunks: Chunks | None,
    shape: Shape,
    pixels: Sequence[Axis],
    steps: Axis,
    tile: RegisterTile,
    image: int,
    target: CpuTargetAttr,
) -> Chunks | None:
    """Return the decided chunks; None where the reduction runs as a whole."""
    block, default = shape.block, None if chunks is None else chunks.terms
    candidates = (None, *divisors(shape.reduce[0].extent)[:-1])
    terms = decide("packed_rows.chunk_terms", candidates, default, block=block, changes_sums=True)
    if terms is None:
        return None
    if chunks is None or terms != default:
        chunks = _with_terms(terms, shape, pixels, steps, tile, image, target)
    return replace(
        chunks,
        steps=decide("packed_rows.chunk_steps", divisors(steps.extent), chunks.steps, block=block),
        pixels=decide("packed_rows.chunk_pixels", divisors(chunks.pixel.extent), chunks.pixels, block=block),
    )


def _with_terms(
    terms: int, shape: Shape, pixels: Sequence[Axis], steps: Axis, tile: RegisterTile, image: int, target: CpuTargetAttr
) -> Chunks:
    """Return chunks of so many terms: blocks of results, and the pixels that a chunk reads, are in the second cache."""
    size, outer = element_bits(shape.block) // 8, shape.reduce[0]
    _, second, _ = target.caches
    pixel = next(a for a in pixels if a.extent > 1)
    inside = [a for a in pixels if a.position > pixel.position]
    room = int(second * CHUNK_SECOND_LEVEL)
    read = image * terms // (outer.extent * pixel.extent) + 1
    unit = tile.rows if pixel is pixels[-1] else 1
    stored = prod(a.extent for a in inside) * tile.width * tile.steps * size
    count = _part(pixel.extent, max(room // max(read, stored), 1), unit)
    blocks = max(room // (count * stored), 1) * tile.steps
    others = max(prod(a.extent for a in shape.spatial if a not in (steps, pixel, *inside)) // tile.width, 1)
    if target.threads == 1:
        return Chunks(terms, _part(steps.extent, blocks, tile.steps), pixel, count)
    wanted = TASKS_A_THREAD * target.threads
    tasks = others * -(-pixel.extent // count)
    together = _part(steps.extent, min(blocks, max(steps.extent * tasks // wanted, tile.steps)), tile.steps)
    tasks = others * -(-steps.extent // together)
    if tasks * -(-pixel.extent // count) < wanted:
        count = _part(pixel.extent, max(pixel.extent * tasks // wanted, 1), unit)
    return Chunks(terms, together, pixel, count)


def terms_together(shape: Shape, tile: RegisterTile, target: CpuTargetAttr, *, streams: bool) -> int | None:
    """Return the number of iterations of the outermost reduce axis to sum in one go, so that a tile does not wait for
    its weights: all of them, or those of a chunk. None where weights do not stay in the first cache. `streams` allows
    weights to be a stream."""
    outer, *inner = shape.reduce
    size = element_bits(shape.block) // 8
    width = tile.steps * tile.width * size
    weights = prod(a.extent for a in inner) * width
    first, second, _ = target.caches
    if streams:
        room = int(min(first * CHUNK_FIRST_LEVEL / (tile.rows * size), second * CHUNK_STREAM / width))
        shares_sets = tile.rows * target.page_bytes > first * CHUNK_ROWS_IN_A_SET
        return None if shares_sets or room == 0 else _equal_terms(outer, room)
    if weights * outer.extent <= first:
        return outer.extent if weights * outer.extent <= first * CHUNK_FIRST_LEVEL else None
    if weights > first * CHUNK_MOST_OF_FIRST_LEVEL:
        return None
    return _equal_terms(outer, max(int(first * CHUNK_FIRST_LEVEL) // weights, 1))


def weights_stream(shape: Shape) -> bool:
    """Return whether a tile may read its weights as a stream from the second cache, because the first one holds its
    pixels: pixels lie side by side along the reduction, which has one axis."""
    row, terms = shape.row_axis(), shape.reduce[0].variable
    still = [o for o in shape.operands if row is None or row.variable not in o.variables]
    return len(shape.reduce) == 1 and all(o.lane_stride(terms) == 1 for o in still)


def _equal_terms(axis: Axis, most: int) -> int | None:
    """Return the terms of a chunk where an axis is cut into equal ones of at most `most`; None where those are too
    short."""
    terms = _part(axis.extent, most)
    return terms if terms * CHUNK_SHORTEST >= min(most, axis.extent) else None


def _part(extent: int, most: int, unit: int = 1) -> int:
    """Return the largest equal part of an axis of at most `most` elements that tiles of `unit` fill; all of it without
    one.

    Equal parts have no border but that of the axis itself.
    """
    parts = [n for n in range(1, min(most, extent) + 1) if extent % n == 0]
    computed = {n: -(-n // unit) * unit / n for n in parts}
    fitting = next(
        (f for f in ([n for n in parts if computed[n] <= full] for full in (CHUNK_FULL, CHUNK_NEARLY_FULL)) if f),
        [],
    )
    return max(fitting, default=extent)
