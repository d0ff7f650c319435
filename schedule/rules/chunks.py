"""Parts of a long reduction, so that what it reads stays near.

A tile of results whose reduction runs as a whole reads all of its weights from the second cache, once for each tile of
pixels. In chunks that the first cache holds they are read from there, and results are loaded and stored once a chunk:

    for blocks of weights, for blocks of pixels (parallel outside):
      for chunks of the reduction:
        copy the pixels that the chunk reads, where they are copied at all
        for tiles of weights, for tiles of pixels: results += …
      epilogue of the block, or of each tile of the last chunk where they are few

The block's results, and the pixels that a chunk reads, share the second cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ...dialects.target import CpuTargetAttr
from .structure import Axis, Shape, element_bits
from .tiles import RegisterTile

FIRST_LEVEL = 0.5
"""The part of the first cache that a chunk's weights take."""

MOST_OF_FIRST_LEVEL = 0.8
"""The part of the first cache that the weights for one iteration of the outermost reduce axis may take."""

SECOND_LEVEL = 0.25
"""The part of the second cache for the results of a block, and as much for the pixels that a chunk reads."""

FULL, NEARLY_FULL = 1.1, 1.25
"""Elements that tiles may compute for each that there is: at best, and where no part fills its tiles so well."""

TASKS_A_THREAD = 2
"""Blocks for each thread."""


@dataclass(frozen=True)
class Chunks:
    """How much of each axis one chunk of one block of results covers."""

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
    """Chunks for a reduction of tiles; `pixels` are the axes of which `image` bytes depend. None where it is short."""
    size = element_bits(shape.block) // 8
    outer = shape.reduce[0]
    terms = terms_nearby(shape, tile.steps * tile.width, target)
    if terms in (None, outer.extent):
        return None
    _, second, _ = target.caches
    pixel = next(a for a in pixels if a.extent > 1)
    inside = [a for a in pixels if a.position > pixel.position]
    room = int(second * SECOND_LEVEL)
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


def terms_nearby(shape: Shape, width: int, target: CpuTargetAttr) -> int | None:
    """For how many iterations of the outermost reduce axis the first cache holds the weights of a tile that is `width`
    elements wide: for all of them, or for those of a chunk. None where they pass by."""
    outer, *inner = shape.reduce
    weights = prod(a.extent for a in inner) * width * element_bits(shape.block) // 8
    first, _, _ = target.caches
    if weights * outer.extent <= first:
        return outer.extent if weights * outer.extent <= first * FIRST_LEVEL else None
    if weights > first * MOST_OF_FIRST_LEVEL:
        return None
    return _part(outer.extent, max(int(first * FIRST_LEVEL) // weights, 1))


def _part(extent: int, most: int, unit: int = 1) -> int:
    """The largest equal part of an axis of at most `most` elements that tiles of `unit` fill; all of it without one.

    Equal parts leave no border but that of the axis itself.
    """
    parts = [n for n in range(1, min(most, extent) + 1) if extent % n == 0]
    computed = {n: -(-n // unit) * unit / n for n in parts}
    fitting = next((f for f in ([n for n in parts if computed[n] <= full] for full in (FULL, NEARLY_FULL)) if f), [])
    return max(fitting, default=extent)
