"""Arithmetic on floats of 16 bits, f16 and bf16, by way of f32: operands are widened, the result is rounded.

With p digits in the narrow type, an f32 has more than 2p + 2, so double rounding of sums, products, quotients and roots
is innocuous: the result is that of one rounding (Figueroa, "When is double rounding innocuous?", 1995). Comparisons,
signs, extremes and whole numbers are not rounded at all. A fused multiply-add is computed in f64, where the product is
exact, and the sum is rounded to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). Other
functions are as accurate as the f32 function.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type, Float16Type, VectorType, f32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.target import target_of
from .lanes import Lanes


def element_of(type_: Attribute) -> Attribute:
    """Return the type of a lane."""
    return type_.element_type if isinstance(type_, VectorType) else type_


def is_narrow(type_: Attribute) -> bool:
    """Return whether a value is of floats of 16 bits."""
    return isinstance(element_of(type_), (Float16Type, BFloat16Type))


def widen(op: Operation, rewriter: PatternRewriter) -> bool:
    """Replace an operation on narrow floats by the one on f32, unless the target has it."""
    if not _is_widened(op):
        return False
    lanes, result = Lanes(op, rewriter), element_of(op.results[0].type)
    operands = [lanes.wider(v, f32) if is_narrow(v.type) else v for v in op.operands]
    if not is_narrow(result):
        return lanes.replace(op, lanes.same(op, operands))
    return lanes.replace(op, lanes.narrower(lanes.same(op, operands, f32), result))


def widen_fma(op: Operation, rewriter: PatternRewriter) -> bool:
    """Expand a * b + c of narrow floats, rounded once."""
    if not _is_widened(op):
        return False
    lanes = Lanes(op, rewriter).doubles()
    a, b, c = (lanes.wider(v, lanes.float) for v in op.operands)
    total = sum_to_odd(lanes, lanes.mul(a, b), c)
    return lanes.replace(op, lanes.narrower(total, element_of(op.results[0].type)))


def sum_to_odd(lanes: Lanes, x: SSAValue, y: SSAValue) -> SSAValue:
    """Return the sum of two f64; where it is inexact, the neighbour whose last bit is set. Infinity and NaN stay.

    The error is computed exactly (Knuth's TwoSum); its sign is the side of the nearest f64 on which the sum lies.
    """
    total = lanes.add(x, y)
    part = lanes.sub(total, x)
    error = lanes.add(lanes.sub(x, lanes.sub(total, part)), lanes.sub(y, part))
    bits = lanes.bits(total)
    is_even = lanes.compare_integers("eq", lanes.both(bits, 1), 0)
    away = lanes.compare_integers("sgt", lanes.bits(lanes.with_sign(lanes.value(1.0), lanes.mul(error, total))), 0)
    neighbour = lanes.choose_integer(away, lanes.plus(bits, 1), lanes.minus(bits, 1))
    moved = lanes.choose_integer(is_even, neighbour, bits)
    return lanes.from_bits(lanes.choose_integer(lanes.compare("one", error, 0.0), moved, bits))


def _is_widened(op: Operation) -> bool:
    narrow = next((v.type for v in (*op.operands, *op.results) if is_narrow(v.type)), None)
    target = target_of(op)
    return narrow is not None and not (target is not None and target.computes_in(element_of(narrow)))
