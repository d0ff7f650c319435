"""Activations, softmax and its logarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...operators import get_operator
from ...te import Tensor
from ..arguments import a_number, a_tensor, an_axis, apply, floats, one_of, require_size


def relu(x: Tensor) -> Tensor:
    """Return max(x, 0)."""
    return apply("relu", a_tensor(x, "the operand"))


def _activation(name: str) -> Callable[[Tensor], Tensor]:
    def function(x: Tensor) -> Tensor:
        return _apply(name, x)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = get_operator(name).meaning
    return function


def _apply(name: str, x: Any, **values: Any) -> Tensor:
    return apply(name, floats(a_tensor(x, "the operand"), "a tensor"), **values)


silu = _activation("silu")
swish = silu
softplus = _activation("softplus")
hard_swish = _activation("hard_swish")


def hard_sigmoid(x: Tensor, alpha: float = 0.2, beta: float = 0.5) -> Tensor:
    """Return min(max(alpha · x + beta, 0), 1)."""
    return _apply("hard_sigmoid", x, alpha=a_number(alpha, "alpha"), beta=a_number(beta, "beta"))


def leaky_relu(x: Tensor, alpha: float = 0.01) -> Tensor:
    """Return x where x >= 0, otherwise alpha · x."""
    return _apply("leaky_relu", x, alpha=a_number(alpha, "alpha"))


def elu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """Return x where x > 0, otherwise alpha · (exp(x) - 1)."""
    return _apply("elu", x, alpha=a_number(alpha, "alpha"))


def gelu(x: Tensor, approximate: str = "none") -> Tensor:
    """Return x · Φ(x) with the normal distribution's Φ through erf, or approximated through tanh ("tanh")."""
    return _apply("gelu", x, approximate=one_of(approximate, ("none", "tanh"), "approximation") == "tanh")


def prelu(data: Tensor, slope: Tensor, axis: int = 1) -> Tensor:
    """Return x where x > 0, otherwise x times its channel's slope; `axis` is the channels' dimension."""
    x = floats(a_tensor(data, "the operand"), "a tensor")
    along = an_axis(axis, x.ndim)
    require_size(a_tensor(slope, "the slopes", 1).shape[0], x.shape[along], "the number of slopes")
    return apply("prelu", x, slope, axis=along)


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    """Return exp(x - max) / sum of exp(x - max) along an axis."""
    data = floats(a_tensor(x, "the operand"), "a tensor")
    return apply("softmax", data, axis=an_axis(axis, data.ndim))


def log_softmax(x: Tensor, axis: int = -1) -> Tensor:
    """Return x - max - log(sum of exp(x - max)) along an axis."""
    data = floats(a_tensor(x, "the operand"), "a tensor")
    return apply("log_softmax", data, axis=an_axis(axis, data.ndim))
