"""Divisors that cannot trap: the attribute `tw.safe_divisor` of integer divisions and remainders of `arith`.

A quotient or remainder by 0 is 0, and the least number divided by -1 is itself. Machines trap in both cases, so rules
of `expand-operations` replace such divisors. The attribute states that a divisor is neither 0 nor -1; for integers of
one bit, whose only other value is -1, that the divisor is not 0.
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
