"""The measure of a search: compiles candidates ahead, measures equal programs once, and returns outcomes in order."""

from __future__ import annotations

import os
from collections import OrderedDict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from .building import attempted, program_of
from .compiling import CPU_SECONDS, CompilePool
from .local import LocalRunner
from .protocol import CompiledProgram, Measured, Options, Runner, Workload

if TYPE_CHECKING:
    from ..space import Built

MOST_KEPT = 64
"""The number of compiled programs that are kept, the most recently used ones."""


class CandidateMeasure:
    """Compiles and measures candidates of one workload (`tune.search.Measure`)."""

    def __init__(
        self, workload: Workload, runner: Runner | None, pool: CompilePool, *, pauses: bool, threads: int | None
    ) -> None:
        self.workload = workload
        self.runner = runner or LocalRunner()
        self._closes = runner is None
        self._pool = pool
        self._pauses = pauses
        self._threads = threads
        self._programs: OrderedDict[str, CompiledProgram | Measured] = OrderedDict()
        """By the text of the schedule."""
        self._known: dict[str, _Known] = {}
        """By program."""

    def __enter__(self) -> CandidateMeasure:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __call__(self, candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
        """Compile and measure candidates beside the incumbent; outcomes in their order.

        A candidate whose program equals that of another schedule gets the outcome of that schedule, if it was measured
        with these options; a schedule that is repeated is measured again. Raises TilewrightError where the incumbent
        cannot be compiled, and the errors of the runner.
        """
        beside = None if incumbent is None else self._incumbent(incumbent)
        slots: deque[_Slot] = deque()
        outcomes = self.runner.measure(self.workload, self._programs_of(candidates, options, slots), options, beside)
        try:
            for measured in outcomes:
                self._pool.resume()
                while not slots[0].is_measured:
                    yield self._outcome(slots.popleft())
                slot = slots.popleft()
                self._known[measured.name] = _Known(slot.schedule, options, measured)
                yield measured
            while slots:
                yield self._outcome(slots.popleft())
        finally:
            self._pool.resume()

    def recall(self, known: Mapping[str, Measured]) -> None:
        """Let these outcomes, by the texts of their schedules, be known from earlier runs."""
        for schedule, measured in known.items():
            if measured.name:
                self._known.setdefault(measured.name, _Known(schedule, None, measured))

    def close(self) -> None:
        """End compilations, and close the runner unless it was given."""
        self._pool.close()
        if self._closes:
            self.runner.close()

    def _outcome(self, slot: _Slot) -> Measured:
        """Return the outcome of a candidate that is not measured for itself."""
        return slot.compiled if isinstance(slot.compiled, Measured) else self._known[slot.compiled.name].outcome

    def _programs_of(
        self, candidates: Sequence[Built], options: Options, slots: deque[_Slot]
    ) -> Iterator[CompiledProgram]:
        """Yield the programs that have to be measured; all candidates get a slot. Compilations are paused behind each
        program where they would take its CPUs."""
        started: set[str] = set()
        for schedule, compiled in self._compiled(candidates):
            is_measured = isinstance(compiled, CompiledProgram) and self._is_new(compiled, schedule, options, started)
            slots.append(_Slot(schedule, compiled, is_measured))
            if is_measured:
                assert isinstance(compiled, CompiledProgram)
                started.add(compiled.name)
                if self._pauses:
                    self._pool.pause()
                yield compiled

    def _is_new(self, program: CompiledProgram, schedule: str, options: Options, started: set[str]) -> bool:
        known = self._known.get(program.name)
        if program.name in started:
            return False
        return known is None or known.schedule == schedule or known.options not in (None, options)

    def _compiled(self, candidates: Sequence[Built]) -> Iterator[tuple[str, CompiledProgram | Measured]]:
        """Yield the text of each candidate's schedule, and its program or the failure."""
        schedules = [built.trace.as_json() for built in candidates]
        kept = {schedule: self._programs[schedule] for schedule in schedules if schedule in self._programs}
        new = {s: built for s, built in zip(schedules, candidates, strict=True) if s not in kept}
        with closing(self._pool.compiled(new.values())) as outcomes:
            waiting = zip(new, outcomes, strict=True)
            for schedule in schedules:
                while schedule not in kept:
                    ready, outcome = next(waiting)
                    kept[ready] = outcome
                    self._keep(ready, outcome)
                yield schedule, kept[schedule]

    def _keep(self, schedule: str, outcome: CompiledProgram | Measured) -> None:
        self._programs[schedule] = outcome
        self._programs.move_to_end(schedule)
        while len(self._programs) > MOST_KEPT:
            self._programs.popitem(last=False)

    def _incumbent(self, built: Built) -> CompiledProgram:
        schedule = built.trace.as_json()
        found = self._programs.get(schedule)
        if not isinstance(found, CompiledProgram):
            found = program_of(built, self._threads)
            self._keep(schedule, found)
        return found


@dataclass(frozen=True)
class _Slot:
    """A candidate without an outcome yet."""

    schedule: str
    compiled: CompiledProgram | Measured
    is_measured: bool
    """False for a failure, and for a program that is measured for another schedule."""


@dataclass(frozen=True)
class _Known:
    """The last measurement of a program."""

    schedule: str
    options: Options | None
    """None for a measurement of an earlier run."""
    outcome: Measured


def measure_for(
    workload: Workload,
    runner: Runner | None = None,
    *,
    threads: int | None = None,
    workers: int | None = None,
    seconds: int = CPU_SECONDS,
) -> CandidateMeasure:
    """Return the measure with which a search times candidates of a workload.

    `runner` may serve several workloads, and stays open; without one, a process of this machine measures.

    `threads` is how many threads parallel loops use, None for all that there are. `workers` processes compile, for
    `seconds` of processor time a candidate at most: on the CPUs that programs do not use, or on all of them while no
    program runs. Use as a context manager, or call `close`.
    """
    cpus, pauses = os.sched_getaffinity(0), False
    if runner is None or isinstance(runner, LocalRunner):
        measuring = sorted(cpus if runner is None else runner.cpus)
        free = cpus - set(measuring[-(threads or len(measuring)) :])
        pauses = not free
        cpus = free or cpus
    pool = CompilePool(workers, seconds, cpus, partial(attempted, threads=threads))
    return CandidateMeasure(workload, runner, pool, pauses=pauses, threads=threads)
