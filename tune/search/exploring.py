"""Walks in a search space: random points, neighbours, and all points one after the other.

Decisions are conditional: the answer to one determines which decisions follow. So a changed point is built by answering
decisions in the order in which they are asked. An answer that no longer fits is dropped, and its decision gets its
default. Each operation bounds the number of points that it builds.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ...schedule.decisions import Value
from ..space import Built, Decision, Point, Space

KEPT = 512
"""Built points that are kept for the next question."""
MOST_BUILDS_OF_DRAW = 48
"""Builds after which a drawn point takes defaults for its remaining decisions."""


def key_of(point: Point) -> str:
    """Return the text that identifies answers: JSON, so that 1 and True differ and lists and tuples do not."""
    return json.dumps(dict(point), sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True)
class Refusal:
    """The reason why a point has no program."""

    detail: str


@dataclass(frozen=True)
class Candidate:
    """A built point with its key."""

    key: str
    built: Built

    @property
    def point(self) -> Point:
        """The full point."""
        return self.built.point


@dataclass(frozen=True)
class Move:
    """One decision of a point with another value."""

    decision: Decision
    value: Value
    is_adjacent: bool
    """True where the value stands beside the present one, in order of size for numbers."""


class Explorer:
    """The points of a space, built on demand and kept."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.builds = 0
        """Calls of the space's `build` so far."""
        self._kept: OrderedDict[str, Candidate | Refusal] = OrderedDict()

    def build(self, answers: Point) -> Candidate | Refusal:
        """Return the candidate for these answers, or the reason why there is none.

        Any exception of `build` is a refusal: a rule that fails for one point ends no search.
        """
        key = key_of(answers)
        if (known := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return known
        self.builds += 1
        try:
            built = self.space.build(dict(answers))
        except Exception as error:
            return self._keep(key, Refusal(f"{type(error).__name__}: {error}".splitlines()[0]))
        candidate = Candidate(key_of(built.point), built)
        self._keep(candidate.key, candidate)
        return self._keep(key, candidate)

    def _keep(self, key: str, found: Candidate | Refusal) -> Candidate | Refusal:
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def changed(self, candidate: Candidate, move: Move) -> Candidate | Refusal:
        """Return the candidate with one decision changed. Later answers that do not fit any more return to their
        defaults."""
        decisions = candidate.built.decisions
        position = next(i for i, decision in enumerate(decisions) if decision.key == move.decision.key)
        before = {decision.key: decision.value for decision in decisions[:position]}
        answers = {**before, move.decision.key: move.value}
        later = {decision.key: decision.value for decision in decisions[position + 1 :]}
        whole = self.build({**answers, **later})
        if isinstance(whole, Candidate):
            return whole
        return self._with_fitting(answers, later)

    def _with_fitting(self, answers: Point, later: Point) -> Candidate | Refusal:
        """Return the candidate for `answers` and as many of the later answers as fit together, in their order."""
        base = self.build(answers)
        if isinstance(base, Refusal):
            return base
        fitting = {
            decision.key: later[decision.key]
            for decision in base.built.decisions
            if decision.key in later
            and decision.key not in answers
            and decision.value != later[decision.key]
            and _is_among(later[decision.key], decision.candidates)
        }
        if not fitting:
            return base
        found = self.build({**base.point, **fitting})
        return found if isinstance(found, Candidate) else base

    def moves(self, candidate: Candidate) -> list[Move]:
        """Return all changes of one decision, decisions in their order, nearest values first."""
        found: list[Move] = []
        for decision in candidate.built.decisions:
            ordered = in_order(decision.candidates)
            at = next(i for i, value in enumerate(ordered) if _same(value, decision.value))
            others = [(abs(i - at), value) for i, value in enumerate(ordered) if i != at]
            found += [Move(decision, value, gap == 1) for gap, value in sorted(others, key=lambda pair: pair[0])]
        return found

    def draw(self, random: Random, start: Point, share: float = 1.0) -> Candidate | Refusal:
        """Return a random point: each decision gets, with the probability `share`, any of its candidates.

        `start` are answers that hold where they fit. The values of all open decisions are drawn at once; where the
        space refuses them together, half as many are drawn, down to a single one.
        """
        builds_before = self.builds
        found = self.build(start)
        if isinstance(found, Refusal):
            return found
        decided: set[str] = set()
        count = len(found.built.decisions)
        while self.builds - builds_before < MOST_BUILDS_OF_DRAW:
            open_ = [decision for decision in found.built.decisions if decision.key not in decided]
            if not open_:
                break
            count = max(1, min(count, len(open_)))
            some = open_[:count]
            drawn = {d.key: random.choice(d.candidates) for d in some if random.random() < share}
            tried = self._with_fitting_after(found, some, drawn)
            if isinstance(tried, Candidate):
                found = tried
            if isinstance(tried, Candidate) or count == 1:  # a value that is refused alone stays as it was
                decided.update(decision.key for decision in some)
                count *= 2
            else:
                count //= 2
        return found

    def _with_fitting_after(
        self, candidate: Candidate, some: Sequence[Decision], drawn: Mapping[str, Value]
    ) -> Candidate | Refusal:
        """Return the candidate with drawn values for some decisions; later decisions have their defaults."""
        last = some[-1].key
        answers: dict[str, Value] = {}
        for decision in candidate.built.decisions:
            answers[decision.key] = drawn.get(decision.key, decision.value)
            if decision.key == last:
                break
        return self.build(answers)

    def estimated_size(self, random: Random, walks: int = 32) -> float:
        """Return the number of points, estimated from random walks from the first decision to the last.

        The weight of a walk is the product of the numbers of candidates along it, and 0 where its point is refused
        (Knuth, Estimating the Efficiency of Backtrack Programs, 1975): the mean is unbiased.
        """
        return sum(self._walked(random) for _ in range(walks)) / walks

    def _walked(self, random: Random) -> float:
        answers: dict[str, Value] = {}
        weight, position = 1.0, 0
        while isinstance(found := self.build(answers), Candidate):
            if position == len(found.built.decisions):
                return weight
            decision = found.built.decisions[position]
            answers[decision.key] = random.choice(decision.candidates)
            weight *= len(decision.candidates)
            position += 1
        return 0.0

    def all_points(self) -> Iterator[Candidate | Refusal]:
        """Yield all points, in lexicographic order of their decisions, defaults first, and the refusals between them.

        Points below a refused prefix are skipped, because only a built program shows the next decisions.
        """
        yield from self._points_below({}, 0)

    def _points_below(self, answers: Point, position: int) -> Iterator[Candidate | Refusal]:
        """Yield the points that begin with these answers, which are those of the first `position` decisions."""
        found = self.build(answers)
        if isinstance(found, Refusal) or position == len(found.built.decisions):
            yield found
            return
        decision = found.built.decisions[position]
        before = {each.key: each.value for each in found.built.decisions[:position]}
        others = [value for value in decision.candidates if not _same(value, decision.value)]
        for value in (decision.value, *others):
            yield from self._points_below({**before, decision.key: value}, position + 1)


def in_order(values: Sequence[Value]) -> list[Value]:
    """Return candidates with neighbours side by side: numbers, and tuples of as many numbers, by size; others as
    listed."""
    if all(is_number(value) for value in values):
        return sorted(values, key=_as_numbers)
    lengths = {len(value) if isinstance(value, tuple) else -1 for value in values}
    if len(lengths) == 1 and -1 not in lengths and all(is_number(x) for value in values for x in _items(value)):
        return sorted(values, key=_as_numbers)
    return list(values)


def is_number(value: Value) -> bool:
    """Return True for integers, and False for booleans among them."""
    return isinstance(value, int) and not isinstance(value, bool)


def _items(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else (value,)


def _as_numbers(value: Value) -> tuple[int, ...]:
    return tuple(x for x in _items(value) if isinstance(x, int))


def _same(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other


def _is_among(value: Value, values: Sequence[Value]) -> bool:
    return any(_same(value, each) for each in values)
