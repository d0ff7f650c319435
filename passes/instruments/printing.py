"""The module as text, before and after passes."""

from __future__ import annotations

import sys
from collections.abc import Collection
from io import StringIO
from typing import TextIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from ..options import spec_of
from .base import Instrument


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
