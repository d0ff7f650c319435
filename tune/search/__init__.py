"""Search: points of a space are proposed, raced beside the fastest one, and the winner is timed beside the default.

| module | subject |
|---|---|
| `searching` | the loop: batches, races, limits, the outcome |
| `strategies` | the points to measure next |
| `exploring` | random points, neighbours, enumeration |
| `racing` | the scores of paired samples |
| `residual`, `features` | the model of measured over predicted time |
| `cost_prior` | the cost model as a prior |
| `winner` | the last comparison with the default, and the proof |
| `allocation` | the trials of each task of a model |
"""

from __future__ import annotations

from .allocation import Progress, allocate
from .cost_prior import CostPrior, prior_for
from .protocol import NO_PRIOR, CountingPrior, Measure, Outcome, PlainSpace, Prior, Trial
from .searching import Search, search
from .strategies import STRATEGIES

__all__ = [
    "NO_PRIOR",
    "STRATEGIES",
    "CostPrior",
    "CountingPrior",
    "Measure",
    "Outcome",
    "PlainSpace",
    "Prior",
    "Progress",
    "Search",
    "Trial",
    "allocate",
    "prior_for",
    "search",
]
