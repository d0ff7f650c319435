"""Loops that are bound to threads, inside a kernel, and where threads wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ...diagnostics import fail
from ...dialects.loop import SHARED, BarrierOp, ForOp
from .text import Expression

if TYPE_CHECKING:
    from .function import FunctionWriter

THREAD = "thread"
_NUMBERS = {"blockIdx": "get_group_id", "threadIdx": "get_local_id"}


def write_thread_loop(writer: FunctionWriter, op: ForOp) -> None:
    """The loop's variable is the number of the group or item: `const int64_t i = get_group_id(0);`."""
    tag = op.kind.tag.data
    if op.iter_args:
        fail("TW0621", "expected a loop over threads to carry no values from one iteration to the next", op=op)
    lowers, uppers = ([writer.index.resolve(e) for e in bounds] for bounds in (op.lowers, op.uppers))
    if len(lowers) != 1 or len(uppers) != 1 or not lowers[0].is_constant or lowers[0].constant:
        fail("TW0621", f"expected the loop over {tag} to run from 0 to one extent", op=op)
    _note_extent(writer, op, tag)
    space, axis = tag.split(".")
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    is_last = op.next_op is None or isinstance(op.parent_op(), FuncOp)
    if not is_last:
        writer.lines.open("")
    writer.lines.line(f"const int64_t {variable} = {_NUMBERS[space]}({'xyz'.index(axis)});{writer.remark(op)}")
    writer.variable(op.induction_variable, Expression(variable))
    writer.run_block(op.body.block)
    if not is_last:
        writer.lines.close()


def write_barrier(writer: FunctionWriter, op: Operation) -> None:
    """What is read before the barrier is read there."""
    assert isinstance(op, BarrierOp)
    writer.settle_reads()
    fences = "CLK_LOCAL_MEM_FENCE" + ("" if op.scope.data == SHARED else " | CLK_GLOBAL_MEM_FENCE")
    writer.lines.line(f"barrier({fences});{writer.remark(op)}")


def _note_extent(writer: FunctionWriter, op: ForOp, tag: str) -> None:
    extent = writer.index.resolve(op.uppers[0])
    if extent.values():
        fail("TW0621", f"expected the extent of the loop over {tag} to depend on the function's sizes only", op=op)
    known = writer.thread_extents.setdefault(tag, extent)
    if known != extent:
        fail("TW0621", f"expected all loops over {tag} of a kernel to have extent {known}, but got {extent}", op=op)
