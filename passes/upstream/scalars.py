"""Scalar operations of upstream MLIR that our dialects have another form of: poison, and casts of unsigned indices."""

from __future__ import annotations

from xdsl.dialects import arith, ub
from xdsl.dialects.builtin import IndexType, IntegerType, UnitAttr, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.upstream.undefined import UPSTREAM
from ...dialects.vector_arith import IndexCastUIOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from .control import buffer_type, check_carried, emitter, load_of
from .refusal import refuse_form


def convert_scalars(function: FuncOp) -> None:
    """Convert poison and casts of unsigned indices in a function. Raises TilewrightError TW0571."""
    for op in [op for op in operations(function) if isinstance(op, (ub.PoisonOp, IndexCastUIOp))]:
        if may_rewrite("convert", op, is_needed=True):
            edit.replace(op, [], [_poison(op) if isinstance(op, ub.PoisonOp) else _unsigned(op)])


def _poison(op: ub.PoisonOp) -> SSAValue:
    """The content of a buffer that nobody writes: a value that must not be used."""
    check_carried(op, op.result)
    emit = emitter(InsertPoint.before(op), op)
    value = load_of(emit(loop.AllocOp(buffer_type(op.result.type))), op.result.type, emit)
    assert isinstance(value.owner, loop.LoadOp)
    edit.change(value.owner).attributes[UPSTREAM] = UnitAttr()
    return value


def _unsigned(op: IndexCastUIOp) -> SSAValue:
    """The same bits where an index becomes an integer, an extension without sign where an integer becomes an index."""
    emit = emitter(InsertPoint.before(op), op)
    type_, source = op.result.type, op.input
    integer = source.type if isinstance(type_, IndexType) else type_
    if not isinstance(integer, IntegerType) or integer.width.data > 64:
        refuse_form(op, f"expected an integer of at most 64 bits, but got {integer}")
    if isinstance(type_, IndexType) and integer.width.data < 64:
        source = emit(arith.ExtUIOp(source, i64))
    return emit(arith.IndexCastOp(source, type_))
