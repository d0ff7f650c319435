"""Measures for runs of tuning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from ..schedule.records import Record
from .measure.building import workload_of
from .measure.candidates import CandidateMeasure, measure_for
from .measure.protocol import Options, Runner
from .search import Measure
from .search.racing import FIRST_PAIRS
from .session import measurement_of
from .tasks import Task


class LocalMeasures:
    """Measures for tasks, all with one runner: by default a process of this machine. Use as a context manager."""

    def __init__(self, options: Options, runner: Runner | None = None, *, seed: int = 0) -> None:
        self._first = replace(options, repeat=min(options.repeat, FIRST_PAIRS))
        """The options of the first samples of a candidate."""
        self._runner = runner
        self._seed = seed
        self._made: list[CandidateMeasure] = []

    def __enter__(self) -> LocalMeasures:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __call__(self, task: Task, known: Sequence[Record]) -> Measure:
        """The measure of a task, whose plain loops are compiled as reference."""
        workload = workload_of(task.function, task.target, seed=self._seed)
        if self._runner is None:
            from .measure.local import LocalRunner

            self._runner = LocalRunner()
        measure = measure_for(workload, self._runner, threads=task.threads)
        outcomes = {schedule_text(record): measurement_of(record) for record in known if record.trace is not None}
        measure.recall(outcomes, self._first)
        self._made.append(measure)
        return measure

    def close(self) -> None:
        """End all processes."""
        for measure in self._made:
            measure.close()


def schedule_text(record: Record) -> str:
    """The text of a record's schedule, as `Trace.as_json` has it."""
    return json.dumps(record.trace, indent=1)
