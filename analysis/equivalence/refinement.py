"""The question of refinement, beside that of equality: which sizes are compared, and what is assumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Refinement:
    """Ask that the program after refines the one before, at the sizes at which the one before is defined."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words for the names of parameters, in conditions."""

    def word(self, parameter: str) -> str:
        """Return the word for a parameter."""
        return self.names.get(parameter, parameter)
