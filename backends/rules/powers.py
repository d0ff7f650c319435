"""Powers with small whole exponents that are constants, as products.

A square or a reciprocal is rounded once, so it is the nearest float, as in the reference. A third power is rounded
twice and has an error of at most 1.5 ULP; a fourth power, the square of the square, of at most 2.5 ULP. Integral
results that the type represents are exact. Narrow floats are widened first, and rounded once.
"""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, VectorType
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.lane_constants import float_in_lanes
from .lanes import Lanes

_EXPONENTS = (-1.0, 1.0, 2.0, 3.0, 4.0)


def lower_whole_power(op: Operation, rewriter: PatternRewriter) -> bool:
    """Lower math.powf with an exponent of -1 or 1 to 4."""
    x, exponent = op.operands[0], float_in_lanes(op.operands[1])
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
