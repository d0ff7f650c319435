"""The operations that the C backend executes, each with the function that writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ..written.extents import write_bind, write_dim
from .arithmetic import ARITHMETIC
from .control import (
    write_assert,
    write_barrier,
    write_call,
    write_call_extern,
    write_for,
    write_if,
    write_print,
    write_return,
    write_while,
    write_yield,
)
from .mathematics import MATHEMATICS
from .storage import (
    write_alloc,
    write_apply,
    write_constant,
    write_delinearize,
    write_load,
    write_prefetch,
    write_store,
    write_test,
    write_view,
)

if TYPE_CHECKING:
    from .function import FunctionWriter

STATEMENTS: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    "func.call": write_call,
    "func.return": write_return,
    "loop.alloc": write_alloc,
    "loop.apply": write_apply,
    "loop.assert": write_assert,
    "loop.barrier": write_barrier,
    "loop.bind": write_bind,
    "loop.call_extern": write_call_extern,
    "loop.constant": write_constant,
    "loop.delinearize": write_delinearize,
    "loop.dim": write_dim,
    "loop.for": write_for,
    "loop.if": write_if,
    "loop.load": write_load,
    "loop.prefetch": write_prefetch,
    "loop.print": write_print,
    "loop.store": write_store,
    "loop.test": write_test,
    "loop.view": write_view,
    "loop.while": write_while,
    "loop.yield": write_yield,
}
EXPRESSIONS = {**ARITHMETIC, **MATHEMATICS}
REPEATING = frozenset({"arith.cmpf", "math.absi", "vector.broadcast"})
"""Expressions whose text holds an operand more than once, as lanes do: it is a name then."""


def is_executable(op: Operation) -> bool:
    """Return whether an operation can be written in C."""
    return op.name in STATEMENTS or op.name in EXPRESSIONS
