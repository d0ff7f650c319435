"""Boxes of constant extent around the elements that a domain accesses, cornered at affine expressions of outer
variables.

A box is used where loops need a constant trip count: a register tile, a vector, a compacted buffer. It may contain
more elements than are accessed, never fewer: the offset is proved to be at most the least index, and the extent
reaches the largest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ...dialects.index_expr import Atom, FloorDiv, Index, Range, Variable
from .questions import bounds
from .solver import BUDGET, Unknown
from .system import System


class Span(NamedTuple):
    """The indices from `offset` to `offset + extent - 1`."""

    offset: Index
    extent: int


def box_hull(
    images: Sequence[tuple[System, tuple[Index, ...]]],
    outer: Collection[Variable],
    *,
    budget: int = BUDGET,
) -> tuple[Span, ...] | Unknown:
    """Return spans, one a dimension, that hold the images of all systems under their index tuples.

    The offsets use variables of `outer` only; all other variables of the systems are ranged over.
    """
    spans: list[Span] = []
    for position in range(len(images[0][1])):
        touched = [(system, indices[position]) for system, indices in images]
        span = _hull(touched, frozenset(outer), budget)
        if span is None:
            return Unknown(f"dimension {position} has no box of constant extent")
        spans.append(span)
    return tuple(spans)


def _hull(touched: list[tuple[System, Index]], outer: frozenset[Variable], budget: int) -> Span | None:
    """Return the narrowest span among those whose offset moves as one of the indices does."""
    best: Span | None = None
    tried: set[Index] = set()
    for system, index in touched:
        moving = _moving_part(index, system, outer)
        if moving in tried:
            continue
        tried.add(moving)
        span = _span_along(moving, touched, budget)
        if span is not None and (best is None or span.extent < best.extent):
            best = span
    return best


def _span_along(moving: Index, touched: list[tuple[System, Index]], budget: int) -> Span | None:
    """Return the span with offset `moving` plus a constant, if the distances from `moving` are bounded."""
    low: int | None = None
    high: int | None = None
    for system, index in touched:
        lo, hi = bounds(system, index - moving, budget=budget)
        if lo is None or hi is None:
            return None
        if lo > hi:
            continue
        low = lo if low is None else min(low, lo)
        high = hi if high is None else max(high, hi)
    if low is None or high is None:
        return Span(moving, 0)
    return Span(moving + low, high - low + 1)


def _moving_part(index: Index, system: System, outer: frozenset[Variable]) -> Index:
    """Return the part of `index` that outer variables decide, without its constant.

    Where a floordiv mixes them with inner variables, those stand at the end of their range that makes the
    index least. A mod that mixes them contributes nothing: it lies between constants anyway.
    """
    result = Index.of(0)
    for atom, c in index.terms:
        if outer.issuperset(Index.of_atom(atom).variables):
            result = result + Index.of_atom(atom) * c
        elif isinstance(atom, FloorDiv):
            result = result + _moving_quotient(atom, c > 0, system.ranges, outer) * c
    return result - result.constant


def _moving_quotient(atom: FloorDiv, least: bool, ranges: dict[Atom, Range], outer: frozenset[Variable]) -> Index:
    numerator = Index.of(atom.numerator.constant)
    for inner, c in atom.numerator.terms:
        part = Index.of_atom(inner) * c
        if not outer.issuperset(part.variables):
            lo, hi = part.bounds(ranges)
            end = lo if least else hi
            part = Index.of(0 if end is None else end)
        numerator = numerator + part
    return numerator // atom.divisor
