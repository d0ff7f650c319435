"""A verdict of the prover beside the numbers: what each pair of answers means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import islice

from tilewright.analysis.equivalence import EXACT, Bounded, Budget, Proved, Refuted, Unknown, Verdict, equivalent

from .interpreted import Numbers, at_sizes, comparable, completed, first_difference, points
from .steps import Step

BUDGET = Budget(operations=5_000_000, seconds=math.inf)
FURTHER = 3
"""The number of further sizes at which a refutation is run where numbers are equal."""


class Meaning(Enum):
    """The classification of a verdict by the numbers."""

    PROVED = "proved, and numbers are equal"
    BOUNDED = "proved for the sizes that it names, and numbers are equal"
    REFUTED = "refuted, and numbers differ"
    UNKNOWN = "unknown, and numbers are equal"
    MISSED = "unknown at these sizes, and numbers differ"
    LACKS_AXIOM = "refuted, and numbers are equal"
    NOT_RUN = "no numbers to compare"
    UNSOUND = "proved, and numbers differ"
    CRASHED = "the prover failed"

    @property
    def is_fault(self) -> bool:
        """Return whether the prover is wrong."""
        return self in (Meaning.UNSOUND, Meaning.CRASHED)


@dataclass(frozen=True)
class Judgement:
    """The judgement of one step."""

    name: str
    meaning: Meaning
    verdict: str
    """The verdict as a word: proved, bounded, refuted, unknown; crashed where there is none."""
    reason: str
    """Of a verdict that is not proved: sizes and element, or why nothing is known."""
    seconds: float
    undefined: int
    difference: str
    """The description of the difference of numbers; empty if there is none."""

    @property
    def differs(self) -> bool:
        return bool(self.difference)


class Judge:
    """Judges steps; a function that ends one step and begins the next is run once."""

    def __init__(self, prove: Callable[..., Verdict] = equivalent, budget: Budget = BUDGET) -> None:
        self._prove = prove
        self._budget = budget
        self._last: tuple[str, Numbers] | None = None

    def judge(self, step: Step) -> Judgement:
        """Check a step by what the interpreter computes before and after it."""
        exact = step.algebra == EXACT
        before, after = self._numbers(step)
        at = points(step.before, exact=exact)
        found = first_difference(before, after, at, exact=exact)
        try:
            verdict = self._prove(step.before, step.after, step.algebra, self._budget)
        except Exception as error:  # what it raises, whatever it is, is the finding
            reason = f"{type(error).__name__}: {error}"
            return Judgement(step.name, Meaning.CRASHED, "crashed", reason, 0.0, 0, str(found or ""))
        if isinstance(verdict, Refuted) and found is None:
            kinds = [point.inputs for point in at[: 3 if exact else 1]]
            refuted = [verdict, *islice(verdict.further(), FURTHER)]
            at = [at_sizes(each.sizes, kind) for each in refuted for kind in kinds]
            found = first_difference(before, after, at, exact=exact)
        elsewhere = found
        if isinstance(verdict, Bounded):  # it says nothing of other sizes
            every = [each for sizes in verdict.sizes for each in completed(step.before, sizes)]
            named = [at_sizes(sizes, point.inputs) for sizes in every for point in at[:1]]
            found = first_difference(before, after, named, exact=exact)
        has_numbers = elsewhere is not None or comparable(before, after, at) > 0
        meaning = _meaning(verdict, found is not None, elsewhere is not None, has_numbers)
        word = type(verdict).__name__.lower()
        return Judgement(
            step.name,
            meaning,
            word,
            _reason(verdict),
            verdict.seconds,
            verdict.undefined_count,
            str(found or elsewhere or ""),
        )

    def _numbers(self, step: Step) -> tuple[Numbers, Numbers]:
        known = self._last
        before = known[1] if known is not None and known[0] == str(step.before) else Numbers(step.before)
        after = Numbers(step.after, step.before)
        self._last = str(step.after), after
        return before, after


def _meaning(verdict: Verdict, differs: bool, elsewhere: bool, has_numbers: bool) -> Meaning:
    """Return the meaning of a verdict; `differs`: at sizes that it speaks of; `elsewhere`: at any that were tried."""
    if not has_numbers:
        return Meaning.NOT_RUN
    match verdict:
        case Proved():
            return Meaning.UNSOUND if differs else Meaning.PROVED
        case Bounded():
            return Meaning.UNSOUND if differs else Meaning.MISSED if elsewhere else Meaning.BOUNDED
        case Refuted():
            return Meaning.REFUTED if differs else Meaning.LACKS_AXIOM
        case Unknown():
            return Meaning.MISSED if differs else Meaning.UNKNOWN


def _reason(verdict: Verdict) -> str:
    match verdict:
        case Proved():
            return ""
        case Bounded(sizes=sizes):
            return "; ".join(_sizes(each) for each in sizes)
        case Refuted() as r:
            element = f"argument {r.output} at {[*r.element]}{_sizes(r.sizes) and ', ' + _sizes(r.sizes)}"
            return f"{element}: {r.before.text} became {r.after.text}"
        case Unknown(reason=reason):
            return reason


def _sizes(sizes: object) -> str:
    assert hasattr(sizes, "items")
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())
