"""Expressions of Python with as few parentheses as their precedence needs, and indented lines."""

from __future__ import annotations

from dataclasses import dataclass

PRIMARY, UNARY, MULTIPLY, ADD, SHIFT, BIT_AND, BIT_XOR, BIT_OR = 16, 14, 13, 12, 11, 10, 9, 8
RELATION, NOT, AND, OR, CONDITIONAL = 7, 6, 5, 4, 3
"""Precedences of Python, strongest first."""

_CLEAR = frozenset({MULTIPLY, ADD})
"""What readers know the precedence of; other operators get parentheses within one another."""


@dataclass(frozen=True)
class Expression:
    """An expression of Python with one value."""

    text: str
    level: int = PRIMARY
    reads: bool = False
    """Whether it loads from memory: it may not move past a store."""
    is_simple: bool = True
    """Whether it is a name or a literal, which may be repeated."""
    unrounded: Expression | None = None
    """What was rounded to a narrow float: whoever stores it as one rounds it anyway."""

    def at(self, level: int) -> str:
        """The text as an operand of an operator of precedence `level`."""
        return self.text if self.level >= level else f"({self.text})"

    def __str__(self) -> str:
        return self.text


def _reads(parts: tuple[Expression, ...]) -> bool:
    return any(part.reads for part in parts)


def binary(operator: str, level: int, a: Expression, b: Expression) -> Expression:
    """`a operator b`, evaluated from the left. Nothing is reassociated."""
    if level in _CLEAR:
        text = f"{a.at(level)} {operator} {b.at(level + 1)}"
    else:
        inner = ADD if level == RELATION else UNARY
        text = f"{a.at(inner)} {operator} {b.at(inner)}"
    return Expression(text, level, _reads((a, b)), is_simple=False)


def negated(a: Expression) -> Expression:
    """`-a`."""
    return Expression(f"-{a.at(UNARY)}", UNARY, a.reads, is_simple=False)


def inverse(a: Expression) -> Expression:
    """`not a`."""
    return Expression(f"not {a.at(RELATION + 1)}", NOT, a.reads, is_simple=False)


def call(function: str, *arguments: Expression) -> Expression:
    """`function(a, b)`, which is a cast too: `float32(a)`."""
    return Expression(f"{function}({', '.join(a.text for a in arguments)})", PRIMARY, _reads(arguments), False)


def joined(operator: str, parts: list[Expression]) -> Expression:
    """`a and b and c`, or with `or` or `&`."""
    if len(parts) == 1:
        return parts[0]
    level = {"and": AND, "or": OR, "&": BIT_AND}[operator]
    return Expression(
        f" {operator} ".join(p.at(RELATION if operator != "&" else UNARY) for p in parts),
        level,
        _reads(tuple(parts)),
        False,
    )


def conditional(condition: Expression, a: Expression, b: Expression) -> Expression:
    """`a if condition else b`: what is not chosen is not evaluated."""
    text = f"{a.at(OR)} if {condition.at(OR)} else {b.at(OR)}"
    return Expression(text, CONDITIONAL, _reads((condition, a, b)), is_simple=False)


class Lines:
    """Lines of source at the current depth."""

    def __init__(self, depth: int = 1) -> None:
        self.lines: list[str] = []
        self.depth = depth

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def open(self, head: str) -> None:
        """The head of a compound statement, its colon included; what follows is its body."""
        self.line(head)
        self.depth += 1

    def close(self) -> None:
        """End a body; one without statements says so."""
        if self.lines[-1].endswith(":"):
            self.line("pass")
        self.depth -= 1
