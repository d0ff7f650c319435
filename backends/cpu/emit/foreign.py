"""Calls of foreign functions, by C's calling convention."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import Attribute, Operation

from ....dialects.loop import (
    AccessArgument,
    Argument,
    CallExternOp,
    CallPureExternOp,
    IndexArgument,
    StrideArgument,
    ValueArgument,
)
from .buffers import address, plan_access
from .index import Operand
from .module_text import foreign_symbol
from .types import element_of, lanes_of, value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]
_Pass = Callable[["FunctionEmitter"], str]


def prepare_call_extern(op: Operation) -> Step:
    assert isinstance(op, CallExternOp)
    passes = [_prepare(op, argument) for argument in op.arguments]
    types = [_type(argument) for argument in op.arguments]
    returned = value_type(op.res[0].type) if op.res else "void"
    symbol = foreign_symbol(op.callee)

    def run(emitter: FunctionEmitter) -> None:
        arguments = [f"{t} {write(emitter)}" for t, write in zip(types, passes, strict=True)]
        emitter.module.declare(f"{returned} {symbol}({', '.join(types)})")
        call = f"call {returned} {symbol}({', '.join(arguments)})"
        if op.res:
            emitter.define(op.res[0], emitter.code.define(call))
        else:
            emitter.code.line(call)

    return run


def prepare_call_pure_extern(op: Operation) -> Step:
    """Return the step that makes one call, or one for each lane."""
    assert isinstance(op, CallPureExternOp)
    values, lanes = tuple(op.values), lanes_of(op.res.type)
    wide, wholes = value_type(op.res.type), [value_type(v.type) for v in values]
    returned, types = value_type(element_of(op.res.type)), [value_type(element_of(v.type)) for v in values]
    symbol = foreign_symbol(op.symbol)

    def call(emitter: FunctionEmitter, operands: list[str]) -> str:
        arguments = ", ".join(f"{t} {o}" for t, o in zip(types, operands, strict=True))
        return emitter.code.define(f"call {returned} {symbol}({arguments})")

    def run(emitter: FunctionEmitter) -> None:
        emitter.module.declare(f"{returned} {symbol}({', '.join(types)})")
        operands = [emitter.value(v) for v in values]
        if lanes is None:
            emitter.define(op.res, call(emitter, operands))
            return
        vector = "poison"
        for lane in range(lanes):
            each = [
                emitter.code.define(f"extractelement {t} {o}, i64 {lane}")
                for t, o in zip(wholes, operands, strict=True)
            ]
            one = call(emitter, each)
            vector = emitter.code.define(f"insertelement {wide} {vector}, {returned} {one}, i64 {lane}")
        emitter.define(op.res, vector)

    return run


def _type(argument: Argument) -> str:
    match argument:
        case AccessArgument():
            return "ptr"
        case ValueArgument():
            return value_type(argument.value.type)
        case _:
            return value_type(argument.type)


def _prepare(op: CallExternOp, argument: Argument) -> _Pass:
    match argument:
        case AccessArgument():
            type_ = argument.buffer.type
            assert isinstance(type_, MemRefType)
            first, buffer = plan_access(type_, argument.index, None).first, argument.buffer
            return lambda e: address(e.writer, e.addressable(op, e.memory(buffer)), first)
        case StrideArgument():
            buffer, dimension, type_ = argument.buffer, argument.dimension, argument.type
            return lambda e: _integer(e, e.addressable(op, e.memory(buffer)).strides[dimension], type_)
        case IndexArgument():
            value, type_ = argument.value, argument.type
            return lambda e: _integer(e, e.writer.operand(value), type_)
        case ValueArgument():
            scalar = argument.value
            return lambda e: e.value(scalar)


def _integer(emitter: FunctionEmitter, operand: Operand | None, type_: Attribute) -> str:
    """Return an index as an integer of another width: the high bits go."""
    assert operand is not None
    if isinstance(operand, int) or isinstance(type_, IndexType):
        return str(operand)
    assert isinstance(type_, IntegerType)
    if type_.width.data == 64:
        return operand
    return emitter.code.pure(f"trunc i64 {operand} to i{type_.width.data}", (operand,))
