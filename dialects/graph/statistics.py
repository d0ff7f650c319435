"""Normalisation by statistics of the operand itself: over layers, instances and groups of channels."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from .base import GraphOp, operations_in, require_same_element
from .elementwise import Elements
from .neural import require_vector
from .properties import float_prop, int_prop, ints_prop
from .types import Shape, Tensor, format_shape, ordered_axes, shape_of, size_error, tensor_type


@irdl_op_definition
class LayerNormOp(GraphOp):
    """
    (x - mean) / sqrt(variance + epsilon) * scale + shift, with mean and variance along `axes`, the dimensions that
    scale and shift have, in this order.

    ```mlir
    %y = graph.layer_norm %x, %scale, %shift axes [2] epsilon 1.0e-05 : tensor<1x197x768xf32>
    ```
    """

    name = "graph.layer_norm"
    x = operand_def()
    scale = operand_def()
    shift = opt_operand_def()
    y = result_def()

    axes = ints_prop()
    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        wanted = tuple(shape[axis] for axis in ordered_axes(self.axes.get_values(), len(shape)))
        for operand, what in zip(self.operands[1:], ("scale", "shift"), strict=False):
            if shape_of(operand) != wanted:
                raise VerifyException(
                    f"expected {what} of shape {format_shape(wanted)}, but got {format_shape(shape_of(operand))}"
                )
        return (tensor_type(self.x),)


class _ChannelNormOp(GraphOp):
    """A normalisation with one scale and shift a channel (axis 1)."""

    x = operand_def()
    scale = operand_def()
    shift = operand_def()
    y = result_def()

    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        if len(shape) < 2:
            raise VerifyException(f"expected a tensor with channels at axis 1, but got rank {len(shape)}")
        self._check_channels(shape)
        for operand, what in zip(self.operands[1:], ("scale", "shift"), strict=True):
            require_vector(operand, shape[1], what)
        return (tensor_type(self.x),)

    def _check_channels(self, shape: Shape) -> None:
        """What else the channels must be."""


@irdl_op_definition
class InstanceNormOp(_ChannelNormOp):
    """
    (x - mean) / sqrt(variance + epsilon) * scale + shift, with the statistics of each channel of each image.

    ```mlir
    %y = graph.instance_norm %x, %scale, %shift epsilon 1.0e-05 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.instance_norm"


@irdl_op_definition
class GroupNormOp(_ChannelNormOp):
    """
    (x - mean) / sqrt(variance + epsilon) * scale + shift, with the statistics of each group of channels of each image.

    ```mlir
    %y = graph.group_norm %x, %scale, %shift groups 8 epsilon 1.0e-05 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.group_norm"

    groups = int_prop()

    def _check_channels(self, shape: Shape) -> None:
        groups, channels = self.groups.value.data, shape[1]
        if groups < 1 or not isinstance(channels, int) or channels % groups:
            raise size_error(channels)(f"expected groups that divide {channels or '?'} channels, but got {groups}")


OPERATIONS = operations_in(globals())
