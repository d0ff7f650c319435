"""The order of the outer loops of a tiled contraction, and the number of parallel loops.

There are two orders. With the loop over row tiles outside, the operand that moves along rows is read once, and the
vectorised operand again for each row tile. With that loop inside, it is the other way round. An operand that is read
again comes from the cache level that holds all of it. The cheaper order is chosen. Traffic is counted in bytes,
weighted by the cost of a byte from each level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import prod

from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import ASSUMED_EXTENT, Axis, Shape
from .block_work import point_cycles, threads_pay
from .coefficients import PLACEMENT_BYTE_COSTS, PLACEMENT_FILL
from .tiles import RegisterTile

TILES_A_THREAD = 4
"""Parallel iterations for each thread, so that none waits long for the slowest."""


@dataclass(frozen=True)
class Placement:
    """The spatial axes from the outermost, with the number of tiles along each."""

    order: tuple[Axis, ...]
    counts: tuple[int, ...]
    """The number of tiles along each."""


def outer_order(
    shape: Shape, vector: Axis, rows: Axis | None, steps: Axis | None, tile: RegisterTile, target: CpuTargetAttr
) -> Placement:
    """Return the order of the tile loops of a contraction. Axes that are not tiled stay outside of them."""
    tiled = [a for a in (rows, steps, vector) if a is not None]
    rest = [a for a in shape.spatial if a not in tiled]
    counts = {a: a.extent for a in rest} | {vector: -(-vector.extent // tile.width)}
    if steps is not None:
        counts[steps] = -(-steps.extent // tile.steps)
    if rows is not None:
        counts[rows] = -(-rows.extent // tile.rows)
    moving = [a for a in (steps, vector) if a is not None]
    inner = [*moving] if rows is None else _rows_outside(shape, vector, rows, moving, counts, target)
    order = (*rest, *inner)
    return Placement(order, tuple(counts[a] for a in order))


def decided_order(placement: Placement, tiled: int, block: loop.BlockOp) -> Placement:
    """Return the decided order of the loops: the last `tiled` axes may be exchanged."""
    axes = {axis.position: (axis, count) for axis, count in zip(placement.order, placement.counts, strict=True)}
    default, rest = tuple(axes), len(axes) - tiled
    candidates = ((*default[:rest], *inner) for inner in permutations(default[rest:]))
    order = decide("contraction.order", candidates, default, block=block)
    return Placement(*zip(*(axes[position] for position in order), strict=True))  # pyright: ignore[reportArgumentType]


def _rows_outside(
    shape: Shape,
    vector: Axis,
    rows: Axis,
    moving: Sequence[Axis],
    counts: dict[Axis, int],
    target: CpuTargetAttr,
) -> list[Axis]:
    vectorised = sum(o.bytes for o in shape.operands if vector.variable in o.variables)
    by_row = sum(o.bytes for o in shape.operands if rows.variable in o.variables)
    outside = counts[rows] * vectorised * byte_cost(vectorised, target) + by_row
    inside = prod(counts[a] for a in moving) * by_row * byte_cost(by_row, target) + vectorised
    return [rows, *moving] if outside <= inside else [*moving, rows]


def byte_cost(size: int, target: CpuTargetAttr) -> float:
    """Return the cost of reading a byte of `size` bytes that are read again and again."""
    for capacity, cost in zip(target.caches, PLACEMENT_BYTE_COSTS, strict=False):
        if size <= capacity * PLACEMENT_FILL:
            return cost
    return PLACEMENT_BYTE_COSTS[-1]


def parallel_count(counts: Sequence[int | None], threads: int) -> int:
    """Return how many of the outermost loops, of `counts` iterations, to fuse so that each of some threads has work; 0
    where no loop has several iterations.

    A symbolic number of iterations (None) may be 1: loops inside are fused with that one, as far as a further symbolic
    one. Positions in a fused loop are divided out by the extents inside, which are numbers then.
    """
    total, is_open = 1, False
    for position, count in enumerate(counts):
        if count is None:
            if is_open or total > 1:
                return position
            is_open = True
            continue
        total *= count
        if total >= TILES_A_THREAD * threads:
            return position + 1
    return len(counts) if total > 1 or is_open else 0


def share_tiles(sch: Schedule, block: BlockRV, loops: Sequence[LoopRV], points: int, target: CpuTargetAttr) -> None:
    """Share the loops around tiles out among threads. `points` are those of an iteration of the loops whose extents are
    open."""
    counts = [sch.loop(handle).constant_trip_count for handle in loops]
    points *= prod(ASSUMED_EXTENT for n in counts if n is None)
    share_among_threads(sch, block, loops, [n or ASSUMED_EXTENT for n in counts], points, target)


def share_among_threads(
    sch: Schedule,
    block: BlockRV,
    loops: Sequence[LoopRV],
    counts: Sequence[int],
    points: int,
    target: CpuTargetAttr,
    cycles: float | None = None,
) -> None:
    """Run the outermost loops around a block, of `counts` iterations, in parallel as one: as many as is decided.

    By default none where threads do not pay for the `points` of the block. `cycles` are those of a point, where a rule
    has already replaced the arithmetic of the block.
    """
    deep = [n for n, count in enumerate(counts, 1) if count > 1] if target.threads > 1 else []
    known = [None if sch.loop(h).constant_trip_count is None else n for h, n in zip(loops, counts, strict=False)]
    work = points * (point_cycles(sch.block(block), target) if cycles is None else cycles)
    default = parallel_count(known, target.threads) if threads_pay(work, target) else 0
    run_in_parallel(sch, loops, decide("parallel", [0, *deep], default, block=block))


def run_in_parallel(sch: Schedule, loops: Sequence[LoopRV], count: int) -> None:
    """Run the outermost `count` loops in parallel as one; the first of them alone where one inside it is symbolic."""
    trips = [sch.loop(handle).constant_trip_count for handle in loops[:count]]
    first = next((n for n, trip in enumerate(trips) if trip != 1), None)
    if first is None:
        return
    if None in trips[first + 1 :]:
        sch.parallel(loops[first])
        return
    start = first if None in trips else 0  # the position along a loop of one iteration is not divided out by open sizes
    sch.parallel(sch.fuse(*loops[start:count]) if count - start > 1 else loops[start])
