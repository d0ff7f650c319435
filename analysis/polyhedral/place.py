"""Where an operation stands among the loops and conditions around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...dialects.index_expr import Index, Symbol
from .guard_systems import both
from .model import Union


@dataclass(frozen=True)
class Place:
    """Where an operation stands: the instances that reach it, and the time of each up to the position in its block."""

    variables: tuple[Symbol, ...]
    domain: Union
    time: tuple[Index, ...]
    assumed: tuple[Index, ...] = ()
    """What assertions before it have checked."""

    def where(self, union: Union) -> Place:
        return replace(self, domain=both(self.domain, union))

    def entered(self, variables: Sequence[Symbol], union: Union) -> Place:
        """The place inside of loops over variables that a union bounds."""
        time = (*self.time, *map(Index.of, variables))
        return replace(self, variables=(*self.variables, *variables), time=time).where(union)
