"""A run of tuning: the tasks of a model are searched, and each measurement becomes a record at once.

Trials go to the tasks whose time counts most in the model (`search.allocate`). If the file has records of a task from
this machine and this compiler, the search continues from them and measures none again; records of other machines and
compilers are its starting points. At the end the best schedule of each task is compared with the default one, and a
record states the verdict, which compilation applies.

With an equal clock, equal measurements, seed and records, a run writes equal bytes: records hold no time of day.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from math import inf
from typing import Protocol

from ..diagnostics import TilewrightError
from ..hardware import machine_name
from ..passes.framework.tuning_records import compiler_of_records
from ..schedule.canonical import target_in_records
from ..schedule.decisions import Point
from ..schedule.records import AGAIN, DEFAULT_TRIAL, KERNEL, TRIAL, VERDICT, Record, RecordFile, Winners, points
from .estimate import Estimate
from .measure.candidates import CandidateMeasure, measure_for
from .measure.compiling import CPU_SECONDS
from .measure.protocol import Failure, Measured, Options, Runner
from .search import Measure, Outcome, Prior, Progress, Search, Trial, allocate
from .search.allocation import ROUND
from .search.exploring import key_of
from .search.protocol import BUDGET, NOTHING_NEW, SPACE, TRIALS
from .search.winner import FINALIST_PAIRS
from .space import Built
from .tasks import Task

FINISH_SECONDS = 2.0
"""The part of a budget that is left for the comparison of a task's best schedule with the default one."""
LEAST_SEARCHED = 0.5
"""The share of a budget that the searches have at least."""
MOST_STARTS = 4
"""Points of other machines and compilers that the search of a task starts from."""
_NOT_MEASURABLE = ("TW0810", "TW0811")
"""The codes of tasks that no runner can measure; the others are tuned."""


@dataclass(frozen=True)
class Settings:
    """The limits of a run and of its measurements."""

    trials: int
    """The number of trials of the tasks in the file, earlier runs included."""
    budget: float | None = None
    """Seconds of this run."""
    seed: int = 0
    early_stopping: int | None = None
    """Trials of a task without a faster one, after which its search ends."""
    strategy: str = "default"
    options: Options = field(default_factory=Options)


class Measures(Protocol):
    """Creates the measure of a task, which times its candidates."""

    def __call__(self, task: Task, known: Sequence[Record]) -> Measure:
        """Return the measure of a task, which measures no program again that these records have under another schedule.

        Raises TilewrightError TW0811 where the task cannot be measured.
        """
        ...


@dataclass
class TaskState:
    """A task in a run."""

    number: int
    """From 0 on, among the tasks of the model."""
    task: Task
    known: list[Record]
    """The records of the file, one for each point, of this machine and compiler."""
    starts: list[Point] = field(default_factory=list[Point])
    verdict: Record | None = None
    """The last comparison of the best schedule with the default one."""
    has_verdict: bool = False
    """True where that comparison is of all trials."""
    search: Search | None = None
    why_ended: str = ""
    """A reason of `search.protocol`, or the message of the error for which it cannot be measured."""
    seconds: list[float] = field(default_factory=list[float])
    """The best time so far after each trial, the first of the default schedule."""
    outcome: Outcome | None = None
    codes: dict[str, str] = field(default_factory=dict[str, str])
    """By point: the digest of its machine code."""
    numbers: dict[str, int] = field(default_factory=dict[str, int])
    """By point: its number in records."""
    counts: dict[str, int] = field(default_factory=dict[str, int])
    """By point: samples that have been recorded."""
    beside: str = ""
    """The machine code of the incumbent of the last measurements."""
    last: list[Measured] = field(default_factory=list[Measured])

    def __post_init__(self) -> None:
        for record in self.known:
            key = key_of(record.decisions)
            self.numbers[key], self.counts[key], self.codes[key] = record.trial, len(record.samples), record.code
            self._note(record.seconds if record.is_valid else inf)

    @property
    def default(self) -> float:
        """Seconds of the default schedule; infinity before it is measured."""
        return self.seconds[0] if self.seconds else inf

    @property
    def best(self) -> float:
        """The least seconds so far."""
        return self.seconds[-1] if self.seconds else inf

    @property
    def progress(self) -> Progress:
        """The times by which trials are shared out."""
        return Progress(self.task.occurrences, self.seconds, has_ended=bool(self.why_ended) or self.search is None)

    def _note(self, seconds: float) -> None:
        self.seconds.append(min(self.best, seconds))

    def note(self, trial: Trial) -> Record | None:
        """Enter a trial, or further samples of one, and return the record of the new samples; the run's fields are not
        set yet."""
        key, measured = key_of(trial.point), trial.measured
        role = AGAIN if key in self.numbers else TRIAL
        if role == TRIAL:
            has_default = DEFAULT_TRIAL in self.numbers.values()
            self.numbers[key] = max(self.numbers.values(), default=0) + 1 if has_default else DEFAULT_TRIAL
            self._note(trial.seconds)
        elif self.seconds:
            self.seconds[-1] = min(self.best, trial.seconds)
        start = self.counts.get(key, 0) if measured.failure is None else 0
        if role == AGAIN and measured.failure is None and len(measured.samples) <= start:
            return None
        is_duplicate = role == TRIAL and bool(measured.name) and measured.name in self.codes.values()
        self.counts[key], self.codes[key] = len(measured.samples), measured.name
        paired = measured.paired[start:] if len(measured.paired) == len(measured.samples) else ()
        if is_duplicate:  # the samples are those of another point, whose pairs may be with another incumbent
            paired = ()
        return self.record(trial, role, measured.samples[start:], paired, self.beside if paired else "")

    def record(
        self, trial: Trial, role: str, samples: Sequence[float], paired: Sequence[float], beside: str, detail: str = ""
    ) -> Record:
        """Return a record of a trial; the run's fields are not set yet."""
        measured = trial.measured
        has_trace = trial.built is not None and role != AGAIN and self.task.kind == KERNEL
        return Record(
            kind=self.task.kind,
            task=self.task.key,
            name=self.task.name,
            target=target_in_records(self.task.target),
            decisions=dict(trial.point),
            trace=tuple(json.loads(trial.built.trace.as_json())) if trial.built is not None and has_trace else None,
            samples=tuple(samples),
            paired=tuple(paired),
            beside=beside,
            error=None if measured.failure is None else measured.failure.value,
            detail=detail or measured.detail,
            role=role,
            trial=self.numbers[key_of(trial.point)],
            predicted=trial.predicted,
            code=measured.name,
            flops=self.task.flops,
            sizes=dict(self.task.ranges),
        )


class SessionEvents:
    """The events of a run. Listeners override the methods of the events that they show."""

    def started(self, session: Session) -> None:
        """Observe that the file was read; nothing is measured yet."""

    def began(self, state: TaskState) -> None:
        """Observe that a task gets its next trials."""

    def measured(self, state: TaskState, trial: Trial, is_new: bool) -> None:
        """Observe that a trial has an outcome, or, where it is not new, more samples."""

    def ended(self, state: TaskState) -> None:
        """Observe the verdict of a task, or the reason why it cannot be measured."""


class Store(Protocol):
    """The records of earlier runs and of this one: a `RecordStore`, or a store in memory."""

    def append(self, record: Record) -> None:
        """Keep a record."""
        ...

    def read(self) -> RecordFile:
        """Return the records so far."""
        ...


class Session:
    """A run over some tasks, with records in a file."""

    def __init__(
        self,
        tasks: Sequence[Task],
        store: Store,
        settings: Settings,
        measures: Measures,
        *,
        prior: Callable[[Task], Prior | None] = lambda task: None,
        events: SessionEvents | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings
        self.store = store
        self._measures = measures
        self._prior = prior
        self._events = events or SessionEvents()
        self._clock = clock
        self._deadline = None if settings.budget is None else clock() + settings.budget
        self._machine, self._compiler = machine_name(), compiler_of_records()
        self.states = self._states(tasks)
        self.trials = sum(len(state.known) for state in self.states)
        """Trials of the tasks in the file."""

    def _states(self, tasks: Sequence[Task]) -> list[TaskState]:
        file = self.store.read()
        file.report()
        states: list[TaskState] = []
        for number, task in enumerate(tasks):
            mine = [r for r in file.records if r.task == task.key]
            here = [r for r in mine if r.belongs_to(self._machine, self._compiler) and r.sizes == task.ranges]
            known = sorted(points(here), key=lambda record: not record.is_default)
            verdict = next((record for record in reversed(here) if record.role == VERDICT), None)
            is_last = verdict is not None and here[-1] is verdict
            states.append(TaskState(number, task, known, _starts(mine, here), verdict, is_last))
        return states

    def run(self) -> str:
        """Tune until the trials, the budget or the spaces are used up; the reason, one of `search.protocol`."""
        self._events.started(self)
        by_work = sorted(self.states, key=lambda state: -state.task.occurrences * state.task.flops)
        for state in by_work:
            if self._has_time() and (self.trials < self.settings.trials or self._is_started(state)):
                self._guarded(state, self._begin)
        why = self._rounds()
        for state in self.states:
            if state.search is not None and not state.has_verdict and self._has_time():
                self._guarded(state, self._finish)
        return why

    def _rounds(self) -> str:
        while self.trials < self.settings.trials:
            if not self._has_time():
                return BUDGET
            number = allocate([state.progress for state in self.states])
            if number is None:
                return self._why_all_ended()
            self._guarded(self.states[number], self._advance)
        return TRIALS

    def _why_all_ended(self) -> str:
        """Return the reason why the search of each task is at its end; of several reasons, that of the search with the
        most left to try."""
        ends = [state.why_ended for state in self.states]
        return next((end for end in (BUDGET, NOTHING_NEW, SPACE) if end in ends), next(iter(ends), SPACE))

    def _guarded(self, state: TaskState, step: Callable[[TaskState], None]) -> None:
        """Take a step for a task; one that cannot be measured is left out."""
        try:
            step(state)
        except TilewrightError as error:
            if error.code not in _NOT_MEASURABLE:
                raise
            state.why_ended, state.search = f"{error.code}: {error.message}", None
            self._events.ended(state)

    def _is_started(self, state: TaskState) -> bool:
        return any(record.is_default for record in state.known)

    def _begin(self, state: TaskState) -> None:
        """Make the search of a task, which measures the default schedule unless a record has it."""
        self._events.began(state)
        state.search = Search(
            state.task.space,
            _Watched(state, self._measures),
            trials=len(state.known) + max(self.settings.trials - self.trials, 0),
            budget=self._budget(),
            seed=self.settings.seed,
            clock=self._clock,
            known=[_known_trial(record) for record in state.known],
            starts=state.starts,
            early_stopping=self.settings.early_stopping,
            prior=self._prior(state.task),
            strategy=self.settings.strategy,
            options=self.settings.options,
            on_trial=lambda trial: self._note(state, trial),
        )

    def _advance(self, state: TaskState) -> None:
        assert state.search is not None
        self._events.began(state)
        before = self.trials
        why = state.search.advance(min(ROUND, self.settings.trials - self.trials))
        if why is not None or self.trials == before:
            state.why_ended = why or SPACE

    def _finish(self, state: TaskState) -> None:
        """Compare the best schedule of a task with the default one, and write the verdict."""
        assert state.search is not None
        state.last = []
        outcome = state.search.finish()
        if (reason := self._slower_at_an_end(state, outcome)) is not None:
            outcome = replace(outcome, best=outcome.default, proof=reason)
        state.outcome = outcome
        best, measured = outcome.best, state.last[-1] if state.last else None
        samples, paired, beside = best.measured.samples, (), ""
        if outcome.ratio is not None and measured is not None and measured.paired:
            samples, paired, beside = measured.samples, measured.paired, state.beside
            if best.number == outcome.default.number:  # the candidate lost: its times stand beside the default's
                samples, paired, beside = paired, samples, measured.name
        if samples and best.measured.failure is None:
            built = best if best.built is not None else _built_again(state, best)
            state.verdict = state.record(built, VERDICT, samples, paired, beside, outcome.proof)
            state.has_verdict = True
            self._append(state.verdict)
        self._events.ended(state)

    def _slower_at_an_end(self, state: TaskState, outcome: Outcome) -> str | None:
        """Return the reason why the best schedule does not win: it fails, or is slower than the default one, for a size
        at an end of the ranges that its record states; None where it holds, and for functions without open sizes."""
        if outcome.best.number == outcome.default.number:
            return None
        best = outcome.best.built or state.task.space.build(outcome.best.point)
        default: Built | None = None
        if outcome.default.seconds < inf:
            default = outcome.default.built or state.task.space.build(outcome.default.point)
        options = replace(self.settings.options, repeat=FINALIST_PAIRS, stop_above=inf)
        for task in state.task.ends:
            (measured,) = self._measures(task, [])([best], default, options)
            where = ", ".join(f"{size.name} = {task.at[size.key]}" for size in task.open_sizes)
            if measured.failure is not None:
                return f"{measured.failure.value} at {where}: {measured.detail}"
            if measured.ratios and (ratio := Estimate.of(measured.ratios)).low > 1.0:
                return f"{ratio.median:.2f} x the default's time at {where}"
        return None

    def _note(self, state: TaskState, trial: Trial) -> None:
        is_new = key_of(trial.point) not in state.numbers
        record = state.note(trial)
        self.trials += is_new
        state.has_verdict = False
        if record is not None:
            self._append(record)
        self._events.measured(state, trial, is_new)

    def _append(self, record: Record) -> None:
        stamped = replace(record, seed=self.settings.seed, machine=self._machine, compiler=self._compiler)
        self.store.append(stamped)

    # Time

    def _has_time(self) -> bool:
        return self._deadline is None or self._clock() < self._deadline

    def _budget(self) -> float | None:
        """Return the seconds for the searches: the rest is for comparing the best schedules with the default ones."""
        if self._deadline is None:
            return None
        left = self._deadline - self._clock()
        return max(left - FINISH_SECONDS * len(self.states), LEAST_SEARCHED * left)


class _Watched:
    """The measure of a task, created at its first use; it records the last measurements and their incumbent."""

    def __init__(self, state: TaskState, measures: Measures) -> None:
        self._state, self._measures = state, measures
        self._measure: Measure | None = None

    def __call__(self, candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
        if self._measure is None:
            self._measure = self._measures(self._state.task, self._state.known)
        state = self._state
        state.beside = "" if incumbent is None else state.codes.get(key_of(incumbent.point), "")
        state.last = []
        outcomes = self._measure(candidates, incumbent, options)
        with closing(outcomes) if isinstance(outcomes, Generator) else nullcontext():
            for measured in outcomes:
                state.last.append(measured)
                yield measured


def _known_trial(record: Record) -> Trial:
    """Return the trial of a record."""
    return Trial(record.trial, dict(record.decisions), None, measurement_of(record), record.predicted)


def measurement_of(record: Record) -> Measured:
    """Return the outcome that a record states; of a cause of failure that is not known here, a crash."""
    causes = {failure.value: failure for failure in Failure}
    failure = None if record.error is None else causes.get(record.error, Failure.CRASH)
    return Measured(record.code, record.samples, failure=failure, detail=record.detail, machine=record.machine)


def _built_again(state: TaskState, trial: Trial) -> Trial:
    """Return a trial of a record with its schedule."""
    return replace(trial, built=state.task.space.build(trial.point))


def _starts(mine: Sequence[Record], here: Sequence[Record]) -> list[Point]:
    """Return the best points that other machines, compilers and ranges of sizes have for a task, the latest first."""
    known = set(map(id, here))
    others = [record for record in mine if id(record) not in known]
    makers = dict.fromkeys((record.machine, record.compiler) for record in reversed(others))
    winners = [Winners.of(others, *maker) for maker in makers]
    found = [best for each in winners for versions in each.versions.values() for best in versions]
    return [record.decisions for record in found if not record.is_default][:MOST_STARTS]


class LocalMeasures:
    """Measures for tasks, all with one runner: by default a process of this machine. Use as a context manager.

    `compile_seconds` is the limit of processor time for compiling a candidate.
    """

    def __init__(self, runner: Runner | None = None, seed: int = 0, compile_seconds: int = CPU_SECONDS) -> None:
        self._runner = runner
        self._compile_seconds = compile_seconds
        self._closes = False
        self._seed = seed
        self._made: list[CandidateMeasure] = []

    def __enter__(self) -> LocalMeasures:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __call__(self, task: Task, known: Sequence[Record]) -> Measure:
        """Return the measure of a task, whose plain loops are compiled as reference."""
        workload = task.workload(self._seed)
        if self._runner is None:
            from .measure.local import LocalRunner

            self._runner, self._closes = LocalRunner(), True
        measure = measure_for(workload, self._runner, threads=task.threads, seconds=self._compile_seconds)
        measure.recall({schedule_text(record): measurement_of(record) for record in known if record.trace is not None})
        self._made.append(measure)
        return measure

    def close(self) -> None:
        """End all processes that this object has started."""
        for measure in self._made:
            measure.close()
        if self._closes and self._runner is not None:
            self._runner.close()


def schedule_text(record: Record) -> str:
    """Return the text of a record's schedule, as `Trace.as_json` has it."""
    return json.dumps(record.trace, indent=1)
