"""Search for a difference of two programs: sizes and an element, found instance by instance at small sizes.

A failed proof does not show a difference: a claim may have been widened too far, or terms may have been paired in a way
that cannot succeed. So the outputs of both programs are enumerated, first at the sizes of the failure, then at small
sizes. A difference is a refutation. Static programs without a difference are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ...dialects.index_expr import Symbol
from ..integer_set.calculus import Calculus, Undecided
from ..integer_set.relation import IntegerSet
from ..polyhedral.model import Model
from .algebra import Algebra
from .enumeration import Enumeration, TooLarge
from .numbered_values import NumberedValues
from .term_comparison import Failure
from .terms import Contents, Term
from .verdict import Computed, Proved, Refuted, UndefinedElements, Unknown, Verdict

SMALL = (3, 5, 1, 0, 2, 4, 9, 17)
"""Values that all sizes are given in turn, as far as the program takes them."""
LARGER = (1, 2, 4)
"""By how much further sizes are larger than those of a refutation."""


class Search:
    """The programs, and the sizes that they take. `begin` starts a new question of the calculus."""

    def __init__(
        self,
        before: Model,
        after: Model,
        algebra: Algebra,
        calculus: Calculus,
        accepted: IntegerSet,
        begin: Callable[[], None],
    ) -> None:
        self.before = before
        self.after = after
        self.algebra = algebra
        self.calculus = calculus
        self.accepted = accepted
        self.begin = begin

    def verdict(self, output: int, failure: Failure, undefined: tuple[UndefinedElements, ...]) -> Verdict:
        """Return the verdict about a proof that failed at an output."""
        seen: list[dict[Symbol, int]] = []
        for sizes in self._candidates(failure):
            try:
                difference = self._difference(sizes)
            except TooLarge:
                continue
            if isinstance(difference, Refuted):
                return replace(difference, further=partial(self._further, difference, sizes, failure))
            if not sizes:
                return Proved(undefined=difference)
            seen.append(sizes)
        return self._undecided(output, failure, seen, undefined)

    def _further(self, first: Refuted, at: dict[Symbol, int], failure: Failure) -> Iterator[Refuted]:
        """Yield the refutations at all sizes that are looked at, that at the first ones among them, until the time is
        over.

        Three of those at which the most statements run come first, then two at which the fewest do: values of either
        kind may hide a difference of expressions.
        """
        try:
            self.begin()
            larger = [self._close_to([n + more for n in at.values()]) for more in LARGER]
            distinct = {tuple(s.values()): s for s in (at, *self._candidates(failure), *larger) if s is not None}
            idle = [(self._idle(sizes), sizes) for sizes in distinct.values()]
            idle.sort(key=lambda each: (each[0], sum(each[1].values())))
            for count, sizes in [*idle[:3], *idle[:2:-1][:2], *idle[3:-2]]:
                self.begin()
                try:
                    difference = first if sizes == at else self._difference(sizes)
                except TooLarge:
                    continue
                if isinstance(difference, Refuted):
                    yield replace(difference, runs_all=count == idle[0][0])
        except Undecided:
            return

    def _idle(self, sizes: dict[Symbol, int]) -> int:
        """Return the number of statements of both programs that have no instance at sizes."""
        count = 0
        for model in (self.before, self.after):
            for statement in model.statements:
                domain = self.calculus.set(statement.variables, statement.domain)
                for symbol, value in sizes.items():
                    domain = domain.fix(symbol, value)
                count += domain.is_empty()
        return count

    def _undecided(
        self, output: int, failure: Failure, seen: list[dict[Symbol, int]], undefined: tuple[UndefinedElements, ...]
    ) -> Verdict:
        """Return the verdict on a failure that no enumeration confirms: it stands where it is a difference of heads at
        sizes too large."""
        sample = None if failure.instances is None or failure.reason else failure.instances.sample()
        if sample is None or sample.parameters in seen:
            reason = failure.reason or "the relation of a recurrence was not found"
            sizes = ", ".join(str(next(iter(s.values()), "")) for s in seen)
            return Unknown(f"{reason}; no difference at sizes {sizes}" if seen else reason, undefined=undefined)
        element = sample.point[: len(sample.point) // 2]
        sizes = {symbol.name: value for symbol, value in sample.parameters.items()}
        return Refuted(sizes, output, element, _shown(failure.left), _shown(failure.right), undefined=undefined)

    def _candidates(self, failure: Failure) -> Iterator[dict[Symbol, int]]:
        """Yield sizes to try, without repetition."""
        tried: list[dict[Symbol, int]] = []
        sample = None if failure.instances is None else failure.instances.sample()
        if sample is not None:
            tried.append(sample.parameters)
            yield sample.parameters
        for value in SMALL:
            for step in (0, 1):
                sizes = self._close_to([value + n * step for n in range(len(self.calculus.parameters))])
                if sizes is not None and sizes not in tried:
                    tried.append(sizes)
                    yield sizes

    def _close_to(self, wanted: Sequence[int]) -> dict[Symbol, int] | None:
        """Return sizes that the program takes, as many as possible as wanted."""
        accepted = self.accepted
        for symbol, value in zip(self.calculus.parameters, wanted, strict=True):
            fixed = accepted.fix(symbol, value)
            accepted = accepted if fixed.is_empty() else fixed
        sample = accepted.sample()
        return None if sample is None else sample.parameters

    def _difference(self, sizes: dict[Symbol, int]) -> Refuted | tuple[UndefinedElements, ...]:
        """Return the first element that differs at sizes; else the elements that are undefined before."""
        values = NumberedValues(self.algebra)
        runs = [Enumeration(model, self.calculus, sizes, values) for model in (self.before, self.after)]
        first, second = runs
        elements = {c: first.elements(self.before.arguments[c]) for c in self._written()}
        for run in runs:
            run.run()
        named = {symbol.name: value for symbol, value in sizes.items()}
        undefined: list[UndefinedElements] = []
        for output, all_elements in elements.items():
            count = 0
            for element in all_elements:
                before = first.at_end(self.before.arguments[output], element)
                after = second.at_end(self.after.arguments[output], element)
                if not values.matches(before, after):
                    parts = zip(values.difference(before, after), runs, strict=True)
                    left, right = (
                        Computed(values.text(part), values.ops[part] or run.writer_of(output, element))
                        for part, run in parts
                    )
                    return Refuted(named, output, element, left, right)
                count += values.is_undefined(before)
            if count:
                undefined.append(UndefinedElements(output, named, count))
        return tuple(undefined)

    def _written(self) -> list[int]:
        outputs = (*self.before.outputs, *self.after.outputs)
        return sorted({c.argument for c in outputs if c.argument is not None})


def _shown(head: Term) -> Computed:
    """Describe a head of which nothing but the operation is known."""
    match head.expression:
        case Contents():
            return Computed("an element of an argument" if head.expression.data is None else "an element of a constant")
        case _:
            return Computed(getattr(head.expression, "name", type(head.expression).__name__), head.op)
