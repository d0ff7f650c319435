"""Timing of compiled functions."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..diagnostics import fail


@dataclass(frozen=True)
class Timing:
    """Seconds for one call, one figure for each repetition."""

    results: Sequence[float]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.results)

    @property
    def median(self) -> float:
        return statistics.median(self.results)

    @property
    def min(self) -> float:
        return min(self.results)

    @property
    def max(self) -> float:
        return max(self.results)

    @property
    def std(self) -> float:
        """The standard deviation of the population."""
        return statistics.pstdev(self.results)

    def __str__(self) -> str:
        return f"{1e3 * self.mean:.4g} ms (mean), {1e3 * self.median:.4g} ms (median) of {len(self.results)}"


class Timed(Protocol):
    """What can be timed: calls, and the wait until the last one is done."""

    def __call__(self, *arrays: Any, **keywords: Any) -> Any: ...

    def synchronize(self) -> None: ...


class Evaluator:
    """Times a function: called with its arguments, it runs it once unmeasured, then `number` times for each result.

    With `min_repeat_ms` a result is of more calls than `number`, as many as take that long.
    """

    def __init__(self, function: Timed, number: int, repeat: int, min_repeat_ms: int = 0) -> None:
        for what, value in (("number", number), ("repeat", repeat)):
            if value < 1:
                fail("TW0208", f"expected {what} to be at least 1, but got {value}")
        self._function = function
        self.number = number
        self.repeat = repeat
        self.min_repeat_ms = min_repeat_ms

    def __call__(self, *arrays: object, **keywords: object) -> Timing:
        """Time calls with these arguments."""
        call = self._function
        call(*arrays, **keywords)
        call.synchronize()
        results: list[float] = []
        number = self.number
        while len(results) < self.repeat:
            started = time.perf_counter()
            for _ in range(number):
                call(*arrays, **keywords)
            call.synchronize()
            elapsed = time.perf_counter() - started
            if elapsed * 1000 < self.min_repeat_ms:
                number = max(
                    2 * number, min(int(number * self.min_repeat_ms / max(elapsed * 1000, 1e-3)), 100 * number)
                )
                continue
            results.append(elapsed / number)
        return Timing(tuple(results))
