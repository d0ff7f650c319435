"""Measures for runs of tuning."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..schedule.records import Record
from .measure.candidates import CandidateMeasure, measure_for
from .measure.compiling import CPU_SECONDS
from .measure.protocol import Runner
from .search import Measure
from .session import measurement_of
from .tasks import Task


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
