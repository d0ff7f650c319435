"""Worker processes as their parent sees them: one system each, and only the one that is asked runs.

Between its samples a worker is stopped by a signal, because threads of an idle pool go on looking for work and would
take the cores from the next measurement.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .cores import pinned_cores

ENTRY = Path(__file__).resolve().parents[1] / "worker.py"
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


@dataclass(frozen=True)
class Request:
    """The task of a worker: a system for a row, and the file of the expected result."""

    row: str
    system: str | None
    """None computes the expected result alone."""
    threads: int
    expected: str
    """The file of the expected result."""
    modules: tuple[str, ...] = ()
    """Files that declare rows, beside those of the suite."""


class WorkerError(Exception):
    """A worker that cannot be measured. `kind` is "absent", "wrong" or "failed"."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Worker:
    """A system that has been set up and whose result has been checked. Use as a context manager."""

    def __init__(self, request: Request, variables: Mapping[str, str] | None = None) -> None:
        """Start the process; `variables` are added to its environment.

        Raises WorkerError where the system is not installed, fails, or computes something else.
        """
        self._system = request.system or "the reference"
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the worker)
        self._process = subprocess.Popen(
            [sys.executable, str(ENTRY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            env={**environment(request.threads), **(variables or {})},
            start_new_session=True,
            preexec_fn=lambda: os.sched_setaffinity(0, pinned_cores(request.threads)),
        )
        try:
            found = self._ask(asdict(request))
            for kind in ("absent", "wrong", "failed"):
                if kind in found:
                    raise WorkerError(kind, str(found[kind]))
        except BaseException:
            self.close()
            raise
        self.error = float(found.get("error", 0.0))
        self.seconds = float(found.get("seconds", 0.0))
        """Of one run."""
        self._signal(signal.SIGSTOP)

    def sample(self, count: int, warm: bool) -> float:
        """Return the seconds for one of `count` runs."""
        self._signal(signal.SIGCONT)
        found = self._ask({"count": count, "warm": warm})
        self._signal(signal.SIGSTOP)
        return float(found["seconds"])

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()
        self._errors.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        with suppress(BrokenPipeError):
            print(json.dumps(request), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            last = "".join(self._errors.readlines()[-8:]).strip()
            raise WorkerError("failed", f"{self._system} ended with status {self._process.returncode}: {last}")
        return json.loads(line)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)


def environment(threads: int) -> dict[str, str]:
    """Return the environment of a worker: every library uses so many threads."""
    return {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads))}
