"""Operators that give images another size, or move pixels to channels and back."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .base import operations_in
from .elementwise import Elements
from .properties import int_prop, ints_prop, string_prop
from .shape import MoveOp
from .types import Dim, Shape, UnknownSize, element_of, ordered_axes, require_rank, size_error, times
from .windows import require_ints

COORDINATES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
METHODS = ("nearest", "linear")
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


@irdl_op_definition
class ResizeOp(MoveOp):
    """
    The operand with other sizes along some axes: by the nearest element or, one axis after another, linearly between
    neighbours. `coordinates` says where an output index lies in the operand, `rounding` which neighbour is nearest,
    both as in ONNX; beyond the border lies the border.

    ```mlir
    %y = graph.resize %x axes [2, 3] sizes [112, 112] method "linear" : tensor<1x3x112x112xf32>
    ```
    """

    name = "graph.resize"

    axes = ints_prop()
    sizes = ints_prop()
    method = string_prop("nearest")
    coordinates = string_prop("half_pixel")
    rounding = string_prop("round_prefer_floor")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        for attr, allowed in ((self.method, METHODS), (self.coordinates, COORDINATES), (self.rounding, ROUNDINGS)):
            if attr.data not in allowed:
                raise VerifyException(f"expected one of {', '.join(allowed)}, but got {attr.data}")
        (Elements.FLOAT if self.method.data == "linear" else Elements.ANY).check(element_of(self.x))
        axes = ordered_axes(self.axes.get_values(), len(shape))
        sizes = require_ints(self.sizes.get_values(), len(axes), 1, "sizes")
        result = list(shape)
        for axis, size in zip(axes, sizes, strict=True):
            if not isinstance(shape[axis], int) or shape[axis] == 0:
                raise UnknownSize(f"expected a static size to resize, but got {shape[axis] or '?'}")
            result[axis] = size
        return result


@irdl_op_definition
class DepthToSpaceOp(MoveOp):
    """
    Channels of an NCHW image as blocks of pixels. The place in the block is the outer part of the channel in mode DCR,
    the inner part in mode CRD.

    ```mlir
    %y = graph.depth_to_space %x block 2 mode "CRD" : tensor<1x3x224x224xf32>
    ```
    """

    name = "graph.depth_to_space"

    block = int_prop()
    mode = string_prop("DCR")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        block = self.block.value.data
        _require_mode(self.mode.data)
        if block < 1 or not isinstance(channels, int) or channels % (block * block):
            raise size_error(channels)(
                f"expected a block whose square divides {channels or '?'} channels, but got {block}"
            )
        return (batch, channels // (block * block), *(times(size, block) for size in sizes))


@irdl_op_definition
class SpaceToDepthOp(MoveOp):
    """
    Blocks of pixels of an NCHW image as channels, the inverse of `graph.depth_to_space`: the place in the block is the
    outer part of the channel in mode DCR, the inner part in mode CRD.

    ```mlir
    %y = graph.space_to_depth %x block 2 mode "CRD" : tensor<1x12x112x112xf32>
    ```
    """

    name = "graph.space_to_depth"

    block = int_prop()
    mode = string_prop("DCR")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        block = self.block.value.data
        _require_mode(self.mode.data)
        for size in sizes:
            if block < 1 or not isinstance(size, int) or size % block:
                raise size_error(size)(f"expected a block that divides height and width, but got {block}")
        smaller = [size // block for size in sizes if isinstance(size, int)]
        return (batch, times(channels, block * block), *smaller)


def _require_mode(mode: str) -> None:
    if mode not in ("DCR", "CRD"):
        raise VerifyException(f"expected mode DCR or CRD, but got {mode}")


OPERATIONS = operations_in(globals())
