"""Layers of networks whose parameters are variables named after them."""

from __future__ import annotations

from typing import Any

from ..expr import Expr, Var
from ..op import nn

__all__ = ["batch_norm_infer", "conv2d", "conv2d_transpose", "conv_kernel_layout", "dense_add_bias"]


def batch_norm_infer(
    data: Any, gamma: Any = None, beta: Any = None, moving_mean: Any = None, moving_var: Any = None, **kwargs: Any
) -> Expr:
    """Return the batch normalisation with parameters called after `name`."""
    name = kwargs.pop("name")
    given = {"gamma": gamma, "beta": beta, "moving_mean": moving_mean, "moving_var": moving_var}
    vectors = {part: Var(f"{name}_{part}") if value is None else value for part, value in given.items()}
    return nn.batch_norm(data, **vectors, **kwargs)[0]


def conv2d(data: Any, weight: Any = None, **kwargs: Any) -> Expr:
    """Return a convolution with weights called after `name`."""
    name = kwargs.pop("name")
    return nn.conv2d(data, Var(f"{name}_weight") if weight is None else weight, **kwargs)


def conv2d_transpose(data: Any, weight: Any = None, **kwargs: Any) -> Expr:
    """Return a transposed convolution with weights called after `name`."""
    name = kwargs.pop("name")
    return nn.conv2d_transpose(data, Var(f"{name}_weight") if weight is None else weight, **kwargs)


def dense_add_bias(data: Any, weight: Any = None, bias: Any = None, units: Any = None, **kwargs: Any) -> Expr:
    """Return a dense layer with weights and a bias called after `name`."""
    name = kwargs.pop("name")
    product = nn.dense(data, Var(f"{name}_weight") if weight is None else weight, units, **kwargs)
    return nn.bias_add(product, Var(f"{name}_bias") if bias is None else bias, axis=-1)


def conv_kernel_layout(data_layout: str, is_depthwise: bool = False) -> str:
    """Return the layout of weights beside images of a layout."""
    if data_layout == "NHWC":
        return "HWOI" if is_depthwise else "HWIO"
    return "OIHW"
