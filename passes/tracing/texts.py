"""Texts of modules, cut into functions and kept once.

Most passes leave most functions alone, and a function that changes keeps most of its lines. So a text is a list of
numbers of lines, every line is kept once, and every text is known by its content.
"""

from __future__ import annotations

import re
from hashlib import sha256
from io import StringIO
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.printer import Printer

MODULE = "(module)"
"""What the text around the functions is called."""
_LONGEST_LINE = 2000
_CONSTANT = re.compile(r"(dense(?:_resource)?<)([^<>]{160,})(>)")
_CODE_START = re.compile(r"^[;#] function @(.*)$", re.MULTILINE)


class Part(NamedTuple):
    """A piece of a module's text: a function, or what stands around them."""

    name: str
    text: str


class TextStore:
    """Every line and every text once."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        """Lines and their numbers."""
        self.texts: list[list[int]] = []
        """Texts as numbers of lines."""
        self._numbers: dict[bytes, int] = {}

    def add(self, text: str) -> int:
        """The number of a text."""
        digest = sha256(text.encode()).digest()
        number = self._numbers.get(digest)
        if number is None:
            number = self._numbers[digest] = len(self.texts)
            lines = self.lines
            self.texts.append([lines.setdefault(elide(line), len(lines)) for line in text.splitlines()])
        return number


class _PartPrinter(Printer):
    """Prints a module and notes where each of its operations begins and ends."""

    def __init__(self, stream: StringIO, module: ModuleOp) -> None:
        super().__init__(stream=stream)
        self.spans: list[tuple[str, int, int]] = []
        self._written = stream
        self._tops = set(module.ops)

    def print_op(self, op: Operation) -> None:
        start = self._written.tell()
        super().print_op(op)
        if op in self._tops:
            self.spans.append((_name(op), start, self._written.tell()))


def print_parts(module: ModuleOp) -> tuple[str, list[Part]]:
    """The module's text, and the same in parts: the functions, then what stands around them."""
    stream = StringIO()
    printer = _PartPrinter(stream, module)
    printer.print_op(module)
    text = stream.getvalue() + "\n"
    parts = [Part(name, _dedented(text[start:end])) for name, start, end in printer.spans]
    ends = [0, *(place for _, start, end in printer.spans for place in (start, end)), len(text)]
    around = "".join(text[start:end] for start, end in list(pairwise(ends))[::2])
    return text, [*_distinct(parts), Part(MODULE, "\n".join(line for line in around.splitlines() if line.strip()))]


def code_parts(text: str) -> list[Part]:
    """Lowered code in parts: one for each comment that names a function, or all of it."""
    starts = list(_CODE_START.finditer(text))
    if not starts:
        return [Part(MODULE, text)]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return _distinct([Part(m[1], text[m.end() + 1 : end].rstrip()) for m, end in zip(starts, ends, strict=True)])


def elide(line: str) -> str:
    """A line without the elements of large constants, and of bearable length."""
    line = _CONSTANT.sub(lambda match: f"{match[1]}… {len(match[2])} characters …{match[3]}", line)
    if len(line) > _LONGEST_LINE:
        return f"{line[:_LONGEST_LINE]}… {len(line) - _LONGEST_LINE} more characters"
    return line


def _dedented(text: str) -> str:
    """A part without the two columns by which it is indented in its module."""
    return "\n".join(line.removeprefix("  ") for line in text.splitlines())


def _distinct(parts: list[Part]) -> list[Part]:
    """Parts under names that differ, so that each is compared with what it was."""
    seen: dict[str, int] = {}
    result: list[Part] = []
    for part in parts:
        count = seen[part.name] = seen.get(part.name, 0) + 1
        result.append(part if count == 1 else Part(f"{part.name} ({count})", part.text))
    return result


def _name(op: Operation) -> str:
    name = op.properties.get("sym_name", op.attributes.get("sym_name"))
    return name.data if isinstance(name, StringAttr) else op.name
