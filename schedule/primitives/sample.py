"""sample_perfect_tile, sample_categorical and sample_compute_location: choices that are steps of a trace.

A call without `decision` draws one by the seed of the schedule, or asks the search that builds a point
(`schedule.decisions`). In both cases the decision becomes part of the instruction, so that a trace replays to the same
program. A decision that does not fit the function is refused (TW0801), never replaced by a similar one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, cast

from ...analysis.access import consumers
from ...analysis.domain import loops_around
from ...diagnostics import TilewrightError, fail
from ...dialects import loop as loops
from ...ir.editor import transaction
from ..decisions import MISFIT, Value, decide, is_deciding
from ..engine import Engine
from ..handles import BlockRV, LoopRV, ValueRV
from ..primitive_declaration import LOOPS, MOTION, NOTES, register_primitive
from ..refusal import BAD_ARGUMENT, loop_name
from .compute_at import compute_at
from .compute_inline import compute_inline

V = TypeVar("V", bound=Value)

ROOT, INLINE = -1, -2
"""Decisions of `sample_compute_location` that are no loop."""


@register_primitive(NOTES, is_query=True)
def sample_categorical(
    sch: Engine, candidates: Sequence[int], probs: Sequence[float] | None = None, decision: int | None = None
) -> ValueRV:
    """Return one of the candidates: that at the position `decision`, else one that is drawn by the probabilities.

    Raises TilewrightError TW0801 for a position that is none, TW0403 where there are no candidates, or as many
    probabilities as candidates are expected and others are given.
    """
    weights = [1.0] * len(candidates) if probs is None else list(probs)
    if not candidates or any(type(each) is not int for each in candidates):
        fail(BAD_ARGUMENT, f"sample_categorical: expected integers as candidates, but got {list(candidates)}")
    if len(weights) != len(candidates) or any(each < 0 for each in weights) or not sum(weights):
        count = len(candidates)
        fail(BAD_ARGUMENT, f"sample_categorical: expected {count} probabilities, but got {weights}")
    position = _decided(sch, "sample_categorical", range(len(candidates)), decision, weights)
    return sch.value_of(candidates[position])


@register_primitive(LOOPS, is_query=True)
def sample_perfect_tile(
    sch: Engine, loop: LoopRV, n: int, max_innermost_factor: int = 16, decision: Sequence[int] | None = None
) -> tuple[ValueRV, ...]:
    """Return `n` numbers whose product is the extent of a loop, for `split`; the last is at most the given factor.

    Raises TilewrightError TW0801 for a decision that is none of these, TW0403 for a loop of symbolic extent.
    """
    op = sch.loop(loop)
    extent = op.constant_trip_count
    if extent is None or extent < 1:
        fail(BAD_ARGUMENT, f"sample_perfect_tile: expected a loop of known extent, but got {loop_name(op)}", op=op)
    if n < 1 or max_innermost_factor < 1:
        got = f"n = {n} and max_innermost_factor = {max_innermost_factor}"
        fail(BAD_ARGUMENT, f"sample_perfect_tile: expected numbers of at least 1, but got {got}", op=op)
    tiles = [tile for tile in _factors(extent, n) if tile[-1] <= max_innermost_factor]
    if not tiles:
        most = max_innermost_factor
        fail(BAD_ARGUMENT, f"sample_perfect_tile: {extent} is no number up to max_innermost_factor = {most}", op=op)
    given = None if decision is None else tuple(decision)
    return tuple(sch.value_of(factor) for factor in _decided(sch, "sample_perfect_tile", tiles, given))


@register_primitive(MOTION, is_query=True)
def sample_compute_location(sch: Engine, block: BlockRV, decision: int | None = None) -> LoopRV:
    """Return a loop that `compute_at` can move a block into, by its position among those around its first consumer.

    The decisions -1 and -2 give handles with which `compute_at` leaves the block where it is, or computes it inline.
    Raises TilewrightError TW0801 for a location where the block cannot be computed.
    """
    readers = consumers(sch.block(block))
    around = [] if not readers else loops_around(readers[0])
    legal = [position for position, op in enumerate(around) if _can(sch, block, op)]
    inline = [INLINE] if _can(sch, block, None) else []
    position = _decided(sch, "sample_compute_location", [ROOT, *inline, *legal], decision)
    if position < 0:
        return sch.handle_of_mark("root" if position == ROOT else "inline")
    return sch.handle_of(around[position])


def _decided(
    sch: Engine, method: str, candidates: Sequence[V], decision: Any, weights: Sequence[float] | None = None
) -> V:
    """Return the decision that is given, that a search asks for, or that is drawn; it is noted for the trace."""
    if decision is not None:
        found = next((each for each in candidates if type(each) is type(decision) and each == decision), None)
        if found is None:
            fail(
                MISFIT,
                f"{method}: expected one of the {len(candidates)} decisions that fit, but got {_shown(decision)}",
                help="leave the decision out, or take one of another trace of this function",
            )
        chosen = found
    elif is_deciding():
        number = sum(step.method.startswith("sample_") for step in sch.trace.instructions)
        chosen = decide(f"{method}.{number}", candidates, candidates[0])
    else:
        (chosen,) = sch.random.choices(candidates, weights)
    sch.decision = list(chosen) if isinstance(chosen, tuple) else chosen
    return cast("V", chosen)


def _shown(decision: Any) -> Any:
    return list(decision) if isinstance(decision, tuple) else decision  # pyright: ignore[reportUnknownArgumentType]


def _factors(number: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as a product of so many, in order."""
    if count == 1:
        yield (number,)
        return
    for first in range(number, 0, -1):
        if number % first == 0:
            for rest in _factors(number // first, count - 1):
                yield (first, *rest)


class _UndoneError(Exception):
    """An exception that reverts the changes of a trial."""


def _can(sch: Engine, block: BlockRV, target: loops.ForOp | None) -> bool:
    """Return True where `compute_at` moves a block into a loop, or for None `compute_inline` computes it inline."""
    handles, algebra = sch.handles, sch.algebra
    try:
        with transaction():
            if target is None:
                compute_inline(sch, block)
            else:
                compute_at(sch, block, sch.handle_of(target))
            raise _UndoneError
    except _UndoneError:
        return True
    except TilewrightError:
        return False
    finally:
        sch.handles, sch.algebra = handles, algebra
