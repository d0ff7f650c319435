"""
Convolutions of one to three spatial dimensions, channels first or last.

Weights are OIHW beside channels first and HWIO beside channels last; those of a depthwise convolution hold a row of
filters for each channel, CMHW or HWCM.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import product_element, require_held, require_vector
from ..dialects.graph.properties import int_prop, ints_prop, opt_type_prop
from ..dialects.graph.types import Dim, Tensor, UnknownSize, element_of, make_type, require_dim, require_rank
from ..dialects.graph.windows import axis_padding, require_ints, window_extent
from .declaration import register_for_topi, register_operator
from .deferred import np, te
from .packed_weights import convolution_in_blocks
from .record import WIDE, FusionKind, Operator, in_type
from .windows import KERNEL_NAMES, Layout, extents, inside, windows


def convolve(
    x: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    pad_value: int = 0,
    out_dtype: str | None = None,
) -> np.ndarray:
    """Convolve by one matrix product a group over the unrolled windows."""
    outputs, inputs, *kernel = weight.shape
    x, weight = in_type(out_dtype, x, weight)
    view = windows(x, kernel, strides, padding, dilations, pad_value)
    rank = len(kernel)
    batch, _, *spatial = view.shape[: 2 + rank]
    depth = inputs * math.prod(kernel)
    patches = view.reshape(batch, groups, inputs, *spatial, *kernel)
    outer, inner = range(3, 3 + rank), range(3 + rank, 3 + 2 * rank)
    patches = patches.transpose(0, 1, 2, *inner, *outer).reshape(batch, groups, depth, math.prod(spatial))
    kernels = weight.reshape(1, groups, outputs // max(groups, 1), depth)  # each channel alone: there may be none
    product = (kernels @ patches).reshape(batch, outputs, *spatial)
    return product if bias is None else product + bias.reshape(-1, *[1] * rank)


def _channels_last_reference(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, **window: Any) -> Any:
    """Return the reference of a convolution with its channels moved first and back."""
    kernel = np.moveaxis(weight, (-1, -2), (0, 1))
    return np.moveaxis(convolve(np.moveaxis(x, -1, 1), kernel, bias, **window), 1, -1)


def _depthwise_reference(channels_last: bool) -> Callable[..., np.ndarray]:
    def reference(x: np.ndarray, weight: np.ndarray, **window: Any) -> np.ndarray:
        first = np.moveaxis(x, -1, 1) if channels_last else x
        filters = np.moveaxis(weight, (-2, -1), (0, 1)) if channels_last else weight
        kernel = filters.reshape(-1, 1, *filters.shape[2:])
        result = convolve(first, kernel, groups=first.shape[1], **window)
        return np.moveaxis(result, 1, -1) if channels_last else result

    return reference


def _body(layout: Layout, name: str) -> Callable[..., te.Tensor]:
    """Return the body of a convolution with its image and weights in a layout."""

    def body(
        x: te.Tensor,
        weight: te.Tensor,
        bias: te.Tensor | None = None,
        *,
        strides: Sequence[int],
        padding: Sequence[int],
        dilations: Sequence[int],
        groups: int,
        sums: str,
        pad_value: int = 0,
        out_dtype: str | None = None,
    ) -> te.Tensor:
        inputs, outputs = weight.shape[-2:] if layout.channels_last else reversed(weight.shape[:2])
        i = te.reduce_axis((0, inputs), "i")

        def channel(o: Any) -> Any:
            return i if groups == 1 else o // (outputs // groups) * inputs + i

        def tap(o: Any, window: Sequence[Any]) -> te.Expr:
            return weight(*window, i, o) if layout.channels_last else weight(o, i, *window)

        slide = _Slide(layout, _kernel(weight, layout), strides, padding, dilations, pad_value)
        result = slide.compute(x, outputs, [i], channel, tap, sums, name)
        if bias is None:
            return result

        def shifted(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
            return result(*layout.index(n, o, at)) + bias[o].astype(sums)

        return te.compute(result.shape, layout.element(slide.rank, shifted, "o"), name="bias_add")

    return body


def _depthwise_body(layout: Layout, name: str) -> Callable[..., te.Tensor]:
    """Return the body that convolves each channel with its filters: no sum over channels."""

    def body(
        x: te.Tensor,
        weight: te.Tensor,
        *,
        strides: Sequence[int],
        padding: Sequence[int],
        dilations: Sequence[int],
        sums: str,
        pad_value: int = 0,
        out_dtype: str | None = None,
    ) -> te.Tensor:
        channels, filters = weight.shape[-2:] if layout.channels_last else weight.shape[:2]

        def channel(o: Any) -> Any:
            return o if filters == 1 else o // filters

        def tap(o: Any, window: Sequence[Any]) -> te.Expr:
            chosen = (o, 0) if filters == 1 else (o // filters, o % filters)
            return weight(*window, *chosen) if layout.channels_last else weight(*chosen, *window)

        slide = _Slide(layout, _kernel(weight, layout), strides, padding, dilations, pad_value)
        return slide.compute(x, channels * filters, [], channel, tap, sums, name)

    return body


def _kernel(weight: te.Tensor, layout: Layout) -> tuple[int, ...]:
    sizes = weight.shape[:-2] if layout.channels_last else weight.shape[2:]
    return tuple(size for size in sizes if isinstance(size, int))  # all are: who made the operator has verified it


class _Slide:
    """
    Windows slid over an image.

    Padding and column strides are separate computes: the image is read many times, but padded and strided once.
    """

    def __init__(
        self,
        layout: Layout,
        kernel: Sequence[int],
        strides: Sequence[int],
        padding: Sequence[int],
        dilations: Sequence[int],
        pad_value: int,
    ):
        self.layout, self.kernel, self.padding, self.dilations = layout, kernel, padding, dilations
        self.strides, self.rank, self.pad_value = tuple(strides), len(kernel), pad_value

    def compute(
        self,
        x: te.Tensor,
        outputs: Any,
        summed: Sequence[te.Axis],
        channel: Callable[[Any], Any],
        tap: Callable[[Any, Sequence[Any]], te.Expr],
        sums: str,
        name: str,
    ) -> te.Tensor:
        """Sum over `summed` and the window the image at `channel(o)` times `tap(o, window)`."""
        layout, strides = self.layout, self.strides
        size = extents(layout.spatial(x.shape), self.kernel, strides, self.padding, self.dilations)
        image = padded(x, self.padding, layout, self.pad_value) if any(self.padding) else x
        if all(extent == 1 for extent in self.kernel) and any(stride > 1 for stride in strides):
            image, strides = self._subsampled(image, size), (1,) * self.rank
        phases = 1 if layout.channels_last or not isinstance(image.shape[-1], int) else strides[-1]
        if phases > 1:
            image = _by_phase(image, phases)
        window = [te.reduce_axis((0, k), name) for k, name in zip(self.kernel, KERNEL_NAMES[self.rank], strict=True)]

        def element(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
            steps = zip(at, strides, window, self.dilations, strict=True)
            positions: list[Any] = [a * stride + k * dilation for a, stride, k, dilation in steps]
            if phases > 1:
                shift = window[-1] * self.dilations[-1]
                positions[-1:] = [shift % phases, at[-1] + shift // phases]
            value = image(*layout.index(n, channel(o), positions))
            return te.sum(value.astype(sums) * tap(o, window).astype(sums), axis=(*summed, *window))

        shape = layout.index(x.shape[0], outputs, size)
        return te.compute(shape, layout.element(self.rank, element, "o"), name=name)

    def _subsampled(self, image: te.Tensor, size: Sequence[Any]) -> te.Tensor:
        """Return the pixels that a window of one element visits: the convolution is a matrix product over them."""
        layout = self.layout

        def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
            return image(*layout.index(n, c, [a * stride for a, stride in zip(at, self.strides, strict=True)]))

        shape = layout.index(image.shape[0], layout.channels(image.shape), size)
        return te.compute(shape, layout.element(self.rank, element), name="subsample")


def padded(x: te.Tensor, padding: Sequence[int], layout: Layout, value: int = 0) -> te.Tensor:
    """Pad the image with a border of zeros, or of another number."""
    size = layout.spatial(x.shape)
    rank = len(size)
    before, after = padding[:rank], padding[rank:]

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        positions = [a - low for a, low in zip(at, before, strict=True)]
        conditions = [c for edges in zip(positions, size, before, after, strict=True) for c in inside(*edges)]
        return te.if_then_else(te.all(*conditions), x(*layout.index(n, c, positions)), te.const(value, x.dtype))

    larger = [low + extent + high for low, extent, high in zip(before, size, after, strict=True)]
    shape = layout.index(x.shape[0], layout.channels(x.shape), larger)
    return te.compute(shape, layout.element(rank, element), name="pad")


def _by_phase(image: te.Tensor, phases: int) -> te.Tensor:
    """Sort the columns of each row by their remainder: windows that step over columns then read neighbours."""
    *outer, width = image.shape

    def element(*index: Any) -> te.Expr:
        *at, p, w = index
        column = w * phases + p
        value = image(*at, column)
        return te.if_then_else(column < width, value, te.const(0, image.dtype)) if width % phases else value

    return te.compute((*outer, phases, -(-width // phases)), element, name="phases")


_FIRST, _LAST = Layout(), Layout(channels_last=True)


class _ConvOp(GraphOp):
    """A convolution of so many spatial dimensions, channels first."""

    RANK: ClassVar[int]

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    groups = int_prop(1)
    pad_value = int_prop(0)
    out_dtype = opt_type_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        rank = self.RANK
        element = product_element([self.x, self.weight], self.out_dtype, self.bias)
        require_held(element_of(self.x), self.pad_value.value.data, "a pad_value")
        images, weights = ("an NCHW image", "OIHW weights") if rank == 2 else ("an NCDHW image", "OIDHW weights")
        batch, channels, *sizes = require_rank(self.x, 2 + rank, images)
        outputs, inputs, *kernel = require_rank(self.weight, 2 + rank, weights)
        values: dict[str, Any] = dict(self.values)
        strides = require_ints(values["strides"], rank, 1, "strides")
        padding = require_ints(values["padding"], 2 * rank, 0, "padding")
        dilations = require_ints(values["dilations"], rank, 1, "dilations")
        self._check_channels(channels, outputs, inputs)
        extents: list[Dim] = []
        for axis in range(rank):
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


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE,
    reference=convolve,
    te=_body(_FIRST, "conv2d"),
    in_blocks=convolution_in_blocks,
    accumulator=WIDE,
)
class Conv2dOp(_ConvOp):
    """
    Two-dimensional convolution (a correlation: the kernel is not mirrored) of an NCHW image with OIHW weights, plus
    an optional bias of one number an output channel. Padding is [top, left, bottom, right], with zeros or `pad_value`.
    With groups, output channel o sees the input channels of its group only, and I is the channels of one group. With
    `out_dtype`, products are made and summed in that type, and image and weights may be of different types.

    y[n, o, h, w] = bias[o] + sum of x[n, g*I + i, h*s0 - top + r*d0, w*s1 - left + c*d1] * weight[o, i, r, c]

    ```mlir
    %y = graph.conv2d %x, %w, %bias strides [2, 2] padding [3, 3, 3, 3] : tensor<1x64x112x112xf32>
    %z = graph.conv2d %bytes, %others padding [1, 1, 1, 1] pad_value 128 out_dtype i32 : tensor<1x64x56x56xi32>
    ```
    """

    name = "graph.conv2d"
    RANK: ClassVar[int] = 2

    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=convolve, te=_body(_FIRST, "conv3d"), accumulator=WIDE)
class Conv3dOp(_ConvOp):
    """
    The same of volumes: an NCDHW image with OIDHW weights. Padding is the begins of all axes, then the ends.

    ```mlir
    %y = graph.conv3d %x, %w strides [1, 2, 2] padding [1, 1, 1, 1, 1, 1] : tensor<1x8x16x16x16xf32>
    ```
    """

    name = "graph.conv3d"
    RANK: ClassVar[int] = 3

    strides = ints_prop((1, 1, 1))
    padding = ints_prop((0, 0, 0, 0, 0, 0))
    dilations = ints_prop((1, 1, 1))


def _for_topi(name: str, reference: Callable[..., Any], body: Callable[..., te.Tensor]) -> None:
    register_for_topi(Operator(name, FusionKind.OUT_ELEMENTWISE, reference, body, accumulator=WIDE))


_for_topi("conv1d", convolve, _body(_FIRST, "conv1d"))
for _rank in (1, 2, 3):
    _for_topi(f"conv{_rank}d_channels_last", _channels_last_reference, _body(_LAST, f"conv{_rank}d"))
_for_topi("depthwise_conv2d", _depthwise_reference(False), _depthwise_body(_FIRST, "depthwise_conv2d"))
_for_topi("depthwise_conv2d_channels_last", _depthwise_reference(True), _depthwise_body(_LAST, "depthwise_conv2d"))
