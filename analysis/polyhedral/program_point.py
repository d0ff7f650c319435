"""Positions of operations among the loops and conditions around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...dialects.index_expr import Index, Symbol
from .guard_systems import both
from .model import Cell, Union


@dataclass(frozen=True)
class Guard:
    """A condition on data: a cell of one element that holds the truth value after the time of its evaluation."""

    cell: Cell
    time: tuple[Index, ...]
    is_then: bool
    """True for operations that run where the condition holds; false for those that run where it does not."""


@dataclass(frozen=True)
class ProgramPoint:
    """The position of an operation: the instances that reach it, and their times up to the position in its block."""

    variables: tuple[Symbol, ...]
    domain: Union
    time: tuple[Index, ...]
    assumed: tuple[Index, ...] = ()
    """The conditions that assertions before it have checked."""
    guards: tuple[Guard, ...] = ()
    """Conditions on data around it, the outermost first."""

    def where(self, union: Union) -> ProgramPoint:
        return replace(self, domain=both(self.domain, union))

    def guarded(self, cell: Cell, time: tuple[Index, ...], *, is_then: bool) -> ProgramPoint:
        """Return the point in a branch of a condition on data."""
        return replace(self, guards=(*self.guards, Guard(cell, time, is_then)))

    def entered(self, variables: Sequence[Symbol], union: Union) -> ProgramPoint:
        """Return the point inside of loops over variables that a union bounds."""
        time = (*self.time, *map(Index.of, variables))
        return replace(self, variables=(*self.variables, *variables), time=time).where(union)
