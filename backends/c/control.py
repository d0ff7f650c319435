"""Emission of control flow in C: loops (also bound to threads), conditionals, barriers, calls, assertions, prints."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Operation, SSAValue

from ...diagnostics import fail
from ...dialects.index_expr import Index
from ...dialects.loop import (
    PARALLEL,
    SHARED,
    AccessArgument,
    Argument,
    AssertOp,
    BarrierOp,
    CallExternOp,
    ForOp,
    IfOp,
    IndexArgument,
    PrintOp,
    StrideArgument,
    ValueArgument,
    WhileOp,
    YieldOp,
)
from ...hardware import BLOCK_INDEX, GRID_AXES, THREAD_INDEX
from ...traversal import operations
from ..kernels import THREAD, note_extent
from ..printing import format_of
from ..written.text import UNARY, Expression, call
from ..written.types import lanes_of
from .buffers import element_text
from .storage import condition_text, index_value, is_on_heap
from .text import RELATION, cast
from .types import storage_type, value_type

if TYPE_CHECKING:
    from .function import FunctionWriter

NOT_KERNELS = "TW0621"
"""The error of programs that are not made of kernels of OpenCL."""
_NUMBERS = {BLOCK_INDEX: "get_group_id", THREAD_INDEX: "get_local_id"}


@dataclass(frozen=True)
class Interface:
    """The C signature of a function of the IR."""

    name: str
    extra: tuple[str, ...]
    """The arguments that are passed in addition to the arguments of the IR."""
    can_fail: bool
    """True where it returns a status, which is 0 if all allocations succeeded and all assertions held."""


def write_for(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, ForOp)
    if op.kind.kind.data == THREAD:
        set_range(writer, op)
        write_thread_loop(writer, op)
    else:
        write_loop(writer, op, parallel=op.kind == PARALLEL)


def write_thread_loop(writer: FunctionWriter, op: ForOp) -> None:
    """Write a loop whose variable is the number of the group or item: `const int64_t i = get_group_id(0);`."""
    tag = op.kind.tag.data
    bounds = ([writer.index.resolve(e) for e in side] for side in (op.lowers, op.uppers))
    note_extent(writer.thread_extents, op, bounds, NOT_KERNELS)
    space, axis = tag.split(".")
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    is_last = op.next_op is None or isinstance(op.parent_op(), func.FuncOp)
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


def write_loop(writer: FunctionWriter, op: ForOp, *, parallel: bool) -> None:
    """Write a loop that no thread of a GPU is."""
    set_range(writer, op)
    carried = _declare_carried(writer, op)
    writer.materialize_reads()
    lower = _extreme(writer, "tw_most", op.lowers)
    upper = _extreme(writer, "tw_least", op.uppers)
    outer, writer.names = writer.names, writer.names.inner()
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    if not upper.is_simple and (parallel or "(" in upper.text):
        end = outer.fresh(f"{variable}_end")
        writer.lines.line(f"const int64_t {end} = {upper};")
        upper = Expression(end)
    head = f"for (int64_t {variable} = {lower}; {variable} < {upper.at(RELATION)}; ++{variable})"
    writer.variable(op.induction_variable, Expression(variable))
    for argument, name in zip(op.body.block.args[1:], carried, strict=True):
        writer.variable(argument, name)
    if parallel:
        _write_parallel(writer, op, head)
    else:
        writer.lines.open(head)
        _add_remark(writer, op)
        writer.run_block(op.body.block)
        writer.lines.close()
    writer.names = outer
    for result, name in zip(op.res, carried, strict=True):
        writer.variable(result, name)


def write_while(writer: FunctionWriter, op: Operation) -> None:
    """Write a loop whose condition is memory that its body may write."""
    assert isinstance(op, WhileOp)
    writer.materialize_reads()
    upper = writer.index.expression(op.uppers[0]) if op.uppers else None
    outer, writer.names = writer.names, writer.names.inner()
    variable = writer.names.fresh(op.induction_variable.name_hint, "i")
    if upper is not None and "(" in upper.text:
        end = outer.fresh(f"{variable}_end")
        writer.lines.line(f"const int64_t {end} = {upper};")
        upper = Expression(end)
    buffer = writer.buffer(op.condition)
    holds = element_text(buffer, [Index.of(0)] * buffer.type.get_num_dims(), writer.index)
    bounded = "" if upper is None else f"{variable} < {upper.at(RELATION)} && "
    writer.variable(op.induction_variable, Expression(variable))
    writer.ranges[op.induction_variable] = (0, None)
    writer.lines.open(f"for (int64_t {variable} = 0; {bounded}{holds}; ++{variable})")
    _add_remark(writer, op)
    writer.run_block(op.body.block)
    writer.lines.close()
    writer.names = outer


def set_range(writer: FunctionWriter, op: ForOp) -> None:
    """Record the known bounds of the loop variable."""
    low = [b for e in op.lowers if (b := writer.index.resolve(e).bounds(writer.ranges)[0]) is not None]
    high = [b for e in op.uppers if (b := writer.index.resolve(e).bounds(writer.ranges)[1]) is not None]
    writer.ranges[op.induction_variable] = (max(low) if low else None, min(high) - 1 if high else None)


def _add_remark(writer: FunctionWriter, op: Operation) -> None:
    writer.lines.lines[-1] += writer.remark(op)


def _declare_carried(writer: FunctionWriter, op: ForOp) -> list[Expression]:
    """Declare the variables for the values that go from one iteration to the next."""
    declared: list[Expression] = []
    for value, argument in zip(op.iter_args, op.body.block.args[1:], strict=True):
        name = writer.names.fresh(argument.name_hint, "carried")
        declared.append(writer.declare(name, argument, writer.operand(value)))
    return declared


def write_yield(writer: FunctionWriter, op: Operation) -> None:
    """Assign the next iteration's values. All are computed before the first is set."""
    assert isinstance(op, YieldOp)
    around = op.parent_op()
    assert isinstance(around, ForOp)
    variables = [writer.operand(a) for a in around.body.block.args[1:]]
    values = [writer.operand(v) for v in op.operands]
    if len(values) > 1:
        pairs = zip(op.operands, values, strict=True)
        values = [writer.declare(writer.names.fresh("next"), v, e, "const ") for v, e in pairs]
    for operand, variable, value in zip(op.operands, variables, values, strict=True):
        lanes = lanes_of(operand.type)
        if lanes is None:
            writer.lines.line(f"{variable} = {value};")
        else:
            writer.each_lane(lanes, f"{variable} = {value};")


def _write_parallel(writer: FunctionWriter, op: ForOp, head: str) -> None:
    """Write a parallel loop of an OpenMP team. A failure in it ends its iteration and is known after the loop."""
    lines = writer.lines
    failing = any(may_fail(inner, writer.interfaces) for inner in operations(op))
    flag = writer.names.fresh_everywhere("loop_failed") if failing else ""
    if failing:
        lines.line(f"int {flag} = 0;")
    lines.directive("#ifdef _OPENMP")
    reduction = f" reduction(|:{flag})" if failing else ""
    lines.directive(f"#pragma omp parallel for num_threads(threads) schedule(static){reduction}")
    lines.directive("#endif")
    lines.open(head)
    _add_remark(writer, op)
    writer.heap.open_exit()
    writer.run_block(op.body.block)
    writer.heap.close_exit(f"{flag} = 1;" if failing else "", "")
    lines.close()
    if failing:
        writer.heap.fail_if(flag)


def may_fail(op: Operation, interfaces: Mapping[str, Interface]) -> bool:
    """Return whether an operation may leave its function early."""
    if isinstance(op, func.CallOp):
        return interfaces[op.callee.root_reference.data].can_fail
    return isinstance(op, AssertOp) or is_on_heap(op)


def _extreme(writer: FunctionWriter, function: str, bounds: Sequence[Index]) -> Expression:
    result = writer.index.expression(bounds[0])
    for e in bounds[1:]:
        result = call(function, result, writer.index.expression(e))
    return result


def write_if(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, IfOp)
    holds, otherwise = writer.index.holds(op.conditions), op.else_body.blocks.first
    writer.materialize_reads()
    if holds is False and otherwise is None:
        return
    writer.lines.open(f"if ({condition_text(holds)})")
    writer.run_block(op.then_body.block)
    if otherwise is not None:
        writer.lines.close()
        writer.lines.lines.pop()
        writer.lines.open("} else")
        writer.run_block(otherwise)
    writer.lines.close()


def write_assert(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, AssertOp)
    holds = writer.index.holds(op.conditions)
    if holds is True:
        return
    writer.materialize_reads()
    values = [writer.index.expression(e).text for e in op.message_values]
    array = f"(const int64_t[]){{{', '.join(values)}}}" if values else "NULL"
    writer.lines.open(f"if (!({condition_text(holds)}))")
    writer.lines.line(f"tw_violated(record, {writer.checks[op]}, {len(values)}, {array});")
    writer.heap.fail()
    writer.lines.close()


def write_print(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, PrintOp)
    holds = writer.index.holds(op.conditions)
    if holds is False:
        return
    writer.materialize_reads()
    arguments = [f"(long long){writer.index.expression(e).at(UNARY)}" for e in op.index]
    value = writer.operand(op.value)
    arguments.append(f"tw_printed({value})" if op.digits else f"({_integer(op)}){value.at(UNARY)}")
    if holds is not True:
        writer.lines.open(f"if ({condition_text(holds)})")
    writer.lines.line(f"printf({', '.join([json.dumps(format_of(op, 'lld'), ensure_ascii=False), *arguments])});")
    writer.lines.line("fflush(stdout);")
    if holds is not True:
        writer.lines.close()


def _integer(op: PrintOp) -> str:
    return "unsigned long long" if op.is_unsigned else "long long"


def write_return(writer: FunctionWriter, op: Operation) -> None:
    """Write nothing: the function's writer writes the return, behind the function's frees."""


def write_call(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, func.CallOp)
    text, callee = call_text(writer, op)
    if callee.can_fail:
        writer.heap.fail_if(f"{text} != 0")
    else:
        writer.lines.line(f"{text};")


def call_text(writer: FunctionWriter, op: func.CallOp) -> tuple[str, Interface]:
    """Return a call as it is written, and the function that it calls."""
    arguments = [text for value in op.operands for text in passed(writer, op, value)]
    writer.materialize_reads()
    callee = writer.interfaces[op.callee.root_reference.data]
    return f"{callee.name}({', '.join([*arguments, *map(writer.passed, callee.extra)])})", callee


def passed(writer: FunctionWriter, op: func.CallOp, value: SSAValue) -> list[str]:
    """Return the texts that pass an operand: of a buffer its pointer and the sizes that its type leaves open."""
    if not isinstance(value.type, MemRefType):
        return [writer.operand(value).text]
    buffer = writer.buffer(value)
    texts = [buffer.name]
    for extent, fixed in zip(buffer.extents, value.type.get_shape(), strict=True):
        if fixed != DYNAMIC_INDEX:
            continue
        if extent is None:
            fail("TW0601", "expected the extents of a buffer argument to be stated by loop.bind before the call", op=op)
        texts.append(writer.index.expression(extent).text)
    return texts


def write_call_extern(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, CallExternOp)
    arguments = [_foreign(writer, argument) for argument in op.arguments]
    writer.materialize_reads()
    text = call(op.callee, *arguments)
    if op.res:
        writer.name(op.res[0], text)
    else:
        writer.lines.line(f"{text};{writer.remark(op)}")


def _foreign(writer: FunctionWriter, argument: Argument) -> Expression:
    match argument:
        case AccessArgument():
            return Expression(f"&{element_text(writer.buffer(argument.buffer), argument.index, writer.index)}")
        case StrideArgument():
            stride = writer.buffer(argument.buffer).strides[argument.dimension]
            assert stride is not None
            text = Expression(str(stride)) if isinstance(stride, int) else stride
            return text if isinstance(argument.type, IndexType) else cast(value_type(argument.type), text)
        case IndexArgument():
            return index_value(writer, argument.value, value_type(argument.type))
        case ValueArgument():
            return writer.operand(argument.value)


def declaration(op: CallExternOp) -> str:
    """Return the prototype of a foreign function as it is called."""
    types = ", ".join(_parameter(argument) for argument in op.arguments)
    returned = value_type(op.res[0].type) if op.res else "void"
    return f"extern {returned} {op.callee}({types or 'void'});"


def _parameter(argument: Argument) -> str:
    match argument:
        case AccessArgument():
            type_ = argument.buffer.type
            assert isinstance(type_, MemRefType)
            return f"{storage_type(type_.element_type)} *"
        case ValueArgument():
            return value_type(argument.value.type)
        case _:
            return value_type(argument.type)


def defines(source: str, name: str) -> bool:
    """Return whether C source defines or declares a function of the name `name`."""
    return re.search(rf"\b{re.escape(name)}\s*\(", source) is not None
