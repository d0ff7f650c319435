"""Arithmetic, comparisons and logic on operands that broadcast as numpy's do: tensors, or a tensor and numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..operators import get_operator
from ..te import Expr, Tensor
from ..te.dtypes import dtype_info
from .arguments import Operand, a_list, a_tensor, an_operand, apply, broadcast, refuse


def operate(name: str, *operands: Any) -> Any:
    """Return the operator of this name on operands that broadcast; of expressions without a tensor it is an
    expression."""
    if not any(isinstance(operand, Tensor) for operand in operands):
        return _of_scalars(name, operands)
    given = [an_operand(operand) for operand in operands]
    broadcast(*given)
    return apply(name, *given)


def _of_scalars(name: str, operands: Sequence[Any]) -> Expr:
    scalar = get_operator(name).scalar
    if scalar is None or not any(isinstance(operand, Expr) for operand in operands):
        refuse(
            "TW0447", f"expected a tensor among the operands of {name}, but got numbers only", help="use te for scalars"
        )
    return scalar(*operands)


def _binary(record: str, name: str = "") -> Callable[[Operand, Operand], Tensor]:
    """Return the function of an operator on two operands, which has the record's name by default."""

    def function(lhs: Operand, rhs: Operand) -> Tensor:
        return operate(record, lhs, rhs)

    function.__name__ = function.__qualname__ = name or record
    function.__doc__ = f"{get_operator(record).meaning} The operands, a and b, broadcast."
    return function


add = _binary("add")
subtract = _binary("sub", "subtract")
multiply = _binary("mul", "multiply")
divide = _binary("div", "divide")
floor_divide = _binary("floor_div", "floor_divide")
mod = _binary("mod")
floor_mod = _binary("floor_mod")
power = _binary("pow", "power")
maximum = _binary("maximum")
minimum = _binary("minimum")
equal = _binary("equal")
not_equal = _binary("not_equal")
less = _binary("less")
less_equal = _binary("less_equal")
greater = _binary("greater")
greater_equal = _binary("greater_equal")
bitwise_and = _binary("bitwise_and")
bitwise_or = _binary("bitwise_or")
bitwise_xor = _binary("bitwise_xor")


def left_shift(lhs: Operand, rhs: Operand) -> Tensor:
    """Return the bits of integers moved to the left, zeros behind them; the operands broadcast."""
    return operate("left_shift", *map(_integers, (lhs, rhs)))


def right_shift(lhs: Operand, rhs: Operand) -> Tensor:
    """Return the bits of integers moved to the right, copies of the sign before them; the operands broadcast."""
    return operate("right_shift", *map(_integers, (lhs, rhs)))


broadcast_add, broadcast_subtract, broadcast_multiply, broadcast_divide = add, subtract, multiply, divide
broadcast_mod, broadcast_power, broadcast_maximum, broadcast_minimum = mod, power, maximum, minimum
broadcast_mul, broadcast_sub, broadcast_div = multiply, subtract, divide


def elemwise_sum(xs: Sequence[Tensor]) -> Tensor:
    """Return the sum of tensors, from the first to the last."""
    if not (terms := a_list(xs, "tensors")):
        refuse("TW0447", "expected at least one tensor to add, but got none")
    first, *others = terms
    total = a_tensor(first, "an operand")
    if not others:
        return apply("identity", total)
    for other in others:
        total = operate("add", total, other)
    return total


def logical_and(lhs: Operand, rhs: Operand) -> Tensor:
    """Compute whether both operands are true; the operands are of bool and broadcast."""
    return operate("and", *map(_condition, (lhs, rhs)))


def logical_or(lhs: Operand, rhs: Operand) -> Tensor:
    """Compute whether at least one operand is true; the operands are of bool and broadcast."""
    return operate("or", *map(_condition, (lhs, rhs)))


def logical_xor(lhs: Operand, rhs: Operand) -> Tensor:
    """Compute whether exactly one operand is true; the operands are of bool and broadcast."""
    return operate("xor", *map(_condition, (lhs, rhs)))


def logical_not(data: Tensor) -> Tensor:
    """Compute whether the operand is false; it is of bool."""
    return operate("not", _condition(data))


def bitwise_not(data: Tensor) -> Tensor:
    """Return every bit inverted."""
    return operate("bitwise_not", data)


invert = bitwise_not


def where(condition: Tensor, x: Operand, y: Operand) -> Tensor:
    """Return x where the condition holds, otherwise y; all three broadcast. Both are read everywhere. A number holds
    unless it is 0."""
    holds = a_tensor(condition, "the condition")
    holds = holds if dtype_info(holds.dtype).is_bool else operate("not_equal", holds, 0)
    return operate("where", holds, x, y)


def _integers(value: Any) -> Any:
    dtype = getattr(value, "dtype", "float32" if isinstance(value, float) else "int32")
    if not dtype_info(dtype).is_integer:
        refuse("TW0447", f"expected integers to shift, but got {value!r}")
    return value


def _condition(value: Any) -> Any:
    if isinstance(value, Tensor) and not dtype_info(value.dtype).is_bool:
        refuse(
            "TW0447",
            f"expected a condition, but got {value.name!r} of {value.dtype}",
            help="compare it with 0, or use topi.cast(x, 'bool')",
        )
    return value
