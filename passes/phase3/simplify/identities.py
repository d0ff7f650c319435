"""Identities of arith operations, as a table: each rule stands under its equation.

Requirements for rules: the result is never more costly than the operation, so that rewriting terminates; a rule
inspects one operation and the constants among its operands; a rule holds for vectors, lane by lane. A rule returns a
value that equals the result of the operation, or an integer, which means a constant of the result's type; None where
the rule does not apply. The tests prove every rule by an SMT solver, including signed zeros and NaNs of floats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Operation, SSAValue

Result: TypeAlias = "SSAValue | int | None"
Rewrite: TypeAlias = Callable[[Any], Result]


class Rule(NamedTuple):
    """One identity of the operations of one class."""

    equation: str
    op: type[Operation]
    apply: Rewrite


RULES: dict[type[Operation], list[Rule]] = {}
"""The rules by the operation that they rewrite."""


def rule(equation: str, *ops: type[Operation]) -> Callable[[Rewrite], Rewrite]:
    """Add a rule for each of `ops`."""

    def add(apply: Rewrite) -> Rewrite:
        for op in ops:
            RULES.setdefault(op, []).append(Rule(equation, op, apply))
        return apply

    return add


def identity_of(op: Operation) -> Result:
    """Return the value that `op` equals by the first rule that applies."""
    for candidate in RULES.get(type(op), ()):
        result = candidate.apply(op)
        if result is not None:
            return result
    return None


def constant_of(value: SSAValue) -> int | float | None:
    """Return the number that `value` is, in every lane of a vector; a truth value is 0 or 1."""
    owner = value.owner
    if isinstance(owner, vector.BroadcastOp):
        return constant_of(owner.source)
    if not isinstance(owner, arith.ConstantOp):
        return None
    match owner.value:
        case IntegerAttr() | FloatAttr():
            return _unsigned_bit(owner.value.value.data, value)
        case DenseIntOrFPElementsAttr() if owner.value.is_splat():
            number = owner.value.get_values()[0]
            return None if isinstance(number, tuple) else _unsigned_bit(number, value)
        case _:
            return None


def _unsigned_bit(number: int | float, value: SSAValue) -> int | float:
    type = value.type.element_type if isinstance(value.type, VectorType) else value.type
    return abs(number) if isinstance(type, IntegerType) and type.width.data == 1 else number


def _is(value: SSAValue, number: int | float) -> bool:
    """Return whether `value` is the constant `number`; 0.0 and -0.0 differ."""
    known = constant_of(value)
    return known is not None and known == number and str(float(known))[0] == str(float(number))[0]


def _other(op: Any, number: int | float) -> SSAValue | None:
    """Return the operand beside the constant `number`, on either side."""
    return op.lhs if _is(op.rhs, number) else op.rhs if _is(op.lhs, number) else None


# Integers


@rule("x + 0 == x", arith.AddiOp)
@rule("x | 0 == x", arith.OrIOp)
@rule("x ^ 0 == x", arith.XOrIOp)
def _zero_on_a_side(op: Any) -> Result:
    return _other(op, 0)


@rule("x - 0 == x", arith.SubiOp)
@rule("x << 0 == x", arith.ShLIOp)
@rule("x >> 0 == x", arith.ShRSIOp, arith.ShRUIOp)
def _zero_on_the_right(op: Any) -> Result:
    return op.lhs if _is(op.rhs, 0) else None


@rule("x * 1 == x", arith.MuliOp)
def _one_on_a_side(op: Any) -> Result:
    return _other(op, 1)


@rule("x / 1 == x", arith.DivUIOp, arith.FloorDivSIOp, arith.CeilDivSIOp, arith.CeilDivUIOp, arith.DivSIOp)
def _one_on_the_right(op: Any) -> Result:
    return op.lhs if _is(op.rhs, 1) and not _is_bit(op) else None


@rule("x mod 1 == 0", arith.RemSIOp, arith.RemUIOp)
def _remainder_of_one(op: Any) -> Result:
    return 0 if _is(op.rhs, 1) and not _is_bit(op) else None


@rule("x * 0 == 0", arith.MuliOp)
@rule("x & 0 == 0", arith.AndIOp)
def _absorbing_zero(op: Any) -> Result:
    return 0 if _other(op, 0) is not None else None


@rule("x - x == 0", arith.SubiOp)
@rule("x ^ x == 0", arith.XOrIOp)
def _cancelling(op: Any) -> Result:
    return 0 if op.lhs is op.rhs else None


@rule("x & x == x", arith.AndIOp)
@rule("x | x == x", arith.OrIOp)
@rule("max(x, x) == x", arith.MaxSIOp, arith.MaxUIOp, arith.MaximumfOp, arith.MaxnumfOp)
@rule("min(x, x) == x", arith.MinSIOp, arith.MinUIOp, arith.MinimumfOp, arith.MinnumfOp)
def _idempotent(op: Any) -> Result:
    return op.lhs if op.lhs is op.rhs else None


@rule("x & ~0 == x", arith.AndIOp)
def _all_ones(op: Any) -> Result:
    return _other(op, 1 if _is_bit(op) else -1)


@rule("x == x is true, x < x is false", arith.CmpiOp)
def _compared_with_itself(op: arith.CmpiOp) -> Result:
    if op.lhs is not op.rhs:
        return None
    return int(arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data] in ("eq", "sle", "sge", "ule", "uge"))


# Floats: x + 0.0 is not x for x = -0.0, and x * 0.0 is not 0.0 for infinities.


@rule("x + -0.0 == x", arith.AddfOp)
def _negative_zero_on_a_side(op: Any) -> Result:
    return _other(op, -0.0)


@rule("x - 0.0 == x", arith.SubfOp)
def _positive_zero_on_the_right(op: Any) -> Result:
    return op.lhs if _is(op.rhs, 0.0) else None


@rule("x * 1.0 == x", arith.MulfOp)
def _float_one_on_a_side(op: Any) -> Result:
    return _other(op, 1.0)


@rule("x / 1.0 == x", arith.DivfOp)
def _float_one_on_the_right(op: Any) -> Result:
    return op.lhs if _is(op.rhs, 1.0) else None


@rule("-(-x) == x", arith.NegfOp)
def _double_negation(op: arith.NegfOp) -> Result:
    return op.operand.owner.operand if isinstance(op.operand.owner, arith.NegfOp) else None


# Choices


@rule("c ? x : x == x", arith.SelectOp)
def _same_choices(op: arith.SelectOp) -> Result:
    return op.lhs if op.lhs is op.rhs else None


@rule("true ? x : y == x", arith.SelectOp)
def _always(op: arith.SelectOp) -> Result:
    return op.lhs if _is(op.cond, 1) else None


@rule("false ? x : y == y", arith.SelectOp)
def _never(op: arith.SelectOp) -> Result:
    return op.rhs if _is(op.cond, 0) else None


# Conversions


@rule("narrow(widen(x)) == x", arith.TruncFOp, arith.TruncIOp)
def _narrowed_after_widening(op: Any) -> Result:
    inner = op.input.owner
    widened = arith.ExtFOp if isinstance(op, arith.TruncFOp) else (arith.ExtSIOp, arith.ExtUIOp)
    return inner.input if isinstance(inner, widened) and inner.input.type == op.result.type else None


@rule("index_cast(index_cast(x)) == x", arith.IndexCastOp)
def _cast_there_and_back(op: arith.IndexCastOp) -> Result:
    """Return the input of a cast there and back. An index has 64 bits: nothing is lost on the way, unless through a
    narrower integer."""
    inner = op.input.owner
    if not isinstance(inner, arith.IndexCastOp) or inner.input.type != op.result.type:
        return None
    between = op.input.type.element_type if isinstance(op.input.type, VectorType) else op.input.type
    is_wide = isinstance(between, IndexType) or (isinstance(between, IntegerType) and between.width.data >= 64)
    return inner.input if is_wide else None


def _is_bit(op: Any) -> bool:
    """Return whether `op` works on i1 values, where 1 is the same as -1."""
    type = op.result.type.element_type if isinstance(op.result.type, VectorType) else op.result.type
    return isinstance(type, IntegerType) and type.width.data == 1
