"""The median of a sample and its interval.

The interval lies between two order statistics, which assumes nothing about the distribution but that samples are
independent: for sorted x, [x_j, x_(n+1-j)] with the largest j for which a binomial variable of n fair coins is below j
with a probability of at most 2.5 % (Conover, Practical Nonparametric Statistics, 3.2). It covers the median with a
probability of at least 95 %. Fewer than six samples have no such interval; then it is the whole range, and `level` is
the probability that the range covers the median.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

TAIL = 0.025


@dataclass(frozen=True)
class Estimate:
    """A median with its interval."""

    median: float
    low: float
    high: float
    level: float
    """The probability that the interval covers the median."""
    samples: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """Return the estimate from independent samples, at least one."""
        ordered = sorted(values)
        count = len(ordered)
        rank = max(interval_rank(count), 1)
        level = 1 - 2 * below(rank, count)
        return cls(median(ordered), ordered[rank - 1], ordered[count - rank], level, count)

    def __str__(self) -> str:
        return f"{self:.2f}"

    def __format__(self, number: str) -> str:
        """Return the median and the interval, each in the format of numbers that is given."""
        return f"{self.median:{number}} [{self.low:{number}}, {self.high:{number}}]" if number else str(self)


def interval_rank(count: int) -> int:
    """Return the largest rank j that leaves at most 2.5 % below x_j; 0 where there is none."""
    rank = 0
    while below(rank + 1, count) <= TAIL:
        rank += 1
    return rank


def below(rank: int, count: int) -> float:
    """Return the probability that fewer than `rank` of `count` samples lie below the median."""
    return sum(comb(count, k) for k in range(rank)) / 2**count
