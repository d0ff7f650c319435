"""Powers with small whole exponents that are constants, as products.

A square is rounded once, so it is the nearest float, as the reference is; so is a reciprocal. A third power is rounded
twice and lies within 1.5 units in the last place, a fourth one, the square of the square, within 2.5.
Whole results that the type holds are exact. Narrow floats are widened before, and rounded once.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, FloatAttr, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .lanes import Lanes

_EXPONENTS = (-1.0, 1.0, 2.0, 3.0, 4.0)


def lower_whole_power(op: Operation, rewriter: PatternRewriter) -> bool:
    """math.powf with an exponent of -1 or 1 to 4."""
    x, exponent = op.operands[0], _number(op.operands[1])
    if exponent not in _EXPONENTS:
        return False
    element = x.type.element_type if isinstance(x.type, VectorType) else x.type
    lanes = Lanes(op, rewriter) if isinstance(element, Float32Type) else Lanes(op, rewriter).doubles()
    if exponent == -1:
        return lanes.replace(op, lanes.div(1.0, x))
    if exponent == 1:
        return lanes.replace(op, x)
    square = lanes.mul(x, x)
    if exponent == 2:
        return lanes.replace(op, square)
    return lanes.replace(op, lanes.mul(square, x if exponent == 3 else square))


def _number(value: SSAValue) -> float | None:
    """The number that a value is, in all lanes of a vector; None where it is not a constant."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "vector.broadcast":
        return _number(owner.operands[0])
    known = owner.value if isinstance(owner, arith.ConstantOp) else None
    return known.value.data if isinstance(known, FloatAttr) else None
