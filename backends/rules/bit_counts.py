"""Counts of bits in arithmetic on i64: math.ctpop, ctlz and cttz, where the target has no instruction for them.

Bits are added up within pairs, fours and bytes, and those of all bytes by a product (H. S. Warren, "Hacker's Delight",
section 5-1).
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .lanes import Lanes
from .narrow_floats import element_of

_PAIRS, _FOURS, _BYTES, _ONES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101


def expand_count(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand math.ctpop, math.ctlz or math.cttz of integers of up to 64 bits."""
    element = element_of(op.results[0].type)
    if not isinstance(element, IntegerType) or element.width.data > 64:
        return False
    width, (value,) = element.width.data, op.operands
    lanes = Lanes(op, rewriter)
    lanes.integer_type = i64
    x = lanes.extended(value, i64) if width < 64 else value
    match op.name:
        case "math.ctpop":
            count = _ones(lanes, x)
        case "math.cttz":
            # The bits below the lowest one that is set: all of them, where none is.
            x = lanes.either(x, 1 << width) if width < 64 else x
            count = _ones(lanes, lanes.emit(arith.AndIOp(_inverse(lanes, x), lanes.minus(x, 1))))
        case _:
            for step in (1, 2, 4, 8, 16, 32):
                x = lanes.either(x, lanes.unsigned_right(x, step))
            count = lanes.minus(lanes.integer(width), _ones(lanes, x))
    return lanes.replace(op, lanes.truncated(count, element) if width < 64 else count)


def _ones(lanes: Lanes, x: SSAValue) -> SSAValue:
    x = lanes.minus(x, lanes.both(lanes.unsigned_right(x, 1), _PAIRS))
    x = lanes.plus(lanes.both(x, _FOURS), lanes.both(lanes.unsigned_right(x, 2), _FOURS))
    x = lanes.both(lanes.plus(x, lanes.unsigned_right(x, 4)), _BYTES)
    return lanes.unsigned_right(lanes.emit(arith.MuliOp(x, lanes.integer(_ONES))), 56)


def _inverse(lanes: Lanes, x: SSAValue) -> SSAValue:
    return lanes.emit(arith.XOrIOp(x, lanes.integer(-1)))
