"""Two programs measured in turns: neighbouring runs share what else the machine is doing, so their ratio is fair."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Pairs:
    """Wall-clock seconds of both, run by run."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def speedup(self) -> float:
        """The median over the pairs of how many times faster ours is; above 1 is faster."""
        return median(t / o for o, t in zip(self.ours, self.theirs, strict=True))

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


def machine() -> str:
    """The processor's name, as the system tells it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
