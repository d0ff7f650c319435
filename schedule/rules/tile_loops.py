"""Loops of a register tile: their lookup by iteration variables, and their kinds."""

from __future__ import annotations

from collections.abc import Sequence

from ...analysis.block_reductions import reduction_of
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule


def accumulator_name(sch: Schedule, block: BlockRV) -> str:
    """Return the name of the buffer that a reduction accumulates in."""
    reduction = reduction_of(sch.block(block))
    assert reduction is not None and reduction.buffer.name_hint is not None
    return reduction.buffer.name_hint


def loops_by_axis(sch: Schedule, block: BlockRV, depth: int) -> dict[int, LoopRV]:
    """Return the loops below the first `depth`, by the position of the iteration variable that they drive."""
    op = sch.block(block)
    found: dict[int, LoopRV] = {}
    for handle in sch.get_loops(block)[depth:]:
        variable = sch.loop(handle).induction_variable
        for position, (_, _, binding, _) in enumerate(op.iteration()):
            if variable in binding.values():
                found[position] = handle
    return found


def set_tile_kinds(sch: Schedule, tile: Sequence[LoopRV]) -> None:
    """Unroll the loops of a tile, but for the last, which becomes the lanes of a vector."""
    for handle in tile[:-1]:
        sch.unroll(handle)
    sch.vectorize(tile[-1])
