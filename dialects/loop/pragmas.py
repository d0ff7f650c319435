"""Pragmas: remarks on loops, `pragma.<key>`, that passes read."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

AUTO_UNROLL, UNROLL_EXPLICIT = "auto_unroll_max_step", "unroll_explicit"

PRAGMAS: dict[str, type] = {AUTO_UNROLL: int, UNROLL_EXPLICIT: bool}
"""The keys that a pass reads, and the type of their values."""


def pragma_of(op: Operation, key: str) -> int | None:
    """The value of a pragma; None where the operation does not have it."""
    value = op.attributes.get(f"pragma.{key}")
    return value.value.data if isinstance(value, IntegerAttr) else None
