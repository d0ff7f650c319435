"""Expressions with as few parentheses as their precedence needs, and indented lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.ir import SSAValue

from ...dialects.index_expr import Index
from ...dialects.loop import LoadOp

PRIMARY, UNARY, MULTIPLY, ADD, SHIFT = 16, 15, 14, 13, 12
AND, OR, CONDITIONAL = 6, 5, 4
"""Precedences, strongest first. The precedences between these two groups differ between languages."""

_CLEAR = frozenset({MULTIPLY, ADD})
"""The precedences that readers know; nested operators of other precedences get parentheses."""
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})


@dataclass(frozen=True)
class Read:
    """An element that an expression loads."""

    buffer: SSAValue
    index: tuple[Index, ...]


@dataclass(frozen=True)
class Expression:
    """The text of an expression with one value."""

    text: str
    level: int = PRIMARY
    reads: tuple[Read, ...] = ()
    """The loads in the expression, which may not move past a store."""
    is_simple: bool = True
    """True if the expression is a name or a literal, which may be repeated."""
    unrounded: Expression | None = None
    """The value before it was rounded to a narrow float, where a store may round it instead."""

    def at(self, level: int) -> str:
        """Return the text as an operand of an operator of precedence `level`."""
        return self.text if self.level >= level else f"({self.text})"

    def __str__(self) -> str:
        return self.text


def loaded(text: str, op: LoadOp) -> Expression:
    """Return the expression of a load."""
    return Expression(text, PRIMARY, (Read(op.buffer, op.index),), is_simple=False)


def reads_of(*parts: Expression) -> tuple[Read, ...]:
    """Return the loads in any of the parts."""
    return tuple(read for part in parts for read in part.reads)


def binary(operator: str, level: int, a: Expression, b: Expression) -> Expression:
    """Return `a operator b`, evaluated from the left. Nothing is reassociated."""
    if level in _CLEAR:
        text = f"{a.at(level)} {operator} {b.at(level + 1)}"
    else:
        inner = ADD if operator in _COMPARISONS else UNARY
        text = f"{a.at(inner)} {operator} {b.at(inner)}"
    return Expression(text, level, reads_of(a, b), is_simple=False)


def joined(operator: str, level: int, parts: Sequence[Expression]) -> Expression:
    """Return `a operator b operator c`, of an operator that is associative."""
    if len(parts) == 1:
        return parts[0]
    text = f" {operator} ".join(part.at(level + 1) for part in parts)
    return Expression(text, level, reads_of(*parts), is_simple=False)


def call(function: str, *arguments: Expression) -> Expression:
    """Return `function(a, b)`."""
    text = f"{function}({', '.join(a.text for a in arguments)})"
    return Expression(text, PRIMARY, reads_of(*arguments), is_simple=False)


class Lines:
    """Lines of source at the current depth."""

    indent: ClassVar[str]

    def __init__(self, depth: int = 1) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def line(self, text: str) -> None:
        self.lines.append(self.indent * self.depth + text if text else "")
