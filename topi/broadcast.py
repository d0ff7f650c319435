"""Arithmetic, comparisons and logic on operands that broadcast as numpy's do: tensors, or a tensor and numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..te import Tensor
from ..te.dtypes import dtype_info
from .arguments import Operand, a_tensor, an_operand, apply, broadcast, refuse


def operate(name: str, *operands: Any) -> Tensor:
    """The operator of this name on operands that broadcast; one of them at least is a tensor."""
    given = [an_operand(operand) for operand in operands]
    if not any(isinstance(operand, Tensor) for operand in given):
        refuse(
            "TW0447", f"expected a tensor among the operands of {name}, but got numbers only", help="use te for scalars"
        )
    broadcast(*given)
    return apply(name, *given)


def _binary(record: str, name: str, meaning: str) -> Callable[[Operand, Operand], Tensor]:
    def function(lhs: Operand, rhs: Operand) -> Tensor:
        return operate(record, lhs, rhs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}; the operands broadcast."
    return function


add = _binary("add", "add", "a + b")
subtract = _binary("sub", "subtract", "a - b")
multiply = _binary("mul", "multiply", "a * b")
divide = _binary("div", "divide", "a / b, of integers rounded towards zero")
floor_divide = _binary("floor_div", "floor_divide", "The quotient of integers, rounded towards minus infinity")
mod = _binary("mod", "mod", "What division towards zero leaves: it has the sign of a")
floor_mod = _binary("floor_mod", "floor_mod", "What division towards minus infinity leaves: it has the sign of b")
power = _binary("pow", "power", "a to the power b")
maximum = _binary("maximum", "maximum", "The greater of a and b; a NaN wins")
minimum = _binary("minimum", "minimum", "The lesser of a and b; a NaN wins")
equal = _binary("equal", "equal", "Whether a = b")
not_equal = _binary("not_equal", "not_equal", "Whether a and b differ")
less = _binary("less", "less", "Whether a < b")
less_equal = _binary("less_equal", "less_equal", "Whether a <= b")
greater = _binary("greater", "greater", "Whether a > b")
greater_equal = _binary("greater_equal", "greater_equal", "Whether a >= b")
bitwise_and = _binary("bitwise_and", "bitwise_and", "The bits that a and b both have")
bitwise_or = _binary("bitwise_or", "bitwise_or", "The bits that a or b has")
bitwise_xor = _binary("bitwise_xor", "bitwise_xor", "The bits that one of a and b has")
left_shift = _binary("left_shift", "left_shift", "a · 2 to the power b, of integers")
right_shift = _binary("right_shift", "right_shift", "a / 2 to the power b, of integers, rounded towards minus infinity")

broadcast_add, broadcast_subtract, broadcast_multiply, broadcast_divide = add, subtract, multiply, divide
broadcast_mod, broadcast_power, broadcast_maximum, broadcast_minimum = mod, power, maximum, minimum
broadcast_mul, broadcast_sub, broadcast_div = multiply, subtract, divide


def elemwise_sum(xs: Sequence[Tensor]) -> Tensor:
    """The sum of tensors, from the first to the last."""
    first, *others = xs
    total = a_tensor(first, "an operand")
    for other in others:
        total = operate("add", total, other)
    return total


def logical_and(lhs: Operand, rhs: Operand) -> Tensor:
    """Whether both hold; the operands are of bool and broadcast."""
    return operate("and", *map(_condition, (lhs, rhs)))


def logical_or(lhs: Operand, rhs: Operand) -> Tensor:
    """Whether at least one holds; the operands are of bool and broadcast."""
    return operate("or", *map(_condition, (lhs, rhs)))


def logical_xor(lhs: Operand, rhs: Operand) -> Tensor:
    """Whether exactly one holds; the operands are of bool and broadcast."""
    return operate("xor", *map(_condition, (lhs, rhs)))


def logical_not(data: Tensor) -> Tensor:
    """Whether it does not hold; the operand is of bool."""
    return apply("not", a_tensor(_condition(data), "the operand"))


def bitwise_not(data: Tensor) -> Tensor:
    """Every bit inverted."""
    return apply("bitwise_not", a_tensor(data, "the operand"))


invert = bitwise_not


def where(condition: Tensor, x: Operand, y: Operand) -> Tensor:
    """x where the condition holds, otherwise y; all three broadcast. Both are read everywhere."""
    return operate("where", a_tensor(_condition(condition), "the condition"), x, y)


def _condition(value: Any) -> Any:
    if isinstance(value, Tensor) and not dtype_info(value.dtype).is_bool:
        refuse(
            "TW0447",
            f"expected a condition, but got {value.name!r} of {value.dtype}",
            help="compare it with 0, or use topi.cast(x, 'bool')",
        )
    return value
