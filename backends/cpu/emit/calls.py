"""Emission of calls between functions of the IR, returns, and calls of LLVM intrinsics.

A function of the IR takes, for each buffer, its pointer and its dynamic extents (i64), scalars as they are,
then the table of its constants, the number of threads and, where it needs some, scratch memory; it returns an
i32 that is 0 unless memory ran out or an assertion failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ....diagnostics import fail
from ....dialects.loop import CallIntrinOp
from ..instructions import INSTRUCTIONS
from .module_text import symbol
from .types import lanes_of, value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]


def parameter_types(type_: Attribute) -> list[str]:
    """Return the LLVM types that pass one argument."""
    if isinstance(type_, MemRefType):
        return ["ptr", *("i64" for n in type_.get_shape() if n == DYNAMIC_INDEX)]
    return [value_type(type_)]


def prepare_call(op: Operation) -> Step:
    assert isinstance(op, func.CallOp)
    callee = op.callee.root_reference.data
    types = [t for v in op.operands for t in parameter_types(v.type)]

    def run(emitter: FunctionEmitter) -> None:
        operands = [o for v in op.operands for o in _pass(emitter, op, v)]
        table = emitter.constant_table()
        start = emitter.layout.callees[callee]
        if start:
            table = emitter.code.pure(f"getelementptr ptr, ptr {table}, i64 {start}", (table,))
        arguments = [f"{t} {o}" for t, o in zip(types, operands, strict=True)]
        # In a parallel loop the callee has the memory of one thread.
        threads = "1" if op in emitter.layout.scratch.offsets else emitter.threads
        arguments += [f"ptr {table}", f"i32 {threads}"]
        if emitter.layout.callee_scratch.get(callee):
            arguments.append(f"ptr {emitter.scratch(op)}")
        passed = ", ".join(argument.partition(" ")[0] for argument in arguments)
        emitter.module.declare(f"i32 {symbol(callee)}({passed})")
        status = emitter.code.define(f"call i32 {symbol(callee)}({', '.join(arguments)})")
        emitter.heap.fail_if(emitter.code.define(f"icmp ne i32 {status}, 0"))

    return run


def prepare_return(op: Operation) -> Step:
    """Return a step that does nothing: the function's frees stand before its return, so the caller writes it."""
    assert isinstance(op, func.ReturnOp)
    return lambda emitter: None


def _pass(emitter: FunctionEmitter, op: func.CallOp, value: SSAValue) -> list[str]:
    if not isinstance(value.type, MemRefType):
        return [emitter.value(value)]
    buffer = emitter.memory(value)
    operands = [buffer.pointer]
    for extent, fixed in zip(buffer.extents, value.type.get_shape(), strict=True):
        if fixed != DYNAMIC_INDEX:
            continue
        if extent is None:
            fail("TW0601", "expected the extents of a buffer argument to be stated by loop.bind before the call", op=op)
        operands.append(str(extent))
    return operands


def prepare_instruction(op: Operation) -> Step:
    assert isinstance(op, CallIntrinOp)
    instruction, values, result = INSTRUCTIONS[op.symbol], tuple(op.values), op.res
    lanes, words = lanes_of(result.type), value_type(result.type)
    assert lanes is not None
    function, types = f"@{instruction.functions[lanes].name}", instruction.operand_types(lanes)
    returned = instruction.result_type(lanes)

    def run(emitter: FunctionEmitter) -> None:
        operands: list[str] = []
        for type_, value in zip(types, values, strict=True):
            operand = emitter.value(value)
            if type_ != words:
                operand = emitter.code.define(f"bitcast {words} {operand} to {type_}")
            operands.append(f"{type_} {operand}")
        emitter.module.declare(f"{returned} {function}({', '.join(types)})")
        made = emitter.code.define(f"call {returned} {function}({', '.join(operands)})")
        if returned != words:
            made = emitter.code.define(f"bitcast {returned} {made} to {words}")
        emitter.define(result, made)

    return run
