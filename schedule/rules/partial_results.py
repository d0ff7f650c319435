"""A reduction along rows, computed as vectors of partial results.

    for rows:
      partial[chains x lanes] = identity
      for steps along the row: for chains (unrolled): for lanes (vectorized): partial[chain, lane] += …
      for chains: for lanes (vectorized): halves[lane] += partial[chain, lane]
      … halves of half as many lanes, down to one result

Lanes are neighbours in the row, so that one load serves all of them; chains are independent additions. The horizontal
reduction is a tree that halves vectors: its depth is the logarithm of the number of lanes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from ...analysis.block_reductions import reduction_of
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import Axis, Shape, element_bits, shape_of
from .tiles import NARROWEST

MOST_CHAINS = 16
"""The most reductions in flight."""

MOST_LANE_STRIDE = 4
"""The largest stride of vector elements; with a larger one they are gathered, and not worth loading."""

MOST_SHARING_ROWS = 4
"""Rows that share the loads of one of them. Each is a separate stream."""


@dataclass(frozen=True)
class Partials:
    """The numbers of chains and lanes of partial results in a row, and of rows that share loads."""

    chains: int
    lanes: int
    rows: int
    row_axis: Axis | None


@dataclass(frozen=True)
class Factored:
    """A reduction whose partial results are separate blocks."""

    partials: Partials
    blocks: tuple[BlockRV, ...]
    """From the vectors of partial results to the last two numbers of a row."""
    final: BlockRV
    """Combines these two."""


def plan_partials(block: loop.BlockOp, target: CpuTargetAttr, row_axis: Axis | None = None) -> Partials | None:
    """Return the partial results of a reduction over the axis along which its operands lie side by side; None for
    others.

    `row_axis` is the axis whose rows share loads, where that is not left to the rule.
    """
    shape, reduction = shape_of(block), reduction_of(block)
    if shape is None or reduction is None or not shape.reduce or block.init is None:
        return None
    along = shape.reduce[-1]
    if along.position != len(block.kinds) - 1:
        return None
    moving = [o for o in shape.operands if along.variable in o.variables]
    strides = [o.lane_stride(along.variable) for o in moving]
    if not moving or not all(s is not None and 0 < s <= MOST_LANE_STRIDE for s in strides):
        return None
    lanes = target.lanes(element_bits(block))
    while lanes > along.extent:
        lanes //= 2
    if lanes < NARROWEST:
        return None
    shared = row_axis or _sharing_axis(shape, along)
    rows = min(MOST_SHARING_ROWS, shared.extent) if shared else 1
    chains = max(1, min(ceil(chains_in_flight(target) / rows), along.extent // lanes, _room(block, rows, target)))
    return Partials(1 << (chains.bit_length() - 1), lanes, rows, shared)


def _room(block: loop.BlockOp, rows: int, target: CpuTargetAttr) -> int:
    """Return the chains that registers hold of so many rows."""
    reduction = reduction_of(block)
    assert reduction is not None
    return (target.vector_registers - 4) // (len(reduction.accumulators) * rows)


def decided_partials(partials: Partials, block: loop.BlockOp, target: CpuTargetAttr) -> Partials:
    """Return the decided rows, lanes and chains; rows that do not share loads stay alone."""
    shape = shape_of(block)
    assert shape is not None
    extent, full, axis = shape.reduce[-1].extent, target.lanes(element_bits(block)), partials.row_axis
    most = min(MOST_SHARING_ROWS, axis.extent) if axis is not None else 1
    rows = decide("partials.rows", range(1, most + 1), partials.rows, block=block)
    fitting = (n for n in (full, full // 2, full // 4) if NARROWEST <= n <= extent)
    lanes = decide("partials.lanes", fitting, partials.lanes, block=block, changes_sums=True)
    room = max(1, min(extent // lanes, _room(block, rows, target)))
    fitting = (n for n in (1, 2, 4, 8, 16) if n <= room)
    default = partials.chains if partials.chains <= room else 1 << (room.bit_length() - 1)
    chains = decide("partials.chains", fitting, default, block=block, changes_sums=True)
    return replace(partials, rows=rows, lanes=lanes, chains=chains)


def chains_in_flight(target: CpuTargetAttr) -> int:
    """Return the number of reductions that cover the latency of an addition: as many as begin in that time."""
    return max(1, min(round(target.multiply_add_latency * target.multiply_adds), MOST_CHAINS))


def _sharing_axis(shape: Shape, along: Axis) -> Axis | None:
    """Return the innermost axis of results that some operand of the row does not move along."""
    moving = [o for o in shape.operands if along.variable in o.variables]
    found = [a for a in shape.spatial if a.extent > 1 and any(a.variable not in o.variables for o in moving)]
    return found[-1] if found else None


def factor_reduction(sch: Schedule, block: BlockRV, partials: Partials) -> Factored:
    """Give the reduction its partial results, still in separate nests."""
    width = partials.chains * partials.lanes
    *_, inner = sch.split(sch.get_loops(block)[-1], [None, width])
    blocks = [sch.rfactor(inner, -1)]
    parts = [partials.lanes] if partials.chains > 1 else []
    part = partials.lanes // 2
    while part > 1:
        parts.append(part)
        part //= 2
    for part in parts:
        _, kept = sch.split(sch.get_loops(block)[-1], [width // part, part])
        blocks.append(sch.rfactor(kept, -1))
        width = part
    return Factored(partials, tuple(blocks), block)


def compute_partials_at(sch: Schedule, factored: Factored, at: LoopRV) -> list[LoopRV]:
    """Compute a reduction in the body of a loop; the loops of its steps along the row, outermost first."""
    depth = _depth(sch, at)
    sch.compute_at(factored.final, at)
    for handle in sch.get_loops(factored.final)[depth:]:
        sch.unroll(handle)
    return compute_halves_at(sch, factored, at)


def compute_halves_at(sch: Schedule, factored: Factored, at: LoopRV) -> list[LoopRV]:
    """Move the blocks of partial results into a loop that holds the block which combines the last two numbers of a
    row."""
    depth = _depth(sch, at)
    first, *halves = factored.blocks
    for block in reversed(halves):
        sch.compute_at(block, at)
        _arrange_halves(sch, block, depth)
    sch.compute_at(first, at)
    return _arrange_steps(sch, first, depth, factored.partials)


def _depth(sch: Schedule, at: LoopRV) -> int:
    """Return the largest ratio of the vector elements a run needs per element to those that whole rows need."""
    op = sch.loop(at)
    return 1 + len([*loop.enclosing(op, loop.ForOp)])


def _arrange_halves(sch: Schedule, block: BlockRV, depth: int) -> None:
    lanes, rest = _factor_first(sch, block, depth)
    sch.reorder(*rest, lanes)
    for handle in rest:
        sch.unroll(handle)
    sch.vectorize(lanes)


def _arrange_steps(sch: Schedule, block: BlockRV, depth: int, partials: Partials) -> list[LoopRV]:
    lanes, rest = _factor_first(sch, block, depth)
    tile: list[LoopRV] = []
    if partials.chains > 1:
        chains, lanes = sch.split(lanes, [partials.chains, partials.lanes])
        tile.append(chains)
    steps = [h for h in rest if _drives(sch, block, h) == "reduce"]
    rows = [h for h in rest if h not in steps]
    sch.reorder(*steps, *rows, *tile, lanes)
    for handle in (*rows, *tile):
        sch.unroll(handle)
    sch.vectorize(lanes)
    if steps:
        sch.decompose_reduction(block, steps[0])
    return steps


def _factor_first(sch: Schedule, block: BlockRV, depth: int) -> tuple[LoopRV, list[LoopRV]]:
    """Return the loop below `depth` that counts the partial results, which the first iteration variable does; the
    others."""
    _, _, binding, _ = next(iter(sch.block(block).iteration()))
    loops = sch.get_loops(block)[depth:]
    found = next(h for h in loops if sch.loop(h).induction_variable in binding.values())
    return found, [h for h in loops if h is not found]


def _drives(sch: Schedule, block: BlockRV, handle: LoopRV) -> str:
    """Return the kind of the iteration variable that a loop drives."""
    variable = sch.loop(handle).induction_variable
    return next(kind for _, kind, binding, _ in sch.block(block).iteration() if variable in binding.values())
