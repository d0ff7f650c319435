"""
Images whose channels stand in blocks, NCHW[c]: `[N, C/c, H, W, c]`, and convolutions of them.

The channels of a block lie side by side, so that a vector holds them for one pixel, whatever the size of the image.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from .base import GraphOp, operations_in, require_same_element
from .elementwise import Elements
from .properties import int_prop, ints_prop
from .shape import MoveOp
from .types import Dim, Shape, Tensor, UnknownSize, format_shape, make_type, require_dim, require_rank, shape_of
from .windows import axis_padding, require_ints, window_extent


@irdl_op_definition
class BlockChannelsOp(MoveOp):
    """
    An NCHW image with its channels in blocks of `size`, which divides their number.

    y[n, b, h, w, c] = x[n, b * size + c, h, w]

    ```mlir
    %y = graph.block_channels %x size 8 : tensor<1x8x56x56x8xf32>
    ```
    """

    name = "graph.block_channels"

    size = int_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        size = self.size.value.data
        if not isinstance(channels, int) or size < 1 or channels % size:
            raise VerifyException(f"expected a size that divides the channels of {format_shape(shape)}, but got {size}")
        return (batch, channels // size, *sizes, size)


@irdl_op_definition
class UnblockChannelsOp(MoveOp):
    """
    The NCHW image of one with its channels in blocks.

    y[n, b * size + c, h, w] = x[n, b, h, w, c]

    ```mlir
    %y = graph.unblock_channels %x : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.unblock_channels"

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, blocks, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        if not (isinstance(blocks, int) and isinstance(size, int)):
            raise UnknownSize("expected static numbers of channels")
        return (batch, blocks * size, *sizes)


@irdl_op_definition
class BlockedConv2dOp(GraphOp):
    """
    `graph.conv2d` of an image with its channels in blocks of c, whose result has blocks of o; the bias is [O/o, o].
    What the weights look like says what is convolved:

    - [O/o, I/c, R, S, c, o]: every output channel sees all channels of its group
    - [O/o, I, R, S, o]: the same, of an image that is NCHW, in one group
    - [C/c, R, S, c]: each channel sees itself alone

    ```mlir
    %y = graph.blocked_conv2d %x, %w, %bias strides [2, 2] padding [1, 1, 1, 1] : tensor<1x16x28x28x8xf32>
    ```
    """

    name = "graph.blocked_conv2d"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    groups = int_prop(1)

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(require_same_element(self.operands))
        outputs, out_block, kernel = self._check_channels()
        strides = require_ints(self.strides.get_values(), 2, 1, "strides")
        padding = require_ints(self.padding.get_values(), 4, 0, "padding")
        dilations = require_ints(self.dilations.get_values(), 2, 1, "dilations")
        if self.bias is not None:
            shape = require_rank(self.bias, 2, "a bias in blocks")
            for found, expected in zip(shape, (outputs, out_block), strict=True):
                require_dim(found, expected, "size of the bias")
        batch, _, *sizes = shape_of(self.x)[:4]
        extents: list[int] = []
        for axis in range(2):
            if not isinstance(size := kernel[axis], int):
                raise UnknownSize("expected weights of static shape")
            window = (size, strides[axis], dilations[axis], axis_padding(padding, axis))
            extents.append(window_extent(sizes[axis], *window))
        return (make_type((batch, outputs, *extents, out_block), element),)

    def _check_channels(self) -> tuple[Dim, Dim, Sequence[Dim]]:
        """Blocks of output channels, their size, and the extents of the window."""
        groups = self.groups.value.data
        weight = shape_of(self.weight)
        match len(weight):
            case 6:
                outputs, inputs, *kernel, block, out_block = weight
                _, blocks, _, _, size = require_rank(self.x, 5, "an image with blocks of channels")
                if not isinstance(blocks, int) or not isinstance(outputs, int):
                    raise UnknownSize("expected static numbers of channels")
                if groups < 1 or blocks % groups or outputs % groups:
                    raise VerifyException(
                        f"expected groups that divide {blocks} and {outputs} blocks of channels, but got {groups}"
                    )
                require_dim(inputs, blocks // groups, "blocks of input channels of the weights")
            case 5:
                outputs, block, *kernel, out_block = weight
                size = require_rank(self.x, 4, "an NCHW image")[1]
            case 4:
                outputs, *kernel, block = weight
                _, blocks, _, _, size = require_rank(self.x, 5, "an image with blocks of channels")
                require_dim(outputs, blocks, "blocks of channels of the weights")
                out_block = block
            case rank:
                raise VerifyException(f"expected weights of rank 4 to 6, but got rank {rank}")
        if len(weight) != 6 and groups != 1:
            raise VerifyException(f"expected one group where the weights have rank {len(weight)}, but got {groups}")
        require_dim(block, size, "input channels of the weights")
        return outputs, out_block, kernel


OPERATIONS = operations_in(globals())
