"""Loops that are bound to threads, inside a kernel, and where threads wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...dialects.loop import SHARED, BarrierOp, ForOp
from ...hardware import BLOCK_INDEX, GRID_AXES, THREAD_INDEX
from ..kernels import note_extent
from ..written.text import Expression

if TYPE_CHECKING:
    from .function import FunctionWriter

NOT_KERNELS = "TW0621"
"""The error of programs that are not made of kernels of OpenCL."""
_NUMBERS = {BLOCK_INDEX: "get_group_id", THREAD_INDEX: "get_local_id"}


def write_thread_loop(writer: FunctionWriter, op: ForOp) -> None:
    """Write a loop whose variable is the number of the group or item: `const int64_t i = get_group_id(0);`."""
    tag = op.kind.tag.data
    bounds = ([writer.index.resolve(e) for e in side] for side in (op.lowers, op.uppers))
    note_extent(writer.thread_extents, op, bounds, NOT_KERNELS)
    space, axis = tag.split(".")
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    is_last = op.next_op is None or isinstance(op.parent_op(), FuncOp)
    if not is_last:
        writer.lines.open("")
    writer.lines.line(f"const int64_t {variable} = {_NUMBERS[space]}({GRID_AXES.index(axis)});{writer.remark(op)}")
    writer.variable(op.induction_variable, Expression(variable))
    writer.run_block(op.body.block)
    if not is_last:
        writer.lines.close()


def write_barrier(writer: FunctionWriter, op: Operation) -> None:
    """Write a barrier. Loads before it are written before it."""
    assert isinstance(op, BarrierOp)
    writer.materialize_reads()
    fences = "CLK_LOCAL_MEM_FENCE" + ("" if op.scope.data == SHARED else " | CLK_GLOBAL_MEM_FENCE")
    writer.lines.line(f"barrier({fences});{writer.remark(op)}")
