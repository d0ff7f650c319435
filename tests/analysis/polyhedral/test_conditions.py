"""Unions of systems against enumeration: where guards hold and fail, each point in one system at most."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tilewright.analysis.integer_set import System
from tilewright.analysis.polyhedral.guard_systems import both, complement, disjoint, fails, holds
from tilewright.analysis.polyhedral.model import Union
from tilewright.dialects.index_expr import Index, Symbol

VI, VJ = Symbol("i"), Symbol("j")
POINTS = [{VI: i, VJ: j} for i, j in product(range(-3, 4), repeat=2)]


def count(union: Union, point: dict[Symbol, int]) -> int:
    """In how many of the systems a point is."""
    return sum(system.contains(point) for system in union)


@pytest.mark.each("seed", range(20))
def test_unions(seed: int) -> None:
    rng = random.Random(seed)

    def guard() -> list[Index]:
        return [
            Index.of(VI) * rng.randint(-2, 2) + Index.of(VJ) * rng.randint(-2, 2) + rng.randint(-2, 2)
            for _ in range(rng.randint(0, 3))
        ]

    first, second = guard(), guard()
    for point in POINTS:
        p, q = (all(e.evaluate(point) >= 0 for e in g) for g in (first, second))
        assert count(holds(first), point) == p
        assert count(fails(first), point) == (not p)
        assert count(both(holds(first), fails(second)), point) == (p and not q)
        assert count(complement(fails(first)), point) == p
        assert count(disjoint(holds(first), holds(second)), point) == (p or q)


@pytest.mark.each("seed", range(20))
def test_what_no_system_of_equations_holds(seed: int) -> None:
    rng = random.Random(seed)

    def line() -> Index:
        return Index.of(VI) * rng.randint(-2, 2) + Index.of(VJ) * rng.randint(1, 2) + rng.randint(-2, 2)

    union = tuple(System((line(),), tuple(line() for _ in range(zeros))) for zeros in (1, rng.randint(0, 2)))
    for point in POINTS:
        assert count(complement(union), point) == (count(union, point) == 0)
