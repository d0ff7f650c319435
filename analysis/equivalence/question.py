"""The question of a proof, equality or refinement, and the budget of the search for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Refinement:
    """The question of refinement: at all sizes at which the program before is defined, the program after refines it."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words for the names of parameters, in conditions."""

    def word(self, parameter: str) -> str:
        """Return the word for a parameter."""
        return self.names.get(parameter, parameter)


@dataclass(frozen=True)
class Budget:
    """Two bounds, either of which ends a proof with `Unknown`."""

    operations: int = 5_000_000
    """isl operations for each question: some seconds at most. A question cannot be interrupted otherwise."""
    seconds: float = 60.0
    """Wall time of the whole proof, looked at between questions."""


DEFAULT = Budget()
