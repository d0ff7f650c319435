"""Expansion of integer divisions: division by 0 and overflow without traps, and quotients that are rounded down or up.

The quotient and the remainder by 0 are 0, and the least number divided by -1 is itself. In these cases the division has
another divisor, and a select gives the defined result. Floor and ceiling quotients are the truncated one, corrected by
one depending on the sign of the remainder.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.loop.divisors import has_safe_divisor, state_safe_divisor
from ...rules.lanes import Lanes
from ...rules.narrow_floats import element_of


def expand_division(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand arith.divsi, divui, remsi and remui where the divisor may be 0 or -1, at which machines trap."""
    if has_safe_divisor(op):
        return False
    a, b = op.operands
    element = element_of(op.results[0].type)
    assert isinstance(element, (IntegerType, IndexType))
    lanes = Lanes(op, rewriter)
    lanes.integer_type = element
    by_zero = lanes.compare_integers("eq", b, 0)
    if op.name.endswith("ui"):
        value = _divide(lanes, op, a, lanes.choose_integer(by_zero, 1, b))
    else:
        by_minus_one = lanes.compare_integers("eq", b, -1)
        traps = lanes.emit(arith.OrIOp(by_zero, by_minus_one))
        divisor = lanes.choose_integer(traps, 1, b)
        by_itself = lanes.minus(lanes.integer(0), a) if op.name == "arith.divsi" else 0
        value = lanes.choose_integer(by_minus_one, by_itself, _divide(lanes, op, a, divisor))
    return lanes.replace(op, lanes.choose_integer(by_zero, 0, value))


def _divide(lanes: Lanes, op: Operation, a: SSAValue, divisor: SSAValue) -> SSAValue:
    """Compute the operation `op` with a divisor that is neither 0 nor -1."""
    value = lanes.same(op, [a, divisor])
    assert isinstance(value, OpResult)
    state_safe_divisor(value.op)
    return value


def expand_rounded_division(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand arith.floordivsi, ceildivsi and ceildivui."""
    a, b = op.operands
    element = element_of(op.results[0].type)
    assert isinstance(element, (IntegerType, IndexType))
    lanes = Lanes(op, rewriter)
    lanes.integer_type = element
    is_signed, up = op.name.endswith("si"), op.name.startswith("arith.ceildiv")
    divide, remain = (arith.DivSIOp, arith.RemSIOp) if is_signed else (arith.DivUIOp, arith.RemUIOp)
    quotient, remainder = lanes.emit(divide(a, b)), lanes.emit(remain(a, b))
    corrects = lanes.compare_integers("ne", remainder, 0)
    if is_signed:
        signs = lanes.emit(arith.XOrIOp(remainder, b))
        side = lanes.compare_integers("sge" if up else "slt", signs, 0)
        corrects = lanes.emit(arith.AndIOp(corrects, side))
    corrected = lanes.plus(quotient, 1) if up else lanes.minus(quotient, 1)
    return lanes.replace(op, lanes.choose_integer(corrects, corrected, quotient))
