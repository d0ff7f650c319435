"""Verification before emission: every operation has to be one that this backend executes.

The emitter translates operation by operation and does not check its input. Each property that it relies on is checked
here, and a refusal names the operation and its source location.
"""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects import func
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, MemRefType, ModuleOp
from xdsl.dialects.vector import ExtractOp, InsertOp
from xdsl.ir import Attribute, Operation, SSAValue

from ....diagnostics import fail
from ....dialects.loop import (
    GLOBAL,
    LOCAL,
    PARALLEL,
    REGISTER,
    SERIAL,
    UNROLLED,
    AllocOp,
    CallIntrinOp,
    ForOp,
    LoadOp,
    StoreOp,
    scope_of,
)
from ....dialects.loop.divisors import DIVISIONS, SAFE_DIVISOR, has_safe_divisor
from ....dialects.loop.memory_spaces import IN_REGISTERS, memory_space_of
from ....dialects.loop.widths import column_width
from ....dialects.target import CpuTargetAttr
from ....traversal import operations
from ...legality import LOWER_FIRST, refuse, refuse_scope, verify_memory, verify_parallel, verify_type
from ..instructions import INSTRUCTIONS
from .arithmetic import ARITHMETIC
from .dispatch import PREPARE
from .mathematics import MATHEMATICS
from .types import element_of, lanes_of

_ONLY_MOVED = ("arith.bitcast", "arith.constant", "arith.select", "vector.broadcast")
"""Arithmetic that only moves the bits of floats."""
_ROUNDINGS = ("math.ceil", "math.floor", "math.round", "math.roundeven", "math.trunc")


def verify_executable(module: ModuleOp, target: CpuTargetAttr) -> None:
    """Raise TW0601 for the first operation that cannot be emitted for the target."""
    for function in module.ops:
        if not isinstance(function, func.FuncOp):
            refuse(function, f"expected functions at the top of the module, but got {function.name}")
        _verify_function(function)
        for op in operations(function):
            if op is not function:
                _verify_operation(op)
                if isinstance(op, CallIntrinOp):
                    _verify_instruction(op, target)
                if op.name in ARITHMETIC or op.name in MATHEMATICS:
                    _verify_arithmetic(op, target)


def _verify_function(function: func.FuncOp) -> None:
    if function.function_type.outputs:
        refuse(function, f"expected function @{function.sym_name.data} to write its results to arguments")
    if len(function.body.blocks) != 1:
        refuse(function, f"expected one block in function @{function.sym_name.data}")
    for argument in function.body.block.args:
        _verify_type(function, argument.type)
        if isinstance(argument.type, MemRefType) and scope_of(argument.type) == REGISTER:
            refuse(function, f"expected no register buffer among the arguments of @{function.sym_name.data}")


def _verify_operation(op: Operation) -> None:
    if op.name not in PREPARE:
        refuse(op, f"expected an operation that the cpu backend executes, but got {op.name}")
    for value in (*op.operands, *op.results):
        _verify_type(op, value.type)
    if isinstance(op, AllocOp):
        verify_memory(op)
    if isinstance(op, (ExtractOp, InsertOp)) and (op.dynamic_position or len(op.static_position) != 1):
        refuse(op, f"expected {op.name} of one element at a constant")
    if isinstance(op, LoadOp) and column_width(op):
        _verify_column(op)
    if isinstance(op, ForOp) and op.kind not in (SERIAL, PARALLEL, UNROLLED):
        _refuse_kind(op)
    if isinstance(op, ForOp):
        verify_parallel(op)
        if op.kind == UNROLLED and op.constant_trip_count is None:
            fail("TW0601", "expected an unrolled loop to have a constant number of iterations", op=op)
        return  # captures are checked at their uses within the loop
    for operand in op.operands:
        if isinstance(operand.type, MemRefType) and scope_of(operand.type) == REGISTER:
            _verify_register_use(op, operand)


def _verify_arithmetic(op: Operation, target: CpuTargetAttr) -> None:
    """Refuse arithmetic that `expand-operations` replaces: only conversions that are instructions take floats of 16
    bits."""
    types = [element_of(v.type) for v in (*op.operands, *op.results)]
    is_moved = op.name in _ONLY_MOVED
    if not is_moved and any(isinstance(t, (Float16Type, BFloat16Type)) for t in types):
        is_conversion = op.name in ("arith.extf", "arith.truncf") and {*map(type, types)} == {Float16Type, Float32Type}
        if not (is_conversion and (target.converts_f16)):
            refuse(op, f"expected arithmetic that the target has, but got {op.name} of {op.operands[0].type}")
    if op.name in DIVISIONS and not has_safe_divisor(op):
        refuse(op, f"expected a divisor that is stated to be safe, '{SAFE_DIVISOR}', in {op.name}")
    if op.name in _ROUNDINGS and not target.has_roundings:
        refuse(op, f"expected an operation that the target has, but got {op.name}")


def _verify_instruction(op: CallIntrinOp, target: CpuTargetAttr) -> None:
    """Check that a call of an intrinsic is an instruction that the target has for vectors of so many words."""
    instruction, type_ = INSTRUCTIONS.get(op.symbol), op.res.type
    if (
        instruction is None
        or not instruction.runs_on(target, lanes_of(type_))
        or [v.type for v in op.values] != [type_] * len(instruction.operand_types(1))
    ):
        types = ", ".join(str(v.type) for v in op.values)
        refuse(op, f"expected an instruction that the target has, but got intrinsic '{op.symbol}' of {types}")


def _verify_type(op: Operation, type_: Attribute) -> None:
    if isinstance(type_, MemRefType) and scope_of(type_) not in (GLOBAL, LOCAL, REGISTER):
        refuse_scope(op, type_, (GLOBAL, LOCAL, REGISTER))
    verify_type(op, type_)


def _verify_column(op: LoadOp) -> None:
    """Check that a column is of a buffer in registers, whose chunks are as wide."""
    owner = op.buffer.owner
    memory = memory_space_of(owner) if isinstance(owner, AllocOp) else None
    if memory is None or memory.kind != IN_REGISTERS or memory.chunk != column_width(op):
        refuse(
            op, f"expected a column of chunks of {column_width(op)} elements in registers, but got {memory or 'none'}"
        )


def _verify_register_use(op: Operation, buffer: SSAValue) -> None:
    """Register buffers are read and written by accesses, within the parallel loop that allocated them."""
    if not isinstance(op, (LoadOp, StoreOp)):
        refuse(op, f"expected a register buffer to be used by loads and stores only, but got {op.name}")
    home = buffer.owner.parent if isinstance(buffer.owner, Operation) else buffer.owner
    block = op.parent
    while block is not None and block is not home:
        around = block.parent_op()
        if isinstance(around, ForOp) and around.kind == PARALLEL:
            refuse(op, "expected a register buffer to be allocated within the parallel loop that uses it")
        block = around.parent if around is not None else None


def _refuse_kind(op: ForOp) -> NoReturn:
    kind, tag = op.kind.kind.data, op.kind.tag.data
    message = f"expected a loop of kind serial, parallel or unrolled, but got {f'{kind} {tag}'.rstrip()}"
    help = f"a cpu has no {tag}: bind the loop for a GPU target only, or make it parallel" if tag else LOWER_FIRST
    fail("TW0601", message, op=op, help=help)
