"""Lexicographic order between two instances, as a union of systems."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.index_expr import Index
from .system import System


def lexicographically_before(first: Sequence[Index], second: Sequence[Index]) -> tuple[System, ...]:
    """One system for each position at which `first` may be the lesser, equal before it.

    `first < second` holds where one of the systems does. Positions where the two are the same expression
    are skipped.
    """
    systems: list[System] = []
    equal = System()
    for a, b in zip(first, second, strict=True):
        difference = b - a
        if difference.is_constant:
            if difference.constant > 0:
                systems.append(equal)
            if difference.constant != 0:
                break
            continue
        systems.append(equal.where(difference - 1))
        equal = System(equal.nonnegative, (*equal.zero, difference))
    return tuple(systems)
