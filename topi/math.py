"""Functions of each element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..te import Tensor
from ..te.dtypes import dtype_info
from .arguments import a_tensor, apply, refuse


def _unary(record: str, name: str, meaning: str) -> Callable[[Tensor], Tensor]:
    def function(data: Tensor) -> Tensor:
        return apply(record, a_tensor(data, "the operand"))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{meaning}, of each element."
    return function


exp = _unary("exp", "exp", "e to the power x")
log = _unary("log", "log", "The natural logarithm")
sqrt = _unary("sqrt", "sqrt", "The square root")
rsqrt = _unary("rsqrt", "rsqrt", "1 / sqrt(x)")
tanh = _unary("tanh", "tanh", "The hyperbolic tangent")
sigmoid = _unary("sigmoid", "sigmoid", "1 / (1 + exp(-x))")
erf = _unary("erf", "erf", "The error function")
exp2 = _unary("exp2", "exp2", "2 to the power x")
expm1 = _unary("expm1", "expm1", "exp(x) - 1, precise near 0")
log2 = _unary("log2", "log2", "The logarithm to base 2")
log10 = _unary("log10", "log10", "The logarithm to base 10")
log1p = _unary("log1p", "log1p", "log(1 + x), precise near 0")
sin = _unary("sin", "sin", "The sine of x in radians")
cos = _unary("cos", "cos", "The cosine of x in radians")
tan = _unary("tan", "tan", "The tangent of x in radians")
asin = _unary("asin", "asin", "The inverse of the sine")
acos = _unary("acos", "acos", "The inverse of the cosine")
atan = _unary("atan", "atan", "The inverse of the tangent")
sinh = _unary("sinh", "sinh", "The hyperbolic sine")
cosh = _unary("cosh", "cosh", "The hyperbolic cosine")
asinh = _unary("asinh", "asinh", "The inverse of the hyperbolic sine")
acosh = _unary("acosh", "acosh", "The inverse of the hyperbolic cosine")
atanh = _unary("atanh", "atanh", "The inverse of the hyperbolic tangent")
abs = _unary("abs", "abs", "|x|")
negative = _unary("neg", "negative", "-x")
sign = _unary("sign", "sign", "-1, 0 or 1; a NaN stays one")
floor = _unary("floor", "floor", "The largest whole number that is not above x")
ceil = _unary("ceil", "ceil", "The smallest whole number that is not below x")
round = _unary("round", "round", "The nearest whole number, of two the even one")
trunc = _unary("trunc", "trunc", "x without its fraction")
isnan = _unary("isnan", "isnan", "Whether x is not a number")
isfinite = _unary("isfinite", "isfinite", "Whether x is a number and finite")
isinf = _unary("isinf", "isinf", "Whether x is infinite")
reciprocal = _unary("reciprocal", "reciprocal", "1 / x")
identity = _unary("identity", "identity", "x itself")


def clip(x: Tensor, a_min: float | None = None, a_max: float | None = None) -> Tensor:
    """min(max(x, a_min), a_max); an absent bound does not bound."""
    data = a_tensor(x, "the operand")
    return apply("clip", data, low=_bound(a_min, data.dtype), high=_bound(a_max, data.dtype))


def _bound(value: float | None, dtype: str) -> Any:
    """A bound in the operand's type: that of integers is a whole number, and never below or above the type's own."""
    if value is None or dtype_info(dtype).is_float:
        return value
    low, high = dtype_info(dtype).integer_range
    if value != int(value):
        refuse("TW0447", f"expected a whole number as a bound of {dtype}, but got {value}")
    return max(low, min(high, int(value)))


def cast(x: Tensor, dtype: str) -> Tensor:
    """Conversion to another element type: fractions are cut off, a number is true unless it is 0."""
    return apply("cast", a_tensor(x, "the operand"), to=dtype_info(dtype).name)
