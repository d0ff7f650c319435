"""Scalar operations in the IR: the arith or math operation of each operator and conversion, for each kind of type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects.lane_constants import integer_in_lanes
from ..dialects.vector_arith import RemFOp
from ..semantics.intrinsics import BIT_COUNTS, FLOAT_FUNCTIONS
from .dtypes import DType, dtype_info
from .expr import Number

Emit: TypeAlias = "Callable[[Operation], SSAValue]"
"""Inserts an operation, or finds an equal one, and gives its result."""
Make: TypeAlias = "Callable[[SSAValue, SSAValue], Operation]"

_FLOAT_BINARY: dict[str, Make] = {
    "add": arith.AddfOp,
    "sub": arith.SubfOp,
    "mul": arith.MulfOp,
    "div": arith.DivfOp,
    "min": arith.MinimumfOp,
    "max": arith.MaximumfOp,
    "pow": math.PowFOp,
    "atan2": math.Atan2Op,
    "fmod": RemFOp,
}
_SIGNED_BINARY: dict[str, Make] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "floordiv": arith.FloorDivSIOp,
    "ceildiv": arith.CeilDivSIOp,
    "truncdiv": arith.DivSIOp,
    "truncmod": arith.RemSIOp,
    "min": arith.MinSIOp,
    "max": arith.MaxSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
    "pow": math.IPowIOp,
    "shl": arith.ShLIOp,
    "shr": arith.ShRSIOp,
}
_UNSIGNED_BINARY: dict[str, Make] = _SIGNED_BINARY | {
    "floordiv": arith.DivUIOp,
    "ceildiv": arith.CeilDivUIOp,
    "floormod": arith.RemUIOp,
    "truncdiv": arith.DivUIOp,
    "truncmod": arith.RemUIOp,
    "min": arith.MinUIOp,
    "max": arith.MaxUIOp,
    "shr": arith.ShRUIOp,
}
_MATH: dict[str, Any] = {operation.name: operation for operation in math.Math.operations}
_FLOAT_UNARY: dict[str, Callable[[SSAValue], Operation]] = {
    "neg": arith.NegfOp,
    **{name: _MATH[operation] for name, operation in FLOAT_FUNCTIONS.items()},
}
_BIT_COUNTS: dict[str, Callable[[SSAValue], Operation]] = {
    name: _MATH[operation] for name, operation in BIT_COUNTS.items()
}
_FLOAT_COMPARE = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_SIGNED_COMPARE = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_UNSIGNED_COMPARE = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}


def operator_names(operation: type[Operation]) -> tuple[str, ...]:
    """Return the operators and functions of expressions that an operation of the IR stands for, one type or another."""
    tables = (_FLOAT_BINARY, _SIGNED_BINARY, _FLOAT_UNARY, _BIT_COUNTS, {"abs": math.AbsIOp})
    return tuple(name for table in tables for name, made in table.items() if made is operation)


def comparison_of(op: arith.CmpiOp | arith.CmpfOp) -> str:
    """Return the comparison of expressions that an operation of the IR stands for."""
    names, tables = (
        (arith.CMPF_COMPARISON_OPERATIONS, (_FLOAT_COMPARE,))
        if isinstance(op, arith.CmpfOp)
        else (arith.CMPI_COMPARISON_OPERATIONS, (_SIGNED_COMPARE, _UNSIGNED_COMPARE))
    )
    made = names[op.predicate.value.data]
    return next((text for table in tables for text, name in table.items() if name == made), made)


DIVISIONS = ("floordiv", "floormod", "ceildiv", "truncdiv", "truncmod")


def appender(block: Block) -> Emit:
    """Return a function that appends operations to a block of code."""

    def emit(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    return emit


def inserter(point: InsertPoint) -> Emit:
    """Return a function that inserts operations at a point."""

    def emit(op: Operation) -> SSAValue:
        Rewriter.insert_op(op, point)
        return op.results[0]

    return emit


def number_attribute(value: Number, type: Attribute) -> IntegerAttr | FloatAttr:
    """Return a number as an attribute of an element type."""
    if isinstance(type, (IntegerType, IndexType)):
        return IntegerAttr(int(value), type)
    assert isinstance(type, AnyFloat)
    return FloatAttr(float(value), type)


def emit_constant(emit: Emit, value: Number, type: Attribute) -> SSAValue:
    """Emit a number of an element type."""
    signless = _signless_type(type) if isinstance(type, IntegerType) else type
    return _retyped(emit, emit(arith.ConstantOp(number_attribute(value, signless))), type)


def emit_binary(emit: Emit, op: str, dtype: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Emit a binary operator on two values of type `dtype`."""
    info = dtype_info(dtype)
    if info.is_float:
        return emit(_FLOAT_BINARY[op](lhs, rhs))
    if not info.signed:
        return _retyped(emit, emit(_UNSIGNED_BINARY[op](_signless(emit, lhs), _signless(emit, rhs))), info.ir)
    if op != "floormod":
        return emit(_SIGNED_BINARY[op](lhs, rhs))
    return _emit_floor_remainder(emit, lhs, rhs)


def _emit_floor_remainder(emit: Emit, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Emit the signed remainder with the divisor's sign: a - floor(a / b) * b, and 0 for b = 0.

    A divisor that may be 0 takes the truncated remainder, which is 0 there, and adds the divisor where signs differ.
    """
    if integer_in_lanes(rhs) not in (None, 0):
        quotient = emit(arith.FloorDivSIOp(lhs, rhs))
        return emit(arith.SubiOp(lhs, emit(arith.MuliOp(quotient, rhs))))
    rest = emit(arith.RemSIOp(lhs, rhs))
    zero = _zero_of(emit, rest.type)
    differs = emit(arith.CmpiOp(emit(arith.XOrIOp(rest, rhs)), zero, "slt"))
    corrects = emit(arith.AndIOp(emit(arith.CmpiOp(rest, zero, "ne")), differs))
    return emit(arith.SelectOp(corrects, emit(arith.AddiOp(rest, rhs)), rest))


def _zero_of(emit: Emit, type: Attribute) -> SSAValue:
    """Emit a zero, in all lanes where the type is that of a vector."""
    if isinstance(type, VectorType):
        return emit(vector.BroadcastOp(emit_constant(emit, 0, type.element_type), type))
    return emit_constant(emit, 0, type)


def emit_unary(emit: Emit, op: str, dtype: str, operand: SSAValue) -> SSAValue:
    """Emit a unary operator or function of a value of type `dtype`."""
    info = dtype_info(dtype)
    if info.is_float:
        return emit(_FLOAT_UNARY[op](operand))
    if op == "not":
        ones = -1 if info.signed and not info.is_bool else info.integer_range[1]
        return emit_binary(emit, "xor", dtype, operand, emit_constant(emit, ones, info.ir))
    if op == "neg":
        return emit_binary(emit, "sub", dtype, emit_constant(emit, 0, info.ir), operand)
    if op in _BIT_COUNTS:
        return _retyped(emit, emit(_BIT_COUNTS[op](_signless(emit, operand))), info.ir)
    assert op == "abs"
    return emit(math.AbsIOp(operand)) if info.signed else operand


def emit_compare(emit: Emit, op: str, dtype: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """Emit a comparison of two values of type `dtype`; with a NaN only `!=` holds."""
    info = dtype_info(dtype)
    if info.is_float:
        return emit(arith.CmpfOp(lhs, rhs, _FLOAT_COMPARE[op]))
    predicate = (_SIGNED_COMPARE if info.signed and not info.is_bool else _UNSIGNED_COMPARE)[op]
    return emit(arith.CmpiOp(_signless(emit, lhs), _signless(emit, rhs), predicate))


def emit_cast(emit: Emit, value: SSAValue, source: str, target: str) -> SSAValue:
    """Emit the conversion between two types; to bool only from bool."""
    a, b = dtype_info(source), dtype_info(target)
    if a == b:
        return value
    if isinstance(a.ir, IndexType):
        wide = emit(arith.IndexCastOp(value, dtype_info("int64").ir))
        return emit_cast(emit, wide, "int64", target)
    if isinstance(b.ir, IndexType):
        return emit(arith.IndexCastOp(emit_cast(emit, value, source, "int64"), b.ir))
    if (step := _step(a, b)) is not None:
        return emit_cast(emit, emit_cast(emit, value, source, step), step, target)
    if a.is_float and b.is_float:
        return _float_to_float(emit, value, a, b)
    if b.is_float:
        signed = a.signed and not a.is_bool
        return emit((arith.SIToFPOp if signed else arith.UIToFPOp)(_signless(emit, value), b.float_type))
    result = _to_signless_integer(emit, value, a, b, _signless_type(b.integer_type))
    return _retyped(emit, result, b.ir)


def _step(a: DType, b: DType) -> str | None:
    """Return the intermediate type of a conversion from or to a storage type; None where none is needed.

    Storage types are only widened and truncated. A float is converted by way of float32, an integer to and from floats
    by way of a type with arithmetic; integers that float32 cannot represent become narrow floats by way of float64.
    """
    if a.is_storage and a.is_float:
        return None if b.name == "float32" else "float32"
    if a.is_storage:
        return "int8" if b.is_float else "int32" if b.is_storage else None
    if not b.is_storage:
        return None
    if b.is_float:
        return None if a.is_float else "float32" if a.bits <= 16 else "float64"
    return "int32" if a.is_float or a.is_bool else None


def _to_signless_integer(emit: Emit, value: SSAValue, a: DType, b: DType, type: IntegerType) -> SSAValue:
    if a.is_float:
        return emit((arith.FPToSIOp if b.signed else arith.FPToUIOp)(value, type))
    value = _signless(emit, value)
    if a.bits < b.bits:
        return emit((arith.ExtSIOp if a.signed and not a.is_bool else arith.ExtUIOp)(value, type))
    return emit(arith.TruncIOp(value, type)) if a.bits > b.bits else value


def _float_to_float(emit: Emit, value: SSAValue, a: DType, b: DType) -> SSAValue:
    if a.bits == b.bits and not b.is_storage:  # float16 and bfloat16: neither holds the other
        value = emit(arith.ExtFOp(value, dtype_info("float32").float_type))
        return emit(arith.TruncFOp(value, b.float_type))
    return emit((arith.ExtFOp if a.bits < b.bits else arith.TruncFOp)(value, b.float_type))


# Arithmetic is signless in the IR, elements of unsigned tensors are not: values change their type around it.


def _signless_type(type: IntegerType) -> IntegerType:
    return IntegerType(type.width.data)


def _signless(emit: Emit, value: SSAValue) -> SSAValue:
    return _retyped(emit, value, _signless_type(value.type)) if isinstance(value.type, IntegerType) else value


def _retyped(emit: Emit, value: SSAValue, type: Attribute) -> SSAValue:
    if value.type == type:
        return value
    origin = value.owner
    if isinstance(origin, arith.BitcastOp) and origin.input.type == type:
        return origin.input
    return emit(arith.BitcastOp(value, type))
