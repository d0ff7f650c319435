"""Products of matrices by the BLAS that numpy calls, as `te.extern` stages: `cblas.matmul(A, B, transb=True)`.

`tir.call_packed` calls the functions as `tvm.contrib.cblas.matmul` and `.batch_matmul`. They are Python functions:
programs that call them run only in the process that built them. `topi.matmul` is compiled with the rest of the program
instead, and fuses with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...operators.sizes import same_size
from ...te import Tensor, extern
from ...te.shapes import format_shape
from ...tir.packed import call_packed
from ...topi.arguments import a_tensor, refuse, require_size

BAD_SHAPE, BAD_TYPE = "TW0444", "TW0447"
_DTYPES = ("float32", "float64")


def matmul(lhs: Tensor, rhs: Tensor, transa: bool = False, transb: bool = False, **options: Any) -> Any:
    """Return the product of two matrices of float32 or of float64, either of them transposed first where the arguments
    say so.

    `options` are those of `te.extern`, `dtype` among them. Raises TW0444 for sizes that do not fit, TW0447 for
    operands of other types.
    """
    rows, columns = _sizes_of_product(lhs, rhs, transa, transb, 2)
    return _stage("matmul", (rows, columns), lhs, rhs, transa, transb, options)


def batch_matmul(
    lhs: Tensor, rhs: Tensor, transa: bool = False, transb: bool = False, iterative: bool = False, **options: Any
) -> Any:
    """Return the products of two batches of matrices; a batch of one matrix meets every matrix of the other.

    `iterative` asks for one call of the library a matrix, which numpy chooses itself: the result is the same.
    """
    rows, columns = _sizes_of_product(lhs, rhs, transa, transb, 3)
    first, second = lhs.shape[0], rhs.shape[0]
    if not (same_size(first, second) or 1 in (first, second)):
        shapes = f"{format_shape(lhs.shape)} and {format_shape(rhs.shape)}"
        refuse(BAD_SHAPE, f"expected batches of one length, or of one matrix, but got {shapes}")
    name = "batch_matmul_iterative" if iterative else "batch_matmul"
    return _stage(name, (second if first == 1 else first, rows, columns), lhs, rhs, transa, transb, options)


def multiply(lhs: Any, rhs: Any, result: Any, transa: object = False, transb: object = False) -> None:
    """Multiply the matrices of the last two dimensions and write the product to `result`; both functions call this.

    Raises TW0444 and TW0447 for arrays that do not fit, since programs call it with arbitrary arrays.
    """
    arrays = [np.asarray(array) for array in (lhs, rhs, result)]
    if len({array.dtype for array in arrays}) > 1 or arrays[0].dtype.name not in _DTYPES:
        types = ", ".join(array.dtype.name for array in arrays)
        refuse(BAD_TYPE, f"cblas: expected arrays of float32, or of float64, but got {types}")
    left = arrays[0].swapaxes(-1, -2) if transa and arrays[0].ndim > 1 else arrays[0]
    right = arrays[1].swapaxes(-1, -2) if transb and arrays[1].ndim > 1 else arrays[1]
    rank = arrays[2].ndim
    if rank not in (2, 3) or left.ndim != rank or right.ndim != rank or _shape_of(left, right) != arrays[2].shape:
        shapes = " and ".join(str(array.shape) for array in (left, right))
        refuse(BAD_SHAPE, f"cblas: expected matrices whose product has shape {arrays[2].shape}, but got {shapes}")
    np.matmul(left, right, out=arrays[2])


def _shape_of(left: Any, right: Any) -> tuple[int, ...] | None:
    """Return the shape of a product; None where the operands do not fit."""
    if left.shape[-1] != right.shape[-2] or len({*left.shape[:-2], *right.shape[:-2]} - {1}) > 1:
        return None
    return (*np.broadcast_shapes(left.shape[:-2], right.shape[:-2]), left.shape[-2], right.shape[-1])


def _sizes_of_product(lhs: Any, rhs: Any, transa: bool, transb: bool, rank: int) -> tuple[Any, Any]:
    left, right = a_tensor(lhs, "the left operand", rank), a_tensor(rhs, "the right operand", rank)
    if left.dtype != right.dtype or left.dtype not in _DTYPES:
        types = f"{left.dtype} and {right.dtype}"
        refuse(
            BAD_TYPE,
            f"cblas: expected operands of float32, or of float64, but got {types}",
            help="topi.matmul multiplies matrices of every type",
        )
    rows, depth = (left.shape[-1], left.shape[-2]) if transa else (left.shape[-2], left.shape[-1])
    other, columns = (right.shape[-1], right.shape[-2]) if transb else (right.shape[-2], right.shape[-1])
    require_size(other, depth, f"the depth of {right.name!r} of shape {format_shape(right.shape)}")
    return rows, columns


def _stage(
    name: str, shape: tuple[Any, ...], lhs: Tensor, rhs: Tensor, transa: bool, transb: bool, options: dict[str, Any]
) -> Any:
    def body(ins: Any, outs: Any) -> Any:
        return call_packed(f"tvm.contrib.cblas.{name}", ins[0], ins[1], outs[0], bool(transa), bool(transb))

    chosen: dict[str, Any] = {"name": "C", "dtype": lhs.dtype, **options}
    return extern(shape, [lhs, rhs], body, **chosen)
