"""Index expressions of upstream MLIR: chains of arith, and affine maps over dims and symbols, as `Index`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.affine import ApplyOp as AffineApplyOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, UnitAttr, i64
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
from xdsl.rewriter import InsertPoint

from ...dialects import loop, te
from ...dialects.index_expr import Index
from ...dialects.upstream.undefined import UPSTREAM
from ...ir import editor as edit
from .refusal import refuse_form

Emit = Callable[[Operation], SSAValue]


def index_of(value: SSAValue) -> Index:
    """Return the expression that an index value is, as far as its definitions are affine."""
    op = value.owner
    match op:
        case arith.ConstantOp() if isinstance(value.type, IndexType) and isinstance(op.value, IntegerAttr):
            return Index.of(op.value.value.data)
        case arith.IndexCastOp() if isinstance(op.input.owner, arith.ConstantOp) and isinstance(value.type, IndexType):
            constant = op.input.owner.value
            return Index.of(constant.value.data) if isinstance(constant, IntegerAttr) else Index.of(value)
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
        case AffineApplyOp() if op.map.data.results[0].is_pure_affine():
            return affine_indices(op, op.map.data, op.mapOperands)[0]
        case arith.IndexCastOp() if isinstance(value.type, IndexType) and _is_wide_index(op.input):
            wide = op.input.owner
            assert isinstance(wide, Operation)
            return index_of(wide.operands[0])
        case _:
            return Index.of(value)


def _is_wide_index(value: SSAValue) -> bool:
    """Return whether an integer is an index that no bits were cut off."""
    return isinstance(value.owner, arith.IndexCastOp) and value.type == i64


def constant_of(value: SSAValue) -> int | None:
    """Return the number that an index or integer is, where it is one."""
    if isinstance(value.owner, arith.ConstantOp) and isinstance(value.owner.value, IntegerAttr):
        return value.owner.value.value.data
    index = index_of(value)
    return index.constant if index.is_constant else None


def affine_indices(op: Operation, map: AffineMap, operands: Sequence[SSAValue]) -> list[Index]:
    """Return the results of an affine map over operands of `op`, dims before symbols.

    Products of two operands and divisions by one are computed by arith before `op`. Raises TilewrightError TW0571 for
    divisions by numbers below 1.
    """
    dims = [index_of(v) for v in operands[: map.num_dims]]
    symbols = [index_of(v) for v in operands[map.num_dims :]]
    return [evaluate(op, result, dims, symbols) for result in map.results]


def evaluate(op: Operation, e: AffineExpr, dims: Sequence[Index], symbols: Sequence[Index] = ()) -> Index:
    """Evaluate an affine expression with these dims and symbols. Raises TW0571 at `op` as `affine_indices` does."""
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
    match e.kind:
        case AffineBinaryOpKind.Add:
            return lhs + rhs
        case AffineBinaryOpKind.Mul:
            return product(op, lhs, rhs)
        case AffineBinaryOpKind.FloorDiv:
            return quotient(op, lhs, rhs)
        case AffineBinaryOpKind.Mod:
            return remainder(op, lhs, rhs)
        case AffineBinaryOpKind.CeilDiv:
            return quotient(op, lhs, rhs, arith.CeilDivSIOp)


def product(op: Operation, lhs: Index, rhs: Index) -> Index:
    """Return a product before `op`: that of two values is a value itself."""
    if rhs.is_constant or lhs.is_constant:
        return lhs * rhs.constant if rhs.is_constant else rhs * lhs.constant
    emit = _before(op)
    return Index.of(emit(arith.MuliOp(value_of(lhs, emit), value_of(rhs, emit))))


def quotient(
    op: Operation,
    lhs: Index,
    rhs: Index,
    divide: type[arith.FloorDivSIOp] | type[arith.CeilDivSIOp] = arith.FloorDivSIOp,
) -> Index:
    """Return a quotient before `op`, towards minus infinity or plus infinity: one by a value is a value itself.

    Raises TilewrightError TW0571 at `op` for a number below 1, which upstream MLIR leaves undefined.
    """
    if rhs.is_constant:
        if rhs.constant <= 0:
            refuse_form(op, f"expected a division by a positive number, but got {rhs.constant}")
        return lhs // rhs.constant if divide is arith.FloorDivSIOp else lhs.ceildiv(rhs.constant)
    emit = _before(op)
    division = divide(value_of(lhs, emit), value_of(rhs, emit))
    edit.change(division).attributes[UPSTREAM] = UnitAttr()
    return Index.of(emit(division))


def remainder(op: Operation, lhs: Index, rhs: Index) -> Index:
    """Return the rest of a division towards minus infinity, before `op`. Raises as `quotient` does."""
    if rhs.is_constant and rhs.constant > 0:
        return lhs % rhs.constant
    return lhs - product(op, quotient(op, lhs, rhs), rhs)


def _before(op: Operation) -> Emit:
    def emit(new: Operation) -> SSAValue:
        edit.insert(new, InsertPoint.before(op), of=op)
        return new.results[0]

    return emit


def value_of(index: Index, emit: Emit, apply: type[loop.ApplyOp] | type[te.ApplyOp] = loop.ApplyOp) -> SSAValue:
    """Return an SSA value for an expression, made by `emit` where none has it."""
    if index.is_constant:
        return emit(arith.ConstantOp(IntegerAttr.from_index_int_value(index.constant)))
    single = index.single_value
    return single if single is not None else emit(apply(index))
