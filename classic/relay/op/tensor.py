"""Operators on each element, with operands that broadcast, and what joins and describes tensors.

Those that are one operation of the graph dialect are made from its record; the others are a few operations each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....diagnostics.calls import coded_names
from ....dialects.dtypes import numpy_dtype
from ....operators import get_operator
from ....te.dtypes import dtype_info
from ..building import apply, cast_to, rank, refuse, static, tensor, type_
from ..expr import Call, Expr, Tuple, const, expression
from ..types import TensorType, dims_of

UNARY = {
    "abs": "abs", "acos": "acos", "acosh": "acosh", "asin": "asin", "asinh": "asinh", "atan": "atan", "atanh": "atanh",
    "bitwise_not": "bitwise_not", "ceil": "ceil", "copy": "identity", "cos": "cos", "cosh": "cosh", "erf": "erf",
    "exp": "exp", "fast_erf": "erf", "fast_exp": "exp", "fast_tanh": "tanh", "floor": "floor", "isfinite": "isfinite", "isinf": "isinf", "isnan": "isnan", "log": "log",
    "logical_not": "not", "negative": "neg", "reciprocal": "reciprocal", "round": "round", "sigmoid": "sigmoid",
    "sign": "sign", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
}  # fmt: skip
"""Operators on one operand, by the record that each is."""

BINARY = {
    "add": "add", "bitwise_and": "bitwise_and", "bitwise_or": "bitwise_or", "bitwise_xor": "bitwise_xor",
    "divide": "div", "equal": "equal", "floor_mod": "floor_mod", "greater": "greater",
    "greater_equal": "greater_equal", "left_shift": "left_shift", "less": "less", "less_equal": "less_equal",
    "logical_and": "and", "logical_or": "or", "logical_xor": "xor", "maximum": "maximum", "minimum": "minimum",
    "mod": "mod", "multiply": "mul", "power": "pow", "right_shift": "right_shift", "subtract": "sub",
    "trunc_mod": "mod",
}  # fmt: skip
"""Operators on two operands that broadcast, by the record that each is."""

__all__ = [
    *UNARY,
    *BINARY,
    "clip",
    "concatenate",
    "copy",
    "device_copy",
    "einsum",
    "floor_divide",
    "log10",
    "log2",
    "ndarray_size",
    "not_equal",
    "ones",
    "ones_like",
    "rsqrt",
    "shape_of",
    "stack",
    "trunc",
    "trunc_divide",
    "zeros",
    "zeros_like",
]


def _unary(record: str, name: str) -> Callable[[Any], Call]:
    def function(data: Any) -> Call:
        return apply(record, tensor(data))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{get_operator(record).meaning} Of each element."
    return function


def _binary(record: str, name: str) -> Callable[[Any, Any], Call]:
    def function(lhs: Any, rhs: Any) -> Call:
        return apply(record, *both(lhs, rhs, name))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{get_operator(record).meaning} The operands, a and b, broadcast."
    return function


def both(lhs: Any, rhs: Any, name: str) -> tuple[Expr, Expr]:
    """Two operands, one of which may be a number, which is then of the other's type."""
    if not isinstance(lhs, Expr) and not isinstance(rhs, Expr):
        refuse(f"{name}: expected an expression among the operands, but got {lhs!r} and {rhs!r}")
    first = expression(lhs) if isinstance(lhs, Expr) else expression(lhs, tensor(rhs))
    return tensor(first), tensor(expression(rhs, tensor(first)))


globals().update({name: _unary(record, name) for name, record in UNARY.items()})
globals().update({name: _binary(record, name) for name, record in BINARY.items()})


def not_equal(lhs: Any, rhs: Any) -> Call:
    """Whether a is not b. The operands, a and b, broadcast."""
    return apply("not", apply("equal", *both(lhs, rhs, "not_equal")))


def rsqrt(data: Any) -> Call:
    """1 / sqrt(x) of each element."""
    return apply("reciprocal", apply("sqrt", tensor(data)))


def log2(data: Any) -> Call:
    """The logarithm to base 2 of each element."""
    return _times(apply("log", tensor(data)), 1 / math.log(2))


def log10(data: Any) -> Call:
    """The logarithm to base 10 of each element."""
    return _times(apply("log", tensor(data)), 1 / math.log(10))


def _times(given: Expr, factor: float) -> Call:
    return apply("mul", given, const(factor, type_(given).dtype))


def trunc(data: Any) -> Call:
    """Each element rounded towards zero."""
    x = tensor(data)
    if not dtype_info(type_(x).dtype).is_float:
        return apply("identity", x)
    is_negative = apply("less", x, const(0, type_(x).dtype))
    return apply("where", is_negative, apply("ceil", x), apply("floor", x))


def floor_divide(lhs: Any, rhs: Any) -> Call:
    """a / b rounded towards minus infinity. The operands, a and b, broadcast."""
    a, b = both(lhs, rhs, "floor_divide")
    if dtype_info(type_(a).dtype).is_float:
        return apply("floor", apply("div", a, b))
    return apply("div", apply("sub", a, apply("floor_mod", a, b)), b)


def trunc_divide(lhs: Any, rhs: Any) -> Call:
    """a / b rounded towards zero. The operands, a and b, broadcast."""
    a, b = both(lhs, rhs, "trunc_divide")
    quotient = apply("div", a, b)
    return trunc(quotient) if dtype_info(type_(a).dtype).is_float else quotient


def clip(a: Any, a_min: float, a_max: float) -> Call:
    """min(max(x, a_min), a_max) of each element."""
    return apply("clip", tensor(a), low=float(a_min), high=float(a_max))


def device_copy(data: Any, src_device: Any = None, dst_device: Any = None) -> Call:
    """The operand: a program runs on one device."""
    return apply("identity", tensor(data))


def several(data: Any) -> list[Expr]:
    """The tensors of a tuple, or of a list. Raises TW0320 for none."""
    given = expression(data)
    found = list(given) if isinstance(given, (Tuple, Call)) else [given]
    if not found:
        refuse("expected at least one tensor, but got an empty tuple")
    return [tensor(each) for each in found]


def concatenate(data: Any, axis: int = 0) -> Call:
    """The tensors of a tuple one after another along an axis."""
    return apply("concat", *several(data), axis=axis)


def stack(data: Any, axis: int = 0) -> Call:
    """The tensors of a tuple, of one shape, along a new axis."""
    tensors = several(data)
    place = axis % (rank(tensors[0]) + 1)
    return apply("concat", *[apply("unsqueeze", each, axes=(place,)) for each in tensors], axis=place)


def einsum(data: Any, equation: str) -> Call:
    """The sum of products of a tuple of tensors that an equation writes, "ij,jk->ik"."""
    return apply("einsum", *several(data), equation=equation)


def shape_of(data: Any, dtype: str = "int32") -> Expr:
    """The sizes of a tensor, as a vector."""
    x = tensor(data)
    sizes = type_(x).shape
    if all(isinstance(size, int) for size in sizes):
        return const(np.array(sizes, numpy_dtype(dtype_info(dtype).name)))
    return cast_to(apply("extents", x, shape=tuple(f"#0.{axis}" for axis in range(len(sizes)))), dtype)


def ndarray_size(data: Any, dtype: str = "int32") -> Expr:
    """How many elements a tensor has, as a scalar."""
    sizes = shape_of(data, dtype)
    if len(type_(sizes).shape) and type_(sizes).shape[0] == 0:
        return const(1, dtype)
    return apply("reduce_prod", sizes, axes=(0,))


def filled(value: Any, shape: Any, dtype: str) -> Expr:
    """A tensor of one value, of a shape of numbers."""
    sizes = [static(size, "a size") for size in TensorType(dims_of(shape)).shape]
    number = value if isinstance(value, Expr) else const(value, dtype)
    scalar = apply("reshape", number, shape=()) if rank(number) else number
    return apply("broadcast_to", cast_to(scalar, dtype_info(dtype).name), shape=tuple(sizes))


def filled_like(value: Any, data: Any) -> Expr:
    """A tensor of one value, of the type of another one."""
    x = tensor(data)
    sizes = type_(x).shape
    if all(isinstance(size, int) for size in sizes):
        return filled(value, sizes, type_(x).dtype)
    scalar = cast_to(value if isinstance(value, Expr) else const(value, type_(x).dtype), type_(x).dtype)
    return apply("stretch", scalar, x, shape=tuple(f"#1.{axis}" for axis in range(len(sizes))))


def zeros(shape: Sequence[int], dtype: str) -> Expr:
    """Zeros of a shape."""
    return filled(0, shape, dtype)


def ones(shape: Sequence[int], dtype: str) -> Expr:
    """Ones of a shape."""
    return filled(1, shape, dtype)


def zeros_like(data: Any) -> Expr:
    """Zeros of the type of another tensor."""
    return filled_like(0, data)


def ones_like(data: Any) -> Expr:
    """Ones of the type of another tensor."""
    return filled_like(1, data)


coded_names(globals(), __all__)
