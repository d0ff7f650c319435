"""Divisors that no division traps at: `tw.safe_divisor` of integer divisions and remainders of `arith`.

A quotient by 0 is 0, as is the remainder, and the least number by -1 is itself. Machines trap at both, so that rules of
`expand-operations` divide by another number there. The attribute says that a divisor is neither; of one bit, where -1
is the only other number, that it is not 0.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation

from ...ir import editor as edit
from ..lane_constants import integer_in_lanes

SAFE_DIVISOR = "tw.safe_divisor"
DIVISIONS = ("arith.divsi", "arith.divui", "arith.remsi", "arith.remui")


def has_safe_divisor(op: Operation) -> bool:
    """Return whether a divisor is stated to be neither 0 nor -1, or is such a constant."""
    return SAFE_DIVISOR in op.attributes or integer_in_lanes(op.operands[1]) not in (None, 0, -1)


def state_safe_divisor(op: Operation) -> None:
    """State that the divisor of an operation is neither 0 nor -1."""
    edit.change(op).attributes[SAFE_DIVISOR] = UnitAttr()
