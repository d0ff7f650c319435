"""Progress of long work, shown on a terminal.

    with task("passes", len(passes)) as step:
        for pass_ in passes:
            step(pass_.name)

Nothing is shown unless a command line tool asks for it by `progress_shown` and standard error is a terminal, and then
only of work that takes longer than a second. In a pipe, in a file and in programs that import the compiler there is no
output.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable
    from rich.live import Live
    from rich.progress import Progress, TaskID

DELAY = 1.0
"""Seconds of work before anything is shown."""

Step = Callable[[str], None]
"""Announces the next step; the previous step has ended."""

Rows = Sequence[Sequence[str]]
"""The cells of a table, row by row."""

Draw = Callable[[Rows, str], None]
"""Draws rows and a line below them."""


class _Display:
    """The display on the terminal: optionally the table of a long command, and below it one line for each task."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._began = monotonic()
        self._process = os.getpid()
        self._live: Live | None = None
        self._progress: Progress | None = None
        self._table: ConsoleRenderable | None = None

    @property
    def is_of_this_process(self) -> bool:
        """False in a fork, whose output would mix with that of its parent."""
        return self._process == os.getpid()

    @contextmanager
    def task(self, what: str, total: int | None) -> Generator[Step]:
        """Show a line for one task. It is made when the delay is over, with the steps that were done by then."""
        done = -1
        line: TaskID | None = None

        def step(name: str) -> None:
            nonlocal done, line
            done += 1
            if monotonic() - self._began < DELAY:
                return
            progress = self._bars()
            if line is None:
                line = progress.add_task(what, total=total)
            progress.update(line, completed=done, description=f"{what}: {name}")
            self._draw()

        try:
            yield step
        finally:
            if line is not None and self._progress is not None:
                self._progress.remove_task(line)

    @contextmanager
    def table(self, columns: Sequence[str]) -> Generator[Draw]:
        """Show a table that each call draws anew, from the delay on."""
        from rich.console import Group
        from rich.markup import escape
        from rich.table import Table
        from rich.text import Text

        def draw(rows: Rows, below: str) -> None:
            if monotonic() - self._began < DELAY:
                return
            table = Table(*map(escape, columns), box=None, pad_edge=False)
            for row in rows:
                table.add_row(*map(Text, row))
            self._table = Group(table, Text(below))
            self._draw()

        try:
            yield draw
        finally:
            self._table = None

    def _bars(self) -> Progress:
        if self._progress is None:
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(20), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._progress = Progress(*columns, auto_refresh=False)
        return self._progress

    def _draw(self) -> None:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._stream)
            self._live = Live(console=console, transient=True, get_renderable=self._parts, redirect_stdout=False)
            self._live.start()
        self._live.refresh()

    def _parts(self) -> ConsoleRenderable:
        from rich.console import Group

        bars = self._progress if self._progress is not None and self._progress.tasks else None
        return Group(*(part for part in (self._table, bars) if part is not None))

    def close(self) -> None:
        """Take the lines away."""
        if self._live is not None:
            self._live.stop()


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
    """Show long work in `total` steps, an unknown number where it is None; call the yielded function as each step
    begins."""
    display = _current()
    if display is None:
        yield _ignore
        return
    with display.task(what, total) as step:
        yield step


@contextmanager
def table(columns: Sequence[str]) -> Generator[Draw | None]:
    """Show a table of long work: call the yielded function whenever rows change; None where nobody watches."""
    display = _current()
    if display is None:
        yield None
        return
    with display.table(columns) as draw:
        yield draw


def _current() -> _Display | None:
    display = _display.get()
    return display if display is not None and display.is_of_this_process else None


def _ignore(name: str) -> None:
    """Ignore a step: nobody watches."""
