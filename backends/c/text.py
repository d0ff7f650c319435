"""C expressions with the parentheses that they need, and indented lines of C."""

from __future__ import annotations

from ..written.text import CONDITIONAL, OR, UNARY, Expression, Lines, reads_of

RELATION, EQUALITY, BIT_AND, BIT_XOR, BIT_OR = 11, 10, 9, 8, 7
"""The precedences that C has between SHIFT and AND, strongest first."""


def unary(operator: str, a: Expression) -> Expression:
    """Return `operator a`; two signs never touch."""
    inner = a.at(UNARY)
    text = f"{operator}({a.text})" if inner.startswith(operator) else f"{operator}{inner}"
    return Expression(text, UNARY, a.reads, is_simple=False)


def cast(type_: str, a: Expression) -> Expression:
    """Return `(type)a`."""
    return Expression(f"({type_}){a.at(UNARY)}", UNARY, a.reads, is_simple=False)


def conditional(condition: Expression, a: Expression, b: Expression) -> Expression:
    """Return `condition ? a : b`. Compilers warn of a bitwise operation before `?` without parentheses."""
    level = EQUALITY if condition.level in (BIT_AND, BIT_XOR, BIT_OR) else OR
    text = f"{condition.at(level)} ? {a.at(OR)} : {b.at(OR)}"
    return Expression(text, CONDITIONAL, reads_of(condition, a, b), is_simple=False)


class CLines(Lines):
    """Lines of C."""

    indent = "  "

    def directive(self, text: str) -> None:
        """Write a line of the preprocessor, which stands at the margin."""
        self.lines.append(text)

    def open(self, text: str) -> None:
        self.line(f"{text} {{".lstrip())
        self.depth += 1

    def close(self, text: str = "}") -> None:
        self.depth -= 1
        self.line(text)
