"""Functions of scalar expressions.

The transcendental functions convert integers to float32, as a fractional Python number does beside an integer tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .dtypes import dtype_info
from .expr import CalledFunction, Const, Expr, as_expr, binary, cast, choice, common, compare, const, unary
from .expr import condition as as_condition
from .te_errors import te_error


def _floating(op: str, meaning: str) -> Callable[[Any], Expr]:
    def function(x: Any) -> Expr:
        return unary(op, _as_float(x))

    function.__name__, function.__doc__ = op, f"{meaning} An integer is turned into float32 first."
    return function


def _as_float(x: Any) -> Expr:
    operand = as_expr(x)
    return operand if dtype_info(operand.dtype).is_float else cast("float32", operand)


exp = _floating("exp", "e to the power x.")
exp2 = _floating("exp2", "2 to the power x.")
expm1 = _floating("expm1", "exp(x) - 1, precise near 0.")
log = _floating("log", "The natural logarithm.")
log2 = _floating("log2", "The logarithm to base 2.")
log10 = _floating("log10", "The logarithm to base 10.")
log1p = _floating("log1p", "log(1 + x), precise near 0.")
sqrt = _floating("sqrt", "The square root.")
rsqrt = _floating("rsqrt", "1 / sqrt(x).")
sin = _floating("sin", "The sine.")
cos = _floating("cos", "The cosine.")
tan = _floating("tan", "The tangent.")
asin = _floating("asin", "The inverse of the sine.")
acos = _floating("acos", "The inverse of the cosine.")
atan = _floating("atan", "The inverse of the tangent.")
sinh = _floating("sinh", "The hyperbolic sine.")
cosh = _floating("cosh", "The hyperbolic cosine.")
tanh = _floating("tanh", "The hyperbolic tangent.")
asinh = _floating("asinh", "The inverse of the hyperbolic sine.")
acosh = _floating("acosh", "The inverse of the hyperbolic cosine.")
atanh = _floating("atanh", "The inverse of the hyperbolic tangent.")
erf = _floating("erf", "The error function.")


DEFINITIONS: dict[str, Callable[[Any], Expr]] = {}
"""Functions that are calls by name where a target has a rule for the name, and the expressions that they are else."""


def _named(definition: Callable[[Any], Expr]) -> Callable[[Any], Expr]:
    """Let the expressions of a function remember its name and operand."""
    name = definition.__name__
    DEFINITIONS[name] = definition

    @wraps(definition)
    def function(x: Any) -> Expr:
        operand = as_expr(x)
        if not dtype_info(operand.dtype).is_float:
            return definition(operand)
        result = definition(operand)
        if not isinstance(result, Const):
            object.__setattr__(result, "called", CalledFunction(name, (operand,)))
        return result

    return function


@_named
def sigmoid(x: Any) -> Expr:
    """Return 1 / (1 + exp(-x)), precise where that power would be infinite. An integer is turned into float32 first."""
    operand = _as_float(x)
    power = exp(-abs(operand))
    rest = power / (1 + power)
    near = Select(operand >= 0, 1, power)
    return near - near * rest  # of small powers the rounded sum above would cost more than half a unit


def floor(x: Any) -> Expr:
    """Round towards minus infinity; an integer is itself."""
    return _rounding("floor", x)


def ceil(x: Any) -> Expr:
    """Round towards infinity; an integer is itself."""
    return _rounding("ceil", x)


def round(x: Any) -> Expr:
    """Round to the nearest integer, halves to the even one; an integer is itself."""
    return _rounding("round", x)


nearbyint = round


def trunc(x: Any) -> Expr:
    """Round towards zero; an integer is itself."""
    return _rounding("trunc", x)


@_named
def isnan(x: Any) -> Expr:
    """Return whether a float is NaN; false for integers."""
    operand = as_expr(x)
    return compare("!=", operand, operand)


@_named
def isinf(x: Any) -> Expr:
    """Return whether a number is infinite."""
    return _compare_with_infinity("==", x)


@_named
def isfinite(x: Any) -> Expr:
    """Return whether x is a finite number."""
    return _compare_with_infinity("<", x)


def _compare_with_infinity(op: str, x: Any) -> Expr:
    operand = as_expr(x)
    if not dtype_info(operand.dtype).is_float:
        return const(op == "<", "bool")
    return compare(op, unary("abs", operand), Const(float("inf"), operand.dtype))


def _rounding(op: str, value: Any) -> Expr:
    operand = as_expr(value)
    info = dtype_info(operand.dtype)
    return operand if info.is_integer or info.is_bool else unary(op, operand)


def abs(x: Any) -> Expr:
    """Return the absolute value; that of the least integer of a type is itself."""
    return unary("abs", x)


def pow(x: Any, y: Any) -> Expr:
    """Return x to the power y. Of two integers, y must not be negative."""
    return binary("pow", x, y)


power = pow


def fmod(x: Any, y: Any) -> Expr:
    """Return the remainder of a division that truncates, as in C: it has the sign of x."""
    lhs, rhs = common(x, y)
    if dtype_info(lhs.dtype).is_integer:
        return binary("truncmod", lhs, rhs)
    return binary("fmod", lhs, rhs)


def atan2(y: Any, x: Any) -> Expr:
    """Return the angle of the point (x, y)."""
    return binary("atan2", *map(_as_float, common(y, x)))


def floordiv(x: Any, y: Any) -> Expr:
    """Return the quotient of two integers, rounded towards minus infinity: `x // y`. By zero it is 0."""
    return binary("floordiv", x, y)


def floormod(x: Any, y: Any) -> Expr:
    """Return the remainder of floordiv: it has the sign of y. The same as `x % y`. By zero it is 0."""
    return binary("floormod", x, y)


def truncdiv(x: Any, y: Any) -> Expr:
    """Return the quotient of two integers, rounded towards zero as in C. By zero it is 0. `//` rounds down."""
    return binary("truncdiv", x, y)


def truncmod(x: Any, y: Any) -> Expr:
    """Return the remainder of truncdiv: it has the sign of x. By zero it is 0. `%` has the sign of y."""
    return binary("truncmod", x, y)


indexdiv, indexmod = floordiv, floormod


def ceildiv(x: Any, y: Any) -> Expr:
    """Return the quotient of two integers, rounded towards infinity."""
    return binary("ceildiv", x, y)


def shift_left(x: Any, y: Any) -> Expr:
    """Return `x << y`."""
    return binary("shl", x, y)


def shift_right(x: Any, y: Any) -> Expr:
    """Return `x >> y`; a negative integer keeps its sign."""
    return binary("shr", x, y)


def bitwise_and(x: Any, y: Any) -> Expr:
    """Return `x & y`."""
    return binary("and", x, y)


def bitwise_or(x: Any, y: Any) -> Expr:
    """Return `x | y`."""
    return binary("or", x, y)


def bitwise_xor(x: Any, y: Any) -> Expr:
    """Return `x ^ y`."""
    return binary("xor", x, y)


def bitwise_not(x: Any) -> Expr:
    """Return `~x`."""
    return unary("not", x)


def infinity(dtype: Any) -> Const:
    """Return the infinity of a type of floats. Raises TW0451 for a type without one."""
    return const(float("inf"), dtype)


def div(x: Any, y: Any) -> Expr:
    """Return the quotient as C has it: that of integers is cut off towards zero."""
    lhs, rhs = common(x, y)
    return binary("truncdiv" if dtype_info(lhs.dtype).is_integer else "div", lhs, rhs)


def popcount(x: Any) -> Expr:
    """Return the number of bits of an integer that are set."""
    return unary("popcount", x)


def clz(x: Any) -> Expr:
    """Return the number of leading zeros of an integer in its type."""
    return unary("clz", x)


def minimum(x: Any, y: Any) -> Expr:
    """Return the smaller of two scalars; a NaN wins."""
    return binary("min", x, y)


def maximum(x: Any, y: Any) -> Expr:
    """Return the larger of two scalars; a NaN wins."""
    return binary("max", x, y)


def Select(condition: Any, true_value: Any, false_value: Any) -> Expr:
    """Return `true_value` where the condition holds. Both values are computed, so every read should be in bounds.

    Where one may not be, compiled code makes it only if it is chosen (pass `unsafe-select`); the interpreter refuses.
    """
    return choice(condition, true_value, false_value, guarded=False)


def if_then_else(condition: Any, true_value: Any, false_value: Any) -> Expr:
    """Return `true_value` where the condition holds. Only the chosen value's reads happen: this is how to pad."""
    return choice(condition, true_value, false_value, guarded=True)


def all(*conditions: Any) -> Expr:
    """Return whether every condition holds."""
    return _fold("and", conditions)


def any(*conditions: Any) -> Expr:
    """Return whether at least one condition holds."""
    return _fold("or", conditions)


def _fold(op: str, conditions: tuple[Any, ...]) -> Expr:
    if not conditions:
        te_error("TW0451", "expected at least one condition, but got none")
    result = as_condition(conditions[0])
    for c in conditions[1:]:
        result = binary(op, result, as_condition(c))
    return result


def likely(cond: Any) -> Expr:
    """Return the condition itself: the compiler derives from ranges how often it holds."""
    return as_condition(cond)


def min_value(dtype: Any) -> Const:
    """Return the least number of a type; of a floating-point type the least finite one."""
    return _limit(dtype, -1)


def max_value(dtype: Any) -> Const:
    """Return the largest number of a type; of a floating-point type the largest finite one."""
    return _limit(dtype, 1)


def _limit(dtype: Any, sign: int) -> Const:
    info = dtype_info(dtype)
    low, high = (info.least, info.largest) if info.is_float else info.integer_range
    return const(low if sign < 0 else high, info.name)
