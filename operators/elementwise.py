"""
Elementwise operators: one row of a table gives the scalar expression and the numpy function.

Rounding follows the element type: numpy computes each ufunc in the type of its operands, and a chain of them rounds
after each step, as the compiled code does. Transcendental functions are those of `semantics`, computed in float64 and
rounded once: numpy's own of narrower types are several units in the last place off, and depend on the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import te
from ..dialects.dtypes import numpy_dtype
from ..semantics.floats import FLOAT
from .blocks import elementwise_in_blocks
from .broadcasting import broadcast_shape, read_broadcast
from .record import WIDE, FusionKind, Operator


def elementwise(name: str, scalar: Callable[..., te.Expr], reference: Callable[..., Any]) -> Operator:
    """
    An operator on operands that broadcast, tensors or numbers.

    `scalar` and `reference` take the operands and, as keywords, the properties.
    """

    def body(*operands: te.Tensor | Any, **values: Any) -> te.Tensor:
        def element(*index: Any) -> te.Expr:
            return scalar(*(read_broadcast(operand, index) for operand in operands), **values)

        shape = broadcast_shape(*(o.shape for o in operands if isinstance(o, te.Tensor)))
        return te.compute(shape, element, name=name)

    return Operator(name, FusionKind.BROADCAST, reference, body, elementwise_in_blocks)


def unary(name: str, scalar: Callable[..., te.Expr], reference: Callable[..., Any]) -> Operator:
    """An operator on one operand; its result has the operand's shape."""

    def body(x: te.Tensor, **values: Any) -> te.Tensor:
        return te.compute(x.shape, lambda *i: scalar(x(*i), **values), name=name)

    return Operator(name, FusionKind.ELEMENTWISE, reference, body, elementwise_in_blocks)


def in_steps(name: str, scalar: Callable[..., te.Expr], reference: Callable[..., Any]) -> Operator:
    """The same for a scalar function of several steps: narrow floats are widened before the first one."""

    def body(x: te.Tensor, *, sums: str, **values: Any) -> te.Tensor:
        return te.compute(x.shape, lambda *i: scalar(x(*i).astype(sums), **values).astype(x.dtype), name=name)

    return Operator(name, FusionKind.ELEMENTWISE, reference, body, elementwise_in_blocks, WIDE)


def _is_integer(dtype: str) -> bool:
    return dtype.startswith(("int", "uint", "index"))


def _are_integers(*operands: Any) -> bool:
    """Whether no operand is a float, expressions and Python numbers alike."""
    return all(_is_integer(x.dtype) if isinstance(x, te.Expr) else isinstance(x, int) for x in operands)


def _truncating_div(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if np.issubdtype(a.dtype, np.integer):
        return ((a - np.fmod(a, b)) // b).astype(a.dtype)
    return a / b


def _te_div(a: Any, b: Any) -> te.Expr:
    return te.truncdiv(a, b) if _are_integers(a, b) else a / b


def _te_floor_mod(a: Any, b: Any) -> te.Expr:
    if _are_integers(a, b):
        return te.floormod(a, b)
    rest = te.fmod(a, b)
    return te.Select(te.all(rest != 0, (rest < 0) != (b < 0)), rest + b, rest)


_LONGEST_PRODUCT = 64
"""The largest exponent that is written as products."""


def _te_pow(a: Any, b: Any) -> te.Expr:
    """Integers to a small whole number are products, by squaring."""
    whole = isinstance(a, te.Expr) and _is_integer(a.dtype)
    if not (whole and isinstance(b, int) and 1 <= b <= _LONGEST_PRODUCT):
        return te.pow(a, b)
    if b == 1:
        return a
    root = _te_pow(a, b // 2)
    return root * root * a if b % 2 else root * root


def _pow(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.power(a, b) if np.issubdtype(a.dtype, np.integer) else FLOAT["math.powf"](a, b)


def _clip(x: np.ndarray, low: float | None, high: float | None) -> np.ndarray:
    lower = x if low is None else np.maximum(x, x.dtype.type(low))
    return lower if high is None else np.minimum(lower, x.dtype.type(high))


def _te_clip(x: te.Expr, low: float | None, high: float | None) -> te.Expr:
    lower = x if low is None else te.maximum(x, low)
    return lower if high is None else te.minimum(lower, high)


def _cast(x: np.ndarray, to: str) -> np.ndarray:
    return x != 0 if to == "bool" else x.astype(numpy_dtype(to))


def _te_sign(x: te.Expr) -> te.Expr:
    """-1, 0 or 1; a NaN stays one."""
    return te.Select(x > 0, te.const(1, x.dtype), te.Select(x < 0, _minus_one(x.dtype), x))


def _minus_one(dtype: str) -> te.Expr:
    """Never chosen where the type has no negative numbers."""
    return te.const(0 if dtype.startswith("uint") else -1, dtype)


_TRANSCENDENTAL = "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf"
UNARY = {
    operator.name: operator
    for operator in (
        *(unary(n, getattr(te, n), FLOAT[f"math.{n}"]) for n in _TRANSCENDENTAL.split()),
        unary("relu", lambda x: te.maximum(x, 0), lambda x: np.maximum(x, x.dtype.type(0))),
        unary("neg", lambda x: -x, np.negative),
        unary("abs", te.abs, np.abs),
        unary("sign", _te_sign, np.sign),
        unary("sqrt", te.sqrt, np.sqrt),
        unary("rsqrt", te.rsqrt, lambda x: x.dtype.type(1) / np.sqrt(x)),
        unary("reciprocal", lambda x: 1 / x, lambda x: x.dtype.type(1) / x),
        in_steps("sigmoid", te.sigmoid, lambda x: x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x))),
        unary("floor", te.floor, np.floor),
        unary("ceil", te.ceil, np.ceil),
        unary("round", te.round, np.round),
        unary("trunc", te.trunc, np.trunc),
        unary("isnan", te.isnan, np.isnan),
        unary("isfinite", te.isfinite, np.isfinite),
        unary("isinf", te.isinf, np.isinf),
        unary("not", lambda x: ~x, np.logical_not),
        unary("bitwise_not", lambda x: ~x, np.bitwise_not),
        unary("identity", lambda x: x, lambda x: x),
        unary("dropout", lambda x, ratio: x, lambda x, ratio: x),
        unary("clip", _te_clip, _clip),
        unary("cast", lambda x, to: te.cast(to, x), _cast),
    )
}

BROADCAST = {
    operator.name: operator
    for operator in (
        elementwise("add", lambda a, b: a + b, np.add),
        elementwise("sub", lambda a, b: a - b, np.subtract),
        elementwise("mul", lambda a, b: a * b, np.multiply),
        elementwise("div", _te_div, _truncating_div),
        elementwise("true_div", lambda a, b: a / b, np.true_divide),
        elementwise("floor_div", lambda a, b: a // b, np.floor_divide),
        elementwise("mod", te.fmod, np.fmod),
        elementwise("floor_mod", _te_floor_mod, np.mod),
        elementwise("pow", _te_pow, _pow),
        elementwise("minimum", te.minimum, np.minimum),
        elementwise("maximum", te.maximum, np.maximum),
        elementwise("and", lambda a, b: a & b, np.logical_and),
        elementwise("or", lambda a, b: a | b, np.logical_or),
        elementwise("xor", lambda a, b: a ^ b, np.logical_xor),
        elementwise("bitwise_and", lambda a, b: a & b, np.bitwise_and),
        elementwise("bitwise_or", lambda a, b: a | b, np.bitwise_or),
        elementwise("bitwise_xor", lambda a, b: a ^ b, np.bitwise_xor),
        elementwise("left_shift", lambda a, b: a << b, np.left_shift),
        elementwise("right_shift", lambda a, b: a >> b, np.right_shift),
        elementwise("equal", lambda a, b: a == b, np.equal),
        elementwise("not_equal", lambda a, b: a != b, np.not_equal),
        elementwise("less", lambda a, b: a < b, np.less),
        elementwise("less_equal", lambda a, b: a <= b, np.less_equal),
        elementwise("greater", lambda a, b: a > b, np.greater),
        elementwise("greater_equal", lambda a, b: a >= b, np.greater_equal),
        elementwise("where", te.Select, np.where),
    )
}

OPERATORS = UNARY | BROADCAST
