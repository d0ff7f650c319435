"""The operations that the CUDA backend executes, each with the function that writes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ...written.extents import write_bind, write_dim
from .arithmetic import ARITHMETIC
from .calls import write_call
from .control import (
    write_apply,
    write_assert,
    write_barrier,
    write_constant,
    write_delinearize,
    write_for,
    write_if,
    write_print,
    write_return,
    write_test,
    write_yield,
)
from .mathematics import MATHEMATICS, STEPS
from .memory import write_alloc, write_commit, write_load, write_prefetch, write_store, write_view, write_wait

if TYPE_CHECKING:
    from .function import KernelWriter

STATEMENTS: dict[str, Callable[[KernelWriter, Operation], None]] = {
    "arith.constant": write_constant,
    "func.return": write_return,
    "loop.alloc": write_alloc,
    "loop.apply": write_apply,
    "loop.assert": write_assert,
    "loop.async_commit": write_commit,
    "loop.async_wait": write_wait,
    "loop.barrier": write_barrier,
    "loop.bind": write_bind,
    "loop.call_extern": write_call,
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
    "loop.yield": write_yield,
}
EXPRESSIONS = {**ARITHMETIC, **MATHEMATICS}
BY_HOST = ("loop.constant",)
"""Operations that only the host executes."""


def is_executable(op: Operation) -> bool:
    """Return whether an operation can be written, in a kernel or by the host."""
    return op.name in STATEMENTS or op.name in STEPS or op.name in EXPRESSIONS or op.name in BY_HOST
