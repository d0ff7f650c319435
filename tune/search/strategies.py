"""Strategies: the choice of the points to measure next.

| name | proposes |
|---|---|
| default | diverse points that the prior ranks best, then neighbours of the fastest trials, ranked by the models |
| random | random points |
| gridsearch | all points in their order |
| ga | children of fast trials: answers of two parents, one changed in ten |
| droplet | adjacent values of each decision of the fastest trial, until none is faster |
| model | points that the model ranks best among random ones and neighbours of the fastest trials |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from ...diagnostics import fail
from .exploring import Candidate, Explorer, Move, Refusal
from .features import diverse, features_of
from .knowledge import Knowledge
from .protocol import NO_BETTER_NEIGHBOUR, NOTHING_NEW, SPACE

SHARES = (1.0, 0.5, 0.25)
"""The probabilities with which decisions of drawn points are changed, used in rotation: far from the default, and near
it."""
MOST_DRAWS = 64
"""The number of draws without a new point after which a strategy gives up drawing."""
MOST_SCANNED = 2000
"""The number of points, built or refused, that are enumerated in search of a new one before the search gives up."""
MOST_MOVES = 32
"""Values of one decision that are ranked at a time."""
LEADERS = 3
LEAST_DISTANCE = 0.4
"""The distance between the proposals of one batch: half of the difference between two names."""
MOST_INITIAL, PRIOR_INITIAL = 48, 16
"""Points of the first batch, without and with a prior, at most."""


class Strategy(Protocol):
    """Proposes candidates."""

    why_ended: str
    """The reason why `propose` gives nothing."""

    def propose(self, count: int) -> list[Candidate]:
        """Return up to `count` new candidates; none where the strategy is at its end."""
        ...


class Sources:
    """The sources of new candidates that strategies share."""

    why_ended = SPACE

    def __init__(self, knowledge: Knowledge, trials: int) -> None:
        self.knowledge = knowledge
        self.trials = trials
        self._rest: Iterator[Candidate | Refusal] = self.explorer.all_points()
        self._scanned = 0
        self._tried: set[tuple[int, str, str]] = set()

    @property
    def explorer(self) -> Explorer:
        """The points of the space."""
        return self.knowledge.explorer

    def drawn(self, count: int, shares: Sequence[float] = (1.0,), attempts: int = MOST_DRAWS) -> list[Candidate]:
        """Return new random candidates, as many as `attempts` draws find."""
        found: dict[str, Candidate] = {}
        for attempt in range(attempts):
            if len(found) == count or not self.knowledge.has_time():
                break
            candidate = self.explorer.draw(self.knowledge.random, {}, shares[attempt % len(shares)])
            if isinstance(candidate, Candidate) and self.knowledge.is_new(candidate):
                found[candidate.key] = candidate
        return list(found.values())

    def remaining(self, count: int) -> list[Candidate]:
        """Return new candidates in the order of the space."""
        found: list[Candidate] = []
        while len(found) < count:
            if self._scanned >= MOST_SCANNED + self.trials:
                self.why_ended = NOTHING_NEW
                break
            candidate = next(self._rest, None) if self.knowledge.has_time() else None
            if candidate is None:
                break
            self._scanned += 1
            if isinstance(candidate, Candidate) and self.knowledge.is_new(candidate):
                self._scanned = 0
                found.append(candidate)
        return found

    def open_moves(self, number: int) -> list[Move]:
        """Return the moves from a trial that were not tried yet."""
        base = self.knowledge.candidate(number)
        if isinstance(base, Refusal):
            return []
        return [move for move in self.explorer.moves(base) if _id(number, move) not in self._tried]

    def moved(self, number: int, move: Move) -> Candidate | None:
        """Return the new candidate that a move makes of a trial; it is not tried again."""
        self._tried.add(_id(number, move))
        base = self.knowledge.candidate(number)
        found = base if isinstance(base, Refusal) else self.explorer.changed(base, move)
        return found if isinstance(found, Candidate) and self.knowledge.is_new(found) else None

    def neighbours(self, numbers: Sequence[int], count: int) -> list[Candidate]:
        """Return new neighbours of trials, ranked by the model of the measurements; only the returned ones are
        built."""
        moves = [(number, move) for number in numbers for move in self._some_moves(number)]
        points = [{**self.knowledge.trials[n].point, move.decision.key: move.value} for n, move in moves]
        found: dict[str, Candidate] = {}
        for i in np.argsort(self.knowledge.draft(points), kind="stable"):
            if len(found) == count or not self.knowledge.has_time():
                break
            candidate = self.moved(*moves[i])
            if candidate is not None:
                found[candidate.key] = candidate
        return list(found.values())

    def _some_moves(self, number: int) -> list[Move]:
        """Open moves, of each decision the nearest values and some others: a model ranks all of them each time."""
        by_decision: dict[str, list[Move]] = {}
        for move in self.open_moves(number):
            by_decision.setdefault(move.decision.key, []).append(move)
        found: list[Move] = []
        for moves in by_decision.values():
            near, far = moves[: MOST_MOVES // 2], moves[MOST_MOVES // 2 :]
            found += [*near, *self.knowledge.random.sample(far, min(len(far), MOST_MOVES // 2))]
        return found

    def best_diverse(self, candidates: Sequence[Candidate], count: int, least: float) -> list[Candidate]:
        """Return the most promising candidates at a distance from one another."""
        each = unique(candidates)
        order = np.argsort(self.knowledge.promise(each), kind="stable").tolist()
        vectors = [features_of(candidate.point) for candidate in each]
        return [each[i] for i in diverse(order, vectors, count, least)]


def unique(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates, each point once."""
    return list({candidate.key: candidate for candidate in candidates}.values())


def _id(number: int, move: Move) -> tuple[int, str, str]:
    return number, move.decision.key, repr(move.value)


class Default(Sources):
    """The prior's best candidates, then coordinate descent from the fastest trials (Droplet: Zhang et al., TACO 2023).

    One proposal in four is a random point, the best by the models of several.
    """

    def __init__(self, knowledge: Knowledge, trials: int) -> None:
        super().__init__(knowledge, trials)
        self._has_started = False

    def propose(self, count: int) -> list[Candidate]:
        """Return the first batch, then neighbours of leaders; where these are exhausted, of all trials, then any
        points."""
        if not self._has_started:
            self._has_started = True
            most = PRIOR_INITIAL if self.knowledge.has_prior else MOST_INITIAL
            initial = self._initial(min(max(self.trials // 4, 4), most))
            if initial:
                return initial
        return self._descent(count) or self.drawn(count) or self.remaining(count)

    def _initial(self, count: int) -> list[Candidate]:
        """Return the candidates of the first batch: they depend on the space, the seed and the prior alone."""
        times = 3 if self.knowledge.has_prior else 1
        moved = self._moved_from_start(count * times)
        drawn = self.drawn(count * times, self._shares(), attempts=2 * count * times)
        if self.knowledge.has_prior:
            return self.best_diverse([*moved, *drawn], count, least=2.0)
        return unique([*moved[: max(count // 2, count - len(drawn))], *drawn])[:count]

    def _shares(self) -> Sequence[float]:
        """Return the shares of draws: none near the default where the default is excluded."""
        return (1.0,) if self.knowledge.excluded else SHARES

    def _moved_from_start(self, count: int) -> list[Candidate]:
        """Return candidates that differ from point 0 in one decision, taken round-robin over the decisions."""
        by_decision: dict[str, list[Move]] = {}
        for move in self.open_moves(0) if self.knowledge.trials else []:
            by_decision.setdefault(move.decision.key, []).append(move)
        for moves in by_decision.values():
            self.knowledge.random.shuffle(moves)
        found: dict[str, Candidate] = {}
        for turn in range(max(map(len, by_decision.values()), default=0)):
            for moves in by_decision.values():
                if len(found) < count and turn < len(moves) and (moved := self.moved(0, moves[turn])) is not None:
                    found[moved.key] = moved
        return list(found.values())

    def _descent(self, count: int) -> list[Candidate]:
        leaders = self.knowledge.leaders()
        near = self.neighbours(leaders[:LEADERS], 2 * count)
        for number in leaders[LEADERS:]:
            if len(near) >= count:
                break
            near += self.neighbours([number], count - len(near))
        far = self.best_diverse(self.drawn(count // 2, self._shares(), attempts=count), count // 4, LEAST_DISTANCE)
        return unique([*self.best_diverse(near, count - len(far), LEAST_DISTANCE), *far])


class Random(Sources):
    """Random points; where draws find nothing new, the points in their order."""

    def propose(self, count: int) -> list[Candidate]:
        """Return random candidates."""
        return self.drawn(count) or self.remaining(count)


class Grid(Sources):
    """All points in their order."""

    def propose(self, count: int) -> list[Candidate]:
        """Return the next candidates of the space."""
        return self.remaining(count)


class Genetic(Sources):
    """Children of the fastest trials: each answer from one of two parents, one answer in ten drawn anew."""

    POPULATION = 32
    MUTATION = 0.1

    def propose(self, count: int) -> list[Candidate]:
        """Return random candidates until there is a population, then children; random ones where these are not new."""
        parents = self.knowledge.leaders(self.POPULATION)
        if len(parents) < min(self.POPULATION, self.trials // 4):
            return self.drawn(count) or self.remaining(count)
        found: dict[str, Candidate] = {}
        for _ in range(4 * count):
            if len(found) == count:
                break
            child = self._child(parents)
            if child is not None and self.knowledge.is_new(child):
                found[child.key] = child
        return list(found.values()) or self.drawn(count) or self.remaining(count)

    def _child(self, parents: Sequence[int]) -> Candidate | None:
        random = self.knowledge.random
        weights = [1.0 / (1 + rank) for rank in range(len(parents))]
        one, other = (self.knowledge.candidate(n) for n in random.choices(parents, weights, k=2))
        if isinstance(one, Refusal) or isinstance(other, Refusal):
            return None
        child: Candidate = one
        for key, value in other.point.items():
            mutates = random.random() < self.MUTATION
            decision = next((d for d in child.built.decisions if d.key == key), None)
            if decision is None or not (mutates or random.random() < 0.5):
                continue
            wanted = random.choice(decision.candidates) if mutates else value
            if wanted != decision.value and wanted in decision.candidates:
                moved = self.explorer.changed(child, Move(decision, wanted, False))
                child = moved if isinstance(moved, Candidate) else child
        return child


class Droplet(Sources):
    """Coordinate descent from point 0: adjacent values of each decision of the fastest trial, until none is faster."""

    why_ended = NO_BETTER_NEIGHBOUR

    def propose(self, count: int) -> list[Candidate]:
        """Return adjacent neighbours of the incumbent, decisions in their order."""
        number = self.knowledge.incumbent
        found: dict[str, Candidate] = {}
        for move in self.open_moves(number) if number is not None else []:
            if len(found) == count:
                break
            if move.is_adjacent and (moved := self.moved(number or 0, move)) is not None:
                found[moved.key] = moved
        return list(found.values())


class ModelRanked(Sources):
    """The most promising of random candidates and neighbours; one in ten is the next random one."""

    POOL = 4

    def propose(self, count: int) -> list[Candidate]:
        """Return candidates as the model ranks them; random ones before there are trials."""
        drawn = self.drawn(self.POOL * count // 2, attempts=self.POOL * count)
        if len(self.knowledge.scores) < 4 and drawn:
            return drawn[:count]
        near = self.neighbours(self.knowledge.leaders(LEADERS), self.POOL * count // 2)
        unranked = drawn[: count // 10]
        ranked = self.best_diverse([*near, *drawn[len(unranked) :]], count - len(unranked), LEAST_DISTANCE)
        return unique([*ranked, *unranked]) or self.remaining(count)


STRATEGIES: Mapping[str, Callable[[Knowledge, int], Strategy]] = {
    "default": Default,
    "random": Random,
    "gridsearch": Grid,
    "ga": Genetic,
    "droplet": Droplet,
    "model": ModelRanked,
}
"""Name -> the strategy of a search with so many trials."""


def strategy_named(name: str, knowledge: Knowledge, trials: int) -> Strategy:
    """Return the strategy of a name. Raises TilewrightError TW0831 where there is none."""
    if name not in STRATEGIES:
        fail("TW0831", f"expected a strategy of search ({', '.join(STRATEGIES)}), but got {name!r}")
    return STRATEGIES[name](knowledge, trials)
