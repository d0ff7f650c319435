"""The operations of the graph dialect: structural ones, and the operators, which a higher layer declares.

`tilewright.operators` declares one operation for each operator. The slot `OPERATORS` provides these operations, which
are imported when a text or a program first uses the dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from xdsl.ir import Dialect, Operation

from ...diagnostics import fail
from ...diagnostics.locations import caller_location
from ...lazy import Slot
from .base import GraphOp
from .structure import ConstantOp, FusedOp, IfOp, LoopOp, YieldOp
from .types import DimsAttr

_operations: dict[str, type[Operation]] = {
    operation.name.removeprefix("graph."): operation for operation in (ConstantOp, FusedOp, IfOp, LoopOp, YieldOp)
}


OPERATORS: Slot[Callable[[], Mapping[str, object]]] = Slot("dialects.graph.operations:OPERATORS")
"""Imports the operators, and gives their records by name."""


def all_operations() -> dict[str, type[Operation]]:
    """Return every op class by its name without the dialect."""
    OPERATORS.value()
    return _operations


def register_operation(operation: type[GraphOp]) -> None:
    """Add an op class to the dialect: text that is parsed from now on may have it. Raises TilewrightError TW0226 for a
    name that the dialect has, or that is not of the dialect."""
    name = operation.name.removeprefix("graph.")
    if name == operation.name or name in _operations:
        reason = "has one of that name" if name in _operations else "has names that begin with 'graph.'"
        message = f"expected a new operation of the dialect graph, but it {reason}: '{operation.name}'"
        fail("TW0226", message, location=caller_location())
    _operations[name] = operation


def unregister_operation(name: str) -> None:
    """Take an op class, named without the dialect, out of the dialect. Does nothing where there is none."""
    _operations.pop(name, None)


class _Graph(Dialect):
    """The graph dialect, whose operations are imported at its first use."""

    @property
    def operations(self) -> Iterator[type[Operation]]:
        yield from all_operations().values()


Graph = _Graph("graph", [], [DimsAttr])
