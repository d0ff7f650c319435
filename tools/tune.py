"""`tilewright tune`: measures schedules of a model's kernels and stores the results as records."""

from __future__ import annotations

import re
import sys
import time
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ..diagnostics import fail
from ..diagnostics.files import shown
from ..diagnostics.progress import table
from ..diagnostics.remarks import collect_remarks
from ..dialects.target import TargetAttr
from ..hardware import machine_name
from ..passes.framework.context import more_settings
from ..passes.framework.instruments.spans import span
from ..passes.framework.tuning_records import compiler_of_records
from ..schedule.open_sizes import range_text
from ..schedule.records import Record
from ..tune.estimate import Estimate
from ..tune.measure.protocol import Options
from ..tune.records import RecordStore
from ..tune.search import Trial
from ..tune.search.cost_prior import prior_for
from ..tune.search.protocol import BUDGET, EARLY_STOPPING, NOTHING_NEW, SPACE, TRIALS
from ..tune.search.strategies import MOST_SCANNED
from ..tune.session import LocalMeasures, Session, SessionEvents, Settings, TaskState
from ..tune.tasks import Task, target_for, tasks_of
from . import files
from .packages import load_source
from .sizes import GivenSizes
from .terminal import aligned, time_text
from .tune_display import COLUMNS, Board, History, Several
from .tune_page import write_page

DEFAULT_TRIALS = 64
"""The default number of trials for each task."""

ALL, LIST = "all", "list"


def tune_file(args: Namespace, given: GivenSizes) -> None:
    """Tune the tasks of a model as the command line says. Raises TilewrightError TW0209 for options that do not fit."""
    _check(args)
    with span("load", "compile"):
        module = load_source(args.model, given)
        target, ranges = target_for(module, args.target, args.threads), dict(map(_range, args.sizes))
        tasks = _tasks(module, target, args.output, ranges)
    if args.tasks == LIST:
        print("\n".join(listed(tasks)))
        return
    chosen = [tasks[number] for number in chosen_numbers(args.tasks, len(tasks))]
    if not chosen:
        print("nothing to tune: the model has no kernels")
        return
    store = RecordStore(args.output)
    with collect_remarks() as remarks:
        records = store.read()
        records.report()
    if records.records and not args.resume:
        fail(
            "TW0209",
            f"expected --resume for '{shown(args.output)}', which has records",
            help="name another file, or give --resume to go on from them",
        )
    print("".join(f"{remark}\n" for remark in remarks), end="")
    settings = Settings(
        args.trials if args.trials is not None else DEFAULT_TRIALS * len(chosen),
        args.budget,
        args.seed,
        args.early_stopping,
        options=Options(number=args.number, repeat=args.repeat, timeout=args.timeout),
    )
    history = History()
    with table(COLUMNS) as draw, LocalMeasures(seed=args.seed, compile_seconds=args.compile_timeout) as measures:
        # A table on a terminal says all that lines do; where standard output goes elsewhere, they go there.
        listeners: list[SessionEvents] = [history]
        if draw is not None:
            listeners.append(Board(draw, history, time.monotonic, args.budget))
        if draw is None or not sys.stdout.isatty():
            listeners.append(Lines())
        session = Session(
            chosen, store, settings, measures, prior=lambda task: prior_for(task.target), events=Several(listeners)
        )
        why = session.run()
    print("\n".join([*summary(session), ending(session, why, args.output)]))
    if args.report is not None:
        write_page(Path(args.report), history.histories(), about(args, settings, why))


def _tasks(
    module: ModuleOp, target: TargetAttr, records: str | None, ranges: Mapping[str, tuple[int, int]]
) -> list[Task]:
    """Return the tasks of a model as it is compiled with the file, whose records may choose operators and groups."""
    if records is None or not Path(records).exists():
        return tasks_of(module, target, ranges)
    with more_settings(records=records):
        return tasks_of(module, target, ranges)


def _range(text: str) -> tuple[str, tuple[int, int]]:
    """Return the name and the limits of `n=1..512`. Raises TilewrightError TW0209."""
    match = re.fullmatch(r"(.+)=([0-9]{1,12})\.\.([0-9]{1,12})", text)
    if match is None:
        fail("TW0209", f"expected --sizes NAME=LOW..HIGH, but got '{text}'")
    name, low, high = match.groups()
    return name, (int(low), int(high))


def about(args: Namespace, settings: Settings, why: str) -> list[tuple[str, str]]:
    """Return facts about a run, for its page."""
    return [
        ("model", shown(args.model)),
        ("records", shown(args.output)),
        ("machine", machine_name()),
        ("compiler", compiler_of_records()),
        ("trials", f"{settings.trials} in all; ended: {why}"),
        ("seed", str(settings.seed)),
    ]


def _check(args: Namespace) -> None:
    if args.output is None and args.tasks != LIST:
        fail("TW0209", "expected -o FILE.jsonl for the records", help="tilewright tune MODEL -o records.jsonl")
    if args.output is not None:
        files.check_output(args.output, args.model)
    if args.report is not None:
        files.check_output(args.report, args.model)
    least = {
        "trials": 1, "threads": 1, "number": 0, "repeat": 1, "early_stopping": 1, "seed": 0, "compile_timeout": 1,
    }  # fmt: skip
    for option, minimum in least.items():
        value = getattr(args, option)
        if value is not None and value < minimum:
            fail("TW0209", f"expected --{option.replace('_', '-')} to be at least {minimum}, but got {value}")


def chosen_numbers(text: str, count: int) -> list[int]:
    """Return the tasks that `--tasks` names: all, or numbers and ranges such as 0,2-5. Raises TilewrightError
    TW0209."""
    if text == ALL:
        return list(range(count))
    chosen: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            fail("TW0209", f"expected --tasks all, list or numbers such as 0,2-5, but got '{text}'")
        numbers = range(int(first), int(last if dash else first) + 1)
        if not numbers or numbers[-1] >= count:
            fail(
                "TW0209",
                f"expected tasks from 0 to {count - 1}, but got '{part.strip()}'",
                help="`--tasks list` prints the tasks of the model",
            )
        chosen |= dict.fromkeys(numbers)
    return list(chosen)


def listed(tasks: Sequence[Task]) -> list[str]:
    """Return a line for each task: its number, its kernel, its calls in a run of the model, its work."""
    rows = [("task", "kernel", "calls", "MFLOP", "MB", "key")]
    for number, task in enumerate(tasks):
        work = (f"{task.flops / 1e6:.2f}", f"{task.bytes / 1e6:.2f}")
        limits = [f"{size.name}={range_text(task.ranges[size.key])}" for size in task.open_sizes]
        sizes = f" ({', '.join(limits)})" if limits else ""
        rows.append((str(number), task.name + sizes, str(task.occurrences), *work, task.key[:8]))
    return list(aligned(rows, right=(0, 2, 3, 4)))


@dataclass
class Lines(SessionEvents):
    """Progress as lines of text: tasks that start, trials that improve on the best, trials that fail."""

    session: Session | None = None
    faster: float = 0.99
    """A trial is reported that takes less than so much of the time of the best one before."""

    def started(self, session: Session) -> None:
        self.session = session
        count, trials = len(session.states), session.settings.trials
        print(f"{count} task{'' if count == 1 else 's'}, {session.trials} of {trials} trials in the file", flush=True)

    def began(self, state: TaskState) -> None:
        self._before = state.best

    def measured(self, state: TaskState, trial: Trial, is_new: bool) -> None:
        if not is_new:
            return
        failure, seconds = trial.measured.failure, trial.seconds
        if failure is not None:
            self._line(state, f"{failure.value}: {trial.measured.detail}")
        elif trial.seconds == state.default and len(state.seconds) == 1:
            self._line(state, f"default {time_text(seconds)}")
        elif seconds < self.faster * self._before:
            self._line(state, f"{time_text(seconds)}, {state.default / seconds:.2f} x the default's speed")
        self._before = min(self._before, seconds)

    def ended(self, state: TaskState) -> None:
        if state.outcome is None:
            self._line(state, f"left out: {state.why_ended}")

    def _line(self, state: TaskState, text: str) -> None:
        assert self.session is not None
        done = f"[{self.session.trials}/{self.session.settings.trials}]"
        print(f"{done} {state.number} {state.task.name}: {text}", flush=True)


def summary(session: Session) -> list[str]:
    """Return a line for each task: its trials, the default's time, the best one, and the last comparison of both."""
    rows: list[tuple[str, ...]] = [("task", "kernel", "calls", "trials", "default", "best", "gain (95 %)", "schedule")]
    for state in session.states:
        verdict = state.verdict if state.has_verdict else None
        chosen = "-" if verdict is None else f"{'default' if verdict.is_default else 'tuned'}, {verdict.detail}"
        times = [time_text(seconds) if isfinite(seconds) else "-" for seconds in (state.default, state.best)]
        counts = (str(state.task.occurrences), str(len(state.seconds)))
        rows.append((str(state.number), state.task.name, *counts, *times, _gain(verdict), chosen.rstrip(", ")))
    return list(aligned(rows, right=(0, 2, 3, 4, 5)))


def _gain(verdict: Record | None) -> str:
    """Return the time of the default schedule over that of the fastest candidate, with its interval."""
    if verdict is None or not verdict.paired:
        return "-"
    pairs = zip(verdict.paired, verdict.samples, strict=True)
    found = Estimate.of([mine / other if verdict.is_default else other / mine for other, mine in pairs])
    return f"{found.median:.2f} x ({found.low:.2f} to {found.high:.2f})"


def ending(session: Session, why: str, path: str) -> str:
    """Return the line with the reason for the end of the run, and the use of the file."""
    trials, wanted = session.trials, session.settings.trials
    reasons = {
        TRIALS: "",
        BUDGET: ": the budget of this run is spent, --resume goes on",
        EARLY_STOPPING: ": no task got faster for so many trials as --early-stopping says",
        NOTHING_NEW: f": {MOST_SCANNED} points in a row were refused or measured before",
        SPACE: ": the spaces of the tasks have no further schedules",
    }
    reason = reasons.get(why, f": {why}")
    apply = f"'tilewright compile MODEL --records {shown(path)}' applies the best"
    return f"{trials} of {wanted} trials{reason}; {apply}"
