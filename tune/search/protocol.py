"""The protocol of search: priors predict times, measures take them, and the result is trials and an outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import median
from typing import Protocol, runtime_checkable

from ..measure.protocol import Measured, Options
from ..space import Built, Point, Space


class Prior(Protocol):
    """Predicts the time of a candidate without running it."""

    def __call__(self, built: Built) -> float:
        """Return the seconds; NaN or infinity where nothing is known of the candidate, which is then tried last."""
        ...


@runtime_checkable
class CountingPrior(Protocol):
    """A prior that also returns the terms of its prediction, as features of the residual model."""

    def counts(self, built: Built) -> Mapping[str, float]:
        """Return counts by name, such as bytes from each cache; their logarithms become features."""
        ...


class Measure(Protocol):
    """Compiles candidates and times them, alternating with the incumbent."""

    def __call__(self, candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
        """Yield one outcome for each candidate, in order. A candidate that fails is an outcome; its cause is in
        `failure`.

        The search passes the same candidate again where its first samples are not conclusive. `options.repeat` is the
        number of pairs.
        """
        ...


@runtime_checkable
class PlainSpace(Space, Protocol):
    """A space with `plain`, the function without a schedule, among its points."""

    @property
    def plain(self) -> Point:
        """The point at which no block is scheduled."""
        ...


@dataclass(frozen=True)
class Trial:
    """A point that was tried."""

    number: int
    """Counts from 0, the default plan."""
    point: Point
    """The full point; the given answers where building was refused."""
    built: Built | None
    """None where building was refused, or where the trial comes from a record."""
    measured: Measured
    """All samples of the trial. `failure` is set where it was refused, crashed or gave a wrong result."""
    predicted: float | None
    """Seconds that were expected before measuring; None without a prior and without a model."""

    @property
    def seconds(self) -> float:
        """The median of the samples; infinity where there is none, or one is no positive number."""
        samples = self.measured.samples
        if self.measured.failure is not None or not samples or not all(isfinite(x) and x > 0 for x in samples):
            return float("inf")
        return median(samples)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a search."""

    best: Trial
    """The default, unless the 95 % interval of this trial's time over the default's is below 1."""
    default: Trial
    trials: tuple[Trial, ...]
    """Known ones first, then those of this search in the order in which they were measured."""
    why_ended: str
    """One of the names below."""
    proof: str = ""
    """The verdict of the prover on the schedule of `best`: "proved", or the reason why it is not; empty where
    that is the default schedule."""
    ratio: tuple[float, float, float] | None = None
    """The median and the 95 % interval of the time of the best candidate over that of the default, measured in turns at
    the end; None where there was no candidate."""


TRIALS = "trials"
BUDGET = "budget"
SPACE = "space"
NOTHING_NEW = "nothing new"
"""The search gave up after a long run of refused or known points; the space may have more points."""
EARLY_STOPPING = "early stopping"
NO_BETTER_NEIGHBOUR = "no better neighbour"


def NO_PRIOR(built: Built) -> float:
    """Predict one second for all candidates: the search learns from measurements alone."""
    return 1.0
