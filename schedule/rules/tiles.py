"""Register tiles: the part of a contraction that is held in vector registers while its reduction runs.

The model counts one step of the reduction. A tile of `rows` x `steps` x `vectors` accumulators needs one load per row
(a scalar, broadcast) and one per vector of each step, and feeds rows * steps * vectors multiply-adds. Three limits
bound the rate: the multiply-add units, the load ports, and the latency of the chain of additions to one accumulator.
Unused lanes and rows beyond the extents count in full, and a tail costs code. The tile with the fewest cycles per
useful element is chosen. Comparisons of a tile with other schedules also count the second load of a vector across two
cache lines, and operands that the first cache does not hold from one tile to the next.

Source of the idea: the analysis of register blocking in T. M. Low et al., "Analytical Modeling Is Enough for
High-Performance BLIS", ACM TOMS 43(2), 2016, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, gcd, inf

from ...dialects.target import CpuTargetAttr
from .coefficients import (
    TIE,
    TILE_DELAY,
    TILE_LOAD_SHARE,
    TILE_NOT_HIDDEN,
    TILE_NOT_STREAMED,
    TILE_SUSTAINED_LOADS,
    TILE_TAIL,
)

NARROWEST = 4
"""The fewest lanes worth a vector."""

LONGEST = 16
"""The largest extent of a tile along one axis, in registers."""

MOST_ROWS = 6
"""The most rows of a tile. Each is a separate stream, and streams at distances of a power of two share one set of the
cache."""


@dataclass(frozen=True)
class RegisterTile:
    """Extents of a tile: rows, steps, and vectors of `lanes` elements."""

    rows: int
    steps: int
    vectors: int
    lanes: int

    @property
    def width(self) -> int:
        """Elements along the vectorised axis."""
        return self.vectors * self.lanes

    @property
    def accumulators(self) -> int:
        return self.rows * self.steps * self.vectors

    @property
    def extents(self) -> tuple[int, int, int, int]:
        """Its value as a decision."""
        return self.rows, self.steps, self.vectors, self.lanes


def register_tile(rows: int, steps: int, width: int, lanes: int, registers: int, target: CpuTargetAttr) -> RegisterTile:
    """Return the best tile of a contraction.

    `rows`: extent of the axis that the vectorised operand does not depend on (1 where there is none); `steps`: extent
    of a second axis that it depends on; `width`: extent of the vectorised axis, in elements; `lanes`: elements of a
    full vector (a narrow axis may take half or a quarter of one); `registers`: vector registers.
    """
    best, least = RegisterTile(1, 1, 1, lanes), inf
    for tile in register_tiles(rows, steps, width, lanes, registers):
        cost = _cycles(tile, target) * _waste(rows, tile.rows) * _waste(steps, tile.steps) * _waste(width, tile.width)
        cost /= tile.accumulators * tile.lanes
        if cost < least * TIE:
            best, least = tile, cost
    return best


def register_tiles(rows: int, steps: int, width: int, lanes: int, registers: int) -> Iterator[RegisterTile]:
    """Yield the tiles of a contraction that registers hold, over extents as `register_tile` has them."""
    for n in (lanes, lanes // 2, lanes // 4):
        if n >= NARROWEST:
            yield from _candidates(rows, steps, width, n, registers)


def contraction_cost(
    tile: RegisterTile,
    rows: int,
    steps: int,
    width: int,
    target: CpuTargetAttr,
    *,
    lines: float = 1,
    streamed: int = 0,
) -> float:
    """Return the cycles of a tile for a multiply-add that is needed, over extents as `register_tile` has them.

    A vector is loaded out of so many cache `lines`, each of which takes a load; `streamed` are the bytes of a step that
    come from the second cache, as the first one does not hold them until the next tile.
    """
    arithmetic = tile.accumulators / target.multiply_adds
    loads = (tile.rows + tile.steps * tile.vectors * lines) / (TILE_SUSTAINED_LOADS * target.loads)
    stream = streamed / unstreamed_bandwidth(target)
    cycles = max(arithmetic, loads, stream, chain_cycles(target)) + TILE_NOT_HIDDEN * (loads + stream)
    cost = cycles * _waste(rows, tile.rows) * _waste(steps, tile.steps) * _waste(width, tile.width)
    return cost / (tile.accumulators * tile.lanes)


def even_sizes(extent: int) -> list[int]:
    """Return the sizes of parts that divide an extent as evenly as possible, the largest first."""
    return list(dict.fromkeys(-(-extent // parts) for parts in range(1, extent + 1)))


def divisors(extent: int) -> list[int]:
    return [n for n in range(1, extent + 1) if extent % n == 0]


def chain_cycles(target: CpuTargetAttr) -> float:
    """Return the cycles from one step of an accumulator to the next."""
    return target.multiply_add_latency + TILE_DELAY


def unstreamed_bandwidth(target: CpuTargetAttr) -> float:
    """Return the bytes a cycle from the second cache, where they are no stream."""
    return TILE_NOT_STREAMED * target.bandwidths[0]


def lines_touched(size: int, unit: int, line: int) -> float:
    """Cache lines of `line` bytes that a vector of `size` bytes lies in, on average over all multiples of `unit`."""
    offsets = range(0, line, gcd(unit, line))
    return sum(ceil((offset + size) / line) for offset in offsets) / len(offsets)


def tile_prediction(tile: RegisterTile, share: float) -> str:
    """Return the text of a remark about a tile: `share` is the part of the peak multiply-adds that the model
    predicts."""
    return (
        f"keeps tiles of {tile.rows} x {tile.steps * tile.width} results in registers; predicted: {share:.0%} of the "
        "multiply-adds that the processor can do"
    )


def _candidates(rows: int, steps: int, width: int, lanes: int, registers: int) -> Iterator[RegisterTile]:
    for vectors in range(1, min(LONGEST, -(-width // lanes)) + 1):
        for r in range(1, min(MOST_ROWS, rows) + 1):
            for t in range(1, min(LONGEST, steps) + 1):
                tile = RegisterTile(r, t, vectors, lanes)
                if tile.accumulators + min(r, t * vectors) + 1 <= registers:
                    yield tile


def _cycles(tile: RegisterTile, target: CpuTargetAttr) -> float:
    """Return the cycles for one step; a small part of the loads' is added, which breaks ties."""
    arithmetic = tile.accumulators / target.multiply_adds
    loads = (tile.rows + tile.steps * tile.vectors) / target.loads
    return max(arithmetic, loads, chain_cycles(target)) + TILE_LOAD_SHARE * loads


def _waste(extent: int, tile: int) -> float:
    """Return the elements computed per useful one, and the price of a tail."""
    return -(-extent // tile) * tile / extent * (1 if extent % tile == 0 else TILE_TAIL)
