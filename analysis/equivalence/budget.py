"""The limits of one proof."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """Two bounds, either of which ends a proof with `Unknown`."""

    operations: int = 5_000_000
    """isl operations for each question: some seconds at most. A question cannot be interrupted otherwise."""
    seconds: float = 60.0
    """Wall time of the whole proof, looked at between questions."""


DEFAULT = Budget()
