"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import te
from ..te.dtypes import promote
from .broadcasting import broadcast_shape
from .convolution import multiply_matrices
from .record import FusionKind, Operator
from .sizes import is_one


def _dense_reference(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    product = multiply_matrices(x, weight.T)
    return product if bias is None else product + bias


def _dense_te(
    x: te.Tensor, weight: te.Tensor, bias: te.Tensor | None = None, *, out_dtype: str | None = None
) -> te.Tensor:
    k = te.reduce_axis((0, weight.shape[1]), "k")
    dtype = out_dtype or x.dtype

    def element(i: Any, j: Any) -> te.Expr:
        return te.sum(x[i, k].astype(dtype) * weight[j, k].astype(dtype), axis=k)

    product = te.compute((x.shape[0], weight.shape[0]), element, name="dense")
    if bias is None:
        return product
    return te.compute(product.shape, lambda i, j: product[i, j] + bias[j], name="bias_add")


def _matmul_reference(a: np.ndarray, b: np.ndarray, *, transpose_a: bool, transpose_b: bool) -> np.ndarray:
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    return multiply_matrices(left, right)


def _matmul_te(
    a: te.Tensor, b: te.Tensor, *, transpose_a: bool, transpose_b: bool, out_dtype: str | None = None
) -> te.Tensor:
    rows, depth = reversed(a.shape[-2:]) if transpose_a else a.shape[-2:]
    columns = b.shape[-2] if transpose_b else b.shape[-1]
    k = te.reduce_axis((0, depth), "k")
    dtype = out_dtype or promote(a.dtype, b.dtype)

    def element(*index: Any) -> te.Expr:
        *outer, i, j = index
        left = _matrix(a, outer, *((k, i) if transpose_a else (i, k)))
        right = _matrix(b, outer, *((j, k) if transpose_b else (k, j)))
        return te.sum(left.astype(dtype) * right.astype(dtype), axis=k)

    batch = broadcast_shape(a.shape[:-2], b.shape[:-2])
    return te.compute((*batch, rows, columns), element, name="matmul")


def _matrix(x: te.Tensor, outer: Any, row: Any, column: Any) -> te.Expr:
    """An element of the matrix that belongs to an index of the batch, whose dimensions of size 1 are stretched."""
    own = outer[len(outer) - (x.ndim - 2) :]
    lead = (0 if is_one(size) else i for size, i in zip(x.shape[:-2], own, strict=True))
    return x(*lead, row, column)


OPERATORS = {
    "dense": Operator("dense", FusionKind.OUT_ELEMENTWISE, _dense_reference, _dense_te),
    "matmul": Operator("matmul", FusionKind.OUT_ELEMENTWISE, _matmul_reference, _matmul_te),
}
