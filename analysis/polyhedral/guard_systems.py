"""Guards as unions of systems: where they hold, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...dialects.index_expr import Index
from ..integer_set import System
from .model import Union

EVERYWHERE: Union = (System(),)
MOST = 256
"""The number of systems beyond which a condition counts as data: conditions of conditions multiply them."""


def holds(conditions: Sequence[Index]) -> Union:
    """Return the points at which all conditions are >= 0."""
    kept = [e for e in conditions if not e.is_constant or e.constant < 0]
    return () if any(e.is_constant for e in kept) else (System(tuple(kept)),)


def fails(conditions: Sequence[Index]) -> Union:
    """Return the points at which some condition is < 0, as disjoint systems."""
    found: list[System] = []
    for k, e in enumerate(conditions):
        found += holds((*conditions[:k], -e - 1))
    return tuple(found)


def both(first: Union, second: Union) -> Union:
    """Return the intersection of two unions."""
    if first == EVERYWHERE:
        return second
    return tuple(a & b for a in first for b in second)


class Decided(NamedTuple):
    """A condition that indices decide: the systems in which it holds and those in which it fails.

    No two of them have a point in common.
    """

    holds: Union
    fails: Union

    @classmethod
    def of(cls, conditions: Sequence[Index]) -> Decided:
        """Return the condition that all of these are >= 0."""
        return cls(holds(conditions), fails(conditions))

    @property
    def negated(self) -> Decided:
        """The condition that this one fails."""
        return Decided(self.fails, self.holds)


def conjunction(a: Decided, b: Decided) -> Decided | None:
    """Return the condition that both hold; None where that takes more than `MOST` systems."""
    return _few(Decided(both(a.holds, b.holds), (*a.fails, *both(a.holds, b.fails))))


def disjunction(a: Decided, b: Decided) -> Decided | None:
    """Return the condition that one of two holds; None as of `conjunction`."""
    neither = conjunction(a.negated, b.negated)
    return None if neither is None else neither.negated


def difference(a: Decided, b: Decided) -> Decided | None:
    """Return the condition that exactly one of two holds; None as of `conjunction`."""
    one = (*both(a.holds, b.fails), *both(a.fails, b.holds))
    return _few(Decided(one, (*both(a.holds, b.holds), *both(a.fails, b.fails))))


def _few(decided: Decided) -> Decided | None:
    return decided if max(map(len, decided)) <= MOST else None
