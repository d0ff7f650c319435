"""Which function writes which operation: the one list of what this backend executes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation

from ....dialects.index_expr import Index
from ...written.types import lanes_of
from .arithmetic import ARITHMETIC, REPEATING
from .async_copies import write_commit, write_wait
from .calls import write_call
from .control import (
    write_apply,
    write_barrier,
    write_delinearize,
    write_for,
    write_if,
    write_return,
    write_test,
    write_yield,
)
from .mathematics import MATHEMATICS
from .memory import write_alloc, write_bind, write_dim, write_load, write_prefetch, write_store, write_view
from .steps import STEPS, rounded_to_odd, rounds_to_odd

if TYPE_CHECKING:
    from .function import KernelWriter

STATEMENTS: dict[str, Callable[[KernelWriter, Operation], None]] = {
    "func.return": write_return,
    "loop.alloc": write_alloc,
    "loop.apply": write_apply,
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
    "loop.store": write_store,
    "loop.test": write_test,
    "loop.view": write_view,
    "loop.yield": write_yield,
}
EXPRESSIONS = {**ARITHMETIC, **MATHEMATICS}
BY_HOST = ("loop.constant",)
"""Operations that only the host executes."""


def is_executable(op: Operation) -> bool:
    """Whether an operation can be written."""
    return op.name in STATEMENTS or op.name in STEPS or op.name in EXPRESSIONS or op.name in BY_HOST


def write(writer: KernelWriter, op: Operation) -> None:
    """Write one operation."""
    writer.look_around(op)
    statement = STATEMENTS.get(op.name)
    if statement is not None:
        statement(writer, op)
        return
    if isinstance(op, arith.ConstantOp) and isinstance(op.result.type, IndexType):
        assert isinstance(op.value, IntegerAttr)
        writer.define_index(op.result, Index.of(op.value.value.data))
        return
    get = writer.simple if op.name in REPEATING or op.name == "vector.broadcast" else writer.lanes
    operands = [get(v) for v in op.operands]
    count = lanes_of(op.results[0].type) or 1
    lanes = [[o[lane if len(o) > 1 else 0] for o in operands] for lane in range(count)]
    if op.name in STEPS:
        writer.variable(op.results[0], [STEPS[op.name](writer, op, lane) for lane in lanes])
        return
    if rounds_to_odd(op):
        lanes = [[rounded_to_odd(writer, op, lane[0])] for lane in lanes]
    rule = EXPRESSIONS[op.name]
    writer.define(op.results[0], [rule(op, lane, number) for number, lane in enumerate(lanes)])
