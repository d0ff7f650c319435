"""The constant that a scalar, or every lane of a vector, equals."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue


def integer_in_lanes(value: SSAValue) -> int | None:
    """Return the integer of a scalar, or of each lane of a broadcast vector; None where it is not a constant."""
    known = _attribute(value)
    return known.value.data if isinstance(known, IntegerAttr) else None


def float_in_lanes(value: SSAValue) -> float | None:
    """Return the float of a scalar, or of each lane of a broadcast vector; None where it is not a constant."""
    known = _attribute(value)
    return known.value.data if isinstance(known, FloatAttr) else None


def _attribute(value: SSAValue) -> Attribute | None:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "vector.broadcast":
        return _attribute(owner.operands[0])
    return owner.value if isinstance(owner, arith.ConstantOp) else None
