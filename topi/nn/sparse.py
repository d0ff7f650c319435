"""Products with compressed rows, and their transposition, by three tensors of a matrix."""

from __future__ import annotations

from ...te import Tensor
from ..arguments import a_tensor, apply, refuse
from ..declared import checked


def sparse_dense(
    dense_data: Tensor,
    sparse_data: Tensor,
    sparse_indices: Tensor,
    sparse_indptr: Tensor,
    sparse_lhs: bool = False,
) -> Tensor:
    """A tensor times a sparse matrix transposed, or with `sparse_lhs` a sparse matrix times the tensor transposed."""
    x = a_tensor(dense_data, "the operand", 2)
    product = checked("sparse_dense", x, *map(a_tensor, (sparse_data, sparse_indices, sparse_indptr), _NAMES))
    return apply("transpose", product, permutation=(1, 0)) if sparse_lhs else product


_NAMES = ("the elements", "the indices", "the starts of rows")


def sparse_dense_sp_rhs(data: Tensor, weight_data: Tensor, weight_indices: Tensor, weight_indptr: Tensor) -> Tensor:
    """data times a sparse matrix transposed."""
    return sparse_dense(data, weight_data, weight_indices, weight_indptr)


def sparse_dense_sp_lhs(data_data: Tensor, data_indices: Tensor, data_indptr: Tensor, weight: Tensor) -> Tensor:
    """A sparse matrix times the weight transposed."""
    return sparse_dense(weight, data_data, data_indices, data_indptr, True)


def sparse_transpose(
    sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The data, indices and starts of rows of a square sparse matrix transposed."""
    return checked("sparse_transpose", *map(a_tensor, (sparse_data, sparse_indices, sparse_indptr), _NAMES))


def sparse_add(dense_data: Tensor, sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor) -> Tensor:
    """A matrix plus a sparse one."""
    x = a_tensor(dense_data, "the operand", 2)
    if not isinstance(x.shape[1], int):
        refuse("TW0446", f"expected a known number of columns, but got {x.shape[1]}")
    columns = x.shape[1]
    unit = apply("trilu", apply("full", shape=(columns, columns), value=1, dtype=x.dtype), upper=True, k=0)
    diagonal = apply("trilu", unit, upper=False, k=0)
    whole = sparse_dense(diagonal, sparse_data, sparse_indices, sparse_indptr)
    return apply("add", x, apply("transpose", whole, permutation=(1, 0)))
