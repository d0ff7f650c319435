"""Timing of compiled functions."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .errors import fail


@dataclass(frozen=True)
class Timing:
    """Seconds of one call, one value for each repetition."""

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
    """Calls that can be timed, and the wait until the last one is done."""

    def __call__(self, *arrays: Any, **keywords: Any) -> Any: ...

    def synchronize(self) -> None: ...


class Evaluator:
    """Times a function: called with the function's arguments, the evaluator runs the function once unmeasured, then
    `number` times for each result.

    With `min_repeat_ms` the number of calls of a result is raised until they take that long. Where the clock shows no
    time at all, the number is multiplied by ten, at most `limit_zero_time_iterations` times. The evaluator waits for
    `cooldown_interval_ms` before every `repeats_to_cooldown` results, and writes to `cache_flush_bytes` bytes of other
    memory before each result. Raises TilewrightError TW0208 for a number that makes no sense, TW0251 for `f_preproc`.
    """

    def __init__(
        self,
        function: Timed,
        number: int = 10,
        repeat: int = 1,
        min_repeat_ms: int = 0,
        limit_zero_time_iterations: int = 100,
        cooldown_interval_ms: int = 0,
        repeats_to_cooldown: int = 1,
        cache_flush_bytes: int = 0,
        f_preproc: str = "",
    ) -> None:
        least = {"number": 1, "repeat": 1, "repeats_to_cooldown": 1, "cooldown_interval_ms": 0, "cache_flush_bytes": 0}
        given = (number, repeat, repeats_to_cooldown, cooldown_interval_ms, cache_flush_bytes)
        for (what, low), value in zip(least.items(), given):
            if value < low:
                fail("TW0208", f"expected {what} to be at least {low}, but got {value}")
        if f_preproc:
            fail("TW0251", f"'f_preproc={f_preproc}' is not part of this package", help="give cache_flush_bytes")
        self._function = function
        self.number = number
        self.repeat = repeat
        self.min_repeat_ms = min_repeat_ms
        self._zero_limit = limit_zero_time_iterations
        self._cooldown, self._between = cooldown_interval_ms / 1000, repeats_to_cooldown
        self._other = np.zeros(cache_flush_bytes, np.uint8)

    def __call__(self, *arrays: object, **keywords: object) -> Timing:
        """Time calls with these arguments."""
        call = self._function
        call(*arrays, **keywords)
        call.synchronize()
        results: list[float] = []
        number, zeros = self.number, 0
        while len(results) < self.repeat:
            if self._cooldown and len(results) % self._between == 0:
                time.sleep(self._cooldown)
            self._other += 1
            started = time.perf_counter()
            for _ in range(number):
                call(*arrays, **keywords)
            call.synchronize()
            elapsed = time.perf_counter() - started
            if elapsed == 0 and zeros < self._zero_limit:
                number, zeros = 10 * number, zeros + 1
                continue
            if elapsed * 1000 < self.min_repeat_ms:
                number = max(
                    2 * number, min(int(number * self.min_repeat_ms / max(elapsed * 1000, 1e-3)), 100 * number)
                )
                continue
            results.append(elapsed / number)
        return Timing(tuple(results))
