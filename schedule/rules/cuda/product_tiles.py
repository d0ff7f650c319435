"""Tiles of a product for blocks and threads.

The model counts, for the multiprocessor with the most work, cycles for its tiles: multiply-adds and the loads of their
operands from shared memory, relative to the number of sums that keeps it busy. A large tile has fewer loads per
multiply-add, but leaves few blocks for many multiprocessors, and computes more elements beyond the borders. The model
counts all three effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...decisions import decide
from ..coefficients import (
    GPU_TILE_BUSY_SUMS,
    GPU_TILE_BYTES_A_CYCLE,
    GPU_TILE_GAIN,
    GPU_TILE_GATHERED,
    GPU_TILE_HIDDEN,
    GPU_TILE_LANES_A_CYCLE,
    GPU_TILE_LATENCY,
    GPU_TILE_LAUNCH_CYCLES,
    GPU_TILE_LOAD_COST,
    GPU_TILE_PLAIN,
    GPU_TILE_STEP_COST,
)

SPARE_REGISTERS = 40
"""Registers of a thread beside its results and their operands: addresses, and prefetched elements."""

MOST_SUMS, MOST_GATHERED_SUMS = 32, 16
"""The most sums of a thread that count towards busy arithmetic; the second where it computes the address of each
fetched element. More sums do not reduce its waits."""

MOST_RESULTS, MOST_WIDE_RESULTS = 128, 32
"""Results of a thread, of up to 32 bits and of more."""

MOST_PARTS = 16
"""Parts of the terms."""

LEAST_TILE = 16
"""The rows or columns up to which a tile may be larger than needed, so that a warp has work."""

LANES = 4
"""Neighbouring results of a thread, whose operands are one load."""


Costs = tuple[float, float]
"""Instructions that fetch an element of a row and of a column."""


@dataclass(frozen=True)
class ProductTile:
    """A block's tile, by the parts of a row's or a column's index: groups, threads, neighbours."""

    rows: int
    columns: int
    terms: int
    """The number of terms in a step, which are in shared memory."""
    thread_rows: int
    """Rows that a thread has, in groups of up to LANES neighbours; likewise for columns."""
    thread_columns: int

    @property
    def extents(self) -> tuple[int, int, int, int, int]:
        """Its value as a decision."""
        return self.rows, self.columns, self.terms, self.thread_rows, self.thread_columns

    @property
    def row_parts(self) -> tuple[int, int, int]:
        """Groups of a thread, threads, and neighbours in a group."""
        return _parts(self.rows, self.thread_rows)

    @property
    def column_parts(self) -> tuple[int, int, int]:
        return _parts(self.columns, self.thread_columns)

    @property
    def threads(self) -> int:
        return self.row_parts[1] * self.column_parts[1]

    @property
    def fetched(self) -> int:
        """Elements that a thread fetches for a step."""
        return (self.rows + self.columns) * self.terms // self.threads

    def fetching(self, costs: Costs) -> float:
        """Return the instructions of a thread for its fetches of a step."""
        return (self.rows * costs[0] + self.columns * costs[1]) * self.terms / self.threads

    def shared_bytes(self, size: int) -> int:
        """Return the bytes of a step, with the padding between terms."""
        return (self.rows + self.columns + 2 * LANES) * self.terms * size

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns} x {self.terms}"


def _parts(extent: int, count: int) -> tuple[int, int, int]:
    lanes = min(count, LANES)
    return count // lanes, extent // count, lanes


TileT = TypeVar("TileT")


def choose_plan(
    rows: int,
    columns: int,
    terms: int,
    batches: int,
    divisible: int,
    size: int,
    target: CudaTargetAttr,
    costs: Costs = (GPU_TILE_PLAIN, GPU_TILE_PLAIN),
) -> tuple[ProductTile, int] | None:
    """Return a tile, and the number of equal parts of an axis of `divisible` terms with which more blocks have work.

    None where the target allows no tile.
    """

    def timed(parts: int) -> tuple[ProductTile, float] | None:
        extents = rows, columns, terms // parts, batches * parts
        tile = choose_tile(*extents, size, target, costs)
        return tile and (tile, predicted_cycles(tile, *extents, size, target, costs))

    return choose_parts(timed, divisible, rows * columns * batches * size, target)


def decided_plan(
    plan: tuple[ProductTile, int],
    extents: tuple[int, int, int],
    divisible: int,
    size: int,
    target: CudaTargetAttr,
    block: loop.BlockOp,
) -> tuple[ProductTile, int]:
    """Return the decided tile and number of parts."""
    rows, columns, terms = extents
    tile, parts = plan
    parts = decide("product.parts", parts_of(divisible), parts, block=block, changes_sums=True)
    tiles = (
        t.extents for t in _legal(terms // parts, size, target) if _fits(t.rows, rows) and _fits(t.columns, columns)
    )
    return ProductTile(*decide("product.tile", tiles, tile.extents, block=block)), parts


def parts_of(divisible: int) -> list[int]:
    """Return the possible numbers of equal parts of an axis of `divisible` terms."""
    return [n for n in range(1, min(divisible, MOST_PARTS) + 1) if divisible % n == 0]


def choose_parts(
    timed: Callable[[int], tuple[TileT, float] | None], divisible: int, result_bytes: int, target: CudaTargetAttr
) -> tuple[TileT, int] | None:
    """Return the tile and the number of parts with the least time: that of `timed` for the parts, and of adding them
    up."""
    best: tuple[TileT, int] | None = None
    least = inf
    for parts in parts_of(divisible):
        found = timed(parts)
        if found is None:
            return None
        tile, cost = found
        if parts > 1:
            cost = GPU_TILE_GAIN * (
                cost + GPU_TILE_LAUNCH_CYCLES + (parts + 1) * result_bytes / GPU_TILE_BYTES_A_CYCLE / target.processors
            )
        if cost < least:
            best, least = (tile, parts), cost
    return best


def choose_tile(
    rows: int,
    columns: int,
    terms: int,
    batches: int,
    size: int,
    target: CudaTargetAttr,
    costs: Costs = (GPU_TILE_PLAIN, GPU_TILE_PLAIN),
) -> ProductTile | None:
    """Return the tile with the least predicted time for results of `size` bytes; None where the target allows none."""
    found = _legal(terms, size, target)
    found = [t for t in found if _fits(t.rows, rows) and _fits(t.columns, columns)] or found
    given = rows, columns, terms, batches, size, target, costs
    return min(found, key=lambda t: predicted_cycles(t, *given), default=None)


def _legal(terms: int, size: int, target: CudaTargetAttr) -> list[ProductTile]:
    """Return the tiles that threads and shared memory of a target are enough for."""
    found = [t for t in _candidates(terms, size) if t.threads <= target.max_threads]
    return [t for t in found if 2 * t.shared_bytes(size) <= target.shared]


def _fits(tile: int, extent: int) -> bool:
    """Return whether half of the tile would not cover `extent`, or the tile is a small one."""
    return tile < 2 * extent or tile <= LEAST_TILE


def _candidates(terms: int, size: int) -> Iterator[ProductTile]:
    most = MOST_RESULTS if size <= 4 else MOST_WIDE_RESULTS
    for thread_rows, thread_columns in ((16, 8), (8, 8), (8, 4), (4, 8), (4, 4), (2, 4), (2, 2)):
        if thread_rows * thread_columns > most:
            continue
        for rows in (4, 8, 16, 32, 64, 128):
            for columns in (4, 8, 16, 32, 64, 128):
                threads = rows * columns // (thread_rows * thread_columns)
                if 32 <= threads <= 256 and rows >= thread_rows and columns >= thread_columns:
                    yield ProductTile(rows, columns, _step(rows, columns, terms), thread_rows, thread_columns)


def _step(rows: int, columns: int, terms: int) -> int:
    """Return the number of terms of a step: enough that each thread fetches a few elements at once, and no more than
    there are."""
    step = 8 if rows * columns >= 128 * 128 else 16
    while step > 4 and step // 2 >= terms:
        step //= 2
    return step


def predicted_cycles(
    tile: ProductTile,
    rows: int,
    columns: int,
    terms: int,
    batches: int,
    size: int,
    target: CudaTargetAttr,
    costs: Costs = (GPU_TILE_PLAIN, GPU_TILE_PLAIN),
) -> float:
    """Return the cycles of the busiest multiprocessor: the larger of arithmetic and fetching, and the latency of
    fetches that a step's arithmetic does not hide."""
    blocks = -(-rows // tile.rows) * -(-columns // tile.columns) * batches
    share = -(-blocks // target.processors)
    resident = min(share, _resident(tile, size, target))
    steps = share * -(-terms // tile.terms)
    loads = (tile.row_parts[0] + tile.column_parts[0]) * GPU_TILE_LOAD_COST
    results = tile.thread_rows * tile.thread_columns
    instructions = tile.terms * (results + loads) + tile.fetching(costs) + GPU_TILE_STEP_COST
    most = MOST_GATHERED_SUMS if GPU_TILE_GATHERED in costs else MOST_SUMS
    busy = min(1.0, resident * tile.threads * min(results, most) / GPU_TILE_BUSY_SUMS)
    arithmetic = instructions * tile.threads / GPU_TILE_LANES_A_CYCLE / busy
    fetching = tile.shared_bytes(size) / GPU_TILE_BYTES_A_CYCLE
    waiting = max(GPU_TILE_LATENCY / resident - arithmetic, 0)
    return steps * (max(arithmetic, fetching) + waiting + GPU_TILE_HIDDEN * fetching)


def _resident(tile: ProductTile, size: int, target: CudaTargetAttr) -> int:
    """Return the number of blocks that a multiprocessor runs at once."""
    results = tile.thread_rows * tile.thread_columns
    operands = tile.thread_rows + tile.thread_columns + tile.fetched
    registers = (results + operands) * max(size // 4, 1) + SPARE_REGISTERS
    return max(min(target.resident_threads, target.registers // registers) // tile.threads, 1)
