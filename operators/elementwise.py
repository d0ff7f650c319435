"""
Elementwise operators: one row of a table gives the scalar expression and the numpy function.

Rounding follows the element type: numpy computes each ufunc in the type of its operands, and a chain of them rounds
after each step, as the compiled code does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import te
from ..dialects.dtypes import numpy_dtype
from .broadcasting import broadcast_shape, read_broadcast
from .record import FusionKind, Operator


def _elementwise(name: str, scalar: Callable[..., te.Expr], reference: Callable[..., Any]) -> Operator:
    """An operator on operands that broadcast; `scalar` and `reference` take its properties as keywords."""

    def body(*tensors: te.Tensor, **values: Any) -> te.Tensor:
        def element(*index: Any) -> te.Expr:
            return scalar(*(read_broadcast(tensor, index) for tensor in tensors), **values)

        return te.compute(broadcast_shape(*tensors), element, name=name)

    return Operator(name, FusionKind.BROADCAST, reference, body)


def _unary(name: str, scalar: Callable[..., te.Expr], reference: Callable[..., Any]) -> Operator:
    def body(x: te.Tensor, **values: Any) -> te.Tensor:
        return te.compute(x.shape, lambda *i: scalar(x(*i), **values), name=name)

    return Operator(name, FusionKind.ELEMENTWISE, reference, body)


def _truncating_div(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if np.issubdtype(a.dtype, np.integer):
        return ((a - np.fmod(a, b)) // b).astype(a.dtype)
    return a / b


def _te_div(a: te.Expr, b: te.Expr) -> te.Expr:
    return te.truncdiv(a, b) if a.dtype.startswith(("int", "uint")) else a / b


def _erf(x: np.ndarray) -> np.ndarray:
    """Through math.erf in float64, then rounded once: correctly rounded but for double rounding."""
    return np.vectorize(math.erf, otypes=[np.float64])(x).astype(x.dtype)


def _clip(x: np.ndarray, low: float | None, high: float | None) -> np.ndarray:
    lower = x if low is None else np.maximum(x, x.dtype.type(low))
    return lower if high is None else np.minimum(lower, x.dtype.type(high))


def _te_clip(x: te.Expr, low: float | None, high: float | None) -> te.Expr:
    lower = x if low is None else te.maximum(x, low)
    return lower if high is None else te.minimum(lower, high)


def _cast(x: np.ndarray, to: str) -> np.ndarray:
    return x != 0 if to == "bool" else x.astype(numpy_dtype(to))


UNARY = {
    operator.name: operator
    for operator in (
        _unary("relu", lambda x: te.maximum(x, 0), lambda x: np.maximum(x, x.dtype.type(0))),
        _unary("neg", lambda x: -x, np.negative),
        _unary("abs", te.abs, np.abs),
        _unary("sqrt", te.sqrt, np.sqrt),
        _unary("exp", te.exp, np.exp),
        _unary("log", te.log, np.log),
        _unary("reciprocal", lambda x: 1 / x, lambda x: x.dtype.type(1) / x),
        _unary("erf", te.erf, _erf),
        _unary("tanh", te.tanh, np.tanh),
        _unary("sigmoid", te.sigmoid, lambda x: x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x))),
        _unary("sin", te.sin, np.sin),
        _unary("cos", te.cos, np.cos),
        _unary("floor", te.floor, np.floor),
        _unary("ceil", te.ceil, np.ceil),
        _unary("not", lambda x: ~x, np.logical_not),
        _unary("identity", lambda x: x, lambda x: x),
        _unary("dropout", lambda x, ratio: x, lambda x, ratio: x),
        _unary("clip", _te_clip, _clip),
        _unary(
            "leaky_relu",
            lambda x, alpha: te.Select(x >= 0, x, x * alpha),
            lambda x, alpha: np.where(x >= 0, x, x * x.dtype.type(alpha)),
        ),
        _unary("cast", lambda x, to: te.cast(to, x), _cast),
    )
}

BROADCAST = {
    operator.name: operator
    for operator in (
        _elementwise("add", lambda a, b: a + b, np.add),
        _elementwise("sub", lambda a, b: a - b, np.subtract),
        _elementwise("mul", lambda a, b: a * b, np.multiply),
        _elementwise("div", _te_div, _truncating_div),
        _elementwise("pow", te.pow, np.power),
        _elementwise("minimum", te.minimum, np.minimum),
        _elementwise("maximum", te.maximum, np.maximum),
        _elementwise("and", lambda a, b: a & b, np.logical_and),
        _elementwise("or", lambda a, b: a | b, np.logical_or),
        _elementwise("xor", lambda a, b: a ^ b, np.logical_xor),
        _elementwise("equal", lambda a, b: a == b, np.equal),
        _elementwise("less", lambda a, b: a < b, np.less),
        _elementwise("less_equal", lambda a, b: a <= b, np.less_equal),
        _elementwise("greater", lambda a, b: a > b, np.greater),
        _elementwise("greater_equal", lambda a, b: a >= b, np.greater_equal),
        _elementwise("where", te.Select, np.where),
    )
}

OPERATORS = UNARY | BROADCAST
