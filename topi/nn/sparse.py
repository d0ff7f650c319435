"""Products and transposition of sparse matrices in compressed rows (CSR), which three tensors represent."""

from __future__ import annotations

from ...operators.sizes import product
from ...te import Tensor
from ..arguments import a_tensor, apply, one_of, refuse
from ..declared import checked


def sparse_dense(
    dense_data: Tensor,
    sparse_data: Tensor,
    sparse_indices: Tensor,
    sparse_indptr: Tensor,
    sparse_lhs: bool = False,
) -> Tensor:
    """Return a tensor times a sparse matrix transposed, or with `sparse_lhs` a sparse matrix times the tensor
    transposed."""
    x = a_tensor(dense_data, "the operand", 2)
    product = checked("sparse_dense", x, *map(a_tensor, (sparse_data, sparse_indices, sparse_indptr), _NAMES))
    return apply("transpose", product, permutation=(1, 0)) if sparse_lhs else product


_NAMES = ("the elements", "the indices", "the starts of rows")


def sparse_dense_sp_rhs(data: Tensor, weight_data: Tensor, weight_indices: Tensor, weight_indptr: Tensor) -> Tensor:
    """Return data times a sparse matrix transposed."""
    return sparse_dense(data, weight_data, weight_indices, weight_indptr)


def sparse_dense_sp_lhs(data_data: Tensor, data_indices: Tensor, data_indptr: Tensor, weight: Tensor) -> Tensor:
    """Return a sparse matrix times the weight transposed."""
    return sparse_dense(weight, data_data, data_indices, data_indptr, True)


def sparse_conv2d(
    dense_data: Tensor,
    sparse_data: Tensor,
    sparse_indices: Tensor,
    sparse_indptr: Tensor,
    layout: str = "NHWC",
    kernel_size: int = 1,
) -> Tensor:
    """Return a convolution of an NHWC or NCHW image with a sparse matrix [outputs, channels]: windows of one element.
    Blocks of one column may lack its dimension."""
    one_of(layout, ("NHWC", "NCHW"), "layout")
    if kernel_size != 1:
        refuse("TW0447", f"expected windows of one element, but got {kernel_size}", help="topi.nn.conv2d")
    image = a_tensor(dense_data, f"an {layout} image", 4)
    if layout == "NCHW":
        image = apply("transpose", image, permutation=(0, 2, 3, 1))
    blocks = a_tensor(sparse_data, _NAMES[0])
    if blocks.ndim == 2:
        blocks = apply("unsqueeze", blocks, axes=(2,))
    *outer, channels = image.shape
    pixels = apply("reshape", image, shape=(product(outer), channels), literal=True)
    sums = sparse_dense(pixels, blocks, sparse_indices, sparse_indptr)
    result = apply("reshape", sums, shape=(*outer, sums.shape[1]), literal=True)
    return result if layout == "NHWC" else apply("transpose", result, permutation=(0, 3, 1, 2))


def sparse_transpose(
    sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the data, indices and starts of rows of a square sparse matrix transposed."""
    return checked("sparse_transpose", *map(a_tensor, (sparse_data, sparse_indices, sparse_indptr), _NAMES))


def sparse_add(dense_data: Tensor, sparse_data: Tensor, sparse_indices: Tensor, sparse_indptr: Tensor) -> Tensor:
    """Return a matrix plus a sparse one."""
    x = a_tensor(dense_data, "the operand", 2)
    if not isinstance(x.shape[1], int):
        refuse("TW0446", f"expected a known number of columns, but got {x.shape[1]}")
    columns = x.shape[1]
    unit = apply("trilu", apply("full", shape=(columns, columns), value=1, dtype=x.dtype), upper=True, k=0)
    diagonal = apply("trilu", unit, upper=False, k=0)
    whole = sparse_dense(diagonal, sparse_data, sparse_indices, sparse_indptr)
    return apply("add", x, apply("transpose", whole, permutation=(1, 0)))
