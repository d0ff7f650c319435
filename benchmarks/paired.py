"""Two programs of one process measured in turns: neighbouring runs see the same load of the machine.

This is for looking at one kernel while it is being written. `suite.py` gives each system a separate process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from harness.machine import processor as machine
from tilewright.tune.estimate import Estimate

__all__ = ["Pairs", "machine", "measure", "seconds"]


@dataclass(frozen=True)
class Pairs:
    """Wall-clock seconds of both, run by run."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def ratio(self) -> Estimate:
        """The speedup of ours over the pairs; above 1 is faster."""
        return Estimate.of([t / o for o, t in zip(self.ours, self.theirs, strict=True)])

    @property
    def speedup(self) -> float:
        """The median of `ratio`."""
        return self.ratio.median

    @property
    def median_ours(self) -> float:
        return median(self.ours)

    @property
    def median_theirs(self) -> float:
        return median(self.theirs)


def measure(ours: Callable[[], object], theirs: Callable[[], object], repeat: int) -> Pairs:
    """Run both in turns, `repeat` times each, after one run of each that is not counted."""
    ours()
    theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(repeat)]
    return Pairs(tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
