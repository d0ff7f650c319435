"""Every identity of `simplify`, proved by an SMT solver: bit vectors of 1 and 8 bits, floats with all special values.

Each rule is offered operations over every choice of operands: unknowns, the numbers that rules look for, and the inner
operations that they look through. Where it applies, the operation and what it is replaced by must be equal for all
values of the unknowns for which the operation is defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import z3
from tilewright.dialects import context  # noqa: F401  (arith on vectors)
from tilewright.passes.phase3.simplify.identities import RULES, Rule
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, VectorType, f16, f32, i1, i8, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.test_value import create_ssa_value

HALF = z3.FPSort(5, 11)
SINGLE = z3.FPSort(8, 24)
NEAREST = z3.RNE()
ALL_RULES = [rule for rules in RULES.values() for rule in rules]


def sort_of(type: Attribute) -> z3.SortRef:
    if isinstance(type, VectorType):
        type = type.element_type
    if isinstance(type, IntegerType):
        return z3.BitVecSort(type.width.data)
    if isinstance(type, IndexType):
        return z3.BitVecSort(64)
    return HALF if type == f16 else SINGLE


def meaning(value: SSAValue) -> z3.ExprRef:
    """Return the z3 expression of `value` for one lane."""
    op = value.owner
    assert isinstance(op, Operation)
    if op.name == "test.op":
        return z3.Const(f"x{id(value)}", sort_of(value.type))
    if isinstance(op, arith.ConstantOp):
        return constant(op.value, value.type)
    operands = [meaning(v) for v in op.operands]
    return MEANINGS[type(op)](op, *operands)


def constant(attribute: Attribute, type: Attribute) -> z3.ExprRef:
    if isinstance(attribute, FloatAttr):
        return z3.FPVal(attribute.value.data, sort_of(type))
    assert isinstance(attribute, IntegerAttr)
    return z3.BitVecVal(attribute.value.data, sort_of(type))


def divided(up: bool) -> object:
    """Return the signed quotient rounded up or down, of integers wide enough."""

    def divide(op: Operation, x: z3.BitVecRef, y: z3.BitVecRef) -> z3.BitVecRef:
        quotient, rest = x / y, z3.SRem(x, y)
        inexact = z3.And(rest != 0, ((x < 0) == (y < 0)) == up)
        return z3.If(inexact, quotient + (1 if up else -1), quotient)

    return divide


def compared(op: arith.CmpiOp, x: z3.BitVecRef, y: z3.BitVecRef) -> z3.BitVecRef:
    name = arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]
    unsigned = {"ult": z3.ULT, "ule": z3.ULE, "ugt": z3.UGT, "uge": z3.UGE}
    signed = {"eq": x == y, "ne": x != y, "slt": x < y, "sle": x <= y, "sgt": x > y, "sge": x >= y}
    holds = unsigned[name](x, y) if name in unsigned else signed[name]
    return z3.If(holds, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


def resized(op: Operation, x: z3.BitVecRef, signed: bool = True) -> z3.BitVecRef:
    width = sort_of(op.results[0].type).size()
    if width <= x.size():
        return z3.Extract(width - 1, 0, x)
    return z3.SignExt(width - x.size(), x) if signed else z3.ZeroExt(width - x.size(), x)


def extreme(smaller: bool, x: z3.FPRef, y: z3.FPRef) -> z3.FPRef:
    return z3.If(z3.fpLT(x, y) if smaller else z3.fpGT(x, y), x, y)


MEANINGS = {
    arith.AddiOp: lambda op, x, y: x + y,
    arith.SubiOp: lambda op, x, y: x - y,
    arith.MuliOp: lambda op, x, y: x * y,
    arith.AndIOp: lambda op, x, y: x & y,
    arith.OrIOp: lambda op, x, y: x | y,
    arith.XOrIOp: lambda op, x, y: x ^ y,
    arith.ShLIOp: lambda op, x, y: x << y,
    arith.ShRSIOp: lambda op, x, y: x >> y,
    arith.ShRUIOp: lambda op, x, y: z3.LShR(x, y),
    arith.DivSIOp: lambda op, x, y: x / y,
    arith.DivUIOp: lambda op, x, y: z3.UDiv(x, y),
    arith.CeilDivUIOp: lambda op, x, y: z3.UDiv(x, y) + z3.If(z3.URem(x, y) != 0, z3.BitVecVal(1, x.size()), 0),
    arith.FloorDivSIOp: divided(up=False),
    arith.CeilDivSIOp: divided(up=True),
    arith.RemSIOp: lambda op, x, y: z3.SRem(x, y),
    arith.RemUIOp: lambda op, x, y: z3.URem(x, y),
    arith.MaxSIOp: lambda op, x, y: z3.If(x > y, x, y),
    arith.MinSIOp: lambda op, x, y: z3.If(x < y, x, y),
    arith.MaxUIOp: lambda op, x, y: z3.If(z3.UGT(x, y), x, y),
    arith.MinUIOp: lambda op, x, y: z3.If(z3.ULT(x, y), x, y),
    arith.MaximumfOp: lambda op, x, y: extreme(False, x, y),
    arith.MaxnumfOp: lambda op, x, y: extreme(False, x, y),
    arith.MinimumfOp: lambda op, x, y: extreme(True, x, y),
    arith.MinnumfOp: lambda op, x, y: extreme(True, x, y),
    arith.CmpiOp: compared,
    arith.AddfOp: lambda op, x, y: z3.fpAdd(NEAREST, x, y),
    arith.SubfOp: lambda op, x, y: z3.fpSub(NEAREST, x, y),
    arith.MulfOp: lambda op, x, y: z3.fpMul(NEAREST, x, y),
    arith.DivfOp: lambda op, x, y: z3.fpDiv(NEAREST, x, y),
    arith.NegfOp: lambda op, x: z3.fpNeg(x),
    arith.SelectOp: lambda op, c, x, y: z3.If(c == 1, x, y),
    arith.TruncFOp: lambda op, x: z3.fpFPToFP(NEAREST, x, HALF),
    arith.ExtFOp: lambda op, x: z3.fpFPToFP(NEAREST, x, SINGLE),
    arith.TruncIOp: resized,
    arith.ExtSIOp: resized,
    arith.ExtUIOp: lambda op, x: resized(op, x, signed=False),
    arith.IndexCastOp: resized,
    vector.BroadcastOp: lambda op, x: x,
}
UNDEFINED_BY_ZERO = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)
FLOATS = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.NegfOp)
FLOAT_EXTREMES = (arith.MaximumfOp, arith.MaxnumfOp, arith.MinimumfOp, arith.MinnumfOp)


def numbers(type: Attribute) -> list[SSAValue]:
    if type == f16:
        return [arith.ConstantOp(FloatAttr(x, f16)).result for x in (0.0, -0.0, 1.0, -1.0)]
    assert isinstance(type, IntegerType)
    values = (0, 1) if type == i1 else (0, 1, -1, 2)
    return [arith.ConstantOp(IntegerAttr(n, type)).result for n in values]


def splats(type: Attribute) -> list[SSAValue]:
    of_vector = VectorType(type, [4])
    return [vector.BroadcastOp(n, of_vector).vector for n in numbers(type)]


def operations(op: type[Operation]) -> Iterator[Operation]:
    """Yield operations of a class over every choice of operands."""
    if op is arith.SelectOp:
        x, y = create_ssa_value(f16), create_ssa_value(f16)
        conditions = [create_ssa_value(i1), *numbers(i1)]
        yield from (arith.SelectOp(c, a, b) for c, a, b in product(conditions, (x, y), (x, y)))
    elif op is arith.NegfOp:
        x = create_ssa_value(f16)
        yield from (arith.NegfOp(x), arith.NegfOp(arith.NegfOp(x)))
    elif op is arith.TruncFOp:
        yield arith.TruncFOp(arith.ExtFOp(create_ssa_value(f16), f32), f16)
        yield arith.TruncFOp(create_ssa_value(f32), f16)
    elif op is arith.TruncIOp:
        for widen, source, target in product((arith.ExtSIOp, arith.ExtUIOp), (i8, i1), (i8, i1)):
            yield arith.TruncIOp(widen(create_ssa_value(source), i32), target)
    elif op is arith.IndexCastOp:
        for source, between in ((IndexType(), i32), (IndexType(), i64), (i32, IndexType()), (i64, IndexType())):
            yield arith.IndexCastOp(arith.IndexCastOp(create_ssa_value(source), between), source)
    elif op is arith.CmpiOp:
        x, y = create_ssa_value(i8), create_ssa_value(i8)
        yield from (arith.CmpiOp(x, b, k) for b, k in product((x, y), range(10)))
    else:
        yield from binary(op)


def binary(op: type[Operation]) -> Iterator[Operation]:
    for type in (f16,) if op in (*FLOATS, *FLOAT_EXTREMES) else (i1, i8):
        x, y = create_ssa_value(type), create_ssa_value(type)
        choices = [x, y, *numbers(type)]
        yield from (op(a, b) for a, b in product(choices, choices))
        v = create_ssa_value(VectorType(type, [4]))
        yield from (op(a, b) for a, b in product([v, *splats(type)], repeat=2))


def equal(rule: Rule, op: Operation, result: SSAValue | int) -> z3.BoolRef:
    before = meaning(op.results[0])
    after = z3.BitVecVal(result, before.sort()) if isinstance(result, int) else meaning(result)
    if isinstance(op, UNDEFINED_BY_ZERO):
        return z3.Implies(meaning(op.operands[1]) != 0, before == after)
    return before == after  # of floats: the same NaN, the same sign of zero


@pytest.mark.each("rule", ALL_RULES, ids=[f"{r.op.name}: {r.equation}" for r in ALL_RULES])
def test_rule(rule: Rule) -> None:
    applied = 0
    for op in operations(rule.op):
        result = rule.apply(op)
        if result is None:
            continue
        applied += 1
        assert isinstance(result, int) or result.type == op.results[0].type
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.add(z3.Not(equal(rule, op, result)))
        assert solver.check() == z3.unsat, f"{rule.equation} fails for {op}: {solver.model()}"
    assert applied, "the rule never applied"


def test_meanings_distinguish_wrong_identities() -> None:
    """The harness would notice: x + 0.0 is not x where x is -0.0."""
    x, zero = create_ssa_value(f16), arith.ConstantOp(FloatAttr(0.0, f16)).result
    solver = z3.Solver()
    solver.add(meaning(arith.AddfOp(x, zero).result) != meaning(x))
    assert solver.check() == z3.sat
