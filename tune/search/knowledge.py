"""The knowledge of a search: its trials, their scores, and the models that are fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite, log, nan
from random import Random

import numpy as np
from numpy.typing import NDArray

from ...diagnostics import TilewrightError
from ..measure.protocol import Measured
from ..space import Built, Point
from .exploring import Candidate, Explorer, Refusal, key_of
from .features import Vector, features_of
from .protocol import NO_PRIOR, CountingPrior, Prior, Trial
from .racing import Score, best_of, score_of, spread_of
from .residual import ResidualModel

UNCERTAINTY = 1.0
"""Standard deviations by which a candidate is ranked better than it is predicted: the unknown is worth a trial."""
FAILURE_PENALTY = 3.0
"""The logarithm by which a candidate is ranked worse that is sure to fail."""


@dataclass
class Knowledge:
    """Trials by number, and the scores and models derived from them."""

    explorer: Explorer
    random: Random
    prior: Prior = NO_PRIOR
    seed: int = 0
    has_time: Callable[[], bool] = lambda: True
    """Return False where the budget is spent: nothing more is built then."""
    excluded: set[str] = field(default_factory=set[str])
    """Keys of points that are never tried."""
    trials: list[Trial] = field(default_factory=list[Trial])
    scores: dict[int, Score] = field(default_factory=dict[int, Score])
    """The scores of trials that have a time; duplicates of a program have none."""
    incumbent: int | None = None
    _numbers: dict[str, int] = field(default_factory=dict[str, int])
    _names: dict[str, int] = field(default_factory=dict[str, int])
    _vectors: dict[int, Vector] = field(default_factory=dict[int, Vector])
    _priors: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def has_prior(self) -> bool:
        """Return False where the model is the constant."""
        return self.prior is not NO_PRIOR

    @property
    def spread(self) -> float:
        """The standard deviation of log ratios on this machine."""
        return spread_of(self.scores.values())

    def is_new(self, candidate: Candidate | Refusal) -> bool:
        """Return True for a candidate that may be tried: it is none of the trials."""
        return (
            isinstance(candidate, Candidate)
            and candidate.key not in self._numbers
            and candidate.key not in self.excluded
        )

    def number_of(self, key: str) -> int | None:
        """Return the trial of a point."""
        return self._numbers.get(key)

    def add(self, point: Point, built: Built | None, measured: Measured, predicted: float | None) -> Trial:
        """Return a new trial. A program that was measured before under another point gets a trial, and no score."""
        return self._added(Trial(len(self.trials), dict(point), built, measured, predicted), measured)

    def recall(self, known: Trial) -> None:
        """Add a trial of an earlier search, unless its point is known. Its samples count without the incumbent of that
        search, whose time in this one is not known."""
        if key_of(known.point) not in self._numbers:
            self._added(replace(known, number=len(self.trials)), replace(known.measured, paired=()))

    def _added(self, trial: Trial, rated: Measured) -> Trial:
        self.trials.append(trial)
        self._numbers[key_of(trial.point)] = trial.number
        if not rated.name or rated.name not in self._names:
            self._rate(trial.number, rated)
        if rated.name:
            self._names.setdefault(rated.name, trial.number)
        return trial

    def measured_again(self, trial: Trial, measured: Measured) -> Trial:
        """Return the trial with more samples, or with a failure that came later."""
        trial = replace(trial, measured=measured)
        self.trials[trial.number] = trial
        if self.scores.pop(trial.number, None) is not None:
            self._rate(trial.number, measured)
        return trial

    def _rate(self, number: int, measured: Measured) -> None:
        beside = self.scores.get(self.incumbent) if self.incumbent is not None else None
        score = score_of(measured, beside.mean if beside is not None else None)
        if score is not None:
            self.scores[number] = score

    def choose_incumbent(self) -> None:
        """Make the fastest trial the incumbent, beside which others are timed."""
        present = self.incumbent if self.incumbent in self.scores else None
        self.incumbent = best_of(self.scores, self.spread, present)

    def leaders(self, count: int | None = None) -> list[int]:
        """Return the fastest trials, best first."""
        return sorted(self.scores, key=lambda number: (self.scores[number].mean, number))[:count]

    def candidate(self, number: int) -> Candidate | Refusal:
        """Return the candidate of a trial, built again where it comes from a record."""
        trial = self.trials[number]
        if trial.built is not None:
            return Candidate(key_of(trial.point), trial.built)
        return self.explorer.build(trial.point)

    # Predictions

    def prior_log(self, candidate: Candidate) -> float:
        """Return the logarithm of the seconds that the prior gives; infinity where it knows nothing of the
        candidate."""
        if candidate.key not in self._priors:
            try:
                seconds = self.prior(candidate.built)
            except TilewrightError:
                seconds = nan
            self._priors[candidate.key] = log(seconds) if isfinite(seconds) and seconds > 0 else inf
        return self._priors[candidate.key]

    def vector(self, candidate: Candidate) -> Vector:
        """Return the features of a candidate, with the counts of the prior where it gives them."""
        counts: Mapping[str, float] = {}
        if isinstance(self.prior, CountingPrior) and isfinite(self.prior_log(candidate)):
            counts = self.prior.counts(candidate.built)
        return features_of(candidate.point, counts)

    def draft(self, points: Sequence[Point]) -> NDArray[np.float64]:
        """Rank points, which need not be built, by the measurements alone: the less the better."""
        trials = [trial for trial in self.trials if trial.number in self.scores or self._is_failure(trial)]
        logs = [self.scores[t.number].mean if t.number in self.scores else nan for t in trials]
        model = ResidualModel([features_of(trial.point) for trial in trials], logs, self.seed)
        return _rank(np.zeros(len(points)), model, [features_of(point) for point in points])

    def promise(self, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Rank candidates by the prior, corrected by the trials: the less the better.

        Trials from records have no built candidate that the prior could predict, so they do not correct it.
        """
        if not self.has_prior:
            return self.draft([candidate.point for candidate in candidates])
        vectors: list[Vector] = []
        logs: list[float] = []
        for trial in self.trials:
            known = Candidate(key_of(trial.point), trial.built) if trial.built is not None else None
            if known is None or not (trial.number in self.scores or self._is_failure(trial)):
                continue
            predicted = self.prior_log(known)
            if isfinite(predicted):
                vectors.append(self._vector_of(trial, known))
                score = self.scores.get(trial.number)
                logs.append(nan if score is None else score.mean - predicted)
        base = np.array([self.prior_log(candidate) for candidate in candidates])
        if not np.isfinite(base).any():
            return self.draft([candidate.point for candidate in candidates])
        return _rank(base, ResidualModel(vectors, logs, self.seed), [self.vector(c) for c in candidates])

    def _vector_of(self, trial: Trial, candidate: Candidate) -> Vector:
        if trial.number not in self._vectors:
            self._vectors[trial.number] = self.vector(candidate)
        return self._vectors[trial.number]

    @staticmethod
    def _is_failure(trial: Trial) -> bool:
        return trial.seconds == inf

    def predicted(self, candidate: Candidate) -> float | None:
        """Return the seconds of the prior, for the record of a trial; None without a prior."""
        if not self.has_prior:
            return None
        found = self.prior_log(candidate)
        return float(np.exp(found)) if isfinite(found) else None


def _rank(base: NDArray[np.float64], model: ResidualModel, vectors: Sequence[Vector]) -> NDArray[np.float64]:
    if not vectors:
        return base
    found = model.predict(vectors)
    rank: NDArray[np.float64] = base + found.mean - UNCERTAINTY * found.deviation + FAILURE_PENALTY * found.failing
    return rank
