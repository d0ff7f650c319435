"""Comparison of two terms at a relation of instances: they are equal, or differ at some of the instances.

Both terms are first reduced to a head: an operation, a constant or an element of an argument. A read is replaced by its
last writers, and a choice splits the relation. Heads are compared, then their operands in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from ..integer_set.calculus import Undecided
from ..integer_set.relation import IntegerSet, Relation
from ..polyhedral.expression_trees import Apply, Constant, Expression, IndexValue, Undefined, flags_of, without_flags
from .algebra import Algebra
from .chains import heads_of
from .claims import Claims
from .constant_values import first_unequal, is_known
from .head_rewriting import SELECT, Rewriting
from .multisets import Multisets
from .terms import Contents, Failure, RelationalModel, Step, Term

Side = Literal["left", "right"]

_LEAVES = (Constant, Contents, IndexValue, Undefined)


Back: TypeAlias = "Callable[[Relation], Relation]"
"""A map from pairs of instances to the pairs of an outer question that lead to one of them."""

Show: TypeAlias = "Callable[[Term, Term, Relation], Failure | None]"
"""Why two terms differ at instances at which they were claimed to be equal."""


class Comparison:
    """One proof: the two programs, the algebra, and what has been claimed.

    Where nothing is widened, each turn of a recurrence is shown separately, and each failure is at instances that were
    asked about.
    """

    def __init__(
        self,
        before: RelationalModel,
        after: RelationalModel,
        algebra: Algebra,
        sizes: IntegerSet,
        *,
        widens: bool = True,
        memory_is_poison: bool = False,
    ) -> None:
        """Prepare the comparison at `sizes`, a set without dimensions."""
        self.before = before
        self.after = after
        self.algebra = algebra
        self.sizes = sizes
        self.widens = widens
        self.claims = Claims()
        self.undefined: list[IntegerSet] = []
        """Elements of the compared output that are undefined before, or computed from undefined values."""
        self.rewriting: dict[Side, Rewriting] = {
            "left": Rewriting(before, algebra, drops_flags=True, memory_is_poison=memory_is_poison),
            "right": Rewriting(after, algebra, drops_flags=False),
        }
        self._multisets = Multisets(self)
        self._turns: list[Back] = []
        """The path from the outputs to the pairs that are compared."""
        self._doubtful: set[object] = set()

    def compare(self, left: Term, right: Term, instances: Relation, *, moved: bool = False) -> Failure | None:
        """Return why the terms differ at some of the instances; None where they are equal at all of them.

        `moved` says that a read has been moved since the last pair that was looked up.
        """
        self.before.begin()
        if instances.is_empty():
            return None
        if moved and (self.before.is_passed_on(left) or self.after.is_passed_on(right)):
            return self._claim(left, right, instances, self._unfold)
        if moved or isinstance(left.expression, _LEAVES) or isinstance(right.expression, _LEAVES):
            return self._unfold(left, right, instances, moved=moved)
        return self._shared(left, right, instances)

    def _shared(self, left: Term, right: Term, instances: Relation) -> Failure | None:
        """Compare two expressions once, even if they occur at several positions of larger ones."""
        pair = ("shared", left.key, right.key)
        if self.claims.has(pair, instances):
            return None
        noted = len(self.undefined)
        failure = self._unfold(left, right, instances)
        if failure is None and len(self.undefined) == noted:
            self.claims.add(pair, instances)
        return failure

    def _unfold(self, left: Term, right: Term, instances: Relation, *, moved: bool = False) -> Failure | None:
        """Bring both terms to their heads, and compare these."""
        if (steps := self.rewriting["left"].steps(left)) is not None:
            return self._step("left", left, right, steps, instances, moved)
        if isinstance(left.expression, Undefined):
            self._note_undefined(instances)
            return None
        if self.rewriting["left"].has_poison and isinstance(left.expression, Apply):
            poison = instances.on(self.rewriting["left"].poisoned(left))
            self._note_undefined(poison)
            instances = instances - poison
            if instances.is_empty():
                return None
        if (steps := self.rewriting["right"].steps(right)) is not None:
            return self._step("right", left, right, steps, instances, moved)
        if moved and isinstance(left.expression, Apply) and isinstance(right.expression, Apply):
            return self._claim(left, right, instances, self.compare_heads)
        return self.compare_heads(left, right, instances)

    def _step(
        self, side: Side, left: Term, right: Term, steps: tuple[Step, ...], instances: Relation, moved: bool
    ) -> Failure | None:
        """Compare each part that one of the terms splits into."""

        def show(step: Step, below: Relation) -> Failure | None:
            one, other = (step.term, right) if side == "left" else (left, step.term)
            return self.compare(one, other, below, moved=moved or step.is_move)

        return self._each(side, left if side == "left" else right, steps, instances, show)

    def _each(
        self,
        side: Side,
        term: Term,
        steps: tuple[Step, ...],
        instances: Relation,
        show: Callable[[Step, Relation], Failure | None],
    ) -> Failure | None:
        """Show something of each part that a term splits into, at the instances below."""
        program, asked = (self.before, instances.domain()) if side == "left" else (self.after, instances.range())
        if not steps or not asked.is_subset(program.cover(term, steps)):
            raise Undecided("a value is asked at an instance that has none")
        lost: Failure | None = None
        for step in steps:
            back, forth = _turn(side, step.moves, instances)
            failure = self._below(back, lambda: show(step, forth))  # noqa: B023
            if failure is not None and failure.instances is not None:
                return failure
            lost = lost or failure
        return lost

    def _below(self, back: Back, show: Callable[[], Failure | None]) -> Failure | None:
        """Compare at instances below those asked, and carry a failure back to these."""
        self._turns.append(back)
        failure = show()
        self._turns.pop()
        if failure is None or failure.instances is None:
            return failure
        instances = back(failure.instances)
        return replace(failure, instances=None if instances.is_empty() else instances)

    def _claim(self, left: Term, right: Term, instances: Relation, show: Show) -> Failure | None:
        """Look the pair up, or claim it and show the claim, widened where the pair comes back below itself.

        The first claim may be about an edge, which the other turns have too little in common with. So where the first
        widening fails, these instances are claimed as they are, and the next ones are widened from them.
        """
        pair = (left.key, right.key)
        if self.claims.has(pair, instances):
            if pair in self._doubtful:
                self._note_undefined(instances)
            return None
        depth = self.claims.depth(pair) if self.widens else 0
        if depth == 0:
            return self._show(left, right, instances, instances, show)
        goal = self.claims.widened(pair, instances, left.domain, right.domain).where(self.sizes)
        if not instances.is_subset(goal):
            raise Undecided("a value is asked at an instance that does not compute it")
        failure = self.attempt(lambda: self._show(left, right, instances, goal, show))
        if failure is not None and failure.instances is None and depth == 1:
            return self._show(left, right, instances, instances, show)
        return failure

    def _show(self, left: Term, right: Term, instances: Relation, goal: Relation, show: Show) -> Failure | None:
        """Show a claim, of which some instances were asked about."""
        pair = (left.key, right.key)
        noted = len(self.undefined)
        with self.claims.claim(pair, goal):
            failure = self._below(lambda below: below & instances, lambda: show(left, right, goal))
        if len(self.undefined) > noted:
            self._doubtful.add(pair)
        return failure

    def compare_heads(self, left: Term, right: Term, instances: Relation) -> Failure | None:
        """Compare two heads, at instances where they are the values of their terms."""
        first, second = left.expression, right.expression
        if isinstance(first, Apply) and isinstance(second, Apply) and _refines(first, second):
            failure = self._compare_operands(left, first, right, second, instances)
        else:
            failure = self._compare_values(left, right, instances)
            for e in (first, second):
                if e is second and isinstance(e, Apply) and flags_of(e):
                    continue  # the value before has no such flags
                if failure is not None and isinstance(e, Apply) and e.type == _type_of(left):
                    failure = self._as_multisets(left, right, e, instances, failure)
        failure = self._of_defined_branch(left, right, instances, failure)
        return None if failure is None else self._by_equations(left, right, instances, failure)

    def _by_equations(self, left: Term, right: Term, instances: Relation, failure: Failure) -> Failure | None:
        """Compare what equations make of two heads; the failure so far where they change neither.

        Below a claim about the same pair no equation is applied: the claim itself is tried with equations before.
        """
        one, other = self.rewriting["left"].simplified(left), self.rewriting["right"].simplified(right)
        if (one is left and other is right) or self.claims.depth((left.key, right.key)) > 1:
            return failure
        found = self.attempt(lambda: self.compare(one, other, instances))
        return None if found is None else replace(failure, instances=_in_both(failure, found))

    def _of_defined_branch(
        self, left: Term, right: Term, instances: Relation, failure: Failure | None
    ) -> Failure | None:
        """Compare the other branch of a choice before of which one is unspecified; the failure so far for all else."""
        first = left.expression
        if failure is None or not isinstance(first, Apply) or first.name != SELECT:
            return failure
        for which in (1, 2):
            unspecified = self.rewriting["left"].unspecified(left.part(first.operands[which]))
            if instances.domain().is_subset(unspecified):
                other = left.part(first.operands[3 - which])
                return self.attempt(lambda: self.compare(other, right, instances))  # noqa: B023
        return failure

    def _compare_values(self, left: Term, right: Term, instances: Relation) -> Failure | None:
        """Compare two heads that are not the same operation."""
        equal = self._equal_values(left, right)
        if equal is not None and instances.is_subset(equal):
            return None
        first, second = left.expression, right.expression
        if self._is_data(first, second) and not self.before.calculus.parameters:
            assert isinstance(first, (Contents, Constant)) and isinstance(second, (Contents, Constant))
            unequal = first_unequal(first, second, instances)
            return None if unequal is None else Failure(instances & unequal, left, right)
        return Failure(instances if equal is None else instances - equal, left, right)

    @staticmethod
    def _is_data(first: object, second: object) -> bool:
        """Return whether two heads of one type are known, one of them an element of a constant."""
        is_element = isinstance(first, Contents) or isinstance(second, Contents)
        is_of_one_type = getattr(first, "type", None) == getattr(second, "type", None)
        return is_element and is_of_one_type and is_known(first) and is_known(second)

    def _equal_values(self, left: Term, right: Term) -> Relation | None:
        """Return the instances at which two heads without operands are equal; None where they never are."""
        first, second = left.expression, right.expression
        if isinstance(first, Contents) and first == second:
            return right.domain.identity()
        if isinstance(first, Constant) and first is second:
            return left.domain.times(right.domain)
        one, other = self.before.integer(left), self.after.integer(right)
        return None if one is None or other is None else one.then(other.inverse())

    def _compare_operands(
        self, left: Term, first: Apply, right: Term, second: Apply, instances: Relation
    ) -> Failure | None:
        """Compare operands in order, exchanged where they commute, and as multisets of terms where they reorder."""
        failure = self.attempt(lambda: self._pairwise(left, first.operands, right, second.operands, instances))
        if failure is None:
            return None
        if first.name == SELECT:
            return self.attempt(lambda: self._by_branches(left, first, right, second, instances, failure))
        if self.algebra.commutes(first.name):
            exchanged = second.operands[::-1]
            other = self.attempt(lambda: self._pairwise(left, first.operands, right, exchanged, instances))
            if other is None:
                return None
            failure = replace(failure, instances=_in_both(failure, other))
        return self._as_multisets(left, right, first, instances, failure)

    def _as_multisets(self, left: Term, right: Term, e: Apply, instances: Relation, failure: Failure) -> Failure | None:
        """Compare as what an operation combines in any order; the failure so far where its order counts.

        Below a claim about the same pair the order counts too: the claim itself is tried as multisets before.
        """
        if not self.algebra.reorders(e.name) or self.claims.depth((left.key, right.key)) > 1:
            return failure
        found: Failure | None = failure
        for head in heads_of(e):
            found = self.attempt(lambda: self._multisets.compare(left, right, head, instances))  # noqa: B023
            if found is None:
                return None
        return found

    def _by_branches(
        self, left: Term, first: Apply, right: Term, second: Apply, instances: Relation, failure: Failure
    ) -> Failure | None:
        """Compare two choices by data branch by branch, in which a choice by the same data below is known."""
        branches = [(self.rewriting["left"].branch(left, k), self.rewriting["right"].branch(right, k)) for k in (1, 2)]
        if all(one is None and other is None for one, other in branches):
            return failure
        found = self.compare(left.part(first.operands[0]), right.part(second.operands[0]), instances)
        for k, (mine, yours) in enumerate(branches, start=1):
            one, other = left.part(first.operands[k]), right.part(second.operands[k])
            found = found or self._in_branches((one, mine), (other, yours), instances)
        return found

    def _in_branches(
        self,
        left: tuple[Term, tuple[Step, ...] | None],
        right: tuple[Term, tuple[Step, ...] | None],
        instances: Relation,
    ) -> Failure | None:
        (one, mine), (other, yours) = left, right

        def show(first: Step, at: Relation) -> Failure | None:
            def compare(second: Step, below: Relation) -> Failure | None:
                return self.compare(first.term, second.term, below, moved=first.is_move or second.is_move)

            return self._each("right", other, yours or _itself(other), at, compare)

        return self._each("left", one, mine or _itself(one), instances, show)

    def compare_terms(
        self, one: Term, other: Term, terms: Relation, results: Relation, members: tuple[Relation, Relation]
    ) -> Failure | None:
        """Compare terms of reductions; `members` relates the results of each side to their terms."""
        first, second = members[0], members[1].inverse()
        return self._below(
            lambda below: first.then(below).then(second) & results, lambda: self.compare(one, other, terms)
        )

    def alike(self, left: Term, right: Term) -> Relation | None:
        """Return a guess at the instances at which two terms are equal; None where they look different."""
        return self._multisets.alike(left, right)

    def _pairwise(
        self,
        left: Term,
        first: Sequence[Expression],
        right: Term,
        second: Sequence[Expression],
        instances: Relation,
    ) -> Failure | None:
        for one, other in zip(first, second, strict=True):
            failure = self.compare(left.part(one), right.part(other), instances)
            if failure is not None:
                return failure
        return None

    def attempt(self, show: Callable[[], Failure | None]) -> Failure | None:
        """Try an alternative; its claims are dropped if it fails."""
        mark, noted = self.claims.mark(), len(self.undefined)
        failure = show()
        if failure is not None:
            self.claims.forget(mark)
            del self.undefined[noted:]
        return failure

    def _note_undefined(self, instances: Relation) -> None:
        """Keep the elements of the output that these instances are a part of."""
        for back in reversed(self._turns):
            instances = back(instances)
        if not (elements := instances.domain()).is_empty():
            self.undefined.append(elements)


def _itself(term: Term) -> tuple[Step, ...]:
    return (Step(term, term.domain.identity(), False),)


def _turn(side: Side, moves: Relation, above: Relation) -> tuple[Back, Relation]:
    """Return the way back from the instances that one side is moved to, and all of these."""
    if side == "left":
        return lambda below: moves.then(below) & above, moves.inverse().then(above).coalesce()
    return lambda below: below.then(moves.inverse()) & above, above.then(moves).coalesce()


def _type_of(term: Term) -> object:
    """Return the type of a head's value; None where it is an element of an output."""
    return getattr(term.expression, "type", None)


def _in_both(first: Failure, second: Failure) -> Relation | None:
    """Return the instances at which both failures are; None where there are none."""
    if first.instances is None or second.instances is None:
        return None
    both = first.instances & second.instances
    return None if both.is_empty() else both


def _refines(first: Apply, second: Apply) -> bool:
    """Return whether an operation of the program after has values that one before with equal operands may have.

    A flag of the one before may be dropped; one that is new may give poison.
    """
    return (
        first.name == second.name
        and without_flags(first).properties == without_flags(second).properties
        and flags_of(second) <= flags_of(first)
        and first.type == second.type
        and len(first.operands) == len(second.operands)
    )
