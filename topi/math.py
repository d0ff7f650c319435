"""Elementwise functions of one tensor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..operators import get_operator
from ..te import Tensor
from ..te.dtypes import dtype_info
from .arguments import a_number, a_tensor, accepts, apply, refuse
from .declared import checked


def _unary(record: str, name: str = "") -> Callable[[Tensor], Tensor]:
    """Return the function of an operator on one operand, which has the record's name by default."""

    @accepts(x="data")
    def function(data: Tensor) -> Tensor:
        return apply(record, a_tensor(data, "the operand"))

    function.__name__ = function.__qualname__ = name or record
    function.__doc__ = f"{get_operator(record).meaning} Of each element."
    return function


exp = _unary("exp")
log = _unary("log")
sqrt = _unary("sqrt")
rsqrt = _unary("rsqrt")
tanh = _unary("tanh")
sigmoid = _unary("sigmoid")
erf = _unary("erf")
exp2 = _unary("exp2")
expm1 = _unary("expm1")
log2 = _unary("log2")
log10 = _unary("log10")
log1p = _unary("log1p")
sin = _unary("sin")
cos = _unary("cos")
tan = _unary("tan")
asin = _unary("asin")
acos = _unary("acos")
atan = _unary("atan")
sinh = _unary("sinh")
cosh = _unary("cosh")
asinh = _unary("asinh")
acosh = _unary("acosh")
atanh = _unary("atanh")
abs = _unary("abs")
negative = _unary("neg", "negative")
sign = _unary("sign")
floor = _unary("floor")
ceil = _unary("ceil")
round = _unary("round")
trunc = _unary("trunc")
isnan = _unary("isnan")
isfinite = _unary("isfinite")
isinf = _unary("isinf")
reciprocal = _unary("reciprocal")
identity = _unary("identity")


def clip(x: Tensor, a_min: float | None = None, a_max: float | None = None) -> Tensor:
    """Return min(max(x, a_min), a_max); an absent bound does not bound."""
    data = a_tensor(x, "the operand")
    return apply("clip", data, low=_bound(a_min, data.dtype), high=_bound(a_max, data.dtype))


def _bound(value: float | None, dtype: str) -> Any:
    """Return a bound in the operand's type: for integers a whole number within the limits of the type."""
    if value is None:
        return None
    number = a_number(value, "a bound")
    if dtype_info(dtype).is_float:
        return number
    low, high = dtype_info(dtype).integer_range
    if math.isinf(number):
        return low if number < 0 else high
    if math.isnan(number) or number != int(number):
        refuse("TW0447", f"expected a whole number as a bound of {dtype}, but got {value}")
    return max(low, min(high, value if isinstance(value, int) else int(number)))


fast_exp, fast_tanh, fast_erf = exp, tanh, erf


@accepts("span")
def cast(x: Tensor, dtype: str) -> Tensor:
    """Convert to another element type: fractions are cut off, a number is true unless it is 0."""
    return apply("cast", a_tensor(x, "the operand"), to=dtype_info(dtype).name)


def reinterpret(x: Tensor, dtype: str) -> Tensor:
    """Return the same bits as elements of another type of that size."""
    return checked("bitcast", a_tensor(x, "the operand"), to=dtype_info(dtype).name)
