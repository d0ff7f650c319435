"""The numbering of a program's assertions, and their messages for the runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..diagnostics.locations import location_of, source_position
from ..dialects.loop import AssertOp
from ..runtime.checks import Check, Checks


def numbered_checks(module: ModuleOp) -> dict[Operation, int]:
    """Return the assertions of a module with the numbers that their code records, from 1."""
    return {op: number for number, op in enumerate((n for n in module.walk() if isinstance(n, AssertOp)), 1)}


def checks_of(numbers: Mapping[Operation, int], positions: Sequence[int]) -> Checks | None:
    """Return the runtime's description of assertions, for code whose record is at these positions; None without any."""
    return Checks(check_messages(numbers), tuple(positions)) if positions else None


def check_messages(numbers: Mapping[Operation, int]) -> tuple[Check, ...]:
    """Return the message and the source position of each assertion, by their numbers."""
    return tuple(map(_check, numbers))


def _check(op: Operation) -> Check:
    assert isinstance(op, AssertOp)
    position, message = source_position(location_of(op)), op.message.data
    return Check(message) if position is None else Check(message, position.file, position.line, position.column)
