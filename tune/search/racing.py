"""Racing: few pairs for all candidates, more for those that may still win.

A candidate and the incumbent are timed alternately, so that both see the same load; the logarithm of each pair's ratio
is a sample. The variance of samples is pooled over all candidates of a search, because noise is a property of the
machine, and three samples of one candidate are too few to estimate it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite, log, sqrt
from statistics import median

from ..measure.protocol import Measured

FIRST_PAIRS = 3
DOUBLINGS = 2
"""The number of doublings of the number of pairs after which a race ends."""
MOST_SURVIVORS = 4
BOUND = 2.0
"""Standard errors to each side of a median: 95 % of a normal distribution."""
MEDIAN_ERROR = 1.2533
"""The standard error of a median over that of a mean, sqrt(pi / 2), which is also the standard deviation of a normal
distribution over its mean absolute deviation."""
ASSUMED_SPREAD, ASSUMED_WEIGHT = 0.03, 6.0
"""The spread of log ratios before any is known, and the number of samples that it counts for."""


@dataclass(frozen=True)
class Score:
    """The time of a candidate, from pairs with one incumbent."""

    base: float
    """The logarithm of the incumbent's seconds; 0 where samples are not paired."""
    logs: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The logarithm of the candidate's seconds: the median of its samples."""
        return self.base + median(self.logs)

    def error(self, spread: float) -> float:
        """Return the standard error of `mean`."""
        return MEDIAN_ERROR * spread / sqrt(len(self.logs))


def score_of(measured: Measured, incumbent: float | None) -> Score | None:
    """Return the score of a measurement beside an incumbent with `incumbent` log seconds; None where there is no valid
    sample.

    One sample that is NaN or not above 0 makes all of them invalid: the clock or the program is at fault.
    """
    if measured.failure is not None or not measured.samples:
        return None
    if not all(isfinite(x) and x > 0 for x in (*measured.samples, *measured.paired)):
        return None
    if incumbent is None or not measured.paired:
        return Score(0.0, tuple(log(x) for x in measured.samples))
    return Score(incumbent, tuple(log(ratio) for ratio in measured.ratios))


def spread_of(scores: Iterable[Score]) -> float:
    """Return the pooled standard deviation of log ratios, from mean absolute deviations, which outliers do not rule."""
    deviation, weight = ASSUMED_WEIGHT * ASSUMED_SPREAD, ASSUMED_WEIGHT
    for score in scores:
        middle = median(score.logs)
        deviation += MEDIAN_ERROR * sum(abs(x - middle) for x in score.logs)
        weight += len(score.logs) - 1
    return deviation / weight


def survivors(scores: Mapping[int, Score], incumbent: float, spread: float) -> list[int]:
    """Return the candidates that further pairs are for, best first: not surely slower than the incumbent or than the
    best.

    Nothing is left to find out where one candidate alone remains that is surely faster than the incumbent.
    """
    if not scores:
        return []
    upper = {number: score.mean + BOUND * score.error(spread) for number, score in scores.items()}
    bar = min(incumbent, *upper.values())
    alive = [n for n, score in scores.items() if score.mean - BOUND * score.error(spread) <= bar]
    alive.sort(key=lambda n: (scores[n].mean, n))
    if len(alive) == 1 and upper[alive[0]] < incumbent:
        return []
    return alive[:MOST_SURVIVORS]


def merged(one: Measured, other: Measured) -> Measured:
    """Return both measurements of a program as one; a failure is that of the later."""
    if other.failure is not None:
        return other
    are_paired = bool(one.paired) and bool(other.paired)
    return replace(other, samples=one.samples + other.samples, paired=one.paired + other.paired if are_paired else ())


def best_of(scores: Mapping[int, Score], spread: float, incumbent: int | None) -> int | None:
    """Return the candidate that is to be the incumbent: the present one, unless another is faster by more than its
    error."""
    if not scores:
        return incumbent
    best = min(scores, key=lambda n: (scores[n].mean, n))
    if incumbent is None or incumbent not in scores:
        return best
    return best if scores[best].mean + scores[best].error(spread) < scores[incumbent].mean else incumbent
