"""The progress of a tuning run: lines in pipes, a table on terminals, and the page of `--report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite

from ..analysis.cost import predict
from ..diagnostics.progress import Draw
from ..schedule.replay import recorded_trace
from ..tune.search import Trial
from ..tune.session import Session, SessionEvents, TaskState
from .terminal import time_text
from .tune_page import TaskHistory, TrialPoint

COLUMNS = ("task", "kernel", "calls", "trials", "default", "best", "gain", "roofline", "failures")


class Several(SessionEvents):
    """Passes events on to several listeners."""

    def __init__(self, listeners: Sequence[SessionEvents]) -> None:
        self._listeners = listeners

    def started(self, session: Session) -> None:
        for listener in self._listeners:
            listener.started(session)

    def began(self, state: TaskState) -> None:
        for listener in self._listeners:
            listener.began(state)

    def measured(self, state: TaskState, trial: Trial, is_new: bool) -> None:
        for listener in self._listeners:
            listener.measured(state, trial, is_new)

    def ended(self, state: TaskState) -> None:
        for listener in self._listeners:
            listener.ended(state)


@dataclass
class _Seen:
    """The trials of a task by number, each in its latest reported state."""

    points: dict[int, TrialPoint] = field(default_factory=dict[int, TrialPoint])
    roofline: float = 0.0

    @property
    def failures(self) -> Counter[str]:
        return Counter(point.failure.partition(":")[0] for point in self.points.values() if point.failure)


class History(SessionEvents):
    """The trials of all tasks: those of the records file, and those measured in this run."""

    def __init__(self) -> None:
        self.session: Session | None = None
        self._seen: dict[int, _Seen] = {}

    def started(self, session: Session) -> None:
        self.session = session
        for state in session.states:
            seen = self._seen[state.number] = _Seen(roofline=least_seconds(state))
            for record in state.known:
                failure = "" if record.error is None else f"{record.error}: {record.detail}"
                seconds = record.seconds if record.is_valid else None
                seen.points[record.trial] = TrialPoint(record.trial, seconds, record.predicted, failure)

    def measured(self, state: TaskState, trial: Trial, is_new: bool) -> None:
        points, measured = self._seen[state.number].points, trial.measured
        failure = "" if measured.failure is None else f"{measured.failure.value}: {measured.detail}"
        seconds = trial.seconds if isfinite(trial.seconds) else None
        predicted = trial.predicted if trial.predicted is not None and isfinite(trial.predicted) else None
        points[trial.number] = TrialPoint(trial.number, seconds, predicted, failure)

    def seen(self, state: TaskState) -> _Seen:
        """Return the trials of a task."""
        return self._seen[state.number]

    def histories(self) -> list[TaskHistory]:
        """Return the tasks as the page of a run shows them."""
        assert self.session is not None
        return [self._history(state) for state in self.session.states]

    def _history(self, state: TaskState) -> TaskHistory:
        seen = self._seen[state.number]
        notes = [f"ended: {state.why_ended}"] if state.why_ended else []
        schedule, verdict = "", state.verdict
        if verdict is not None:
            chosen = "the default schedule" if verdict.is_default else "another schedule than the default"
            notes.append(f"chosen: {chosen}" + (f" ({verdict.detail})" if verdict.detail else ""))
            if (trace := recorded_trace(verdict)) is not None:
                schedule = trace.as_python()
        default = state.default if isfinite(state.default) else None
        points = [seen.points[number] for number in sorted(seen.points)]
        key, calls = state.task.key, state.task.occurrences
        return TaskHistory(state.task.name, key, calls, default, seen.roofline or None, points, schedule, notes)


class Board(SessionEvents):
    """A table of all tasks on a terminal, redrawn after each trial."""

    def __init__(self, draw: Draw, history: History, clock: Callable[[], float], budget: float | None) -> None:
        self._draw = draw
        self._history = history
        self._clock = clock
        self._budget = budget
        self._began, self._first = clock(), 0

    def started(self, session: Session) -> None:
        self._first = session.trials
        self._show()

    def began(self, state: TaskState) -> None:
        self._show(state)

    def measured(self, state: TaskState, trial: Trial, is_new: bool) -> None:
        self._show(state)

    def ended(self, state: TaskState) -> None:
        self._show(state)

    def _show(self, current: TaskState | None = None) -> None:
        session = self._history.session
        if session is None:
            return
        rows = [task_row(state, self._history.seen(state), state is current) for state in session.states]
        done, wanted = session.trials, session.settings.trials
        left = time_left(self._clock() - self._began, done - self._first, wanted - done, self._budget)
        self._draw(rows, f"{done} of {wanted} trials, {left}")


def task_row(state: TaskState, seen: _Seen, is_current: bool = False) -> list[str]:
    """Return the cells of a task under `COLUMNS`."""
    default, best = state.default, state.best
    times = [time_text(seconds) if isfinite(seconds) else "-" for seconds in (default, best)]
    gain = f"{default / best:.2f} x" if isfinite(default) and isfinite(best) else "-"
    share = f"{min(1.0, seen.roofline / best):.0%}" if seen.roofline and isfinite(best) else "-"
    failures = ", ".join(f"{number} {cause}" for cause, number in sorted(seen.failures.items())) or "-"
    mark = ">" if is_current else ""
    count = str(len(state.seconds))
    return [f"{mark}{state.number}", state.task.name, str(state.task.occurrences), count, *times, gain, share, failures]


def time_left(elapsed: float, done: int, open_trials: int, budget: float | None) -> str:
    """Return the time that the open trials will take at the speed so far, within the budget, in words."""
    by_trials = elapsed / done * open_trials if done else inf
    by_budget = inf if budget is None else max(budget - elapsed, 0.0)
    left = min(by_trials, by_budget)
    if not isfinite(left):
        return "time left unknown"
    minutes, seconds = divmod(round(left), 60)
    return f"about {minutes}:{seconds:02d} left"


def least_seconds(state: TaskState) -> float:
    """Return the roofline of a task: no schedule takes less; 0 where the cost model knows none for the target."""
    core = state.task.target.core
    if core is None:
        return 0.0
    cost = predict(state.task.function, core)
    return cost.least_cycles / cost.machine.hertz if cost.is_whole else 0.0
