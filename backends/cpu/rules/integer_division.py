"""Quotients of integers that are rounded down or up: the truncated quotient, corrected by one where the remainder is on
the other side."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ...rules.lanes import Lanes
from ...rules.narrow_floats import element_of


def expand_rounded_division(op: Operation, rewriter: PatternRewriter) -> bool:
    """arith.floordivsi, ceildivsi and ceildivui."""
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
