"""Allocation of trials: the choice of the task whose next trials are expected to reduce the model's time most.

The time of a model is the sum over its tasks of time times occurrences. Trials go to the task that promises the largest
drop of this sum for one trial: the gain of its last trials, or the gain of a further one if progress continues as
usual, in proportion to 1 / trials (Zheng et al., Ansor, OSDI 2020, section 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

ROUND = 16
"""Trials that a task gets at a time."""
PAST_SHARE = 0.3
"""The weight of the gain of the last trials; the rest is the weight of the expected gain."""
LAST_TRIALS = 32


@dataclass(frozen=True)
class Progress:
    """The state of a task."""

    occurrences: float
    """Calls of the task in one run of the model."""
    seconds: Sequence[float]
    """The best time so far after each trial: the first is that of the default plan. Infinity before there is one."""
    least: float = 0.0
    """A time that no program can beat, as of the roofline; 0 where none is known."""
    has_ended: bool = False

    @property
    def promise(self) -> float:
        """Seconds of the model that one further trial promises."""
        known = [x for x in self.seconds if isfinite(x)]
        if not known:
            return 0.0
        now, count = known[-1], len(self.seconds)
        window = known[-min(len(known), LAST_TRIALS) :]
        gained = (window[0] - now) / max(len(window) - 1, 1)
        expected = max(now - self.least, 0.0) / count
        return self.occurrences * (PAST_SHARE * gained + (1 - PAST_SHARE) * expected)


def allocate(tasks: Sequence[Progress]) -> int | None:
    """Return the task that gets the next trials; None where all have ended.

    Each task gets one round first, those that take most of the model's time before others.
    """
    open_ = [number for number, task in enumerate(tasks) if not task.has_ended]
    if not open_:
        return None
    fresh = [number for number in open_ if len(tasks[number].seconds) <= 1]
    if fresh:
        return max(fresh, key=lambda number: (_share(tasks[number]), -number))
    return max(open_, key=lambda number: (tasks[number].promise, -number))


def _share(task: Progress) -> float:
    known = [x for x in task.seconds if isfinite(x)]
    return task.occurrences * known[-1] if known else float("inf")
