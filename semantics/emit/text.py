"""Writer of Python source: lines with indentation, and index expressions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.ir import SSAValue

from ...dialects.index_expr import LANE, Atom, FloorDiv, Index, Mod

Name = Callable[[SSAValue], str]


class Lines:
    """Text under construction. `depth` is the number of open blocks."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.depth = 0

    def add(self, line: str) -> None:
        self._lines.append(" " * self.depth + line)

    @contextmanager
    def block(self, header: str) -> Generator[None]:
        """Put lines that are added within below `header`; there may be none."""
        self.add(header)
        self.depth += 1
        start = len(self._lines)
        yield
        if len(self._lines) == start:
            self.add("pass")
        self.depth -= 1

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"


def index_text(expression: Index, name: Name, lanes: str = "") -> str:
    """Return an index expression as Python; `lanes` replaces LANE. Python's // and % are floordiv and mod."""
    parts = [_term(atom, c, name, lanes) for atom, c in expression.terms]
    if expression.constant or not parts:
        parts.append(str(expression.constant))
    return " + ".join(parts) if len(parts) > 1 else parts[0]


def guard_text(guard: Sequence[Index], name: Name, lanes: str = "") -> str:
    """Return the text of the condition that all expressions of a guard are >= 0.

    Its value is a bool, or an array of bools where an expression uses the lane.
    """
    conditions = [f"{index_text(e, name, lanes)} >= 0" for e in guard]
    if not lanes:
        return " and ".join(conditions) or "True"
    return " & ".join(f"({c})" for c in conditions) or "True"


def tuple_text(items: Sequence[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _term(atom: Atom, coefficient: int, name: Name, lanes: str) -> str:
    text = _atom(atom, name, lanes)
    if coefficient == 1:
        return text
    return f"-{text}" if coefficient == -1 else f"{text} * {coefficient}"


def _atom(atom: Atom, name: Name, lanes: str) -> str:
    if isinstance(atom, (FloorDiv, Mod)):
        operator = "//" if isinstance(atom, FloorDiv) else "%"
        return f"(({index_text(atom.numerator, name, lanes)}) {operator} {atom.divisor})"
    if atom is LANE:
        return lanes
    assert isinstance(atom, SSAValue)
    return name(atom)
