"""Operators on the bits of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dialects.graph.families import BinaryOp, Elements, UnaryOp
from .deferred import dtypes, te
from .elementwise import broadcasting_operator, family_member, scalar_operator


def _of_two(name: str, meaning: str, scalar: Callable[[Any, Any], te.Expr], *, onnx: str = "") -> type[BinaryOp]:
    """Register an operator on two integers, which numpy has by the same name."""
    example = f"%y = graph.{name} %a, %b : tensor<2x3xi32>"
    return broadcasting_operator(scalar, name, onnx=onnx)(
        family_member(BinaryOp, name, meaning, example, Elements.INTEGER)
    )


def _count(a: Any, b: Any) -> tuple[te.Expr | None, Any]:
    """Return the condition that a shift count is less than the number of bits, and a count for which this holds.

    The condition is None where it always holds. It fails for negative counts.
    """
    bits = dtypes.dtype_info(a.dtype if isinstance(a, te.Expr) else b.dtype).bits
    if isinstance(b, float):
        b = te.const(b)
    if isinstance(b, int):
        return (None, b) if 0 <= b < bits else (te.const(False, "bool"), 0)
    fits = b < bits if b.dtype.startswith("u") else te.all(b >= 0, b < bits)
    return fits, te.Select(fits, b, te.const(0, b.dtype))


def _left_shift(a: Any, b: Any) -> te.Expr:
    fits, count = _count(a, b)
    return a << count if fits is None else te.Select(fits, a << count, te.const(0, (a << count).dtype))


def _right_shift(a: Any, b: Any) -> te.Expr:
    fits, count = _count(a, b)
    if fits is None:
        return a >> count
    shifted = a >> count
    none = te.const(0, shifted.dtype)
    sign = none if shifted.dtype.startswith("u") else te.Select(shifted < 0, ~none, none)
    return te.Select(fits, shifted, sign)


BitwiseAndOp = _of_two("bitwise_and", "The bits that a and b both have.", lambda a, b: a & b, onnx="BitwiseAnd")
BitwiseOrOp = _of_two("bitwise_or", "The bits that a or b has.", lambda a, b: a | b, onnx="BitwiseOr")
BitwiseXorOp = _of_two("bitwise_xor", "The bits that one of a and b has.", lambda a, b: a ^ b, onnx="BitwiseXor")
LeftShiftOp = _of_two(
    "left_shift", "a · 2 to the power b, which wraps; 0 for b beyond the number of bits.", _left_shift
)
RightShiftOp = _of_two(
    "right_shift",
    "a / 2 to the power b, rounded towards minus infinity, for b beyond the number of bits too.",
    _right_shift,
)
BitwiseNotOp = scalar_operator(lambda x: ~x, "bitwise_not", onnx="BitwiseNot")(
    family_member(
        UnaryOp, "bitwise_not", "Every bit inverted.", "%y = graph.bitwise_not %x : tensor<4xi32>", Elements.INTEGER
    )
)
