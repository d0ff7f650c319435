"""Expressions of C with as few parentheses as their precedence needs, and indented lines."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects.index_expr import Index

PRIMARY, UNARY, MULTIPLY, ADD, SHIFT, RELATION, EQUALITY = 16, 15, 14, 13, 12, 11, 10
BIT_AND, BIT_XOR, BIT_OR, AND, OR, CONDITIONAL = 9, 8, 7, 6, 5, 4
"""Precedences of C, strongest first."""

_CLEAR = frozenset({MULTIPLY, ADD})
"""What readers know the precedence of; other operators get parentheses within one another."""


@dataclass(frozen=True)
class Read:
    """An element that an expression loads."""

    buffer: SSAValue
    index: tuple[Index, ...]


@dataclass(frozen=True)
class Expression:
    """A C expression. For a vector it is the value of the lane `lane`."""

    text: str
    level: int = PRIMARY
    reads: tuple[Read, ...] = ()
    """What it loads: it may not move past a store."""
    is_simple: bool = True
    """Whether it is a name or a literal, which may be repeated."""

    def at(self, level: int) -> str:
        """The text as an operand of an operator of precedence `level`."""
        return self.text if self.level >= level else f"({self.text})"

    def __str__(self) -> str:
        return self.text


def reads_of(*parts: Expression) -> tuple[Read, ...]:
    """What any of the parts loads."""
    return tuple(read for part in parts for read in part.reads)


def binary(operator: str, level: int, a: Expression, b: Expression) -> Expression:
    """`a operator b`, evaluated from the left. Nothing is reassociated."""
    if level in _CLEAR:
        text = f"{a.at(level)} {operator} {b.at(level + 1)}"
    else:
        inner = ADD if level in (RELATION, EQUALITY) else UNARY
        text = f"{a.at(inner)} {operator} {b.at(inner)}"
    return Expression(text, level, reads_of(a, b), is_simple=False)


def unary(operator: str, a: Expression) -> Expression:
    """`operator a`; two signs never touch."""
    inner = a.at(UNARY)
    text = f"{operator}({a.text})" if inner.startswith(operator) else f"{operator}{inner}"
    return Expression(text, UNARY, a.reads, is_simple=False)


def cast(type_: str, a: Expression) -> Expression:
    """`(type)a`."""
    return Expression(f"({type_}){a.at(UNARY)}", UNARY, a.reads, is_simple=False)


def call(function: str, *arguments: Expression) -> Expression:
    """`function(a, b)`."""
    return Expression(
        f"{function}({', '.join(a.text for a in arguments)})", PRIMARY, reads_of(*arguments), is_simple=False
    )


def conditional(condition: Expression, a: Expression, b: Expression) -> Expression:
    """`condition ? a : b`."""
    text = f"{condition.at(OR)} ? {a.at(OR)} : {b.at(OR)}"
    return Expression(text, CONDITIONAL, reads_of(condition, a, b), is_simple=False)


class Lines:
    """Lines of source at the current depth."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text if text else "")

    def directive(self, text: str) -> None:
        """A line of the preprocessor, which stands at the margin."""
        self.lines.append(text)

    def open(self, text: str) -> None:
        self.line(f"{text} {{".lstrip())
        self.depth += 1

    def close(self, text: str = "}") -> None:
        self.depth -= 1
        self.line(text)
