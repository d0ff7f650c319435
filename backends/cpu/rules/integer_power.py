"""Integer powers by squaring: one product for each bit of the exponent, and another for each set bit.

A constant exponent needs only the products of its bits. For a variable exponent, every bit selects whether the result
is multiplied by the corresponding square.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

Emit = Callable[[Operation], SSAValue]


def lower_ipowi(op: Operation, rewriter: PatternRewriter) -> bool:
    """Lower math.ipowi on integers and vectors of them; a negative power is the quotient 1 / x^-y cut off."""
    ops: list[Operation] = []

    def emit(new: Operation) -> SSAValue:
        ops.append(new)
        return new.results[0]

    base, exponent = op.operands
    power = _constant_exponent(exponent)
    result = _constant_power(emit, base, power) if power is not None and power >= 0 else _power(emit, base, exponent)
    rewriter.replace(op, ops, [result])
    return True


def _constant_exponent(value: SSAValue) -> int | None:
    """Return the number that an exponent is in every lane."""
    owner = value.owner
    if isinstance(owner, vector.BroadcastOp):
        return _constant_exponent(owner.source)
    if not isinstance(owner, arith.ConstantOp):
        return None
    number = owner.value
    if isinstance(number, DenseIntOrFPElementsAttr):
        first = number.get_values()[0]
        return first if number.is_splat() and isinstance(first, int) else None
    return number.value.data if isinstance(number, IntegerAttr) else None


def _constant_power(emit: Emit, base: SSAValue, power: int) -> SSAValue:
    result: SSAValue | None = None
    square = base
    while power:
        if power & 1:
            result = square if result is None else emit(arith.MuliOp(result, square))
        power >>= 1
        if power:
            square = emit(arith.MuliOp(square, square))
    return result if result is not None else _constant(emit, 1, base.type)


def _power(emit: Emit, base: SSAValue, exponent: SSAValue) -> SSAValue:
    type = base.type
    zero, one = _constant(emit, 0, type), _constant(emit, 1, type)
    result, square = one, base
    width = _element(type).width.data
    for bit in range(width - 1):
        mask = _constant(emit, 1 << bit, type)
        is_set = emit(arith.CmpiOp(emit(arith.AndIOp(exponent, mask)), zero, "ne"))
        result = emit(arith.MuliOp(result, emit(arith.SelectOp(is_set, square, one))))
        square = emit(arith.MuliOp(square, square))
    return _unless_negative(emit, base, exponent, result)


def _unless_negative(emit: Emit, base: SSAValue, exponent: SSAValue, result: SSAValue) -> SSAValue:
    """Return `result`, or 1, -1 or 0 for a negative exponent: powers of 1 and -1 keep their value, all others are
    truncated to 0.

    The low bits of a negative exponent decide whether it is odd, so `result` is right for 1 and -1 all the same.
    """
    type = base.type
    zero, one, minus = (_constant(emit, n, type) for n in (0, 1, -1))
    negative = emit(arith.CmpiOp(exponent, zero, "slt"))
    is_one, is_minus = (emit(arith.CmpiOp(base, unit, "eq")) for unit in (one, minus))
    is_unit = emit(arith.OrIOp(is_one, is_minus))
    kept = emit(arith.SelectOp(is_unit, result, zero))
    return emit(arith.SelectOp(negative, kept, result))


def _constant(emit: Emit, value: int, type: Attribute) -> SSAValue:
    """Return a number in every lane."""
    element = _element(type)
    number = IntegerAttr(value, element)
    scalar = emit(arith.ConstantOp(number))
    return emit(vector.BroadcastOp(scalar, type)) if isinstance(type, VectorType) else scalar


def _element(type: Attribute) -> IntegerType:
    element = type.element_type if isinstance(type, VectorType) else type
    assert isinstance(element, IntegerType)
    return element
