"""Matrix products."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import product_element, require_vector
from ..dialects.graph.properties import flag_prop, opt_type_prop, string_prop
from ..dialects.graph.types import (
    Dim,
    Shape,
    Tensor,
    UnknownSize,
    broadcast_shapes,
    format_shape,
    make_type,
    require_dim,
    require_rank,
    shape_of,
)
from .blocked_convolution import BYTE_TYPES, product_of_words, require_words
from .broadcasting import broadcast_shape
from .declaration import register_for_topi, register_operator
from .deferred import np, te
from .einsum import sum_of_products
from .record import PROMOTED, WIDE, FusionKind, Operator, in_type
from .sizes import is_one


def _dense_reference(
    x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, *, out_dtype: str | None = None
) -> np.ndarray:
    x, weight = in_type(out_dtype, x, weight)
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
    a, b = in_type(out_dtype, a, b)
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
    """Return the columns of a matrix [K, N] in blocks: [N/size, K, size], which shares its memory. `size` divides N."""
    terms, columns = matrix.shape
    return matrix.reshape(terms, columns // size, size).swapaxes(0, 1)


def _packed_matmul_reference(
    a: np.ndarray, weight: np.ndarray, *, out_dtype: str | None = None, words: str = ""
) -> np.ndarray:
    if words:
        a = np.ascontiguousarray(a).view(BYTE_TYPES[words[0]])
        bytes_of = np.ascontiguousarray(weight)[..., np.newaxis].view(BYTE_TYPES[words[2]])
        weight = bytes_of.swapaxes(-1, -2).reshape(len(weight), a.shape[-1], weight.shape[-1])
        out_dtype = "int32"
    blocks, terms, size = weight.shape
    a, weight = in_type(out_dtype, a, weight)
    return a @ weight.swapaxes(0, 1).reshape(terms, blocks * size)


def _packed_matmul_te(
    a: te.Tensor, weight: te.Tensor, *, sums: str, out_dtype: str | None = None, words: str = ""
) -> te.Tensor:
    """Multiply by packed weights. Results are summed in the weights' blocks, of which the matrix is a view; where sizes
    are known the view vanishes."""
    blocks, terms, size = weight.shape
    k = te.reduce_axis((0, terms), "k")

    def element(*index: Any) -> te.Expr:
        *row, block, column = index
        left, right = a(*row, k), weight[block, k, column]
        return te.sum(product_of_words(left, right, words) if words else left.astype(sums) * right.astype(sums), axis=k)

    product = te.compute((*a.shape[:-1], blocks, size), element, name="matmul")

    def in_a_row(*index: Any) -> te.Expr:
        *row, column = index
        return product(*row, column // size, column % size)

    return te.compute((*a.shape[:-1], blocks * size), in_a_row, name="columns")


def _matrix(x: te.Tensor, outer: Any, row: Any, column: Any) -> te.Expr:
    """Return an element of the matrix that belongs to an index of the batch, whose dimensions of size 1 are
    stretched."""
    aligned = outer[len(outer) - (x.ndim - 2) :]
    lead = (0 if is_one(size) else i for size, i in zip(x.shape[:-2], aligned, strict=True))
    return x(*lead, row, column)


def _tensordot_te(a: te.Tensor, b: te.Tensor, *, sums: str, a_axes: Sequence[int], b_axes: Sequence[int]) -> te.Tensor:
    letters = iter(string.ascii_letters)
    left, right = [next(letters) for _ in a.shape], [next(letters) for _ in b.shape]
    for i, j in zip(a_axes, b_axes, strict=True):
        right[j] = left[i]
    shared = set(left) & set(right)
    output = "".join(letter for letter in (*left, *right) if letter not in shared)
    return sum_of_products([a, b], ["".join(left), "".join(right)], output, sums, "tensordot")


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_dense_reference, te=_dense_te, accumulator=WIDE)
class DenseOp(GraphOp):
    """
    A fully connected layer: y[m, n] = sum of x[m, k] * weight[n, k] over k, plus an optional bias[n]. `out_dtype` is as
    in `graph.matmul`.

    ```mlir
    %y = graph.dense %x, %w, %bias : tensor<1x1000xf32>
    %z = graph.dense %bytes, %others out_dtype i32 : tensor<1x1000xi32>
    ```
    """

    name = "graph.dense"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    out_dtype = opt_type_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = product_element([self.x, self.weight], self.out_dtype, self.bias)
        rows, depth = require_rank(self.x, 2, "a matrix")
        columns, weight_depth = require_rank(self.weight, 2, "a weight matrix")
        require_dim(weight_depth, depth, "columns of the weights")
        if self.bias is not None:
            require_vector(self.bias, columns, "bias")
        return (make_type((rows, columns), element),)


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_matmul_reference, te=_matmul_te, accumulator=PROMOTED)
class MatmulOp(GraphOp):
    """
    The product of the matrices in the last two dimensions, either of them transposed first; dimensions before them
    broadcast. With `out_dtype`, products are made and summed in that type (float16 and bfloat16: in float32, rounded
    once), and the matrices may be of different types.

    ```mlir
    %y = graph.matmul %a, %b transpose_b : tensor<8x64x64xf32>
    %z = graph.matmul %bytes, %others out_dtype i32 : tensor<64x64xi32>
    ```
    """

    name = "graph.matmul"

    a = operand_def()
    b = operand_def()
    y = result_def()

    transpose_a = flag_prop()
    transpose_b = flag_prop()
    out_dtype = opt_type_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = product_element(self.operands, self.out_dtype)
        batch_a, rows, depth = _split(shape_of(self.a), self.transpose_a is not None)
        batch_b, depth_b, columns = _split(shape_of(self.b), self.transpose_b is not None)
        require_dim(depth_b, depth, "rows of the second matrix")
        return (make_type((*broadcast_shapes(batch_a, batch_b), rows, columns), element),)


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE, reference=_packed_matmul_reference, te=_packed_matmul_te, accumulator=WIDE
)
class PackedMatmulOp(GraphOp):
    """
    The product of the matrices in the last two dimensions of `a` and a matrix whose columns are stored in blocks of c,
    [N/c, K, c]: the terms of each block are contiguous, in the order in which they are summed. `out_dtype` is as in
    `graph.matmul`.

    y[..., m, b * c + j] = sum of a[..., m, k] * weight[b, k, j] over k

    With `words`, both operands hold bytes, of which four neighbours along k are an i32 (`graph.words`); `words` states
    the types of the bytes, as in `graph.blocked_conv2d`.

    ```mlir
    %y = graph.packed_matmul %a, %weight : tensor<128x768xf32>
    %z = graph.packed_matmul %bytes, %others words "u8s8" : tensor<128x768xi32>
    ```
    """

    name = "graph.packed_matmul"

    a = operand_def()
    weight = operand_def()
    y = result_def()

    out_dtype = opt_type_prop()
    words = string_prop("")

    def infer_types(self) -> tuple[Tensor, ...]:
        element = product_element(self.operands, self.out_dtype)
        require_words(self.words.data, self.a, self.weight)
        batch, rows, depth = _split(shape_of(self.a), False)
        blocks, terms, size = require_rank(self.weight, 3, "weights in blocks of columns")
        require_dim(terms, depth, "terms of the weights")
        if not (isinstance(blocks, int) and isinstance(size, int)):
            raise UnknownSize("expected static numbers of columns")
        return (make_type((*batch, rows, blocks * size), element),)


def _split(shape: Shape, transposed: bool) -> tuple[Shape, Dim, Dim]:
    """Return (batch dimensions, rows, columns)."""
    if len(shape) < 2:
        raise VerifyException(f"expected a tensor of matrices, but got {format_shape(shape)}")
    *batch, rows, columns = shape
    return (tuple(batch), columns, rows) if transposed else (tuple(batch), rows, columns)


register_for_topi(
    Operator(
        "tensordot",
        FusionKind.OUT_ELEMENTWISE,
        lambda a, b, a_axes, b_axes: np.tensordot(a, b, (a_axes, b_axes)),
        _tensordot_te,
        accumulator=PROMOTED,
    )
)
