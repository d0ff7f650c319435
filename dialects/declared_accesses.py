"""Declared accesses of operations of user dialects to the buffers among their operands.

Builtin operations need no declaration: loads, stores and calls state the accessed elements in the IR.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue


@dataclass(frozen=True)
class Accesses:
    """The operands of an operation that are read and written, any element of each.

    A buffer that is updated, or only partly written, is in both lists.
    """

    reads: Sequence[SSAValue] = ()
    writes: Sequence[SSAValue] = ()


Declaration: TypeAlias = "Callable[..., Accesses]"
"""A function of an operation that gives its accesses."""

_DECLARED: dict[str, Declaration] = {}


def declare_accesses(op_name: str, declaration: Declaration) -> None:
    """State the accesses of the operations of a name; a later declaration replaces an earlier one."""
    _DECLARED[op_name] = declaration


def forget_accesses(op_name: str) -> None:
    """Forget the accesses of the operations of a name."""
    _DECLARED.pop(op_name, None)


def declared_accesses(op: Operation) -> Accesses | None:
    """Return the accesses of an operation of a user's dialect, None where nothing is declared of it."""
    declaration = _DECLARED.get(op.name) if _DECLARED else None
    return None if declaration is None else declaration(op)
