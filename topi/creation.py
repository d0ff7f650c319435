"""Tensors that are created without tensor operands, such as constants and ranges."""

from __future__ import annotations

import math
from typing import Any

from ..operators.sizes import ceil_div
from ..te import Expr, Tensor
from ..te.dtypes import dtype_info
from ..te.shapes import as_shape
from .arguments import a_number, a_tensor, apply, refuse


def full(shape: Any, dtype: str, fill_value: Any) -> Tensor:
    """Return a tensor with every element `fill_value`."""
    return apply("full", shape=as_shape(shape, "full"), value=fill_value, dtype=dtype_info(dtype).name)


def full_like(x: Tensor, fill_value: Any) -> Tensor:
    """Return a tensor of x's shape and type with every element `fill_value`."""
    like = a_tensor(x, "the model")
    return full(like.shape, like.dtype, fill_value)


def zeros(shape: Any, dtype: str = "float32") -> Tensor:
    """Return a tensor of zeros."""
    return full(shape, dtype, 0)


def ones(shape: Any, dtype: str = "float32") -> Tensor:
    """Return a tensor of ones."""
    return full(shape, dtype, 1)


def zeros_like(x: Tensor) -> Tensor:
    """Return a tensor of zeros with x's shape and type."""
    return full_like(x, 0)


def ones_like(x: Tensor) -> Tensor:
    """Return a tensor of ones with x's shape and type."""
    return full_like(x, 1)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: str = "float32") -> Tensor:
    """Return start, start + step, ... up to stop, which is not reached; from 0 where only one bound is given."""
    if stop is None:
        start, stop = 0, start
    start, step = (default if given is None else given for given, default in ((start, 0), (step, 1)))
    for value in (start, stop, step):
        if not isinstance(value, Expr):
            a_number(value, "a bound or step")
    symbolic = [value for value in (start, stop, step) if isinstance(value, Expr)]
    if not isinstance(step, Expr) and step == 0:
        refuse("TW0446", "expected a step other than 0")
    if not symbolic:
        count: Any = max(0, math.ceil((stop - start) / step))
    elif isinstance(step, int) and step > 0:
        count = ceil_div(stop - start, step)
    else:
        refuse("TW0446", f"expected a positive integer as step beside symbolic bounds, but got {step}")
    return apply("arange", start=start, step=step, count=count, dtype=dtype_info(dtype).name)
