"""Where two programs differ: sizes and an element, found instance by instance at small sizes.

A proof that fails has not shown a difference: a claim may have been widened too far, or terms have been paired in
another way than it takes. So what both programs compute is enumerated, first at sizes that the failure is at, then at
small ones. A difference is a refutation. Static programs without one are equal.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...dialects.index_expr import Symbol
from ..integer_set.calculus import Calculus
from ..integer_set.relation import IntegerSet
from ..polyhedral.model import Model
from .algebra import Algebra
from .enumeration import Enumeration, TooLarge
from .numbered_values import Values
from .term_comparison import Failure
from .terms import Contents, Term
from .verdict import Computed, Proved, Refuted, UndefinedElements, Unknown, Verdict

SMALL = (3, 5, 1, 0, 2, 4, 9, 17)
"""Values that all sizes are given in turn, as far as the program takes them."""


class Search:
    """The programs, and the sizes that they take."""

    def __init__(self, before: Model, after: Model, algebra: Algebra, calculus: Calculus, accepted: IntegerSet) -> None:
        self.before = before
        self.after = after
        self.algebra = algebra
        self.calculus = calculus
        self.accepted = accepted

    def verdict(self, output: int, failure: Failure, undefined: tuple[UndefinedElements, ...]) -> Verdict:
        """What follows from a proof that failed at an output."""
        seen: list[dict[Symbol, int]] = []
        for sizes in self._candidates(failure):
            try:
                difference = self._difference(sizes)
            except TooLarge:
                continue
            if isinstance(difference, Refuted):
                return difference
            if not sizes:
                return Proved(undefined=difference)
            seen.append(sizes)
        return self._undecided(output, failure, seen, undefined)

    def _undecided(
        self, output: int, failure: Failure, seen: list[dict[Symbol, int]], undefined: tuple[UndefinedElements, ...]
    ) -> Verdict:
        """A failure that no enumeration confirms: it stands where it is a difference of heads at sizes too large."""
        sample = None if failure.instances is None or failure.reason else failure.instances.sample()
        if sample is None or sample.parameters in seen:
            reason = failure.reason or "the relation of a recurrence was not found"
            sizes = ", ".join(str(next(iter(s.values()), "")) for s in seen)
            return Unknown(f"{reason}; no difference at sizes {sizes}" if seen else reason, undefined=undefined)
        element = sample.point[: len(sample.point) // 2]
        sizes = {symbol.name: value for symbol, value in sample.parameters.items()}
        return Refuted(sizes, output, element, _shown(failure.left), _shown(failure.right), undefined=undefined)

    def _candidates(self, failure: Failure) -> Iterator[dict[Symbol, int]]:
        """Sizes to try, without repetition."""
        tried: list[dict[Symbol, int]] = []
        sample = None if failure.instances is None else failure.instances.sample()
        if sample is not None:
            tried.append(sample.parameters)
            yield sample.parameters
        for value in SMALL:
            for step in (0, 1):
                sizes = self._near(value, step)
                if sizes is not None and sizes not in tried:
                    tried.append(sizes)
                    yield sizes

    def _near(self, value: int, step: int) -> dict[Symbol, int] | None:
        """Sizes that the program takes, as many as possible `value`, and `step` more for each parameter in turn."""
        accepted = self.accepted
        for position, symbol in enumerate(self.calculus.parameters):
            fixed = accepted.fix(symbol, value + position * step)
            accepted = accepted if fixed.is_empty() else fixed
        sample = accepted.sample()
        return None if sample is None else sample.parameters

    def _difference(self, sizes: dict[Symbol, int]) -> Refuted | tuple[UndefinedElements, ...]:
        """The first element that differs at sizes; else the elements that are undefined before."""
        values = Values(self.algebra)
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
    """A head of which nothing but the operation is known."""
    match head.expression:
        case Contents():
            return Computed("an element of an argument" if head.expression.data is None else "an element of a constant")
        case _:
            return Computed(getattr(head.expression, "name", type(head.expression).__name__), head.op)
