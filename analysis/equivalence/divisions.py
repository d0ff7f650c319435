"""Divisions of upstream MLIR in the program after: each has a divisor that the program before divides by as well.

A division is undefined where its divisor is 0, a signed one also where its quotient overflows, and inputs decide
whether that happens. So the program after may divide where its divisor is a number other than 0, or where the program
before divides at these sizes by an equal divisor; a signed division needs an equal dividend too, for its overflow. Of
conditions on data around both, those of the division before have to be the outermost ones of the division after. The
instances of both that correspond are guessed, from what operands look like, and then proved to have equal operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..integer_set.relation import IntegerSet, Relation
from ..polyhedral.expression_trees import Apply
from ..polyhedral.model import Division
from .term_comparison import Comparison
from .terms import Term

REASON = "the divisor of a division may be 0, and the program before is not known to divide by it"


@dataclass(frozen=True)
class OpenDivision:
    """A division of the program after that may be undefined where the program before is not."""

    division: Division
    instances: IntegerSet
    """The instances that no division of the program before covers."""


class Divisions:
    """The divisions of both programs of a comparison."""

    def __init__(self, comparison: Comparison, sizes: IntegerSet) -> None:
        self.comparison = comparison
        self.sizes = sizes

    def first_open(self) -> OpenDivision | None:
        """Return the first division of the program after that may be undefined where the program before is not."""
        for division in self.comparison.after.model.divisions:
            if not (left := self._open(division)).is_empty():
                return OpenDivision(division, left)
        return None

    def _open(self, division: Division) -> IntegerSet:
        """Return instances whose divisor may be 0, and that no division of the program before covers."""
        after = self.comparison.after
        term = after.root(after.model.statements[division.statement])
        left = self._doubtful(division, term)
        for before in self.comparison.before.model.divisions:
            if left.is_empty():
                break
            if division.is_signed and not before.is_signed:
                continue
            if before.branches != division.branches[: len(before.branches)]:
                continue  # a division below a further condition may not run
            left = self._uncovered(division, term, before, left)
        return left

    def _doubtful(self, division: Division, term: Term) -> IntegerSet:
        """Return instances that run at the sizes compared, without those whose divisor is an index that is safe."""
        assert isinstance(term.expression, Apply)
        after = self.comparison.after
        runs = term.domain.where(self.sizes)
        known = after.integer(term.part(term.expression.operands[1]))
        if known is None:
            return runs
        zero = known.into(after.calculus.number(0)).domain()
        unsafe = zero | known.into(after.calculus.number(-1)).domain() if division.is_signed else zero
        return runs & unsafe

    def _uncovered(self, division: Division, term: Term, before: Division, left: IntegerSet) -> IntegerSet:
        """Return the instances of `left` for which no equal operands of a division before are found."""
        program = self.comparison.before
        other = program.root(program.model.statements[before.statement])
        assert isinstance(term.expression, Apply) and isinstance(other.expression, Apply)
        first = 0 if division.is_signed else 1
        mine, yours = (each.operands[first:] for each in (other.expression, term.expression))
        pairs = list(zip(mine, yours, strict=False))  # the division after may have further conditions around it
        terms = [(other.part(one), term.part(two)) for one, two in pairs]
        for guess in self._guesses(terms, other, left):
            covered = guess.inverse().on(left).first().inverse()
            if not covered.is_empty() and all(self._are_equal(one, two, covered) for one, two in terms):
                left = left - covered.range()
        return left

    def _guesses(self, terms: list[tuple[Term, Term]], other: Term, left: IntegerSet) -> Iterator[Relation]:
        """Yield relations from instances of the division before to those after at which operands look alike."""
        found: Relation | None = None
        for one, two in terms:
            same = self.comparison.alike(one, two)
            if same is None:
                return
            found = same if found is None else found & same
        assert found is not None
        found = found.on(other.domain).into(left).where(self.sizes)
        if found.inputs == found.outputs:
            yield found & other.domain.identity()
        yield found

    def _are_equal(self, one: Term, two: Term, instances: Relation) -> bool:
        noted = len(self.comparison.undefined)
        failure = self.comparison.attempt(lambda: self.comparison.compare(one, two, instances))
        return failure is None and len(self.comparison.undefined) == noted
