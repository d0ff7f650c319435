"""Convolution, normalisation and softmax. Images are NCHW: batch, channels, height, width."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from .base import GraphOp, operations_in, require_same_element
from .elementwise import Elements, UnaryOp
from .properties import float_prop, int_prop, ints_prop
from .types import Tensor, UnknownSize, make_type, normalize_axis, require_dim, require_rank, shape_of, tensor_type
from .windows import axis_padding, require_ints, window_extent


@irdl_op_definition
class Conv2dOp(GraphOp):
    """
    Two-dimensional convolution (a correlation: the kernel is not mirrored) of an NCHW image with OIHW weights, plus
    an optional bias of one number an output channel. Padding with zeros is [top, left, bottom, right]. With groups,
    output channel o sees the input channels of its group only, and I is the channels of one group.

    y[n, o, h, w] = bias[o] + sum of x[n, g*I + i, h*s0 - top + r*d0, w*s1 - left + c*d1] * weight[o, i, r, c]

    ```mlir
    %y = graph.conv2d %x, %w, %bias strides [2, 2] padding [3, 3, 3, 3] : tensor<1x64x112x112xf32>
    ```
    """

    name = "graph.conv2d"

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
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        outputs, inputs, *kernel = require_rank(self.weight, 4, "OIHW weights")
        strides = require_ints(self.strides.get_values(), 2, 1, "strides")
        padding = require_ints(self.padding.get_values(), 4, 0, "padding")
        dilations = require_ints(self.dilations.get_values(), 2, 1, "dilations")
        self._check_channels(channels, outputs, inputs)
        extents: list[int] = []
        for axis in range(2):
            if not isinstance(size := kernel[axis], int):
                raise UnknownSize("expected weights of static shape")
            window = (size, strides[axis], dilations[axis], axis_padding(padding, axis))
            extents.append(window_extent(sizes[axis], *window))
        return (make_type((batch, outputs, *extents), element),)

    def _check_channels(self, channels: object, outputs: object, inputs: object) -> None:
        groups = self.groups.value.data
        if not (isinstance(channels, int) and isinstance(outputs, int) and isinstance(inputs, int)):
            raise UnknownSize("expected static numbers of channels")
        if groups < 1 or channels % groups or outputs % groups:
            raise VerifyException(f"expected groups that divide {channels} and {outputs} channels, but got {groups}")
        require_dim(inputs, channels // groups, "input channels of the weights")
        if self.bias is not None:
            require_vector(self.bias, outputs, "bias")


@irdl_op_definition
class BatchNormOp(GraphOp):
    """
    Batch normalisation with known statistics, one of each a channel (axis 1):
    (x - mean) / sqrt(variance + epsilon) * scale + shift.

    ```mlir
    %y = graph.batch_norm %x, %scale, %shift, %mean, %variance epsilon 1.0e-05 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.batch_norm"

    x = operand_def()
    scale = operand_def()
    shift = operand_def()
    mean = operand_def()
    variance = operand_def()
    y = result_def()

    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        if len(shape) < 2:
            raise VerifyException(f"expected a tensor with channels at axis 1, but got rank {len(shape)}")
        for operand, what in zip(self.operands[1:], ("scale", "shift", "mean", "variance"), strict=True):
            require_vector(operand, shape[1], what)
        return (tensor_type(self.x),)


@irdl_op_definition
class LrnOp(UnaryOp):
    """
    Local response normalisation across channels:
    x / (bias + alpha / size * sum of squares of the `size` channels around it) ^ beta.

    ```mlir
    %y = graph.lrn %x size 5 alpha 0.0001 beta 0.75 bias 1.0 : tensor<1x96x54x54xf32>
    ```
    """

    name = "graph.lrn"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    size = int_prop()
    alpha = float_prop(0.0001)
    beta = float_prop(0.75)
    bias = float_prop(1.0)

    def infer_types(self) -> tuple[Tensor, ...]:
        require_rank(self.x, 4, "an NCHW image")
        if self.size.value.data < 1:
            raise VerifyException(f"expected a size >= 1, but got {self.size.value.data}")
        return super().infer_types()


class _AlongAxis(UnaryOp):
    """A normalisation along one axis."""

    axis = int_prop(-1)

    def infer_types(self) -> tuple[Tensor, ...]:
        normalize_axis(self.axis.value.data, len(shape_of(self.x)))
        return super().infer_types()


@irdl_op_definition
class SoftmaxOp(_AlongAxis):
    """
    exp(x - max) / sum of exp(x - max) along an axis.

    ```mlir
    %y = graph.softmax %x axis 1 : tensor<1x1000xf32>
    ```
    """

    name = "graph.softmax"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT


@irdl_op_definition
class LogSoftmaxOp(_AlongAxis):
    """
    x - max - log(sum of exp(x - max)) along an axis.

    ```mlir
    %y = graph.log_softmax %x axis 1 : tensor<1x1000xf32>
    ```
    """

    name = "graph.log_softmax"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT


def require_vector(value: SSAValue, size: object, what: str) -> None:
    (length,) = require_rank(value, 1, what)
    if length != size:
        raise VerifyException(f"expected {what} of {size} elements, but got {length}")


OPERATIONS = operations_in(globals())
