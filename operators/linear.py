"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import te
from .broadcasting import is_one
from .convolution import multiply_matrices
from .record import FusionKind, Operator


def _dense_reference(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    product = multiply_matrices(x, weight.T)
    return product if bias is None else product + bias


def _dense_te(x: te.Tensor, weight: te.Tensor, bias: te.Tensor | None = None) -> te.Tensor:
    k = te.reduce_axis((0, weight.shape[1]), "k")
    product = te.compute(
        (x.shape[0], weight.shape[0]), lambda i, j: te.sum(x[i, k] * weight[j, k], axis=k), name="dense"
    )
    if bias is None:
        return product
    return te.compute(product.shape, lambda i, j: product[i, j] + bias[j], name="bias_add")


def _matmul_reference(a: np.ndarray, b: np.ndarray, *, transpose_a: bool, transpose_b: bool) -> np.ndarray:
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    return multiply_matrices(left, right)


def _matmul_te(a: te.Tensor, b: te.Tensor, *, transpose_a: bool, transpose_b: bool) -> te.Tensor:
    rows, depth = reversed(a.shape[-2:]) if transpose_a else a.shape[-2:]
    columns = b.shape[-2] if transpose_b else b.shape[-1]
    k = te.reduce_axis((0, depth), "k")
    rank = max(a.ndim, b.ndim) - 2
    padded = [(1,) * (rank + 2 - x.ndim) + tuple(x.shape[:-2]) for x in (a, b)]
    batch = [m if is_one(n) else n for m, n in zip(*padded, strict=True)]

    def lead(x: te.Tensor, index: Any) -> list[Any]:
        own = index[rank - (x.ndim - 2) :]
        return [0 if is_one(size) else i for size, i in zip(x.shape[:-2], own, strict=True)]

    def element(*index: Any) -> te.Expr:
        *outer, i, j = index
        left = a(*lead(a, outer), *((k, i) if transpose_a else (i, k)))
        right = b(*lead(b, outer), *((j, k) if transpose_b else (k, j)))
        return te.sum(left * right, axis=k)

    return te.compute((*batch, rows, columns), element, name="matmul")


OPERATORS = {
    "dense": Operator("dense", FusionKind.OUT_ELEMENTWISE, _dense_reference, _dense_te),
    "matmul": Operator("matmul", FusionKind.OUT_ELEMENTWISE, _matmul_reference, _matmul_te),
}
