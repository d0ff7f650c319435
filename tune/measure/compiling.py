"""Compilation of candidates beside the measurements: each in a fork of this process, with limits of time.

A fork inherits the user's passes, rules and settings, and the candidate's IR, without printing and parsing it. Each
fork compiles one candidate and ends, so that a crash of LLVM is recorded as an outcome and memory does not grow.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from .building import attempted
from .lifetimes import end_with_parent, ending
from .protocol import CompiledProgram, Failure, Measured

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

    from ..space import Built

CPU_SECONDS = 60
"""Processor time that a candidate may be compiled for."""
WALL_FACTOR, LEAST_WALL_SECONDS = 10, 600
"""The limit of wall-clock time of a compilation: the product of the limit of processor time and the factor, and at
least the seconds."""


@dataclass(eq=False)
class _Job:
    """A candidate that is being compiled."""

    process: ForkProcess
    answers: Connection
    deadline: float
    outcome: CompiledProgram | Measured | None = None
    is_ready: bool = False
    """True once the process has arranged to end with this one; a process that is stopped before that would outlive
    it."""


class CompilePool:
    """Compiles candidates in `workers` processes at a time; without a number, in one for each CPU.

    `cpus` are the CPUs that they run on, by default all of this process; `seconds` is the processor time for each
    candidate. Use as a context manager, or call `close`, which ends all compilations.
    """

    def __init__(
        self,
        workers: int | None = None,
        seconds: int = CPU_SECONDS,
        cpus: Collection[int] | None = None,
        make: Callable[[Built], CompiledProgram | Measured] = attempted,
    ) -> None:
        self.cpus = frozenset(cpus or os.sched_getaffinity(0))
        self.workers = workers or len(self.cpus)
        self.seconds = seconds
        self._paused: float | None = None
        self._make = make
        self._jobs: deque[_Job] = deque()
        self._context = multiprocessing.get_context("fork")

    def __enter__(self) -> CompilePool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def compiled(self, candidates: Iterable[Built]) -> Generator[CompiledProgram | Measured]:
        """Yield the outcome of each candidate, in their order. Up to twice `workers` candidates are taken ahead."""
        waiting = iter(candidates)
        jobs: deque[_Job] = deque()
        try:
            while True:
                self._start_more(waiting, jobs)
                if not jobs:
                    return
                while jobs[0].outcome is None:
                    self._wait()
                    self._start_more(waiting, jobs)
                outcome = jobs.popleft().outcome
                assert outcome is not None
                yield outcome
        finally:
            for job in jobs:
                self._end(job)

    def pause(self) -> None:
        """Stop all compilations until `resume`: their CPUs are needed."""
        if self._paused is None:
            self._paused = time.monotonic()
            self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let compilations go on; the pause does not count for their limits."""
        if self._paused is not None:
            for job in self._jobs:
                job.deadline += time.monotonic() - self._paused
            self._paused = None
            self._signal(signal.SIGCONT)

    def close(self) -> None:
        """End all compilations."""
        for job in list(self._jobs):
            self._end(job)

    @property
    def _wall_seconds(self) -> int:
        return max(LEAST_WALL_SECONDS, WALL_FACTOR * self.seconds)

    def _start_more(self, waiting: Iterator[Built], jobs: deque[_Job]) -> None:
        while len(self._jobs) < self.workers and len(jobs) < 2 * self.workers:
            candidate = next(waiting, None)
            if candidate is None:
                return
            job = self._start(candidate)
            jobs.append(job)
            self._jobs.append(job)

    def _start(self, candidate: Built) -> _Job:
        reading, writing = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_compile, args=(partial(self._make, candidate), writing, self.seconds, self.cpus, os.getpid())
        )
        with warnings.catch_warnings():
            # Python warns of forks beside threads. LLVM's locks are free (`forks.held_off`); a child that waits for
            # another lock ends at the limit of time.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        writing.close()
        return _Job(process, reading, time.monotonic() + self._wall_seconds)

    def _wait(self) -> None:
        """Wait for the next outcome, or the next limit of time."""
        jobs = list(self._jobs)
        left = min(job.deadline for job in jobs) - time.monotonic()
        ready = wait([job.answers for job in jobs], max(0.0, left))
        for job in jobs:
            if job.answers in ready:
                self._receive(job)
            elif job.deadline < time.monotonic():
                job.outcome = Measured(
                    "", failure=Failure.COMPILE_TIME, detail=f"no answer within {self._wall_seconds} s"
                )
            if job.outcome is not None:
                self._end(job)

    def _receive(self, job: _Job) -> None:
        """Take the next message of a process: that it is ready, or the outcome."""
        try:
            message: Any = job.answers.recv()
            job.is_ready = True
            if message is not None:
                job.outcome = message
        except (EOFError, OSError):
            job.is_ready = True
            job.outcome = self._ended(job)

    def _ended(self, job: _Job) -> Measured:
        """Return the outcome of a process that ended without one."""
        job.process.join()
        status = job.process.exitcode or 0
        if status == -signal.SIGXCPU:
            detail = f"compiling takes more than {self.seconds} s of processor time"
            return Measured("", failure=Failure.COMPILE_TIME, detail=detail)
        return Measured("", failure=Failure.COMPILE, detail=f"in the compiler: {ending(status)}")

    def _end(self, job: _Job) -> None:
        if job not in self._jobs:
            return
        self._jobs.remove(job)
        job.process.kill()
        job.process.join()
        job.process.close()
        job.answers.close()

    def _signal(self, number: signal.Signals) -> None:
        for job in self._jobs:
            if not job.is_ready:
                self._receive(job)
            if job.process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(job.process.pid, number)


def _compile(
    make: Callable[[], CompiledProgram | Measured], answers: Connection, seconds: int, cpus: frozenset[int], parent: int
) -> None:
    """Compile one candidate in this process, which ends with its parent."""
    end_with_parent(parent)
    answers.send(None)
    os.sched_setaffinity(0, cpus)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + seconds
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most < 0 else min(limit, most), most))
    answers.send(make())
