"""The operations that the CPU backend executes, each with the function that prepares it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from ....dialects.loop import LoadOp, PrefetchOp, StoreOp
from .arithmetic import ARITHMETIC
from .assertion import prepare_assert
from .calls import prepare_call, prepare_instruction, prepare_return
from .control import prepare_for, prepare_if, prepare_while, prepare_yield
from .foreign import prepare_call_extern, prepare_call_pure_extern
from .mathematics import MATHEMATICS
from .memory import prepare_load, prepare_prefetch, prepare_store
from .printing import prepare_print
from .storage import (
    prepare_alloc,
    prepare_apply,
    prepare_bind,
    prepare_constant,
    prepare_delinearize,
    prepare_dim,
    prepare_test,
    prepare_view,
)

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]

PREPARE: dict[str, Callable[[Operation], Step]] = {
    "func.call": prepare_call,
    "func.return": prepare_return,
    "loop.alloc": prepare_alloc,
    "loop.apply": prepare_apply,
    "loop.assert": prepare_assert,
    "loop.bind": prepare_bind,
    "loop.call_extern": prepare_call_extern,
    "loop.call_intrin": prepare_instruction,
    "loop.call_pure_extern": prepare_call_pure_extern,
    "loop.constant": prepare_constant,
    "loop.delinearize": prepare_delinearize,
    "loop.dim": prepare_dim,
    "loop.for": prepare_for,
    "loop.if": prepare_if,
    "loop.load": lambda op: prepare_load(cast(LoadOp, op)),
    "loop.prefetch": lambda op: prepare_prefetch(cast(PrefetchOp, op)),
    "loop.print": prepare_print,
    "loop.store": lambda op: prepare_store(cast(StoreOp, op)),
    "loop.test": prepare_test,
    "loop.view": prepare_view,
    "loop.while": prepare_while,
    "loop.yield": prepare_yield,
    **ARITHMETIC,
    **MATHEMATICS,
}


def prepare(op: Operation) -> Step:
    """Return the function that writes the operation's instructions. The operation must be in `PREPARE`."""
    return PREPARE[op.name](op)
