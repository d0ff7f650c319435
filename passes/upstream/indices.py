"""Index expressions of upstream MLIR: chains of arith, and affine maps over dims and symbols, as `Index`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.affine import ApplyOp as AffineApplyOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from ...dialects import loop, te
from ...dialects.index_expr import Index
from .refusal import refuse_form

Emit = Callable[[Operation], SSAValue]


def index_of(value: SSAValue) -> Index:
    """The expression that an index value is, as far as its definitions are affine."""
    op = value.owner
    match op:
        case arith.ConstantOp() if isinstance(value.type, IndexType) and isinstance(op.value, IntegerAttr):
            return Index.of(op.value.value.data)
        case loop.ApplyOp() | te.ApplyOp() if isinstance(value.type, IndexType):
            return op.index
        case arith.AddiOp() if isinstance(value.type, IndexType):
            return index_of(op.lhs) + index_of(op.rhs)
        case arith.SubiOp() if isinstance(value.type, IndexType):
            return index_of(op.lhs) - index_of(op.rhs)
        case arith.MuliOp() if isinstance(value.type, IndexType):
            lhs, rhs = index_of(op.lhs), index_of(op.rhs)
            if rhs.is_constant:
                return lhs * rhs.constant
            return rhs * lhs.constant if lhs.is_constant else Index.of(value)
        case AffineApplyOp():
            return affine_indices(op, op.map.data, op.mapOperands)[0]
        case _:
            return Index.of(value)


def constant_of(value: SSAValue) -> int | None:
    """The number that an index value is, where it is one."""
    index = index_of(value)
    return index.constant if index.is_constant else None


def affine_indices(op: Operation, map: AffineMap, operands: Sequence[SSAValue]) -> list[Index]:
    """The results of an affine map over operands of `op`, dims before symbols.

    Raises TilewrightError TW0571 for products of two operands, and for divisors that are no numbers.
    """
    dims = [index_of(v) for v in operands[: map.num_dims]]
    symbols = [index_of(v) for v in operands[map.num_dims :]]
    return [evaluate(op, result, dims, symbols) for result in map.results]


def evaluate(op: Operation, e: AffineExpr, dims: Sequence[Index], symbols: Sequence[Index] = ()) -> Index:
    """An affine expression with these dims and symbols. Raises TW0571 at `op` as `affine_indices` does."""
    match e:
        case AffineConstantExpr():
            return Index.of(e.value)
        case AffineDimExpr():
            return dims[e.position]
        case AffineSymExpr():
            return symbols[e.position]
        case AffineBinaryOpExpr():
            lhs, rhs = evaluate(op, e.lhs, dims, symbols), evaluate(op, e.rhs, dims, symbols)
            return _combine(op, e, lhs, rhs)
        case _:
            refuse_form(op, f"expected an affine expression, but got {e}")


def _combine(op: Operation, e: AffineBinaryOpExpr, lhs: Index, rhs: Index) -> Index:
    if e.kind is AffineBinaryOpKind.Add:
        return lhs + rhs
    if e.kind is AffineBinaryOpKind.Mul and lhs.is_constant:
        return rhs * lhs.constant
    if e.kind is AffineBinaryOpKind.Mul and rhs.is_constant:
        return lhs * rhs.constant
    if rhs.is_constant and rhs.constant > 0:
        match e.kind:
            case AffineBinaryOpKind.FloorDiv:
                return lhs // rhs.constant
            case AffineBinaryOpKind.Mod:
                return lhs % rhs.constant
            case AffineBinaryOpKind.CeilDiv:
                return lhs.ceildiv(rhs.constant)
            case _:
                pass
    refuse_form(
        op,
        f"expected products with numbers and divisions by positive numbers, but got {e}",
        help="compute the product or quotient with arith, which makes it a value",
    )


def value_of(index: Index, emit: Emit, apply: type[loop.ApplyOp] | type[te.ApplyOp] = loop.ApplyOp) -> SSAValue:
    """An SSA value for an expression, made by `emit` where none has it."""
    if index.is_constant:
        return emit(arith.ConstantOp(IntegerAttr.from_index_int_value(index.constant)))
    single = index.single_value
    return single if single is not None else emit(apply(index))
