"""Matrix products under the names that neural networks use, such as dense layers."""

from __future__ import annotations

from typing import Any

from ...te import Tensor
from ...te.dtypes import dtype_info
from .. import linear
from ..arguments import a_tensor, accepts, apply, require_size


@accepts("auto_scheduler_rewritten_layout")
def dense(data: Tensor, weight: Tensor, bias: Tensor | None = None, out_dtype: str | None = None) -> Tensor:
    """Return data [m, k] times weight [n, k] transposed, plus a bias of n numbers; summed in `out_dtype`."""
    x, w = a_tensor(data, "the operand", 2), a_tensor(weight, "the weights", 2)
    require_size(w.shape[1], x.shape[1], "the depth of the weights")
    if bias is not None:
        require_size(a_tensor(bias, "the bias", 1).shape[0], w.shape[0], "the size of the bias")
    return apply("dense", x, w, bias, out_dtype=dtype_info(out_dtype).name if out_dtype else None)


def matmul(
    tensor_a: Tensor,
    tensor_b: Tensor,
    bias: Tensor | None = None,
    out_dtype: str | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> Tensor:
    """Return the matrix product of the last two dimensions, plus a bias along the last one."""
    product = linear.matmul(tensor_a, tensor_b, transpose_a, transpose_b, out_dtype)
    if bias is None:
        return product
    require_size(a_tensor(bias, "the bias", 1).shape[0], product.shape[-1], "the size of the bias")
    return apply("add", product, bias)


@accepts("auto_scheduler_rewritten_layout", x="tensor_a", y="tensor_b", out_shape="oshape")
def batch_matmul(
    tensor_a: Tensor,
    tensor_b: Tensor,
    oshape: Any = None,
    out_dtype: str | None = None,
    transpose_a: bool = False,
    transpose_b: bool = True,
) -> Tensor:
    """Return the matrix products of two batches; b holds its matrices transposed by default. `oshape`, the shape of the
    result, follows from the operands."""
    a, b = a_tensor(tensor_a, "the left operand", 3), a_tensor(tensor_b, "the right operand", 3)
    result = linear.matmul(a, b, transpose_a, transpose_b, out_dtype)
    for axis, size in enumerate(oshape or ()):
        require_size(result.shape[axis], size, f"dimension {axis} of the result")
    return result
