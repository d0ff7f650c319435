"""Emission of allocations, accesses to elements, and index expressions as values."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.constant_data import INLINE_ELEMENTS, constant_array
from ...dialects.index_expr import Index
from ...dialects.loop import (
    AllocOp,
    ApplyOp,
    ConstantOp,
    DelinearizeOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    TestOp,
    ViewOp,
    scope_of,
)
from ...dialects.loop.memory_spaces import IN_ARENA, ON_HEAP, memory_space_of
from ..written.buffers import dense
from ..written.text import ADD, UNARY, Expression, Read, call, loaded, reads_of
from ..written.types import lanes_of, storage_bytes
from .buffers import Buffer, element_text
from .text import cast, conditional
from .types import literal, narrow_name, storage_type

if TYPE_CHECKING:
    from .function import FunctionWriter

ADDRESS_SPACES = {"shared": "__local "}
"""The address space qualifiers of OpenCL C by memory scope."""


def is_on_heap(op: Operation) -> bool:
    """Return whether an operation allocates memory at run time, which may fail."""
    memory = memory_space_of(op)
    return memory is not None and memory.kind == ON_HEAP


def write_alloc(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, AllocOp)
    type_, scope, memory = op.res.type, scope_of(op.res.type), memory_space_of(op)
    layout = dense(type_, [writer.index.resolve(e) for e in op.dynamic_sizes], writer.index)
    space = ADDRESS_SPACES.get(scope, "")
    hint = op.res.name_hint or "buffer"
    name = writer.names.fresh_everywhere(hint) if space else writer.names.fresh(hint)
    buffer = Buffer(type_, name, *layout, op.res, space=space)
    element, pointed = storage_type(type_.element_type), writer.memory_type(type_.element_type)
    if memory is not None and memory.kind == IN_ARENA:
        writer.lines.line(f"{pointed} *const {name} = ({pointed} *)((char *)arena + {memory.start});")
    elif not is_on_heap(op):
        buffer.is_array = all(isinstance(use.operation, (LoadOp, StoreOp)) for use in op.res.uses)
        shape = [max(n, 1) for n in type_.get_shape()] or [1]
        count = "".join(f"[{n}]" for n in shape) if buffer.is_array else f"[{prod(shape)}]"
        if space:
            writer.declare_first(f"{space}{element} ", name, count)
        else:
            writer.lines.line(f"{element if buffer.is_array else pointed} {name}{count};")
    else:
        pointer = writer.heap.allocate(" * ".join(byte_factors(writer, buffer)))
        writer.lines.line(f"{pointed} *const {name} = ({pointed} *){pointer};")
    writer.add_buffer(op.res, buffer)


def byte_factors(writer: FunctionWriter, buffer: Buffer) -> list[str]:
    """Return the numbers whose product is the bytes of a buffer: sizes that a call brings, and one that is known."""
    fixed, open_ = storage_bytes(buffer.type.element_type), list[str]()
    for extent in filter(None, buffer.extents):
        extent = writer.index.resolve(extent)
        if extent.is_constant:
            fixed *= extent.constant
        else:
            open_.append(writer.index.expression(extent).at(UNARY))
    return [*open_, str(fixed)]


def write_constant(writer: FunctionWriter, op: Operation) -> None:
    """Write a constant: a few elements are written out; of more there is a pointer in the program's table."""
    assert isinstance(op, ConstantOp)
    type_ = op.res.type
    name = writer.names.fresh(op.res.name_hint, "constant_data")
    pointed = writer.memory_type(type_.element_type)
    buffer = Buffer(type_, name, *dense(type_, (), writer.index), op.res, is_constant=True)
    if op in writer.constants:
        writer.lines.line(f"const {pointed} *const {name} = {writer.constant_data(writer.constants[op])};")
    else:
        values = constant_array(op.value).reshape(-1).tolist()
        listed = ", ".join(literal(v, type_.element_type).text for v in values)
        writer.lines.line(f"static const {pointed} {name}[] = {{{listed}}};")
    writer.add_buffer(op.res, buffer)


def is_written_out(op: ConstantOp) -> bool:
    """Return whether the elements of a constant are written into the source."""
    elements = prod(op.res.type.get_shape())
    has_text = narrow_name(op.res.type.element_type) is None
    return isinstance(op.value, DenseIntOrFPElementsAttr) and 0 < elements <= INLINE_ELEMENTS and has_text


def write_view(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, ViewOp)
    base, offset = writer.buffer(op.buffer), writer.index.resolve(op.byte_offset)
    type_ = op.res.type
    old, element = (writer.memory_type(t.element_type) for t in (base.type, type_))
    layout = dense(type_, (), writer.index)
    buffer = Buffer(type_, base.name, *layout, base.root, is_constant=base.is_constant, space=base.space)
    if old != element or not offset.is_constant or offset.constant:
        buffer.name = writer.names.fresh(op.res.name_hint, "view")
        qualifier = f"{base.space}{'const ' if base.is_constant else ''}"
        start = base.name
        if not offset.is_constant or offset.constant:
            start = f"(({qualifier}char *){start} + {writer.index.expression(offset).at(ADD + 1)})"
        writer.lines.line(f"{qualifier}{element} *const {buffer.name} = ({qualifier}{element} *){start};")
    writer.add_buffer(op.res, buffer)


def write_apply(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, ApplyOp)
    expression = writer.index.resolve(op.index)
    if lanes_of(op.res.type) is not None:
        text = writer.index.expression(expression)
        writer.define(op.res, Expression(text.text, text.level, is_simple=False))
    else:
        writer.define_sum(op.res, expression)


def write_test(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, TestOp)
    writer.define(op.res, condition_text(writer.index.holds(op.conditions)))


def condition_text(condition: Expression | bool) -> Expression:
    """Return a condition as an expression."""
    return condition if isinstance(condition, Expression) else Expression("true" if condition else "false")


def write_delinearize(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, DelinearizeOp)
    rest = writer.operand(op.fused)
    for number in range(len(op.sizes) - 1, 0, -1):
        size = writer.index.expression(op.sizes[number])
        text = f"{rest.at(UNARY)} % {size.at(UNARY)}"
        writer.ranges[op.res[number]] = (0, None)
        writer.name(op.res[number], Expression(text, is_simple=False))
        rest = Expression(f"{rest.at(UNARY)} / {size.at(UNARY)}", ADD, is_simple=False)
    writer.ranges[op.res[0]] = (0, None)
    writer.name(op.res[0], rest)


def write_load(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, LoadOp)
    buffer = writer.buffer(op.buffer)
    value = loaded(element_text(buffer, op.index, writer.index), op)
    if narrow := narrow_name(buffer.type.element_type):
        value = call(f"tw_from_{narrow}", value)
    if op.otherwise is not None:
        otherwise, holds = writer.operand(op.otherwise), writer.index.holds(op.conditions)
        if isinstance(holds, Expression):
            value = conditional(holds, value, otherwise)
        elif not holds:
            value = otherwise
    writer.define(op.res, value)


def write_store(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, StoreOp)
    holds = writer.index.holds(op.conditions)
    if holds is False:
        return
    buffer, value, lanes = writer.buffer(op.buffer), writer.operand(op.value), op.lanes
    if lanes is not None and not all(_has_independent_lanes(writer, read, op) for read in reads_of(value)):
        writer.name(op.value, value)
        value = writer.operand(op.value)
    writer.materialize_reads()
    if narrow := narrow_name(buffer.type.element_type):
        value = call(f"tw_to_{narrow}", value)
    statement = f"{element_text(buffer, op.index, writer.index)} = {value};"
    if isinstance(holds, Expression):
        statement = f"if ({holds}) {statement}"
    statement += writer.remark(op)
    if lanes is None:
        writer.lines.line(statement)
    else:
        writer.each_lane(lanes, statement)


def _has_independent_lanes(writer: FunctionWriter, read: Read, op: StoreOp) -> bool:
    """Return whether no lane reads an element that an earlier lane has written."""
    if read.buffer is op.buffer:
        return read.index == op.index
    first, second = writer.buffer(read.buffer).root, writer.buffer(op.buffer).root
    return first is not second and (writer.has_disjoint_arguments or _is_local(first) or _is_local(second))


def _is_local(root: SSAValue) -> bool:
    return isinstance(root.owner, (AllocOp, ConstantOp))


def write_prefetch(writer: FunctionWriter, op: Operation) -> None:
    assert isinstance(op, PrefetchOp)
    element = element_text(writer.buffer(op.buffer), op.index, writer.index)
    # OpenCL C has a function for its global memory alone; in other spaces of it nothing is far.
    match writer.buffer(op.buffer).space:
        case "":  # C compilers number caches from memory on: 3 is the first
            writer.lines.line(f"TW_PREFETCH(&{element}, {4 - op.cache});")
        case "__global ":
            writer.lines.line(f"prefetch(&{element}, 1);")
        case _:
            pass


def index_value(writer: FunctionWriter, e: Index, type_: str) -> Expression:
    """Return an index expression as an integer of a C type."""
    value = writer.index.expression(e)
    return value if type_ == "int64_t" else cast(type_, value)
