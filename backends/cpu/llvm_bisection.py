"""Bisection over the passes of LLVM for the first pass that miscompiles a program.

LLVM's work is a sequence of steps: the functions in the order of the program, and for each its passes. Bisection finds
the first step after which the program is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .limited_compile import Limited, LimitedCompiler
from .llvm import emit_object
from .module import Unit


@dataclass(frozen=True)
class WrongLlvmPass:
    """The first pass of LLVM after which the code of `function` is wrong."""

    function: str
    number: int
    total: int
    """The number of passes that LLVM runs on the function, including code generation."""
    description: str
    """The pass, by LLVM's name, and the function or loop that it ran on."""

    def __str__(self) -> str:
        return (
            f"the first bad pass of LLVM is number {self.number} of {self.total} on function @{self.function}: "
            f"{self.description}"
        )


def find_wrong_pass(units: Sequence[Unit], is_wrong: Callable[[list[bytes]], bool]) -> WrongLlvmPass | None:
    """Return the first pass that makes a program wrong whose objects, one a unit, are wrong as they are compiled by
    default; None where they are wrong without any pass that LLVM may leave out.

    `is_wrong` runs the program that objects are.
    """
    with LimitedCompiler() as compiler:
        plain = compiler.compile([(unit.text, unit.options) for unit in units], 0).objects
        if is_wrong(plain):
            return None
        full = [emit_object(unit.text, unit.options) for unit in units]
        at = _first(len(units), lambda count: is_wrong([*full[:count], *plain[count:]])) - 1
        unit = units[at]

        def limited(limit: int | None) -> Limited:
            return compiler.compile([(unit.text, unit.options)], limit)

        total = len(limited(None).passes)
        number = _first(total, lambda limit: is_wrong([*full[:at], *limited(limit).objects, *plain[at + 1 :]]))
        return WrongLlvmPass(unit.name, number, total, limited(number).passes[-1])


def _first(count: int, is_wrong: Callable[[int], bool]) -> int:
    """Return the least number up to `count` for which `is_wrong` holds, where it holds for `count` and not for 0."""
    right, wrong = 0, count
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if is_wrong(middle):
            wrong = middle
        else:
            right = middle
    return wrong
