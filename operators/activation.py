"""
Activations: scalar functions of neural networks that are made of more than one step.

The references compute in float64 and round once, so that tests measure the rounding errors of steps in the element
type.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

from ..dialects.graph.families import Elements, UnaryOp
from ..dialects.graph.properties import flag_prop, float_prop
from .declaration import register_for_topi
from .deferred import np, te
from .elementwise import scalar_operator, unary, unary_of_topi
from .record import FusionKind, Operator

_HALF_ROOT = math.sqrt(0.5)
_TANH_SCALE = math.sqrt(2 / math.pi)
_TANH_CUBIC = 0.044715


def _gelu(x: te.Expr, approximate: bool) -> te.Expr:
    """Return x · Φ(x), with Φ through erf or through its approximation by tanh (Hendrycks and Gimpel, 2016)."""
    if approximate:
        return 0.5 * x * (1 + te.tanh(_TANH_SCALE * (x + _TANH_CUBIC * (x * x * x))))
    return 0.5 * x * (1 + te.erf(x * _HALF_ROOT))


def _gelu_reference(x: np.ndarray, approximate: bool) -> np.ndarray:
    if approximate:
        return 0.5 * x * (1 + np.tanh(_TANH_SCALE * (x + _TANH_CUBIC * x**3)))
    return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[np.float64])(x * _HALF_ROOT))


def _softplus(x: te.Expr) -> te.Expr:
    """Return log(1 + exp(x)), written so that exp never overflows."""
    return te.maximum(x, 0) + te.log1p(te.exp(-te.abs(x)))


def _hard_sigmoid(x: te.Expr, alpha: float, beta: float) -> te.Expr:
    return te.minimum(te.maximum(x * alpha + beta, 0), 1)


def _elu(x: te.Expr, alpha: float) -> te.Expr:
    return te.Select(x > 0, x, alpha * te.expm1(te.minimum(x, 0)))


def _in_float64(reference: Callable[..., Any]) -> Callable[..., Any]:
    """Return the reference, computed in float64 and rounded once."""
    return lambda x, **values: reference(x.astype(np.float64), **values).astype(x.dtype)


def _prelu(x: te.Tensor, slope: te.Tensor, *, axis: int) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        value = x(*index)
        return te.Select(value > 0, value, value * slope[index[axis]])

    return te.compute(x.shape, element, name="prelu")


def _prelu_reference(x: np.ndarray, slope: np.ndarray, *, axis: int) -> np.ndarray:
    along = slope.reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)])
    return np.where(x > 0, x, x * along)


ReluOp = unary(
    "relu",
    "max(x, 0).",
    Elements.NUMBER,
    lambda x: te.maximum(x, 0),
    lambda x: np.maximum(x, x.dtype.type(0)),
    onnx="Relu",
)
SigmoidOp = unary(
    "sigmoid",
    "1 / (1 + exp(-x)).",
    Elements.FLOAT,
    "sigmoid",
    lambda x: x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x)),
    in_steps=True,
    onnx="Sigmoid",
)
SoftplusOp = unary(
    "softplus",
    "log(1 + exp(x)), which does not overflow.",
    Elements.FLOAT,
    _softplus,
    _in_float64(lambda x: np.logaddexp(x, 0)),
    in_steps=True,
    onnx="Softplus",
)
HardSwishOp = unary(
    "hard_swish",
    "x * min(max(x / 6 + 1 / 2, 0), 1).",
    Elements.FLOAT,
    lambda x: x * _hard_sigmoid(x, 1 / 6, 0.5),
    _in_float64(lambda x: x * np.clip(x / 6 + 0.5, 0, 1)),
    in_steps=True,
    onnx="HardSwish",
)

unary_of_topi(
    "silu",
    "x · sigmoid(x).",
    lambda x: x * te.sigmoid(x),
    _in_float64(lambda x: x / (1 + np.exp(-x))),
    in_steps=True,
)
unary_of_topi(
    "hard_sigmoid",
    "min(max(alpha · x + beta, 0), 1).",
    _hard_sigmoid,
    _in_float64(lambda x, alpha, beta: np.clip(alpha * x + beta, 0, 1)),
    in_steps=True,
)
register_for_topi(Operator("prelu", FusionKind.BROADCAST, _prelu_reference, _prelu))


@scalar_operator(
    lambda x, alpha: te.Select(x >= 0, x, x * alpha),
    lambda x, alpha: np.where(x >= 0, x, x * x.dtype.type(alpha)),
    in_steps=True,
    onnx="LeakyRelu",
)
class LeakyReluOp(UnaryOp):
    """
    x where x >= 0, otherwise alpha * x.

    ```mlir
    %y = graph.leaky_relu %x alpha 0.01 : tensor<4xf32>
    ```
    """

    name = "graph.leaky_relu"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    alpha = float_prop(0.01)


@scalar_operator(
    _elu,
    _in_float64(lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))),
    in_steps=True,
    onnx="Elu",
)
class EluOp(UnaryOp):
    """
    x where x > 0, otherwise alpha * (exp(x) - 1).

    ```mlir
    %y = graph.elu %x alpha 0.5 : tensor<4xf32>
    ```
    """

    name = "graph.elu"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    alpha = float_prop(1.0)


@scalar_operator(_gelu, _in_float64(_gelu_reference), in_steps=True)
class GeluOp(UnaryOp):
    """
    x times the cumulative distribution function of the standard normal distribution at x: by erf, or approximately by
    tanh.

    ```mlir
    %y = graph.gelu %x approximate : tensor<4xf32>
    ```
    """

    name = "graph.gelu"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    approximate = flag_prop()
