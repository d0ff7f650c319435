"""Registry of the references of operators that are defined in packages above this one.

The operators of the graph dialect are defined in `operators`, which registers a reference for each. An operation
without a registered reference cannot be run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Reference: TypeAlias = "Callable[..., Sequence[np.ndarray[Any, Any]]]"
"""`reference(op, *arrays)` gives the results of `op` on these operands."""
Provider: TypeAlias = "Callable[[str], Reference | None]"
"""Finds the reference of an op by its whole name, or gives None."""

_REFERENCES: dict[str, Reference] = {}
_PROVIDERS: dict[str, Provider] = {}


def register_reference(op_name: str, reference: Reference) -> None:
    """Register the reference of the operation `op_name`, such as "graph.conv2d"; a later one replaces an earlier
    one."""
    _REFERENCES[op_name] = reference


def unregister_reference(op_name: str) -> None:
    """Remove the reference of an operation."""
    _REFERENCES.pop(op_name, None)


def register_provider(dialect: str, provider: Provider) -> None:
    """Register the function that provides the references of a dialect's operations on first use."""
    _PROVIDERS[dialect] = provider


def find_reference(op_name: str) -> Reference | None:
    """Return the reference of the operation `op_name`, None where nobody registered one."""
    if op_name in _REFERENCES:
        return _REFERENCES[op_name]
    provider = _PROVIDERS.get(op_name.split(".", 1)[0])
    return provider(op_name) if provider is not None else None
