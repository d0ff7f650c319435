"""How far long work has come, shown on a terminal.

    with task("passes", len(passes)) as step:
        for pass_ in passes:
            step(pass_.name)

Nothing is shown unless a command line tool asks for it by `progress_shown` and standard error is a terminal, and then
only of work that takes longer than a second. In a pipe, in a file and in programs that import the compiler there is no
output.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress

DELAY = 1.0
"""Seconds of work before anything is shown."""

Step = Callable[[str], None]
"""Says what begins; the step before it has ended."""


class _Display:
    """The lines of all tasks, one below the other."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._began = monotonic()
        self._progress: Progress | None = None

    @contextmanager
    def task(self, what: str, total: int | None) -> Generator[Step]:
        """A line for one task. It is made when the delay is over, with the steps that were done by then."""
        done, line = -1, None

        def step(name: str) -> None:
            nonlocal done, line
            done += 1
            if monotonic() - self._began < DELAY:
                return
            progress = self._shown()
            if line is None:
                line = progress.add_task(what, total=total)
            progress.update(line, completed=done, description=f"{what}: {name}", refresh=True)

        try:
            yield step
        finally:
            if line is not None and self._progress is not None:
                self._progress.remove_task(line)

    def _shown(self) -> Progress:
        if self._progress is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._progress = Progress(*columns, console=Console(file=self._stream), transient=True)
            self._progress.start()
        return self._progress

    def close(self) -> None:
        """Take the lines away."""
        if self._progress is not None:
            self._progress.stop()


_display: ContextVar[_Display | None] = ContextVar("progress", default=None)


@contextmanager
def progress_shown() -> Generator[None]:
    """Show the tasks inside the `with`, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    display = _Display(sys.stderr)
    token = _display.set(display)
    try:
        yield
    finally:
        _display.reset(token)
        display.close()


@contextmanager
def task(what: str, total: int | None = None) -> Generator[Step]:
    """Long work in `total` steps, as many as there are where it is None; call what it gives as each step begins."""
    display = _display.get()
    if display is None:
        yield _ignore
        return
    with display.task(what, total) as step:
        yield step


def _ignore(name: str) -> None:
    """Nobody watches."""
