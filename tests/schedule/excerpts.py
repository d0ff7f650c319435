"""Excerpts of programs for docstrings of primitives: the statements that a call changes.

The function around them goes, and `…` stands for statements and for bodies of blocks that are the same before the call
and after it. Values go by the names that they were given, without the numbers that printing adds to tell them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

ELISION = "…"
_NUMBERED = re.compile(r"(%[A-Za-z]\w*?)(_\d+)+\b")


@dataclass
class Statement:
    """An operation as it is printed: its own lines, and the statements in its region, where it has one."""

    lines: list[str]
    body: list[Statement] | None = None
    closing: str = ""

    def text(self) -> str:
        return "\n".join([*self.lines, *(s.text() for s in self.body or ()), self.closing])

    def body_text(self) -> str:
        return "\n".join(s.text() for s in self.body or ())

    @property
    def is_named(self) -> bool:
        return self.lines[0].startswith(("loop.block", "func.func"))


@dataclass
class _Reader:
    lines: list[str]
    position: int = 0
    found: list[Statement] = field(default_factory=list[Statement])

    def statements(self, indent: int) -> list[Statement]:
        """Return the statements from here on that are indented as far, or as lines that go on further."""
        found: list[Statement] = []
        while self.position < len(self.lines):
            line = self.lines[self.position]
            depth = len(line) - len(line.lstrip())
            if depth < indent or line.lstrip().startswith("}"):
                break
            if depth > indent:
                found[-1].lines.append("    " + line.strip())
            else:
                found.append(Statement([line.strip()]))
            self.position += 1
            if line.endswith("{"):
                found[-1].body = self.statements(indent + 2)
                found[-1].closing = self.lines[self.position].strip()
                self.position += 1
        return found


def statements(text: str) -> list[Statement]:
    """Return the statements of a module, as it is printed."""
    return _Reader(_NUMBERED.sub(r"\1", text).strip().splitlines()).statements(0)


def excerpts(programs: Sequence[str]) -> list[str]:
    """Return the excerpts of a program before a call and after it, or after each of several calls."""
    modules = [_functions(program) for program in programs]
    same_header = len({tuple(f.lines) for functions in modules for f in functions}) == 1
    if same_header:
        modules = [_without_return(functions[0].body or []) for functions in modules]
    same = set.intersection(*({s.text() for s in module} for module in modules))
    bodies = set.intersection(*({b.body_text() for b in _named(module)} for module in modules))
    return ["\n".join(_trimmed(list(_shown(module, same, bodies, 0)))) for module in modules]


def _functions(program: str) -> list[Statement]:
    found = statements(program)
    return found[0].body or [] if found[0].lines[0].startswith("builtin.module") else found


def _without_return(body: list[Statement]) -> list[Statement]:
    return [s for s in body if s.lines[0] != "func.return"]


def _named(body: Sequence[Statement]) -> Iterator[Statement]:
    for statement in body:
        if statement.is_named:
            yield statement
        yield from _named(statement.body or [])


def _shown(body: Sequence[Statement], same: set[str], bodies: set[str], depth: int) -> Iterator[str]:
    indent, was_same = "  " * depth, False
    for statement in body:
        is_same = depth == 0 and statement.text() in same
        if is_same and not was_same:
            yield indent + ELISION
        was_same = is_same
        if is_same:
            continue
        *first, last = (indent + line for line in statement.lines)
        yield from first
        if statement.is_named and statement.body_text() in bodies:
            yield f"{last} {ELISION} {statement.closing}"
        elif statement.body is None:
            yield last
        else:
            yield last
            yield from _shown(_without_return(statement.body), same, bodies, depth + 1)
            yield indent + statement.closing


def _trimmed(lines: list[str]) -> list[str]:
    """Return the lines without elisions at both ends."""
    while lines and lines[0] == ELISION:
        del lines[0]
    while lines and lines[-1] == ELISION:
        del lines[-1]
    return lines
