"""Matrix products."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import te
from ..dialects.dtypes import numpy_dtype
from .broadcasting import broadcast_shape
from .record import WIDE, Accumulator, FusionKind, Operator
from .sizes import is_one


def _dense_reference(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    product = x @ weight.T
    return product if bias is None else product + bias


def _dense_te(
    x: te.Tensor, weight: te.Tensor, bias: te.Tensor | None = None, *, sums: str, out_dtype: str | None = None
) -> te.Tensor:
    k = te.reduce_axis((0, weight.shape[1]), "k")

    def element(i: Any, j: Any) -> te.Expr:
        return te.sum(x[i, k].astype(sums) * weight[j, k].astype(sums), axis=k)

    product = te.compute((x.shape[0], weight.shape[0]), element, name="dense")
    if bias is None:
        return product
    return te.compute(product.shape, lambda i, j: product[i, j] + bias[j].astype(sums), name="bias_add")


def _matmul_reference(
    a: np.ndarray, b: np.ndarray, *, transpose_a: bool, transpose_b: bool, out_dtype: str | None = None
) -> np.ndarray:
    if out_dtype is not None:
        a, b = (x.astype(numpy_dtype(WIDE.of(out_dtype))) for x in (a, b))
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    return left @ right


def _matmul_te(
    a: te.Tensor, b: te.Tensor, *, sums: str, transpose_a: bool, transpose_b: bool, out_dtype: str | None = None
) -> te.Tensor:
    rows, depth = reversed(a.shape[-2:]) if transpose_a else a.shape[-2:]
    columns = b.shape[-2] if transpose_b else b.shape[-1]
    k = te.reduce_axis((0, depth), "k")

    def element(*index: Any) -> te.Expr:
        *outer, i, j = index
        left = _matrix(a, outer, *((k, i) if transpose_a else (i, k)))
        right = _matrix(b, outer, *((j, k) if transpose_b else (k, j)))
        return te.sum(left.astype(sums) * right.astype(sums), axis=k)

    batch = broadcast_shape(a.shape[:-2], b.shape[:-2])
    return te.compute((*batch, rows, columns), element, name="matmul")


def packed_columns(matrix: np.ndarray, size: int) -> np.ndarray:
    """The columns of a matrix [K, N] in blocks: [N/size, K, size]. `size` divides N."""
    terms, columns = matrix.shape
    return np.ascontiguousarray(matrix.reshape(terms, columns // size, size).swapaxes(0, 1))


def _packed_matmul_reference(a: np.ndarray, weight: np.ndarray) -> np.ndarray:
    blocks, terms, size = weight.shape
    return a @ weight.swapaxes(0, 1).reshape(terms, blocks * size)


def _packed_matmul_te(a: te.Tensor, weight: te.Tensor, *, sums: str) -> te.Tensor:
    """Results are summed in the weights' blocks, of which the matrix is a view; where sizes are known it vanishes."""
    blocks, terms, size = weight.shape
    k = te.reduce_axis((0, terms), "k")

    def element(*index: Any) -> te.Expr:
        *row, block, column = index
        return te.sum(a(*row, k).astype(sums) * weight[block, k, column].astype(sums), axis=k)

    product = te.compute((*a.shape[:-1], blocks, size), element, name="matmul")

    def in_a_row(*index: Any) -> te.Expr:
        *row, column = index
        return product(*row, column // size, column % size)

    return te.compute((*a.shape[:-1], blocks * size), in_a_row, name="columns")


def _matrix(x: te.Tensor, outer: Any, row: Any, column: Any) -> te.Expr:
    """An element of the matrix that belongs to an index of the batch, whose dimensions of size 1 are stretched."""
    own = outer[len(outer) - (x.ndim - 2) :]
    lead = (0 if is_one(size) else i for size, i in zip(x.shape[:-2], own, strict=True))
    return x(*lead, row, column)


def _tensordot_te(a: te.Tensor, b: te.Tensor, *, sums: str, a_axes: Sequence[int], b_axes: Sequence[int]) -> te.Tensor:
    letters = iter(string.ascii_letters)
    left, right = [next(letters) for _ in a.shape], [next(letters) for _ in b.shape]
    for i, j in zip(a_axes, b_axes, strict=True):
        right[j] = left[i]
    shared = set(left) & set(right)
    output = "".join(letter for letter in (*left, *right) if letter not in shared)
    return _einsum_te(a, b, sums=sums, terms=["".join(left), "".join(right)], output=output, name="tensordot")


def _einsum_te(*operands: te.Tensor, sums: str, terms: Sequence[str], output: str, name: str = "einsum") -> te.Tensor:
    sizes = {i: n for term, x in zip(terms, operands, strict=True) for i, n in zip(term, x.shape, strict=True)}
    summed = {letter: te.reduce_axis((0, size), letter) for letter, size in sizes.items() if letter not in output}

    def element(*index: Any) -> te.Expr:
        at = dict(zip(output, index, strict=True)) | summed
        first, *others = (x(*(at[i] for i in term)).astype(sums) for term, x in zip(terms, operands, strict=True))
        product: te.Expr = first
        for other in others:
            product = product * other
        return te.sum(product, axis=list(summed.values())) if summed else product

    return te.compute([sizes[letter] for letter in output], element, name=name)


def _einsum_reference(*operands: np.ndarray, terms: Sequence[str], output: str) -> np.ndarray:
    return np.einsum(f"{','.join(terms)}->{output}", *operands)


def _record(name: str, reference: Callable[..., Any], body: Callable[..., te.Tensor], *, promotes: bool) -> Operator:
    return Operator(name, FusionKind.OUT_ELEMENTWISE, reference, body, accumulator=Accumulator(promotes=promotes))


OPERATORS = {
    operator.name: operator
    for operator in (
        _record("dense", _dense_reference, _dense_te, promotes=False),
        _record("matmul", _matmul_reference, _matmul_te, promotes=True),
        _record("packed_matmul", _packed_matmul_reference, _packed_matmul_te, promotes=False),
        _record(
            "tensordot", lambda a, b, a_axes, b_axes: np.tensordot(a, b, (a_axes, b_axes)), _tensordot_te, promotes=True
        ),
        _record("einsum", _einsum_reference, _einsum_te, promotes=True),
    )
}
