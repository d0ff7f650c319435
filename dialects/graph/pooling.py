"""
Pooling of NCHW images. Windows that hang over the edge see padding, or in ceil mode nothing.

With `blocked` the channels stand in blocks, and the image is [N, C/c, H, W, c].
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .base import operations_in
from .elementwise import Elements, UnaryOp
from .properties import flag_prop, ints_prop
from .types import Dim, Tensor, element_of, make_type, require_rank
from .windows import axis_padding, require_ints, window_extent


class _ImageOp(UnaryOp):
    """An operator on an image, which keeps its channels."""

    blocked = flag_prop()

    def image(self) -> tuple[Dim, Dim, list[Dim], list[Dim]]:
        """Batch, channels (or blocks of them), height and width, and the size of a block where there is one."""
        if self.blocked is None:
            batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
            return batch, channels, sizes, []
        batch, channels, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        return batch, channels, sizes, [size]


class _Pool2dOp(_ImageOp):
    """A window slid over height and width."""

    kernel = ints_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    ceil_mode = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        batch, channels, sizes, block = self.image()
        kernel = require_ints(self.kernel.get_values(), 2, 1, "kernel")
        strides = require_ints(self.strides.get_values(), 2, 1, "strides")
        padding = require_ints(self.padding.get_values(), 4, 0, "padding")
        dilations = require_ints(self.dilations.get_values(), 2, 1, "dilations")
        extents: list[int] = []
        for axis in range(2):
            around = axis_padding(padding, axis)
            reach = dilations[axis] * (kernel[axis] - 1) + 1
            if max(around) >= reach:
                raise VerifyException(f"expected padding smaller than the window of {reach}, but got {max(around)}")
            window = (kernel[axis], strides[axis], dilations[axis], around)
            extents.append(window_extent(sizes[axis], *window, ceil=self.ceil_mode is not None))
        return (make_type((batch, channels, *extents, *block), element),)


@irdl_op_definition
class MaxPool2dOp(_Pool2dOp):
    """
    The greatest element of each window; padding never wins.

    ```mlir
    %y = graph.max_pool2d %x kernel [3, 3] strides [2, 2] padding [1, 1, 1, 1] : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.max_pool2d"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@irdl_op_definition
class AvgPool2dOp(_Pool2dOp):
    """
    The mean of each window: over the elements inside the image, or with `count_include_pad` over those inside the
    image and its padding. What ceil mode lets hang over beyond that is never counted.

    ```mlir
    %y = graph.avg_pool2d %x kernel [3, 3] strides [1, 1] padding [1, 1, 1, 1] count_include_pad : tensor<1x8x7x7xf32>
    ```
    """

    name = "graph.avg_pool2d"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    count_include_pad = flag_prop()


@irdl_op_definition
class GlobalAvgPoolOp(_ImageOp):
    """
    The mean over height and width, which become 1.

    ```mlir
    %y = graph.global_avg_pool %x : tensor<1x2048x1x1xf32>
    ```
    """

    name = "graph.global_avg_pool"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        batch, channels, _, block = self.image()
        return (make_type((batch, channels, 1, 1, *block), element),)


OPERATIONS = operations_in(globals())
