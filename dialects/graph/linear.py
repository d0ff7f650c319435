"""Matrix products."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from .base import GraphOp, operations_in, require_same_element
from .elementwise import Elements
from .neural import require_vector
from .properties import flag_prop, opt_type_prop
from .types import (
    Dim,
    Shape,
    Tensor,
    UnknownSize,
    broadcast_shapes,
    element_of,
    format_shape,
    make_type,
    require_dim,
    require_rank,
    shape_of,
)


@irdl_op_definition
class DenseOp(GraphOp):
    """
    A fully connected layer: y[m, n] = sum of x[m, k] * weight[n, k] over k, plus an optional bias[n].

    ```mlir
    %y = graph.dense %x, %w, %bias : tensor<1x1000xf32>
    ```
    """

    name = "graph.dense"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(require_same_element(self.operands))
        rows, depth = require_rank(self.x, 2, "a matrix")
        columns, weight_depth = require_rank(self.weight, 2, "a weight matrix")
        require_dim(weight_depth, depth, "columns of the weights")
        if self.bias is not None:
            require_vector(self.bias, columns, "bias")
        return (make_type((rows, columns), element),)


@irdl_op_definition
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
        if self.out_dtype is None:
            element = Elements.NUMBER.check(require_same_element(self.operands))
        else:
            for operand in self.operands:
                Elements.NUMBER.check(element_of(operand))
            element = Elements.NUMBER.check(self.out_dtype)
        batch_a, rows, depth = _split(shape_of(self.a), self.transpose_a is not None)
        batch_b, depth_b, columns = _split(shape_of(self.b), self.transpose_b is not None)
        require_dim(depth_b, depth, "rows of the second matrix")
        return (make_type((*broadcast_shapes(batch_a, batch_b), rows, columns), element),)


@irdl_op_definition
class PackedMatmulOp(GraphOp):
    """
    The product of the matrices in the last two dimensions of `a` and one whose columns stand in blocks of c,
    [N/c, K, c]: each block has all of its terms one after the other, in the order in which they are summed.

    y[..., m, b * c + j] = sum of a[..., m, k] * weight[b, k, j] over k

    ```mlir
    %y = graph.packed_matmul %a, %weight : tensor<128x768xf32>
    ```
    """

    name = "graph.packed_matmul"

    a = operand_def()
    weight = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(require_same_element(self.operands))
        batch, rows, depth = _split(shape_of(self.a), False)
        blocks, terms, size = require_rank(self.weight, 3, "weights in blocks of columns")
        require_dim(terms, depth, "terms of the weights")
        if not (isinstance(blocks, int) and isinstance(size, int)):
            raise UnknownSize("expected static numbers of columns")
        return (make_type((*batch, rows, blocks * size), element),)


def _split(shape: Shape, transposed: bool) -> tuple[Shape, Dim, Dim]:
    """(batch dimensions, rows, columns)."""
    if len(shape) < 2:
        raise VerifyException(f"expected a tensor of matrices, but got {format_shape(shape)}")
    *batch, rows, columns = shape
    return (tuple(batch), columns, rows) if transposed else (tuple(batch), rows, columns)


OPERATIONS = operations_in(globals())
