"""
Activations: scalar functions of neural networks that are made of more than one step.

numpy's side computes in float64 and rounds once, so that a test sees what the steps in the element type lose.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import te
from .elementwise import in_steps
from .record import FusionKind, Operator

_HALF_ROOT = math.sqrt(0.5)
_TANH_SCALE = math.sqrt(2 / math.pi)
_TANH_CUBIC = 0.044715


def _gelu(x: te.Expr, approximate: bool) -> te.Expr:
    """x · Φ(x), with Φ through erf or through the tanh that comes close to it (Hendrycks and Gimpel, 2016)."""
    if approximate:
        return 0.5 * x * (1 + te.tanh(_TANH_SCALE * (x + _TANH_CUBIC * (x * x * x))))
    return 0.5 * x * (1 + te.erf(x * _HALF_ROOT))


def _gelu_reference(x: np.ndarray, approximate: bool) -> np.ndarray:
    if approximate:
        return 0.5 * x * (1 + np.tanh(_TANH_SCALE * (x + _TANH_CUBIC * x**3)))
    return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[np.float64])(x * _HALF_ROOT))


def _softplus(x: te.Expr) -> te.Expr:
    """log(1 + exp(x)), written so that exp never overflows."""
    return te.maximum(x, 0) + te.log1p(te.exp(-te.abs(x)))


def _hard_sigmoid(x: te.Expr, alpha: float, beta: float) -> te.Expr:
    return te.minimum(te.maximum(x * alpha + beta, 0), 1)


def _elu(x: te.Expr, alpha: float) -> te.Expr:
    return te.Select(x > 0, x, alpha * te.expm1(te.minimum(x, 0)))


def _operator(name: str, scalar: Callable[..., te.Expr], reference: Callable[..., Any]) -> Operator:
    def rounded(x: np.ndarray, **values: Any) -> np.ndarray:
        return reference(x.astype(np.float64), **values).astype(x.dtype)

    return in_steps(name, scalar, rounded)


def _prelu(x: te.Tensor, slope: te.Tensor, *, axis: int) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        value = x(*index)
        return te.Select(value > 0, value, value * slope[index[axis]])

    return te.compute(x.shape, element, name="prelu")


def _prelu_reference(x: np.ndarray, slope: np.ndarray, *, axis: int) -> np.ndarray:
    along = slope.reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)])
    return np.where(x > 0, x, x * along)


OPERATORS = {
    operator.name: operator
    for operator in (
        in_steps(
            "leaky_relu",
            lambda x, alpha: te.Select(x >= 0, x, x * alpha),
            lambda x, alpha: np.where(x >= 0, x, x * x.dtype.type(alpha)),
        ),
        Operator("prelu", FusionKind.BROADCAST, _prelu_reference, _prelu),
        _operator("gelu", _gelu, _gelu_reference),
        _operator("silu", lambda x: x * te.sigmoid(x), lambda x: x / (1 + np.exp(-x))),
        _operator("softplus", _softplus, lambda x: np.logaddexp(x, 0)),
        _operator("elu", _elu, lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))),
        _operator("hard_sigmoid", _hard_sigmoid, lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1)),
        _operator("hard_swish", lambda x: x * _hard_sigmoid(x, 1 / 6, 0.5), lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    )
}
