"""The module as text before and after passes, in full or as a diff."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from difflib import unified_diff
from io import StringIO
from typing import TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from ..options import spec_of
from .base import Instrument
from .parts import Part, print_parts


class PrintIR(Instrument):
    """Prints the module before or after passes.

    `before`, `after`: names of passes. `after_all`: after every pass. `after_change`: after every pass that changed
    the module's text. `diff`: not the whole module after a change, but a diff of the functions that changed.
    """

    def __init__(
        self,
        *,
        before: Collection[str] = (),
        after: Collection[str] = (),
        after_all: bool = False,
        after_change: bool = False,
        diff: bool = False,
        generic: bool = False,
        stream: TextIO | None = None,
    ) -> None:
        self.before = frozenset(before)
        self.after = frozenset(after)
        self.after_all = after_all
        self.after_change = after_change
        self.diff = diff
        self.generic = generic
        self.stream = stream
        self._known: list[tuple[ModulePass, list[Part]]] = []
        """The text before each pass that runs, the innermost last."""
        self._last: list[Part] | None = None
        """The text after the last pass of this run."""

    def before_run(self, module: ModuleOp) -> None:
        self._last = None

    def after_run(self, module: ModuleOp) -> None:
        self._last = None

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name in self.before:
            self._print(f"IR before {spec_of(pass_)}", print_ir(module, generic=self.generic))
        if self.after_change:
            known = print_parts(module, generic=self.generic)[1] if self._last is None else self._last
            self._known.append((pass_, known))

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        known = self._known.pop()[1] if self.after_change else []
        if not (self.after_all or self.after_change or pass_.name in self.after):
            return
        text, parts = print_parts(module, generic=self.generic)
        self._last = parts
        title = f"IR after {spec_of(pass_)}"
        if self.after_all or pass_.name in self.after or (parts != known and not self.diff):
            self._print(title, text)
        elif parts != known:
            write_lines(self.stream or sys.stderr, [_heading(title), *diff_lines(known, parts)])
        else:
            self._print(f"{title}: no change", "")

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        if self._known and self._known[-1][0] is pass_:  # otherwise the pass ran, and a later step failed
            self._known.pop()

    def _print(self, title: str, text: str) -> None:
        stream = self.stream or sys.stderr
        stream.write(f"{_heading(title)}\n{text}")
        stream.flush()


def _heading(title: str) -> str:
    return f"// ----- {title} ----- //"


def print_ir(module: ModuleOp, *, generic: bool = False) -> str:
    """Return the module's text, ending with a newline."""
    stream = StringIO()
    Printer(stream=stream, print_generic_format=generic).print_op(module)
    return stream.getvalue() + "\n"


_CONTEXT_LINES = 3
_STYLES = {"---": "bold", "+++": "bold", "@@": "cyan", "+": "green", "-": "red", "//": "bold cyan"}
"""The styles of lines by their prefixes; the first prefix that fits counts."""


def diff_lines(before: Iterable[Part], after: Iterable[Part]) -> Iterator[str]:
    """Yield the lines of a unified diff of each part that differs, those that are gone last. Equal parts cost one
    comparison."""
    old = {part.name: part.text for part in before}
    for name, text in after:
        known = old.pop(name, "")
        if known != text:
            yield from _part_diff(name, known, text)
    for name, text in old.items():
        yield from _part_diff(name, text, "")


def _part_diff(name: str, before: str, after: str) -> Iterator[str]:
    lines = before.splitlines(), after.splitlines()
    return unified_diff(*lines, f"{name} before", f"{name} after", n=_CONTEXT_LINES, lineterm="")


def write_lines(stream: TextIO, lines: Iterable[str]) -> None:
    """Write lines of a diff, coloured where the stream shows colours."""
    if not has_colour(stream):
        stream.writelines(f"{line}\n" for line in lines)
        stream.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, color_system="standard", soft_wrap=True, highlight=False)
    for line in lines:
        console.print(Text(line, next((style for start, style in _STYLES.items() if line.startswith(start)), "")))


def has_colour(stream: TextIO) -> bool:
    """Return whether text for `stream` is coloured: on terminals, unless the variable NO_COLOR is set; elsewhere if
    FORCE_COLOR is set."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
