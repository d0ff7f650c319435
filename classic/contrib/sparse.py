"""Sparse matrices in compressed rows (CSR): as arrays, and as placeholder tensors for the arguments of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...runtime.devices import Device
from ...topi.arguments import one_of, refuse
from ...topi.sparse import CSRNDArrayPlaceholder, csr_placeholder
from .. import nd

__all__ = ["CSRNDArray", "CSRPlaceholderOp", "array", "placeholder"]

CSRPlaceholderOp = CSRNDArrayPlaceholder


@dataclass(frozen=True)
class CSRNDArray:
    """A CSR matrix: its nonzero elements, their columns, and the start of each row."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]
    stype = "csr"

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        return self.data.dtype

    def numpy(self) -> npt.NDArray[Any]:
        """Return the whole matrix."""
        dense = np.zeros(self.shape, self.dtype)
        starts = np.asarray(self.indptr)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(starts))
        dense[rows, np.asarray(self.indices)] = np.asarray(self.data)
        return dense

    asnumpy = numpy


def array(
    source_array: Any, device: Device | str | None = None, shape: tuple[int, int] | None = None, stype: str = "csr"
) -> CSRNDArray:
    """Return a matrix from a whole one, or from its data, indices and indptr and its shape."""
    one_of(stype, ("csr",), "storage type")
    if isinstance(source_array, tuple):
        if shape is None:
            refuse("TW0447", "expected the shape of a matrix that is given by data, indices and indptr")
        data, indices, indptr = source_array
        return CSRNDArray(data, indices, indptr, shape)
    dense = np.asarray(source_array)
    rows, columns = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=dense.shape[0]))])
    parts = (dense[rows, columns], columns.astype("int32"), starts.astype("int32"))
    data, indices, indptr = (nd.array(part, device) for part in parts)
    return CSRNDArray(data, indices, indptr, (dense.shape[0], dense.shape[1]))


def placeholder(
    shape: tuple[Any, Any], nonzeros: Any = None, dtype: str | None = None, name: str = "placeholder",
    stype: str | None = None,
) -> CSRNDArrayPlaceholder:  # fmt: skip
    """Return the tensors of a matrix of that shape with so many elements that are not zero."""
    one_of(stype or "csr", ("csr",), "storage type")
    return csr_placeholder(shape, shape[0] * shape[1] if nonzeros is None else nonzeros, dtype or "float32", name)
