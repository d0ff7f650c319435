"""Runner of one lit file: runs its RUN lines in this process, and checks the cases that it announces."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from . import cases, shell
from .cases import LitFailure, Outcome
from .suite import Suite


def run_file(path: Path, suite: Suite, temporary: Path) -> list[Outcome]:
    """Run a lit file in the folder `temporary` and return the outcomes of its parts, if it announces cases.

    Raises LitFailure where it fails, UnknownSyntax for a RUN line or directive that this runner does not know.
    """
    has_cases = cases.has_cases(path.read_text(encoding="utf-8"))
    with suite.environment_set(), _working_in(temporary):
        with cases.recording(path) if has_cases else nullcontext([]) as outcomes:
            run_lines_of(path, suite, temporary)
        if has_cases:
            cases.check_cases(path, outcomes)
    return outcomes


def run_lines_of(path: Path, suite: Suite, temporary: Path) -> None:
    """Run the RUN lines of a file, in order, up to the first that fails."""
    lines = shell.run_lines(path)
    if not lines:
        raise LitFailure(f"expected a RUN line in {path}")
    for line in lines:
        command = shell.substituted(line, path, temporary, suite.substitutions)
        result = shell.run(command)
        if result.status != 0:
            raise LitFailure(f"{command}\nexit status {result.status}\n{result.out}\n{result.err}")


@contextmanager
def _working_in(folder: Path) -> Generator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
