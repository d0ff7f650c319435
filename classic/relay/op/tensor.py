"""Elementwise and broadcasting operators, concatenation, and operators on shapes.

An operator that is one operation of the graph dialect is generated from its record; the others are a few operations
each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....diagnostics.expectations import coded_names
from ....dialects.dtypes import numpy_dtype
from ....operators import get_operator
from ....te.dtypes import dtype_info
from ..building import apply, cast_to, rank, refuse, static, tensor, type_
from ..expr import Call, Expr, Tuple, const, expression
from ..types import TensorType, dims_of

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "ceil",
    "clip",
    "concatenate",
    "copy",
    "cos",
    "cosh",
    "device_copy",
    "divide",
    "einsum",
    "equal",
    "erf",
    "exp",
    "fast_erf",
    "fast_exp",
    "fast_tanh",
    "floor",
    "floor_divide",
    "floor_mod",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log10",
    "log2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "ndarray_size",
    "negative",
    "not_equal",
    "ones",
    "ones_like",
    "power",
    "reciprocal",
    "right_shift",
    "round",
    "rsqrt",
    "shape_of",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "stack",
    "subtract",
    "tan",
    "tanh",
    "trunc",
    "trunc_divide",
    "trunc_mod",
    "zeros",
    "zeros_like",
]


def _unary(record: str, name: str = "") -> Callable[[Any], Expr]:
    def function(data: Any) -> Expr:
        return apply(record, tensor(data))

    function.__name__ = function.__qualname__ = name or record
    function.__doc__ = f"{get_operator(record).meaning} Of each element."
    return function


def _binary(record: str, name: str = "") -> Callable[[Any, Any], Expr]:
    def function(lhs: Any, rhs: Any) -> Expr:
        return apply(record, *both(lhs, rhs, name or record))

    function.__name__ = function.__qualname__ = name or record
    function.__doc__ = f"{get_operator(record).meaning} The operands, a and b, broadcast."
    return function


def both(lhs: Any, rhs: Any, name: str) -> tuple[Expr, Expr]:
    """Return both operands as expressions; one of them may be a number, which gets the type of the other."""
    if not isinstance(lhs, Expr) and not isinstance(rhs, Expr):
        refuse(f"{name}: expected an expression among the operands, but got {lhs!r} and {rhs!r}")
    first = expression(lhs) if isinstance(lhs, Expr) else expression(lhs, tensor(rhs))
    return tensor(first), tensor(expression(rhs, tensor(first)))


abs = _unary("abs")
acos = _unary("acos")
acosh = _unary("acosh")
asin = _unary("asin")
asinh = _unary("asinh")
atan = _unary("atan")
atanh = _unary("atanh")
bitwise_not = _unary("bitwise_not")
ceil = _unary("ceil")
copy = _unary("identity", "copy")
cos = _unary("cos")
cosh = _unary("cosh")
erf = _unary("erf")
exp = _unary("exp")
fast_erf = _unary("erf", "fast_erf")
fast_exp = _unary("exp", "fast_exp")
fast_tanh = _unary("tanh", "fast_tanh")
floor = _unary("floor")
isfinite = _unary("isfinite")
isinf = _unary("isinf")
isnan = _unary("isnan")
log = _unary("log")
logical_not = _unary("not", "logical_not")
negative = _unary("neg", "negative")
reciprocal = _unary("reciprocal")
round = _unary("round")
sigmoid = _unary("sigmoid")
sign = _unary("sign")
sin = _unary("sin")
sinh = _unary("sinh")
sqrt = _unary("sqrt")
tan = _unary("tan")
tanh = _unary("tanh")

add = _binary("add")
bitwise_and = _binary("bitwise_and")
bitwise_or = _binary("bitwise_or")
bitwise_xor = _binary("bitwise_xor")
divide = _binary("div", "divide")
equal = _binary("equal")
floor_mod = _binary("floor_mod")
greater = _binary("greater")
greater_equal = _binary("greater_equal")
left_shift = _binary("left_shift")
less = _binary("less")
less_equal = _binary("less_equal")
logical_and = _binary("and", "logical_and")
logical_or = _binary("or", "logical_or")
logical_xor = _binary("xor", "logical_xor")
maximum = _binary("maximum")
minimum = _binary("minimum")
mod = _binary("mod")
multiply = _binary("mul", "multiply")
power = _binary("pow", "power")
right_shift = _binary("right_shift")
subtract = _binary("sub", "subtract")
trunc_mod = _binary("mod", "trunc_mod")


def not_equal(lhs: Any, rhs: Any) -> Expr:
    """Return whether a is not b. The operands, a and b, broadcast."""
    return apply("not", apply("equal", *both(lhs, rhs, "not_equal")))


def rsqrt(data: Any) -> Expr:
    """Return 1 / sqrt(x) of each element."""
    return apply("reciprocal", apply("sqrt", tensor(data)))


def log2(data: Any) -> Expr:
    """Return the logarithm to base 2 of each element."""
    return _times(apply("log", tensor(data)), 1 / math.log(2))


def log10(data: Any) -> Expr:
    """Return the logarithm to base 10 of each element."""
    return _times(apply("log", tensor(data)), 1 / math.log(10))


def _times(given: Expr, factor: float) -> Expr:
    return apply("mul", given, const(factor, type_(given).dtype))


def trunc(data: Any) -> Expr:
    """Return each element rounded towards zero."""
    x = tensor(data)
    if not dtype_info(type_(x).dtype).is_float:
        return apply("identity", x)
    is_negative = apply("less", x, const(0, type_(x).dtype))
    return apply("where", is_negative, apply("ceil", x), apply("floor", x))


def floor_divide(lhs: Any, rhs: Any) -> Expr:
    """Return a / b rounded towards minus infinity. The operands, a and b, broadcast."""
    a, b = both(lhs, rhs, "floor_divide")
    if dtype_info(type_(a).dtype).is_float:
        return apply("floor", apply("div", a, b))
    return apply("div", apply("sub", a, apply("floor_mod", a, b)), b)


def trunc_divide(lhs: Any, rhs: Any) -> Expr:
    """Return a / b rounded towards zero. The operands, a and b, broadcast."""
    a, b = both(lhs, rhs, "trunc_divide")
    quotient = apply("div", a, b)
    return trunc(quotient) if dtype_info(type_(a).dtype).is_float else quotient


def clip(a: Any, a_min: float, a_max: float) -> Expr:
    """Return min(max(x, a_min), a_max) of each element."""
    return apply("clip", tensor(a), low=float(a_min), high=float(a_max))


def device_copy(data: Any, src_device: Any = None, dst_device: Any = None) -> Expr:
    """Return the operand: a program runs on one device."""
    return apply("identity", tensor(data))


def several(data: Any) -> list[Expr]:
    """Return the tensors of a tuple, or of a list. Raises TW0320 for none."""
    given = expression(data)
    found = list(given) if isinstance(given, (Tuple, Call)) else [given]
    if not found:
        refuse("expected at least one tensor, but got an empty tuple")
    return [tensor(each) for each in found]


def concatenate(data: Any, axis: int = 0) -> Expr:
    """Return the tensors of a tuple one after another along an axis."""
    return apply("concat", *several(data), axis=axis)


def stack(data: Any, axis: int = 0) -> Expr:
    """Return the tensors of a tuple, of one shape, along a new axis."""
    tensors = several(data)
    position = axis % (rank(tensors[0]) + 1)
    return apply("concat", *[apply("unsqueeze", each, axes=(position,)) for each in tensors], axis=position)


def einsum(data: Any, equation: str) -> Expr:
    """Return the sum of products of a tuple of tensors that an equation writes, "ij,jk->ik"."""
    return apply("einsum", *several(data), equation=equation)


def shape_of(data: Any, dtype: str = "int32") -> Expr:
    """Return the sizes of a tensor, as a vector."""
    x = tensor(data)
    sizes = type_(x).shape
    if all(isinstance(size, int) for size in sizes):
        return const(np.array(sizes, numpy_dtype(dtype_info(dtype).name)))
    return cast_to(apply("extents", x, shape=tuple(f"#0.{axis}" for axis in range(len(sizes)))), dtype)


def ndarray_size(data: Any, dtype: str = "int32") -> Expr:
    """Return the number of elements of a tensor, as a scalar."""
    sizes = shape_of(data, dtype)
    if len(type_(sizes).shape) and type_(sizes).shape[0] == 0:
        return const(1, dtype)
    return apply("reduce_prod", sizes, axes=(0,))


def filled(value: Any, shape: Any, dtype: str) -> Expr:
    """Return a tensor of one value, of a shape of numbers."""
    sizes = [static(size, "a size") for size in TensorType(dims_of(shape)).shape]
    number = value if isinstance(value, Expr) else const(value, dtype)
    scalar = apply("reshape", number, shape=()) if rank(number) else number
    return apply("broadcast_to", cast_to(scalar, dtype_info(dtype).name), shape=tuple(sizes))


def filled_like(value: Any, data: Any) -> Expr:
    """Return a tensor of one value, of the type of another one."""
    x = tensor(data)
    sizes = type_(x).shape
    if all(isinstance(size, int) for size in sizes):
        return filled(value, sizes, type_(x).dtype)
    scalar = cast_to(value if isinstance(value, Expr) else const(value, type_(x).dtype), type_(x).dtype)
    return apply("stretch", scalar, x, shape=tuple(f"#1.{axis}" for axis in range(len(sizes))))


def zeros(shape: Sequence[int], dtype: str) -> Expr:
    """Return zeros of a shape."""
    return filled(0, shape, dtype)


def ones(shape: Sequence[int], dtype: str) -> Expr:
    """Return ones of a shape."""
    return filled(1, shape, dtype)


def zeros_like(data: Any) -> Expr:
    """Return zeros of the type of another tensor."""
    return filled_like(0, data)


def ones_like(data: Any) -> Expr:
    """Return ones of the type of another tensor."""
    return filled_like(1, data)


coded_names(globals(), __all__)
