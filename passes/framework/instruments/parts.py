"""A module's text in parts: its functions, and the text around them.

Most passes leave most functions unchanged, so texts are compared function by function.
"""

from __future__ import annotations

from io import StringIO
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.printer import Printer

MODULE = "(module)"
"""The name of the text around the functions."""


class Part(NamedTuple):
    """A piece of a module's text: a function, or the text around functions."""

    name: str
    text: str


def print_parts(module: ModuleOp, *, generic: bool = False) -> tuple[str, list[Part]]:
    """Return the module's text, and the same in parts: the functions, then the text around them."""
    stream = StringIO()
    printer = _PartPrinter(stream, module, generic=generic)
    printer.print_op(module)
    text = stream.getvalue() + "\n"
    parts = [Part(name, _dedented(text[start:end])) for name, start, end in printer.ranges]
    ends = [0, *(edge for _, start, end in printer.ranges for edge in (start, end)), len(text)]
    around = "".join(text[start:end] for start, end in list(pairwise(ends))[::2])
    return text, [*distinct(parts), Part(MODULE, "\n".join(line for line in around.splitlines() if line.strip()))]


class _PartPrinter(Printer):
    """Prints a module and notes where each of its operations begins and ends."""

    def __init__(self, stream: StringIO, module: ModuleOp, *, generic: bool) -> None:
        super().__init__(stream=stream, print_generic_format=generic)
        self.ranges: list[tuple[str, int, int]] = []
        self._written = stream
        self._tops = set(module.ops)

    def print_op(self, op: Operation) -> None:
        start = self._written.tell()
        super().print_op(op)
        if op in self._tops:
            self.ranges.append((_name(op), start, self._written.tell()))


def _name(op: Operation) -> str:
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else op.name


def _dedented(text: str) -> str:
    """Return a part without the two columns by which it is indented in its module."""
    return "\n".join(line.removeprefix("  ") for line in text.splitlines())


def distinct(parts: list[Part]) -> list[Part]:
    """Return the parts under unique names, so that each is compared with its earlier version."""
    seen: dict[str, int] = {}
    result: list[Part] = []
    for part in parts:
        count = seen[part.name] = seen.get(part.name, 0) + 1
        result.append(part if count == 1 else Part(f"{part.name} ({count})", part.text))
    return result
