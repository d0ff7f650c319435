"""What watches passes run: timing and printing.

Instruments nest: the first one given is called first before a pass and last after it. Instruments write to
standard error or to the stream given, never to standard output, where the IR goes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection
from io import StringIO
from typing import ClassVar, TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from .options import spec_of


class Instrument:
    """Base class: does nothing."""

    needs_verified: ClassVar[bool] = False
    """Whether `after_verification` has to be called after every pass, whatever the setting `verify_each`."""

    def before_run(self, module: ModuleOp) -> None:
        """Called before the first of a manager's passes. Passes may run managers of their own: runs nest."""

    def after_run(self, module: ModuleOp) -> None:
        """Called after the last of a manager's passes, also where one failed."""

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        """Called before `pass_` runs."""

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        """Called after `pass_` ran, before the module is verified: a broken module can be printed."""

    def after_verification(self, pass_: ModulePass, module: ModuleOp) -> None:
        """Called after `pass_` ran, where the module was verified after it."""

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        """Called when `pass_` raised `error`, left invalid IR, or an instrument found something wrong after it."""

    def after_build(self, module: ModuleOp, source: Callable[[str], str]) -> None:
        """Called when a module that went through passes was compiled; `source(kind)` is its text as "llvm" or "asm", or
        what else the target has."""


class Timing(Instrument):
    """Measures how long each pass takes, verification left out. Give it last, so that it times no instrument.

    `clock` gives the seconds: wall-clock time, or `time.process_time` for CPU time.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: list[tuple[str, float]] = []
        """Passes in the order run, each with its seconds."""
        self._clock = clock
        self._start = 0.0

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._start = self._clock()

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.seconds.append((spec_of(pass_), self._clock() - self._start))

    def report(self) -> str:
        """A table: milliseconds and share of each pass, and the total."""
        total = sum(seconds for _, seconds in self.seconds)
        rows = [
            f"{1e3 * seconds:10.1f} ms {100 * seconds / total if total else 0:5.1f} %  {name}"
            for name, seconds in self.seconds
        ]
        return "\n".join([*rows, f"{1e3 * total:10.1f} ms 100.0 %  total"])


class PrintIR(Instrument):
    """Prints the module before or after passes.

    `before`, `after`: names of passes. `after_all`: after every pass. `after_change`: after every pass that changed
    the module's text.
    """

    def __init__(
        self,
        *,
        before: Collection[str] = (),
        after: Collection[str] = (),
        after_all: bool = False,
        after_change: bool = False,
        generic: bool = False,
        stream: TextIO | None = None,
    ) -> None:
        self.before = frozenset(before)
        self.after = frozenset(after)
        self.after_all = after_all
        self.after_change = after_change
        self.generic = generic
        self.stream = stream
        self._text = ""

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name in self.before:
            self._print(f"IR before {spec_of(pass_)}", print_ir(module, generic=self.generic))
        if self.after_change:
            self._text = print_ir(module, generic=self.generic)

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if not (self.after_all or self.after_change or pass_.name in self.after):
            return
        text = print_ir(module, generic=self.generic)
        if self.after_all or pass_.name in self.after or text != self._text:
            self._print(f"IR after {spec_of(pass_)}", text)
        else:
            self._print(f"IR after {spec_of(pass_)}: no change", "")

    def _print(self, title: str, text: str) -> None:
        stream = self.stream or sys.stderr
        stream.write(f"// ----- {title} ----- //\n{text}")
        stream.flush()


def print_ir(module: ModuleOp, *, generic: bool = False) -> str:
    """The module's text, ending with a newline."""
    stream = StringIO()
    Printer(stream=stream, print_generic_format=generic).print_op(module)
    return stream.getvalue() + "\n"
