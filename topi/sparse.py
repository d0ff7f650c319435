"""Products of a sparse matrix, given as an object of `data`, `indices`, `indptr` and `shape`, or as three tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..te import Tensor, placeholder
from .arguments import a_list, a_tensor, apply, refuse, require_size
from .declared import checked


@dataclass(frozen=True)
class CSRNDArrayPlaceholder:
    """A sparse matrix in compressed rows (CSR) as an argument of a program: three placeholder tensors."""

    data: Tensor
    indices: Tensor
    indptr: Tensor
    shape: tuple[Any, Any]
    stype = "csr"

    @property
    def dtype(self) -> str:
        """The type of the elements."""
        return self.data.dtype


def csr_placeholder(
    shape: tuple[Any, Any], nonzeros: Any, dtype: str = "float32", name: str = "csr"
) -> CSRNDArrayPlaceholder:
    """Return the tensors of a matrix with so many elements that are not zero."""
    require_size(len(a_list(shape, "sizes")), 2, "the number of sizes of a matrix")
    return CSRNDArrayPlaceholder(
        placeholder((nonzeros,), dtype, f"{name}_data"),
        placeholder((nonzeros,), "int32", f"{name}_indices"),
        placeholder((shape[0] + 1,), "int32", f"{name}_indptr"),
        shape,
    )


def _parts(matrix: Any) -> tuple[Tensor, Tensor, Tensor]:
    try:
        return matrix.data, matrix.indices, matrix.indptr
    except AttributeError:
        refuse("TW0447", f"expected a matrix with data, indices and indptr, but got {matrix!r}")


def csrmm(a: Any, b: Tensor, c: Tensor | None = None) -> Tensor:
    """Return a sparse matrix [m, k] times b [k, n], plus a bias of m numbers: one for each row."""
    turned = apply("transpose", a_tensor(b, "the right operand", 2), permutation=(1, 0))
    product = checked("sparse_dense", turned, *_parts(a))
    if c is not None:
        product = apply("add", product, a_tensor(c, "the bias", 1))
    return apply("transpose", product, permutation=(1, 0))


def csrmv(a: Any, x: Tensor, y: Tensor | None = None) -> Tensor:
    """Return a sparse matrix [m, k] times a column [k, 1], plus a bias of m numbers."""
    require_size(a_tensor(x, "the right operand", 2).shape[1], 1, "the columns of the right operand")
    return csrmm(a, x, y)


def dense(data: Any, weight: Any, bias: Tensor | None = None) -> Tensor:
    """Return data [m, k] times weight [n, k] transposed, plus a bias; one of both is sparse."""
    if isinstance(data, Tensor) == isinstance(weight, Tensor):
        refuse("TW0447", "expected one sparse matrix and one tensor, the data or the weight")
    if isinstance(data, Tensor):
        product = checked("sparse_dense", data, *_parts(weight))
    else:
        product = apply("transpose", checked("sparse_dense", weight, *_parts(data)), permutation=(1, 0))
    return product if bias is None else apply("add", product, a_tensor(bias, "the bias", 1))


__all__ = ["CSRNDArrayPlaceholder", "csr_placeholder", "csrmm", "csrmv", "dense"]
