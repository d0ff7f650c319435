"""Delinearization: recovers the subscripts of an access from a linear address."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.index_expr import Index
from ..integer_set import System


def linear(index: Sequence[Index], extents: Sequence[int]) -> Index:
    """Return the row-major position of an element. `extents` are those of all dimensions but the first."""
    position = index[0] if index else Index.of(0)
    for e, extent in zip(index[1:], extents, strict=True):
        position = position * extent + e
    return position


def subscripts(position: Index, extents: Sequence[int], domain: Sequence[System]) -> tuple[Index, ...]:
    """Return the element at a row-major position. `extents` are those of all dimensions but the first.

    Terms whose coefficients are multiples of a row's length count rows, where the others stay within one row at all
    points of the domain. Otherwise the subscripts are a quotient and a remainder, which is right in any case.
    """
    found: list[Index] = []
    for extent in reversed(extents):
        position, rest = _divided(position, extent, domain)
        found.append(rest)
    return (position, *reversed(found))


def _divided(position: Index, extent: int, domain: Sequence[System]) -> tuple[Index, Index]:
    if extent <= 1:  # of a buffer that has no elements, or whose rows have one
        return position, Index.of(0)
    quotient, remainder = position // extent, position % extent
    if not domain:
        return quotient, remainder
    rows = Index.sum([(a, c // extent) for a, c in position.terms if c % extent == 0])
    rest = position - rows * extent
    lows, highs = zip(*(_bounds(rest, system) for system in domain), strict=True)
    if None in lows or None in highs:
        return quotient, remainder
    first = min(lows) // extent
    if max(highs) // extent != first:
        return quotient, remainder
    return rows + first, rest - first * extent


def _bounds(e: Index, system: System) -> tuple[int | None, int | None]:
    from ..integer_set import bounds

    low, high = e.with_ranges(system.ranges).bounds(system.ranges)
    return (low, high) if low is not None and high is not None else bounds(system, e)
