"""Functions of scalar expressions.

The transcendental ones turn integers into float32, as a Python number beside an integer tensor would.
"""

from __future__ import annotations

from typing import Any

from .dtypes import dtype_info
from .errors import te_error
from .expr import Const, Expr, as_expr, binary, cast, choice, condition, unary


def _floating(op: str, value: Any) -> Expr:
    operand = as_expr(value)
    return unary(op, operand if dtype_info(operand.dtype).is_float else cast("float32", operand))


def exp(x: Any) -> Expr:
    return _floating("exp", x)


def log(x: Any) -> Expr:
    """The natural logarithm."""
    return _floating("log", x)


def sqrt(x: Any) -> Expr:
    return _floating("sqrt", x)


def rsqrt(x: Any) -> Expr:
    """1 / sqrt(x)."""
    return _floating("rsqrt", x)


def tanh(x: Any) -> Expr:
    return _floating("tanh", x)


def erf(x: Any) -> Expr:
    """The error function."""
    return _floating("erf", x)


def sin(x: Any) -> Expr:
    return _floating("sin", x)


def cos(x: Any) -> Expr:
    return _floating("cos", x)


def sigmoid(x: Any) -> Expr:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + exp(-as_expr(x)))


def floor(x: Any) -> Expr:
    """Rounding towards minus infinity; an integer is itself."""
    return _rounding("floor", x)


def ceil(x: Any) -> Expr:
    """Rounding towards infinity; an integer is itself."""
    return _rounding("ceil", x)


def round(x: Any) -> Expr:
    """Rounding to the nearest integer, halves to the even one; an integer is itself."""
    return _rounding("round", x)


def _rounding(op: str, value: Any) -> Expr:
    operand = as_expr(value)
    return operand if dtype_info(operand.dtype).is_integer else unary(op, operand)


def abs(x: Any) -> Expr:
    """The absolute value; that of the least integer of a type is itself."""
    return unary("abs", x)


def pow(x: Any, y: Any) -> Expr:
    """x to the power y. Of two integers, y must not be negative."""
    return binary("pow", x, y)


def truncdiv(x: Any, y: Any) -> Expr:
    """The quotient of two integers, rounded towards zero as in C. `//` rounds towards minus infinity."""
    return binary("truncdiv", x, y)


def truncmod(x: Any, y: Any) -> Expr:
    """What truncdiv leaves: it has the sign of x. `%` has the sign of y."""
    return binary("truncmod", x, y)


def minimum(x: Any, y: Any) -> Expr:
    """The smaller of two scalars; a NaN wins."""
    return binary("min", x, y)


def maximum(x: Any, y: Any) -> Expr:
    """The larger of two scalars; a NaN wins."""
    return binary("max", x, y)


def Select(condition: Any, true_value: Any, false_value: Any) -> Expr:
    """`true_value` where the condition holds. Both values are computed, so every read must be in bounds."""
    return choice(condition, true_value, false_value, guarded=False)


def if_then_else(condition: Any, true_value: Any, false_value: Any) -> Expr:
    """`true_value` where the condition holds. Only the chosen value's reads happen: this is how to pad."""
    return choice(condition, true_value, false_value, guarded=True)


def all(*conditions: Any) -> Expr:
    """Whether every condition holds."""
    return _fold("and", conditions)


def any(*conditions: Any) -> Expr:
    """Whether at least one condition holds."""
    return _fold("or", conditions)


def _fold(op: str, conditions: tuple[Any, ...]) -> Expr:
    if not conditions:
        te_error("TW0451", "expected at least one condition, but got none")
    result = condition(conditions[0])
    for c in conditions[1:]:
        result = binary(op, result, condition(c))
    return result


def min_value(dtype: Any) -> Const:
    """The least number of a type; of a floating-point type the least finite one."""
    return _limit(dtype, -1)


def max_value(dtype: Any) -> Const:
    """The largest number of a type; of a floating-point type the largest finite one."""
    return _limit(dtype, 1)


def _limit(dtype: Any, sign: int) -> Const:
    info = dtype_info(dtype)
    if info.is_float:
        return Const(sign * info.largest, info.name)
    low, high = info.integer_range
    return Const(low if sign < 0 else high, info.name)
