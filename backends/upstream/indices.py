"""Index expressions in upstream MLIR: as affine maps where affine allows their values, else as arith."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ...dialects.index_expr import FloorDiv, Index, Mod
from ...dialects.index_maps import to_map
from ...dialects.upstream.affine import ParallelOp

Emit = Callable[[Operation], SSAValue]


def is_affine(index: Index) -> bool:
    """Return whether affine takes the expression: its values are loop variables of affine, or are defined at a
    function's top."""
    return all(_is_dimension(value) for value in index.values())


def _is_dimension(value: SSAValue) -> bool:
    owner = value.owner
    if isinstance(owner, Operation):
        return isinstance(owner.parent_op(), FuncOp) or isinstance(owner, affine.ApplyOp)
    return isinstance(owner.parent_op(), (affine.ForOp, ParallelOp, FuncOp))


def map_of(indices: Sequence[Index]) -> tuple[AffineMapAttr, tuple[SSAValue, ...]]:
    """Return expressions as one map and its operands."""
    map_, operands = to_map(indices)
    return AffineMapAttr(map_), operands


def constant(number: int, emit: Emit) -> SSAValue:
    return emit(arith.ConstantOp(IntegerAttr.from_index_int_value(number)))


def value_of(index: Index, emit: Emit) -> SSAValue:
    """Return a value for an expression."""
    single = index.single_value
    if single is not None:
        return single
    if index.is_constant:
        return constant(index.constant, emit)
    if is_affine(index):
        map_, operands = map_of([index])
        return emit(affine.ApplyOp(list(operands), map_))
    total: SSAValue | None = None
    for atom, factor in index.terms:
        term = _atom(atom, emit)
        if factor != 1:
            term = emit(arith.MuliOp(term, constant(factor, emit)))
        total = term if total is None else emit(arith.AddiOp(total, term))
    assert total is not None
    return emit(arith.AddiOp(total, constant(index.constant, emit))) if index.constant else total


def _atom(atom: object, emit: Emit) -> SSAValue:
    if isinstance(atom, FloorDiv):
        return emit(arith.FloorDivSIOp(value_of(atom.numerator, emit), constant(atom.divisor, emit)))
    if isinstance(atom, Mod):
        # The remainder of arith has the sign of the dividend.
        number, divisor = value_of(atom.numerator, emit), constant(atom.divisor, emit)
        quotient = emit(arith.FloorDivSIOp(number, divisor))
        return emit(arith.SubiOp(number, emit(arith.MuliOp(quotient, divisor))))
    assert isinstance(atom, SSAValue)
    return atom


def truth_of(conditions: Sequence[Index], emit: Emit) -> SSAValue:
    """Return the i1 that all expressions are >= 0."""
    result: SSAValue | None = None
    for condition in conditions:
        test = emit(arith.CmpiOp(value_of(condition, emit), constant(0, emit), "sge"))
        result = test if result is None else emit(arith.AndIOp(result, test))
    return result if result is not None else emit(arith.ConstantOp(IntegerAttr(1, i1)))
