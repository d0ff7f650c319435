"""Emission of loops, conditionals, barriers, constants, and index expressions as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Operation

from ....dialects.index_expr import LANE, Index
from ....dialects.loop import (
    UNROLLED,
    WARP,
    AccessArgument,
    ApplyOp,
    AssertOp,
    BarrierOp,
    CallExternOp,
    DelinearizeOp,
    ForOp,
    IfOp,
    LoadOp,
    PrintOp,
    StoreOp,
    TestOp,
    YieldOp,
    is_of_warp,
    is_private,
)
from ....traversal import operations
from ...kernels import THREAD, note_extent
from ...written.text import MULTIPLY, Expression, binary
from ...written.types import lanes_of
from .sizes import size_of
from .text import RELATION, conditional
from .types import literal

if TYPE_CHECKING:
    from .function import KernelWriter

NOT_KERNELS = "TW0630"
"""The error of programs that are not made of kernels of CUDA."""


def write_for(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, ForOp)
    if op.kind.kind.data == THREAD:
        _write_thread_loop(writer, op)
        return
    carried = [
        writer.declare(argument, writer.operand(value), argument.name_hint or "carried")
        for value, argument in zip(op.iter_args, op.body.block.args[1:], strict=True)
    ]
    writer.materialize_reads()
    lower, (upper, rest) = _extreme(writer, ">", op.lowers), _upper(writer, op)
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    bounds = upper.text if lower.text == "0" else f"{lower}, {upper}"
    writer.variable(op.induction_variable, [Expression(variable)])
    for argument, names in zip(op.body.block.args[1:], carried, strict=True):
        writer.variable(argument, names)
    writer.lines.open(f"for {variable} in range({bounds}):{writer.remark(op)}")
    if rest:
        holds = writer.index.holds([e - op.induction_variable - 1 for e in rest])
        writer.lines.open(f"if {holds}:")
    writer.run_block(op.body.block)
    if rest:
        writer.lines.close()
    writer.lines.close()
    for result, names in zip(op.res, carried, strict=True):
        writer.variable(result, names)


def _upper(writer: KernelWriter, op: ForOp) -> tuple[Expression, list[Index]]:
    """Return the end of a loop, and the further upper bounds that its variable has to stay below.

    A loop that is to be unrolled, or that indexes private buffers, ends at its constant bound, with its body under a
    condition: only then does the compiler unroll it and keep the elements in registers.
    """
    uppers = [writer.index.resolve(e) for e in op.uppers]
    constants = [e.constant for e in uppers if e.is_constant]
    rest = [e for e in uppers if not e.is_constant]
    is_unrolled = op.kind == UNROLLED or _indexes_private(op)
    if not is_unrolled or not constants or not rest or op.iter_args:
        return _extreme(writer, "<", op.uppers), []
    return Expression(str(min(constants))), rest


def _indexes_private(op: ForOp) -> bool:
    """Return whether the loop's variable indexes private buffers or buffers of a warp."""
    variable = op.induction_variable
    return any(
        (is_private(access.buffer.type) or is_of_warp(access.buffer.type))
        and any(variable in e.values() for e in access.index)
        for n in operations(op)
        for access in _accesses(n)
    )


def _accesses(op: Operation) -> Sequence[LoadOp | StoreOp | AccessArgument]:
    if isinstance(op, (LoadOp, StoreOp)):
        return (op,)
    return [access for _, access in op.accesses] if isinstance(op, CallExternOp) else ()


def _extreme(writer: KernelWriter, sign: str, bounds: Sequence[Index]) -> Expression:
    """Return the least or greatest of the bounds. Numba has `min` and `max` only where there is a device."""
    first, *others = (writer.index.expression(e) for e in bounds)
    for other in others:
        names = [e if e.is_simple else writer.assign(e, "bound") for e in (first, other)]
        first = conditional(binary(sign, RELATION, *names), *names)
    return first


def _write_thread_loop(writer: KernelWriter, op: ForOp) -> None:
    """Write a loop whose variable is the number of the block or thread: `i = int64(cuda.blockIdx.x)`."""
    bounds = ([size_of(e, writer.index) for e in side] for side in (op.lowers, op.uppers))
    note_extent(writer.thread_extents, op, bounds, NOT_KERNELS)
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    writer.materialize_reads()
    writer.lines.line(f"{variable} = int64(cuda.{op.kind.tag.data}){writer.remark(op)}")
    writer.variable(op.induction_variable, [Expression(variable)])
    writer.threads[op.kind.tag.data] = op.induction_variable
    writer.run_block(op.body.block)


def write_yield(writer: KernelWriter, op: Operation) -> None:
    """Assign the next iteration's values. All are computed before the first is set."""
    assert isinstance(op, YieldOp)
    around = op.parent_op()
    assert isinstance(around, ForOp)
    names = [v.text for a in around.body.block.args[1:] for v in writer.operand(a)]
    values = [v.text for o in op.operands for v in writer.operand(o)]
    pairs = [(name, value) for name, value in zip(names, values, strict=True) if name != value]
    if pairs:
        writer.materialize_reads()
        writer.lines.line(f"{', '.join(n for n, _ in pairs)} = {', '.join(v for _, v in pairs)}")


def write_if(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, IfOp)
    holds, otherwise = writer.index.holds(op.conditions), op.else_body.blocks.first
    writer.materialize_reads()
    if isinstance(holds, bool):
        taken = op.then_body.block if holds else otherwise
        if taken is not None:
            writer.run_block(taken)
        return
    writer.lines.open(f"if {holds}:{writer.remark(op)}")
    writer.run_block(op.then_body.block)
    writer.lines.close()
    if otherwise is not None:
        writer.lines.open("else:")
        writer.run_block(otherwise)
        writer.lines.close()


def write_assert(writer: KernelWriter, op: Operation) -> None:
    """Write an assertion: the first thread whose condition does not hold records the check's number and the values of
    its message; all threads continue."""
    assert isinstance(op, AssertOp)
    holds = writer.index.holds(op.conditions)
    if holds is True:
        return
    writer.materialize_reads()
    values, record = [writer.index.expression(e) for e in op.message_values], writer.record
    writer.lines.open(f"if not ({holds}):{writer.remark(op)}")
    writer.lines.open(f"if cuda.atomic.cas({record}, 0, 0, {writer.checks[op]}) == 0:")
    for number, value in enumerate(values, 1):
        writer.lines.line(f"{record}[{number}] = {value}")
    if not values:
        writer.lines.line("pass")
    writer.lines.close()
    writer.lines.close()


def write_print(writer: KernelWriter, op: Operation) -> None:
    """Write a call that prints a line; `digits` of a float, 0 for an integer."""
    assert isinstance(op, PrintOp)
    holds = writer.index.holds(op.conditions)
    if holds is False:
        return
    writer.materialize_reads()
    (value,) = writer.operand(op.value)
    arguments = [
        repr(op.message.data),
        str(op.digits or 0),
        *(str(writer.index.expression(e)) for e in op.index),
        str(value),
    ]
    if holds is not True:
        writer.lines.open(f"if {holds}:{writer.remark(op)}")
    writer.lines.line(f"device.print_line({', '.join(arguments)}){writer.remark(op)}")
    if holds is not True:
        writer.lines.close()


def write_barrier(writer: KernelWriter, op: Operation) -> None:
    """Write a barrier, which orders shared and global memory for the threads of a block. Loads before it are written
    before it.

    Registers of a warp need no barrier: the instructions by which lanes exchange them wait for all lanes.
    """
    assert isinstance(op, BarrierOp)
    writer.materialize_reads()
    if op.scope.data != WARP:
        if writer.fences_shared:
            writer.lines.line("device.fence_async()")
        writer.lines.line(f"cuda.syncthreads(){writer.remark(op)}")


def write_return(writer: KernelWriter, op: Operation) -> None:
    """Write nothing: kernels end with their text."""


def write_constant(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, arith.ConstantOp)
    type_, value = op.result.type, op.value
    if isinstance(value, (IntegerAttr, FloatAttr)):
        numbers: list[Any] = [value.value.data]
    else:
        numbers = list(value.iter_values())  # pyright: ignore[reportAttributeAccessIssue]
    lanes = [literal(number, type_) for number in numbers]
    writer.define(op.result, lanes if len(lanes) > 1 else lanes * (lanes_of(type_) or 1))


def write_apply(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, ApplyOp)
    lanes = lanes_of(op.res.type)
    expression = writer.index.resolve(op.index)
    if lanes is not None:
        each = [writer.index.expression(expression.substitute({LANE: lane})) for lane in range(lanes)]
        writer.define(op.res, each)
    else:
        writer.define_sum(op.res, expression)


def write_test(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, TestOp)
    lanes = lanes_of(op.res.type) or 1
    each = [[e.substitute({LANE: lane}) for e in op.conditions] for lane in range(lanes)]
    held = [writer.index.holds(conditions) for conditions in each]
    writer.define(op.res, [h if isinstance(h, Expression) else Expression(str(h)) for h in held])


def write_delinearize(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, DelinearizeOp)
    rest = writer.operand(op.fused)[0]
    for number in range(len(op.sizes) - 1, 0, -1):
        size = writer.index.expression(op.sizes[number])
        writer.ranges[op.res[number]] = (0, None)
        writer.name(op.res[number], [binary("%", MULTIPLY, rest, size)])
        rest = binary("//", MULTIPLY, rest, size)
    writer.ranges[op.res[0]] = (0, None)
    writer.name(op.res[0], [rest])
