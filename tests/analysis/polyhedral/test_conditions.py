"""Unions of systems against enumeration: where guards hold and fail, each point in one system at most."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tilewright.analysis.polyhedral.guard_systems import (
    MOST,
    Decided,
    both,
    conjunction,
    difference,
    disjunction,
    fails,
    holds,
)
from tilewright.analysis.polyhedral.model import Union
from tilewright.dialects.index_expr import Index, Symbol

VI, VJ = Symbol("i"), Symbol("j")
POINTS = [{VI: i, VJ: j} for i, j in product(range(-3, 4), repeat=2)]


def count(union: Union, point: dict[Symbol, int]) -> int:
    """Return the number of systems that contain a point."""
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
        for make, expected in ((conjunction, p and q), (disjunction, p or q), (difference, p != q)):
            made = make(Decided.of(first), Decided.of(second))
            assert made is not None
            assert (count(made.holds, point), count(made.fails, point)) == (expected, not expected)


def test_conditions_of_too_many_systems_are_data() -> None:
    each = [Decided.of([Index.of(VI) - k, Index.of(VJ) + k]) for k in range(12)]
    made: Decided | None = each[0]
    for other in each[1:]:
        made = difference(made, other) if made is not None else None
    assert made is None and len(each[0].fails) * 2 ** len(each) > MOST
