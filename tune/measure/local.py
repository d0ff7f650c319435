"""Measurement in a separate process of this machine, which is killed when a program hangs, and replaced after a
crash."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import IO, Any

from ...diagnostics import fail
from ...hardware import machine_name
from .lifetimes import ending
from .protocol import CompiledProgram, Failure, Measured, Options, Workload
from .worker import Phase, Request

NOT_MEASURED = "TW0810"
REFERENCE_SECONDS = 600.0
"""The limit for the reference, which has plain loops."""
START_SECONDS = 120.0
"""The limit for the start of the process."""


class LocalRunner:
    """Measures in one process, which is started for the first program and used for all.

    The process is started afresh rather than forked, leads a separate process group, and ends with this process, even
    where this process is killed. `cpus` are the CPUs that it may use. A program runs on as many of them as it has
    threads, while no other process of this user measures on these.
    """

    def __init__(self, cpus: Collection[int] | None = None) -> None:
        self.cpus = frozenset(cpus if cpus is not None else os.sched_getaffinity(0))
        self._process: _Process | None = None

    def __enter__(self) -> LocalRunner:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def measure(
        self,
        workload: Workload,
        programs: Iterable[CompiledProgram],
        options: Options,
        incumbent: CompiledProgram | None = None,
    ) -> Iterator[Measured]:
        """Measure as `Runner.measure` does. A program that crashes in a process that others have run in is tried in a
        fresh one, as they may have spoilt its memory."""
        for program in programs:
            outcome = self._measured(workload, program, options, incumbent)
            if outcome is None:
                outcome = self._measured(workload, program, options, incumbent)
            assert outcome is not None
            yield outcome

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _measured(
        self, workload: Workload, program: CompiledProgram, options: Options, incumbent: CompiledProgram | None
    ) -> Measured | None:
        """Return the outcome for a program; None where it crashes, or the reference does, in a process that is not
        fresh."""
        process = self._process
        if process is None or not process.is_alive:
            self.close()
            process = self._process = _Process()
        is_fresh = process.workload is None
        new = workload if process.workload != workload else None
        process.workload = workload
        answer = process.ask(Request(new, program, options, incumbent, self.cpus), options.timeout)
        if isinstance(answer, Measured):
            return answer
        self.close()
        if not is_fresh and answer.failure is Failure.CRASH:
            return None
        if answer.phase is Phase.REFERENCE:
            fail(NOT_MEASURED, f"expected results of the plain loops, but running them: {answer.detail}")
        beside = " while the incumbent runs beside it" if answer.phase is Phase.INCUMBENT else ""
        detail = f"{answer.detail}{beside}"
        return Measured(program.name, failure=answer.failure, detail=detail, machine=machine_name())


class _Death:
    """The exit of a process before it answered."""

    def __init__(self, failure: Failure, phase: Phase, detail: str) -> None:
        self.failure, self.phase, self.detail = failure, phase, detail


class _Process:
    """A process that runs `worker`."""

    def __init__(self) -> None:
        self.workload: Workload | None = None
        """The workload whose arguments it has."""
        self._connection, theirs = Pipe()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by _end)
        descriptor = theirs.fileno()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        code = f"from {__package__}.worker import serve; serve({descriptor}, {os.getpid()})"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                pass_fds=[descriptor],
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            self._connection.close()
            fail(NOT_MEASURED, f"expected a process that measures, but it cannot be started: {error}")
        finally:
            theirs.close()
        self._finalizer = weakref.finalize(self, _end, os.getpid(), self._process, self._connection, self._errors)

    @property
    def is_alive(self) -> bool:
        return self._finalizer.alive and self._process.poll() is None

    def ask(self, request: Request, timeout: float) -> Measured | _Death:
        """Return the answer to a request, or how the process ended. Each phase of it has `timeout` seconds."""
        limit: float | None = START_SECONDS
        phase = Phase.CANDIDATE
        self._errors.seek(0)
        self._errors.truncate()
        try:
            self._connection.send(request)
            while self._connection.poll(limit):
                answer: Any = self._connection.recv()
                if isinstance(answer, Measured):
                    return answer
                phase = answer
                limit = _limits(timeout)[phase]
        except (EOFError, OSError):
            return _Death(Failure.CRASH, phase, self._cause())
        return _Death(Failure.TIME, phase, f"no end within {limit or 0:g} s")

    def end(self) -> None:
        """End the process and all that it has started."""
        self._finalizer()

    def _cause(self) -> str:
        """Return the signal or status that the process has ended with, and the last line that it has written."""
        named = ending(self._process.wait())
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{named}: {last}" if last else named


def _limits(timeout: float) -> dict[Phase, float | None]:
    """Return the seconds that a phase may take; None where it ends with something that has limits."""
    return {
        Phase.REFERENCE: REFERENCE_SECONDS,
        Phase.CANDIDATE: timeout,
        Phase.INCUMBENT: timeout,
        Phase.WAITING: None,
    }


def _end(owner: int, process: subprocess.Popen[bytes], connection: Connection, errors: IO[bytes]) -> None:
    """End a process and its group. Forks of the process that has started it leave it alone."""
    if os.getpid() != owner:
        return
    connection.close()
    errors.close()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
