"""Two results whose terms may be combined in any order: their terms paired, one to one.

For each pair of results asked about, a relation between terms has to give each term of one side exactly one of the
other, and paired terms have to be equal. The relation is guessed, from what terms look like and which elements of
arguments they read; whether it is one to one is asked, so a wrong guess proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..integer_set.relation import IntegerSet, Relation
from .chains import Chains, Head, Part
from .term_signatures import Signatures, TermSignature
from .terms import Failure, Term

if TYPE_CHECKING:
    from .term_comparison import Comparison

AMBIGUOUS = "terms of a reduction read the same elements, so that it is open which ones correspond"


@dataclass(frozen=True)
class Pairing:
    """Terms of two parts that correspond."""

    first: int
    second: int
    terms: Relation


class Multisets:
    """The terms of both programs."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.left = Chains(comparison.before, comparison.rewriting["left"])
        self.right = Chains(comparison.after, comparison.rewriting["right"])
        self._signatures = (Signatures(self.left), Signatures(self.right))

    def compare(self, left: Term, right: Term, head: Head, results: Relation) -> Failure | None:
        """Return why the multisets of two values differ at some of the results, each value seen as the terms that an
        operation combines."""
        first = self.left.parts(left, head, results.domain().identity())
        second = self.right.parts(right, head, results.range().identity())
        if [p.term.key for p in first] == [left.key] and [p.term.key for p in second] == [right.key]:
            return Failure(results, left, right)
        pairings = self._pairings(first, second, results)
        failed = self._uncovered(first, second, pairings, results)
        if failed is not None:
            return Failure(failed, left, right)
        if not _is_one_to_one(pairings) and not self._is_one_to_one_for_each(first, second, pairings, results):
            return Failure(results, left, right, AMBIGUOUS)
        for pairing in pairings:
            one, other = first[pairing.first], second[pairing.second]
            members = (one.members, other.members)
            failure = self.comparison.compare_terms(one.term, other.term, pairing.terms, results, members)
            if failure is not None:
                return failure
        return None

    def alike(self, left: Term, right: Term) -> Relation | None:
        """Return instances at which two terms look alike and read the same elements; None where there are none."""
        return _alike(self._signatures[0].of(left), self._signatures[1].of(right))

    def _pairings(self, first: list[Part], second: list[Part], results: Relation) -> list[Pairing]:
        """Return a guess for each two parts: terms of one pair of results that look alike and read the same
        elements."""
        left = [self._signatures[0].of(part.term) for part in first]
        right = [self._signatures[1].of(part.term) for part in second]
        found: list[Pairing] = []
        for k, part in enumerate(first):
            for m, other in enumerate(second):
                terms = _alike(left[k], right[m])
                if terms is None:
                    continue
                terms = terms & part.members.inverse().then(results).then(other.members)
                if not terms.is_empty():
                    found.append(Pairing(k, m, terms))
        return found

    def _uncovered(
        self, first: list[Part], second: list[Part], pairings: list[Pairing], results: Relation
    ) -> Relation | None:
        """Return pairs of results of which one has a term that no term of the other is paired with."""
        left, right = _terms_of_pairs(first, second, results)
        left_open, right_open = list(left), list(right)
        for p in pairings:
            left_open[p.first] = left_open[p.first] - right[p.second].then(p.terms.inverse())
            right_open[p.second] = right_open[p.second] - left[p.first].then(p.terms)
        for rest in (*left_open, *right_open):
            if not rest.is_empty():
                return rest.domain().as_relation(results.inputs)
        return None

    def _is_one_to_one_for_each(
        self, first: list[Part], second: list[Part], pairings: list[Pairing], results: Relation
    ) -> bool:
        """Return whether within each pair of results no term is paired with two; a term may be paired again in another
        pair."""
        left, right = _terms_of_pairs(first, second, results)
        forth: list[tuple[int, Relation]] = []
        back: list[tuple[int, Relation]] = []
        for p in pairings:
            mine, yours = left[p.first], right[p.second]
            forth.append((p.first, _given(mine, yours, p.terms)))
            back.append((p.second, _given(yours, mine, p.terms.inverse())))
        return all(_is_function(parts) for parts in (forth, back))


def _alike(first: list[TermSignature], second: list[TermSignature]) -> Relation | None:
    """Return instances at which two terms have one shape and read the same elements; None where there are none."""
    found: Relation | None = None
    for one in first:
        for other in second:
            if one.shape != other.shape:
                continue
            terms = one.instances.times(other.instances)
            for mine, yours in zip(one.elements, other.elements, strict=True):
                terms = terms & mine.then(yours.inverse())
            found = terms if found is None else found | terms
    return found


def _is_one_to_one(pairings: list[Pairing]) -> bool:
    """Return whether no term is paired with two terms."""
    for k, p in enumerate(pairings):
        if not p.terms.is_single_valued() or not p.terms.is_injective():
            return False
        for q in pairings[:k]:
            if p.first == q.first and not _are_disjoint(p.terms.domain(), q.terms.domain()):
                return False
            if p.second == q.second and not _are_disjoint(p.terms.range(), q.terms.range()):
                return False
    return True


def _is_function(parts: list[tuple[int, Relation]]) -> bool:
    """Return whether the relations of each number have together at most one output for each input."""
    for k, (number, relation) in enumerate(parts):
        if not relation.is_single_valued():
            return False
        if any(number == other and not _are_disjoint(relation.domain(), r.domain()) for other, r in parts[:k]):
            return False
    return True


def _terms_of_pairs(first: list[Part], second: list[Part], results: Relation) -> tuple[list[Relation], list[Relation]]:
    """Relate pairs of results, as joined tuples, to the terms of each part."""
    both = results.graph()
    to_left = both.identity().project(outputs=range(results.inputs, both.dimensions))
    to_right = both.identity().project(outputs=range(results.inputs))
    return [to_left.then(part.members) for part in first], [to_right.then(part.members) for part in second]


def _given(sources: Relation, targets: Relation, terms: Relation) -> Relation:
    """Relate pairs of results joined with terms of `sources` to the terms of `targets` that these are paired with."""
    joined = sources.beside(targets).into(terms.graph())
    return joined.graph().as_relation(sources.inputs + sources.outputs)


def _are_disjoint(first: IntegerSet, second: IntegerSet) -> bool:
    return (first & second).is_empty()
