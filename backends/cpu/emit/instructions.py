"""Calls of instructions on words: LLVM's functions take vectors of their bytes or halves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects.loop import CallIntrinOp
from ..instructions import INSTRUCTIONS
from .types import lanes_of, value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]


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
