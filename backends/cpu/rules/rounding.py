"""Rounding floats to integers on targets without an instruction for it, where LLVM would call libm lane by lane.

With n fraction bits, the ULP of 2^n is 1: adding 2^n to a smaller number rounds it to the nearest integer, ties to
even, and the subtraction of 2^n is exact. The other rounding directions correct that integer by one. Larger numbers are
integers already, and NaN is kept.
"""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.target import CpuTargetAttr, target_of
from ...rules.lanes import Lanes
from ...rules.narrow_floats import element_of

_UNITS_F32, _UNITS_F64 = float(1 << 23), float(1 << 52)
"""The least floats of a type that have their units in their last bit."""


def expand_rounding(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand math.ceil, floor, round, roundeven and trunc of f32 and f64 into sums and choices."""
    (value,), element = op.operands, element_of(op.results[0].type)
    target = target_of(op)
    rounds = not isinstance(target, CpuTargetAttr) or target.has_roundings
    if rounds or not isinstance(element, (Float32Type, Float64Type)):
        return False
    lanes, units = Lanes(op, rewriter), _UNITS_F32
    if isinstance(element, Float64Type):
        lanes, units = lanes.doubles(), _UNITS_F64
    magnitude = lanes.absolute(value)
    nearest = lanes.sub(lanes.add(magnitude, units), units)
    rounded = _corrected(lanes, op.name, value, magnitude, nearest)
    small = lanes.compare("olt", magnitude, units)
    return lanes.replace(op, lanes.choose(small, lanes.with_sign(rounded, value), value))


def _corrected(lanes: Lanes, name: str, value: SSAValue, magnitude: SSAValue, nearest: SSAValue) -> SSAValue:
    """Correct the integer nearest to the magnitude to the result of the operation. Only floor and ceil, whose direction
    depends on the sign, give a result that has the sign of `value`."""
    match name.removeprefix("math."):
        case "roundeven":
            return nearest
        case "floor":
            signed = lanes.with_sign(nearest, value)
            return lanes.choose(lanes.compare("ogt", signed, value), lanes.sub(signed, 1.0), signed)
        case "ceil":
            signed = lanes.with_sign(nearest, value)
            return lanes.choose(lanes.compare("olt", signed, value), lanes.add(signed, 1.0), signed)
        case direction:
            whole = lanes.choose(lanes.compare("ogt", nearest, magnitude), lanes.sub(nearest, 1.0), nearest)
            if direction == "trunc":
                return whole
            rest = lanes.sub(magnitude, whole)
            return lanes.choose(lanes.compare("oge", rest, 0.5), lanes.add(whole, 1.0), whole)
