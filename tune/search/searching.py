"""The search: races candidates against the fastest trial, and times the winner against the default plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from random import Random
from typing import TYPE_CHECKING

from ...diagnostics import fail
from ..measure.protocol import Failure, Measured, Options
from ..space import Built, Point, Space
from .exploring import Candidate, Explorer, Refusal, key_of
from .knowledge import Knowledge
from .protocol import BUDGET, EARLY_STOPPING, NO_PRIOR, TRIALS, Measure, Outcome, PlainSpace, Prior, Trial
from .racing import DOUBLINGS, FIRST_PAIRS, merged, survivors
from .strategies import strategy_named, unique
from .winner import REFUTED, confirmed, proof_of

if TYPE_CHECKING:
    from collections.abc import Generator

BATCH = 8
"""Candidates that are proposed at a time; the next ones are proposed with the results of these."""
SEARCHED_SHARE = 0.9
"""The share of a budget after which no candidate is started: the rest is for timing the winner beside the default."""


def search(
    space: Space,
    measure: Measure,
    *,
    trials: int,
    budget: float | None = None,
    seed: int = 0,
    clock: Callable[[], float] = time.monotonic,
    known: Sequence[Trial] = (),
    starts: Sequence[Point] = (),
    early_stopping: int | None = None,
    prior: Prior | None = None,
    strategy: str = "default",
    exclude_default: bool = False,
    options: Options | None = None,
    on_trial: Callable[[Trial], None] | None = None,
) -> Outcome:
    """Search a space for its fastest point; `Search` describes the arguments.

    Raises TilewrightError TW0831 for an unknown strategy, and what `measure` raises.
    """
    found = Search(
        space,
        measure,
        trials=trials,
        budget=budget,
        seed=seed,
        clock=clock,
        known=known,
        starts=starts,
        early_stopping=early_stopping,
        prior=prior,
        strategy=strategy,
        exclude_default=exclude_default,
        options=options,
        on_trial=on_trial,
    )
    found.advance(trials)
    return found.finish()


class Search:
    """A search that can be continued: `advance` measures some further trials, `finish` times the winner.

    `trials` is the total number of trials, including the `known` ones, which come from this machine and are not
    measured again. `starts` are points to begin with, such as those of another machine's records. `budget` is in
    seconds of `clock`. `early_stopping` ends the search after so many trials without a faster one. `prior` predicts
    seconds; None predicts the same time for all points. With `exclude_default` point 0 is `space.plain`, the function
    without a schedule, and the default plan is no candidate. `on_trial` is called for each new trial, and again with
    the same number when it has more samples.

    The trials are determined by the seed, the space, the prior, the known trials and the measurements; the first batch
    does not depend on measurements.
    """

    def __init__(
        self,
        space: Space,
        measure: Measure,
        *,
        trials: int,
        budget: float | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        known: Sequence[Trial] = (),
        starts: Sequence[Point] = (),
        early_stopping: int | None = None,
        prior: Prior | None = None,
        strategy: str = "default",
        exclude_default: bool = False,
        options: Options | None = None,
        on_trial: Callable[[Trial], None] | None = None,
    ) -> None:
        self.space = space
        self.trials = trials
        self._measure = measure
        self._clock = clock
        self._deadline = None if budget is None else clock() + SEARCHED_SHARE * budget
        self._early_stopping = early_stopping
        self._options = options if options is not None else Options()
        self._on_trial = on_trial
        self._without_gain = 0
        self._why_ended: str | None = None
        self.knowledge = Knowledge(Explorer(space), Random(seed), prior or NO_PRIOR, seed, self._has_time)
        self._strategy = strategy_named(strategy, self.knowledge, trials)
        self._default = self._measured_default(known, exclude_default)
        self._starts = list(starts)

    # The default plan

    def _measured_default(self, known: Sequence[Trial], exclude_default: bool) -> int:
        """Return the number of the trial that all are compared with: measured first, unless it is known."""
        for trial in known:
            self.knowledge.recall(trial)
        answers = self.space.default
        if exclude_default:
            excluded = self.knowledge.explorer.build(answers)
            if isinstance(excluded, Candidate):
                self.knowledge.excluded.add(excluded.key)
            if not isinstance(self.space, PlainSpace):
                fail("TW0832", f"expected a space with plain loops, but {type(self.space).__name__} has none")
            answers = self.space.plain
        found = self.knowledge.explorer.build(answers)
        key = key_of(answers) if isinstance(found, Refusal) else found.key
        number = self.knowledge.number_of(key)
        if number is None:
            number = len(self.knowledge.trials)
            if isinstance(found, Refusal):
                self._add(answers, None, Measured("", failure=Failure.REFUSED, detail=found.detail), None)
            else:
                self._measure_new([found], None)
        self.knowledge.choose_incumbent()
        return number

    # Trials

    def advance(self, trials: int) -> str | None:
        """Measure up to so many further trials; the reason why the search is at its end, None where it is not."""
        until = min(len(self.knowledge.trials) + trials, self.trials)
        while self._why_ended is None:
            if len(self.knowledge.trials) >= self.trials:
                self._why_ended = TRIALS
            elif not self._has_time():
                self._why_ended = BUDGET
            elif self._early_stopping is not None and self._without_gain >= self._early_stopping:
                self._why_ended = EARLY_STOPPING
            elif len(self.knowledge.trials) >= until:
                break
            else:
                self._step(until - len(self.knowledge.trials))
        return self._why_ended

    def _step(self, most: int) -> None:
        """Measure one batch; the strategy's first one may be larger than others."""
        candidates = self._started() or self._strategy.propose(min(BATCH, most))
        if not candidates:
            self._why_ended = self._strategy.why_ended if self._has_time() else BUDGET
        candidates = candidates[:most]
        for begin in range(0, len(candidates), BATCH):
            if not self._has_time():
                return
            self._race(candidates[begin : begin + BATCH])

    def _started(self) -> list[Candidate]:
        """Return the new candidates among the points to begin with; points that are refused are skipped."""
        found: list[Candidate] = []
        for point in self._starts:
            candidate = self.knowledge.explorer.build(point)
            if isinstance(candidate, Candidate) and self.knowledge.is_new(candidate):
                found.append(candidate)
        self._starts = []
        return unique(found)

    def _race(self, candidates: Sequence[Candidate]) -> None:
        """Measure candidates beside the incumbent. Candidates that may be faster are measured again with twice as many
        pairs."""
        before = self.knowledge.incumbent
        numbers = self._measure_new(candidates, before)
        for doubling in range(DOUBLINGS):
            scores = {n: self.knowledge.scores[n] for n in numbers if n in self.knowledge.scores}
            beside = self.knowledge.scores[before].mean if before is not None else inf
            again = survivors(scores, beside, self.knowledge.spread)
            if not again or not self._has_time():
                break
            self._measure_again(again, before, FIRST_PAIRS << doubling)
        self._succeed(before)
        gained = self.knowledge.incumbent != before
        self._without_gain = 0 if gained else self._without_gain + len(numbers)

    def _succeed(self, before: int | None) -> None:
        """Let the best trial be the incumbent if it is faster in fresh pairs too.

        The samples by which it was chosen are biased in its favour, and because candidates are scored beside the
        incumbent, these errors would add up.
        """
        knowledge = self.knowledge
        knowledge.choose_incumbent()
        best = knowledge.incumbent
        if before is None or before not in knowledge.scores or best is None or best == before:
            return
        knowledge.incumbent = before
        if not self._has_time():
            return
        known = len(knowledge.trials[best].measured.samples)
        self._measure_again([best], before, FIRST_PAIRS << 1)
        again = knowledge.scores.get(best)
        if again is None:
            return
        fresh = knowledge.scores[best] = replace(again, logs=again.logs[known:] or again.logs)
        if fresh.mean < knowledge.scores[before].mean:
            knowledge.incumbent = best

    def _measure_new(self, candidates: Sequence[Candidate], incumbent: int | None) -> list[int]:
        """Measure new trials of candidates, as far as the budget goes, and return their numbers."""
        numbers: list[int] = []
        predicted = [self.knowledge.predicted(candidate) for candidate in candidates]
        options = replace(self._options, repeat=min(self._options.repeat, FIRST_PAIRS))
        with closing(self._outcomes(candidates, incumbent, options)) as outcomes:
            for candidate, seconds, measured in zip(candidates, predicted, outcomes, strict=False):
                numbers.append(len(self.knowledge.trials))
                self._add(candidate.point, candidate.built, measured, seconds)
                if not self._has_time():
                    break
        return numbers

    def _measure_again(self, numbers: Sequence[int], incumbent: int | None, pairs: int) -> None:
        trials = [self.knowledge.trials[number] for number in numbers]
        candidates = [found for n in numbers if isinstance(found := self.knowledge.candidate(n), Candidate)]
        options = replace(self._options, repeat=pairs)
        with closing(self._outcomes(candidates, incumbent, options)) as outcomes:
            for trial, measured in zip(trials, outcomes, strict=False):
                self._report(self.knowledge.measured_again(trial, merged(trial.measured, measured)))
                if not self._has_time():
                    break

    def _outcomes(
        self, candidates: Sequence[Candidate], incumbent: int | None, options: Options
    ) -> Generator[Measured, None, None]:
        """Yield the outcomes of candidates, one for each. Raises TilewrightError TW0833 where the measure gives
        fewer."""
        beside: Built | None = None
        if incumbent is not None and isinstance(found := self.knowledge.candidate(incumbent), Candidate):
            beside = found.built
        count = 0
        for measured in self._measure([candidate.built for candidate in candidates], beside, options):
            count += 1
            yield measured
        if count != len(candidates):
            fail("TW0833", f"expected {len(candidates)} outcomes of measurements, but got {count}")

    def _add(self, point: Point, built: Built | None, measured: Measured, predicted: float | None) -> None:
        self._report(self.knowledge.add(point, built, measured, predicted))

    def _report(self, trial: Trial) -> None:
        if self._on_trial is not None:
            self._on_trial(trial)

    def _has_time(self) -> bool:
        return self._deadline is None or self._clock() < self._deadline

    # The winner

    def finish(self) -> Outcome:
        """Time the fastest trials beside the default, and prove the schedule of the one that wins."""
        default = self.knowledge.trials[self._default]
        best, ratio = confirmed(self.knowledge, default, self._measure, self._options)
        proof = self._proof(best, default)
        if proof.startswith(REFUTED):  # it computes something else: its samples are of another program
            best = default
        trials = tuple(self.knowledge.trials)
        return Outcome(best, default, trials, self._why_ended or TRIALS, proof, ratio)

    def _proof(self, best: Trial, default: Trial) -> str:
        """Return the verdict of the prover on the winner; none for the default schedule, with which nothing changes."""
        if best.number == default.number:
            return ""
        found = self.knowledge.candidate(best.number)
        return proof_of(self.space, found.built) if isinstance(found, Candidate) else f"not proved: {found.detail}"
