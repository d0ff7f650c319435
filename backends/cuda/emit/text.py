"""Python expressions with the parentheses that they need, and indented lines of Python."""

from __future__ import annotations

from ...written.text import CONDITIONAL, OR, UNARY, Expression, Lines, reads_of

BIT_AND, BIT_XOR, BIT_OR, RELATION, NOT = 11, 10, 9, 8, 7
"""The precedences that Python has between SHIFT and AND, strongest first."""


def negated(a: Expression) -> Expression:
    """Return `-a`."""
    return Expression(f"-{a.at(UNARY)}", UNARY, a.reads, is_simple=False)


def inverse(a: Expression) -> Expression:
    """Return `not a`."""
    return Expression(f"not {a.at(RELATION + 1)}", NOT, a.reads, is_simple=False)


def conditional(condition: Expression, a: Expression, b: Expression) -> Expression:
    """Return `a if condition else b`, which evaluates only the selected operand."""
    text = f"{a.at(OR)} if {condition.at(OR)} else {b.at(OR)}"
    return Expression(text, CONDITIONAL, reads_of(condition, a, b), is_simple=False)


class PythonLines(Lines):
    """Lines of Python."""

    indent = "    "

    def open(self, head: str) -> None:
        """Write the head of a compound statement, its colon included; the following lines are its body."""
        self.line(head)
        self.depth += 1

    def close(self) -> None:
        """End a body; an empty one gets a `pass`."""
        if self.lines[-1].endswith(":"):
            self.line("pass")
        self.depth -= 1
