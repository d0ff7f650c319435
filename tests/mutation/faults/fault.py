"""A row of the tables of planted faults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A fault that the package had: text that mends it, and what stood there before."""

    name: str
    """The effect of the fault, in words."""
    file: str
    """Relative to the package."""
    mended: str
    """Occurs once in the file."""
    planted: str
    """Stands in its place with the fault."""
    tests: tuple[str, ...]
    """Files of tests, or single ones, as pytest names them from the root. At least one has to fail."""
