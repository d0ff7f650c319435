"""Scalar operations in the IR: which arith or math operation each operator and conversion is, for each kind of type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

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
}
_SIGNED_BINARY: dict[str, Make] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "floordiv": arith.FloorDivSIOp,
    "truncdiv": arith.DivSIOp,
    "truncmod": arith.RemSIOp,
    "min": arith.MinSIOp,
    "max": arith.MaxSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
    "pow": math.IPowIOp,
}
_UNSIGNED_BINARY: dict[str, Make] = _SIGNED_BINARY | {
    "floordiv": arith.DivUIOp,
    "floormod": arith.RemUIOp,
    "truncdiv": arith.DivUIOp,
    "truncmod": arith.RemUIOp,
    "min": arith.MinUIOp,
    "max": arith.MaxUIOp,
}
_FLOAT_UNARY: dict[str, Callable[[SSAValue], Operation]] = {
    "neg": arith.NegfOp,
    "abs": math.AbsFOp,
    "exp": math.ExpOp,
    "log": math.LogOp,
    "sqrt": math.SqrtOp,
    "rsqrt": math.RsqrtOp,
    "tanh": math.TanhOp,
    "erf": math.ErfOp,
    "sin": math.SinOp,
    "cos": math.CosOp,
    "floor": math.FloorOp,
    "ceil": math.CeilOp,
    "round": math.RoundEvenOp,
}
_FLOAT_COMPARE = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}
_SIGNED_COMPARE = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_UNSIGNED_COMPARE = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}

DIVISIONS = ("floordiv", "floormod", "truncdiv", "truncmod")


def constant(value: Number, type: Attribute) -> Operation:
    """`arith.constant` of a scalar type."""
    if isinstance(type, (IntegerType, IndexType)):
        return arith.ConstantOp(IntegerAttr(int(value), type))
    assert isinstance(type, AnyFloat)
    return arith.ConstantOp(FloatAttr(float(value), type))


def emit_binary(emit: Emit, op: str, dtype: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """A binary operator on two values of type `dtype`."""
    info = dtype_info(dtype)
    if info.is_float:
        return emit(_FLOAT_BINARY[op](lhs, rhs))
    if not info.signed:
        return emit(_UNSIGNED_BINARY[op](lhs, rhs))
    if op != "floormod":
        return emit(_SIGNED_BINARY[op](lhs, rhs))
    quotient = emit(arith.FloorDivSIOp(lhs, rhs))
    return emit(arith.SubiOp(lhs, emit(arith.MuliOp(quotient, rhs))))


def emit_unary(emit: Emit, op: str, dtype: str, operand: SSAValue) -> SSAValue:
    """A unary operator or function of a value of type `dtype`."""
    info = dtype_info(dtype)
    if info.is_float:
        return emit(_FLOAT_UNARY[op](operand))
    if op == "not":
        ones = 1 if info.is_bool else -1 if info.signed else info.integer_range[1]
        return emit(arith.XOrIOp(operand, emit(constant(ones, info.ir))))
    if op == "neg":
        return emit(arith.SubiOp(emit(constant(0, info.ir)), operand))
    assert op == "abs"
    return emit(math.AbsIOp(operand)) if info.signed else operand


def emit_compare(emit: Emit, op: str, dtype: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """A comparison of two values of type `dtype`; with a NaN only `!=` holds."""
    info = dtype_info(dtype)
    if info.is_float:
        return emit(arith.CmpfOp(lhs, rhs, _FLOAT_COMPARE[op]))
    signed = info.signed and not info.is_bool
    return emit(arith.CmpiOp(lhs, rhs, (_SIGNED_COMPARE if signed else _UNSIGNED_COMPARE)[op]))


def emit_cast(emit: Emit, value: SSAValue, source: str, target: str) -> SSAValue:
    """Conversion between two types; to bool only from bool."""
    a, b = dtype_info(source), dtype_info(target)
    if a == b:
        return value
    if isinstance(a.ir, IndexType):
        wide = emit(arith.IndexCastOp(value, dtype_info("int64").ir))
        return emit_cast(emit, wide, "int64", target)
    if isinstance(b.ir, IndexType):
        return emit(arith.IndexCastOp(emit_cast(emit, value, source, "int64"), b.ir))
    if a.is_float and b.is_float:
        return _float_to_float(emit, value, a, b)
    if a.is_float:
        return emit((arith.FPToSIOp if b.signed else arith.FPToUIOp)(value, b.integer_type))
    signed = a.signed and not a.is_bool
    if b.is_float:
        return emit((arith.SIToFPOp if signed else arith.UIToFPOp)(value, b.float_type))
    if a.bits < b.bits:
        return emit((arith.ExtSIOp if signed else arith.ExtUIOp)(value, b.integer_type))
    if a.bits > b.bits:
        return emit(arith.TruncIOp(value, b.integer_type))
    return emit(arith.BitcastOp(value, b.ir))


def _float_to_float(emit: Emit, value: SSAValue, a: DType, b: DType) -> SSAValue:
    if a.bits == b.bits:  # float16 and bfloat16: neither holds the other
        value = emit(arith.ExtFOp(value, dtype_info("float32").float_type))
        return emit(arith.TruncFOp(value, b.float_type))
    return emit((arith.ExtFOp if a.bits < b.bits else arith.TruncFOp)(value, b.float_type))
