"""Guards as unions of systems: where they hold, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.index_expr import Index
from ..integer_set import System
from .model import Union

EVERYWHERE: Union = (System(),)
MOST = 5000
"""The number of systems beyond which a condition counts as data: each `or` of conditions may multiply them."""


def holds(conditions: Sequence[Index]) -> Union:
    """Where all conditions are >= 0."""
    kept = [e for e in conditions if not e.is_constant or e.constant < 0]
    return () if any(e.is_constant for e in kept) else (System(tuple(kept)),)


def fails(conditions: Sequence[Index]) -> Union:
    """Where some condition is < 0, in systems that have no point in common."""
    found: list[System] = []
    for k, e in enumerate(conditions):
        found += holds((*conditions[:k], -e - 1))
    return tuple(found)


def both(first: Union, second: Union) -> Union:
    """Where both hold."""
    if first == EVERYWHERE:
        return second
    return tuple(a & b for a in first for b in second)


def complement(union: Union) -> Union | None:
    """The systems in which none of a union holds; None where that takes more than `MOST`."""
    left: Union = EVERYWHERE
    for system in union:
        conditions = (*system.nonnegative, *(part for e in system.zero for part in (e, -e)))
        left = both(left, fails(conditions))
        if len(left) > MOST:
            return None
    return left


def disjoint(first: Union, second: Union) -> Union | None:
    """The systems in which one of two unions holds, without common points if those of each have none; None as above."""
    if not second:
        return first
    rest = complement(first)
    return None if rest is None else few((*first, *both(second, rest)))


def few(union: Union) -> Union | None:
    """The union, or None where it has more than `MOST` systems."""
    return union if len(union) <= MOST else None
