"""Convolution by fewer multiplications, on images whose channels stand in blocks (see `blocked`)."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from .base import GraphOp, operations_in, require_same_element
from .elementwise import Elements
from .properties import ints_prop
from .types import Tensor, format_shape, make_type, require_dim, require_rank, shape_of
from .windows import axis_padding, require_ints, window_extent

TILE = 4
"""How many pixels a tile of the image has along each axis: a tile of 2 x 2 results and what a 3 x 3 window adds."""

WINDOW = 3
"""The extent of the window along each axis."""


@irdl_op_definition
class WinogradConv2dOp(GraphOp):
    """
    `graph.blocked_conv2d` with a 3 x 3 window that moves by one pixel, whose weights are transformed for tiles of
    2 x 2 results: [4, 4, O/o, I/c, c, o]. A result takes 4 multiplications for each input channel instead of 9, and
    is as accurate as a sum of products; but where an element of the image is not finite, other results of its tile are
    not finite either.

    ```mlir
    %y = graph.winograd_conv2d %x, %w, %bias padding [1, 1, 1, 1] : tensor<1x4x56x56x16xf32>
    ```
    """

    name = "graph.winograd_conv2d"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    padding = ints_prop((0, 0, 0, 0))

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.FLOAT.check(require_same_element(self.operands))
        batch, blocks, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        weight = require_rank(self.weight, 6, "transformed weights")
        *tile, outputs, inputs, block, out_block = weight
        if tile != [TILE, TILE]:
            shape = format_shape(shape_of(self.weight))
            raise VerifyException(f"expected weights of tiles of {TILE} x {TILE} elements, but got the shape {shape}")
        require_dim(inputs, blocks, "blocks of input channels of the weights")
        require_dim(block, size, "input channels of the weights")
        if self.bias is not None:
            shape = require_rank(self.bias, 2, "a bias in blocks")
            for found, expected in zip(shape, (outputs, out_block), strict=True):
                require_dim(found, expected, "size of the bias")
        padding = require_ints(self.padding.get_values(), 4, 0, "padding")
        extents = [window_extent(sizes[axis], WINDOW, 1, 1, axis_padding(padding, axis)) for axis in range(2)]
        return (make_type((batch, outputs, *extents, out_block), element),)


OPERATIONS = operations_in(globals())
