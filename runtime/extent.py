"""Sizes of a program's arguments as expressions of its symbolic sizes.

The compiler's index expressions refer to SSA values. A compiled program outlives the IR, so it has the same
quasi-affine expressions over names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Union


@dataclass(frozen=True)
class Division:
    """`numerator floordiv divisor` or `numerator mod divisor`, divisor > 0."""

    kind: Literal["floordiv", "mod"]
    numerator: Extent
    divisor: int

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        value = self.numerator.evaluate(sizes)
        return value // self.divisor if self.kind == "floordiv" else value % self.divisor

    def __str__(self) -> str:
        return f"(({self.numerator}) {self.kind} {self.divisor})"

    def symbols(self) -> frozenset[str]:
        return self.numerator.symbols()


@dataclass(frozen=True)
class Combination:
    """Two expressions of sizes combined in a way that is not affine."""

    kind: Literal["*", "floordiv", "min", "max"]
    lhs: Extent
    rhs: Extent

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        lhs, rhs = self.lhs.evaluate(sizes), self.rhs.evaluate(sizes)
        if self.kind == "*":
            return lhs * rhs
        if self.kind == "floordiv":
            return lhs // rhs if rhs else 0
        return min(lhs, rhs) if self.kind == "min" else max(lhs, rhs)

    def symbols(self) -> frozenset[str]:
        return self.lhs.symbols() | self.rhs.symbols()

    def __str__(self) -> str:
        if self.kind in ("min", "max"):
            return f"{self.kind}({self.lhs}, {self.rhs})"
        sides = (str(e) if e.name is not None else f"({e})" for e in (self.lhs, self.rhs))
        return f" {self.kind} ".join(sides)


@dataclass(frozen=True)
class Extent:
    """`constant + sum(coefficient * atom)`; an atom is the name of a size, a division, or a combination."""

    constant: int = 0
    terms: tuple[tuple[str | Division | Combination, int], ...] = ()

    @staticmethod
    def symbol(name: str) -> Extent:
        return Extent(0, ((name, 1),))

    @cached_property
    def name(self) -> str | None:
        """The name, where the extent is one symbolic size and nothing else."""
        if self.constant == 0 and len(self.terms) == 1:
            atom, coefficient = self.terms[0]
            if coefficient == 1 and isinstance(atom, str):
                return atom
        return None

    def symbols(self) -> frozenset[str]:
        """Return the names of all sizes that the extent depends on."""
        found: frozenset[str] = frozenset()
        for atom, _ in self.terms:
            found |= {atom} if isinstance(atom, str) else atom.symbols()
        return found

    def evaluate(self, sizes: Mapping[str, int]) -> int:
        total = self.constant
        for atom, coefficient in self.terms:
            total += coefficient * (sizes[atom] if isinstance(atom, str) else atom.evaluate(sizes))
        return total

    def __str__(self) -> str:
        parts = [str(atom) if c == 1 else f"{atom} * {c}" for atom, c in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return " + ".join(parts).replace("+ -", "- ")


Dimension = Union[int, Extent]
"""A size of an argument: fixed, or an expression of symbolic sizes."""
