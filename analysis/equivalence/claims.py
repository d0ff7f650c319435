"""Claims of a proof about pairs of values, and the widening of claims about recurrences.

A pair of terms is claimed for a relation of instances: at all of its pairs both terms have equal values. While the
claim is being shown, the same pair of terms may be asked about at earlier instances of a recurrence. Such a question is
answered by the claim itself.

Why that is sound. Order the pairs of instances by the time of their first and of their second component. A question
arises from another one by reads that are moved to their last writers, on one side at a time, and by taking operands of
one instance. A last writer runs before the read, so each move makes one component earlier and leaves the other one as
it is; operands leave both. Terms are looked up here only after a move, so between two questions about one pair of terms
lies at least one. For given sizes each instance has finitely many before it, so the order has no infinite descent, and
the earliest pair at which a claim failed would have been compared by heads and operands that hold. Answers that do not
come from moves, dropped operands and terms of reductions, do not go forward in time.

The claims of a failed alternative must be forgotten: they may rest on a claim that does not hold.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import TypeAlias

from ..integer_set.relation import IntegerSet, Relation

Pair: TypeAlias = Hashable
"""The identifiers of the two terms."""


class Claims:
    """Claims by pair of terms: those shown and those being shown."""

    def __init__(self) -> None:
        self._claimed: dict[Pair, Relation] = {}
        self._open: dict[Pair, list[Relation]] = {}

    def has(self, pair: Pair, instances: Relation) -> bool:
        """Return whether the pair is claimed at all of these instances."""
        known = self._claimed.get(pair)
        return known is not None and instances.is_subset(known)

    def depth(self, pair: Pair) -> int:
        """Return the number of claims about the pair that are being shown, nested in each other."""
        return len(self._open.get(pair, ()))

    def widened(self, pair: Pair, instances: Relation, first: IntegerSet, second: IntegerSet) -> Relation:
        """Return the instances to claim for a pair that occurs again while it is being shown.

        All instances within both domains at which those equations hold that hold at the open claim and at these ones
        (Verdoolaege, Janssens, Bruynooghe, "Equivalence checking of static affine programs using widening to handle
        recurrences", TOPLAS 2012). Each widening that does not end the recurrence has a hull of more dimensions, so
        there are finitely many.
        """
        hull = (self._open[pair][-1] | instances).affine_hull()
        return hull.on(first).into(second)

    @contextmanager
    def claim(self, pair: Pair, instances: Relation) -> Generator[None]:
        """Claim the pair at these instances, and have the claim open inside."""
        self.add(pair, instances)
        self._open.setdefault(pair, []).append(instances)
        try:
            yield
        finally:
            self._open[pair].pop()

    def add(self, pair: Pair, instances: Relation) -> None:
        """Record a relation that was shown for a pair without an open claim."""
        known = self._claimed.get(pair)
        self._claimed[pair] = instances if known is None else (known | instances).coalesce()

    def mark(self) -> dict[Pair, Relation]:
        """Return the claims so far, for `forget`."""
        return dict(self._claimed)

    def forget(self, mark: dict[Pair, Relation]) -> None:
        """Drop the claims made since."""
        self._claimed = dict(mark)
