"""Transposed convolutions: the gradients of convolutions with respect to their inputs.

Weights are [inputs, outputs of a group, window], the layout of the forward convolution."""

from __future__ import annotations

from typing import Any

from ...te import Tensor
from ...te.dtypes import dtype_info
from ..arguments import a_tensor
from ..declared import checked
from .windows import one_each, read_padding


def conv1d_transpose_ncw(
    data: Tensor, kernel: Tensor, stride: Any, padding: Any, out_dtype: str | None = None, output_padding: Any = 0
) -> Tensor:
    """Return the transposed convolution of an NCW image; `output_padding` adds to its end."""
    return _transposed(1, data, kernel, stride, padding, out_dtype, output_padding, 1)


def conv2d_transpose_nchw(
    Input: Tensor, Filter: Tensor, strides: Any, padding: Any, out_dtype: str | None = None, output_padding: Any = 0
) -> Tensor:
    """Return the transposed convolution of an NCHW image; `output_padding` adds rows and columns to its end."""
    return _transposed(2, Input, Filter, strides, padding, out_dtype, output_padding, 1)


def group_conv2d_transpose_nchw(
    data: Tensor,
    kernel: Tensor,
    stride: Any,
    padding: Any,
    out_dtype: str | None = None,
    output_padding: Any = 0,
    groups: int = 1,
) -> Tensor:
    """Return the transposed convolution of an NCHW image in groups of channels."""
    return _transposed(2, data, kernel, stride, padding, out_dtype, output_padding, groups)


def conv3d_transpose_ncdhw(
    Input: Tensor, Filter: Tensor, strides: Any, padding: Any, out_dtype: str | None = None, output_padding: Any = 0
) -> Tensor:
    """Return the transposed convolution of an NCDHW volume."""
    return _transposed(3, Input, Filter, strides, padding, out_dtype, output_padding, 1)


def _transposed(
    rank: int,
    data: Tensor,
    kernel: Tensor,
    stride: Any,
    padding: Any,
    out_dtype: str | None,
    output_padding: Any,
    groups: int,
) -> Tensor:
    x, weight = a_tensor(data, "an image", rank + 2), a_tensor(kernel, "weights", rank + 2)
    steps, ones = one_each(stride, rank, "strides"), (1,) * rank
    sizes = [size if isinstance(size, int) else 1 for size in weight.shape[2:]]
    return checked(
        f"conv{rank}d_transpose",
        x,
        weight,
        strides=steps,
        padding=read_padding(padding, sizes, ones),
        output_padding=one_each(output_padding, rank, "output_padding", 0),
        dilations=ones,
        groups=groups,
        out_dtype=dtype_info(out_dtype).name if out_dtype else None,
    )
