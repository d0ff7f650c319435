"""Buffers: where they come from and how they are described; and index expressions as values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Operation

from ....diagnostics import fail
from ....dialects.index_expr import LANE
from ....dialects.loop import (
    AllocOp,
    ApplyOp,
    BindOp,
    ConstantOp,
    DelinearizeOp,
    DimOp,
    TestOp,
    ViewOp,
    byte_size,
)
from ....dialects.loop.memory_spaces import IN_REGISTERS, memory_space_of
from ....passes.shared.register_file import RegisterBuffer
from .index import Operand
from .masks import broadcast, plan_guard, vector_mask, write_mask
from .types import lanes_of, storage_type

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]


def prepare_alloc(op: Operation) -> Step:
    assert isinstance(op, AllocOp)
    memory = memory_space_of(op)
    assert memory is not None, "the verifier requires a memory space"
    if memory.kind == IN_REGISTERS:
        return _register_alloc(op, memory.chunk)
    type_, sizes, size = op.res.type, op.dynamic_sizes, byte_size(op.res.type)

    def run(emitter: FunctionEmitter) -> None:
        extents = [emitter.writer.operand(e) for e in sizes]
        match memory.kind:
            case "arena":
                pointer = emitter.code.pure(f"getelementptr i8, ptr %arena, i64 {memory.start}", ())
            case "stack":
                pointer = emitter.stack_slot(op, max(size or 0, 1))
            case "thread":
                pointer = emitter.scratch(op)
            case _:
                pointer = emitter.heap.allocate(str(_dynamic_size(emitter, type_, extents)))
        emitter.add_buffer(op.res, emitter.new_buffer(type_, pointer, extents, op.res))

    return run


def _register_alloc(op: AllocOp, width: int) -> Step:
    type_ = op.res.type

    def run(emitter: FunctionEmitter) -> None:
        buffer = RegisterBuffer(type_, width)
        emitter.add_buffer(op.res, buffer)
        emitter.registers.allocate(buffer)

    return run


def _dynamic_size(emitter: FunctionEmitter, type_: MemRefType, dynamic: list[Operand]) -> Operand:
    """Return the bytes of a buffer."""
    size: Operand = storage_type(type_.element_type)[1]
    remaining = iter(dynamic)
    for extent in type_.get_shape():
        size = emitter.product(size, next(remaining) if extent == DYNAMIC_INDEX else extent)
    return size


def prepare_constant(op: Operation) -> Step:
    assert isinstance(op, ConstantOp)

    def run(emitter: FunctionEmitter) -> None:
        code, table = emitter.code, emitter.constant_table()
        entry = code.pure(f"getelementptr ptr, ptr {table}, i64 {emitter.layout.constants[op]}", (table,))
        alignment = emitter.module.pointer_bytes
        text = f"load ptr, ptr {entry}, align {alignment}, !invariant.load !0, !align !1"
        pointer = code.pure(text, (entry,))
        emitter.add_buffer(op.res, emitter.new_buffer(op.res.type, pointer, (), op.res))

    return run


def prepare_view(op: Operation) -> Step:
    assert isinstance(op, ViewOp)
    offset = op.byte_offset

    def run(emitter: FunctionEmitter) -> None:
        base = emitter.memory(op.buffer)
        position = emitter.writer.operand(offset)
        pointer = base.pointer
        if position != 0:
            operands = (pointer, str(position))
            pointer = emitter.code.pure(f"getelementptr i8, ptr {pointer}, i64 {position}", operands)
        emitter.add_buffer(op.res, emitter.new_buffer(op.res.type, pointer, (), base.root))

    return run


def prepare_dim(op: Operation) -> Step:
    assert isinstance(op, DimOp)
    dimension = op.dimension.value.data

    def run(emitter: FunctionEmitter) -> None:
        extent = emitter.memory(op.buffer).extents[dimension]
        if extent is None:
            fail("TW0601", "expected the extents of this buffer to be stated by loop.bind before they are used", op=op)
        emitter.define(op.res, extent)

    return run


def prepare_bind(op: Operation) -> Step:
    assert isinstance(op, BindOp)
    shape, strides = op.index_list("shape"), op.index_list("strides")

    def run(emitter: FunctionEmitter) -> None:
        buffer = emitter.memory(op.buffer)
        buffer.extents[:] = [emitter.writer.operand(e) for e in shape]
        buffer.strides[:] = [emitter.writer.operand(e) for e in strides]

    return run


def prepare_apply(op: Operation) -> Step:
    assert isinstance(op, ApplyOp)
    expression, lanes = op.index, lanes_of(op.res.type)
    if lanes is None:
        return lambda emitter: emitter.define(op.res, emitter.writer.operand(expression))
    each = [expression.substitute({LANE: lane}) for lane in range(lanes)]

    def run(emitter: FunctionEmitter) -> None:
        if not expression.uses_lane:
            value = broadcast(emitter.writer, "i64", str(emitter.writer.operand(expression)), lanes)
            emitter.define(op.res, value)
            return
        vector = "poison"
        for lane, element in enumerate(each):
            operand = str(emitter.writer.operand(element))
            text = f"insertelement <{lanes} x i64> {vector}, i64 {operand}, i64 {lane}"
            vector = emitter.code.pure(text, (vector, operand))
        emitter.define(op.res, vector)

    return run


def prepare_test(op: Operation) -> Step:
    assert isinstance(op, TestOp)
    lanes = lanes_of(op.res.type)
    guard = plan_guard(op.conditions, lanes)

    def run(emitter: FunctionEmitter) -> None:
        mask = write_mask(emitter.writer, guard)
        bits = mask.uniform if lanes is None else vector_mask(emitter.writer, mask, lanes)
        if isinstance(bits, bool):
            known = "true" if bits else "false"
            bits = known if lanes is None else broadcast(emitter.writer, "i1", known, lanes)
        emitter.define(op.res, bits)

    return run


def prepare_delinearize(op: Operation) -> Step:
    assert isinstance(op, DelinearizeOp)
    sizes = op.sizes

    def run(emitter: FunctionEmitter) -> None:
        rest = emitter.value(op.fused)
        for number in range(len(sizes) - 1, 0, -1):
            size = str(emitter.writer.operand(sizes[number]))
            emitter.define(op.res[number], emitter.code.pure(f"urem i64 {rest}, {size}", (rest, size)))
            rest = emitter.code.pure(f"udiv i64 {rest}, {size}", (rest, size))
        emitter.define(op.res[0], rest)

    return run
