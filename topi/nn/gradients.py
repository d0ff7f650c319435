"""Gradients of depthwise convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import te
from ...operators.convolution import padded
from ...operators.windows import Layout
from ...te import Tensor
from ..arguments import a_tensor, apply, require_size
from ..declared import checked
from .windows import one_each, read_padding


def depthwise_conv2d_backward_input_nhwc(
    Filter: Tensor, Out_grad: Tensor, oshape: Sequence[Any], ishape: Sequence[Any], stride: Any, padding: Any
) -> Tensor:
    """Return the gradient by the image of a depthwise convolution of an NHWC image, whose shape is `ishape`."""
    filters, grads = a_tensor(Filter, "the filters", 4), a_tensor(Out_grad, "the gradients", 4)
    height, width, channels, count = (int(size) for size in filters.shape)  # pyright: ignore[reportArgumentType]
    steps = one_each(stride, 2, "strides")
    around = read_padding(padding, (height, width), (1, 1))
    turned = apply("transpose", filters, permutation=(2, 3, 0, 1))
    weight = apply("reshape", turned, shape=(channels * count, 1, height, width), literal=True)
    image = apply("transpose", grads, permutation=(0, 3, 1, 2))
    more = [
        int(ishape[1 + d]) - ((int(grads.shape[1 + d]) - 1) * steps[d] + size - around[d] - around[2 + d])  # pyright: ignore[reportArgumentType]
        for d, size in enumerate((height, width))
    ]
    result = checked(
        "conv2d_transpose",
        image,
        weight,
        strides=steps,
        padding=around,
        output_padding=more,
        dilations=(1, 1),
        groups=channels,
    )
    for axis, size in zip((0, 2, 3, 1), ishape, strict=True):
        require_size(result.shape[axis], size, "a dimension of ishape")
    return apply("transpose", result, permutation=(0, 2, 3, 1))


def depthwise_conv2d_backward_weight_nhwc(
    Input: Tensor, Out_grad: Tensor, oshape: Sequence[Any], fshape: Sequence[Any], stride: Any, padding: Any
) -> Tensor:
    """Return the gradient by the filters, of shape `fshape`, of a depthwise convolution of an NHWC image."""
    x, grads = a_tensor(Input, "the image", 4), a_tensor(Out_grad, "the gradients", 4)
    height, width, channels, count = (int(getattr(size, "value", size)) for size in fshape)
    require_size(grads.shape[3], channels * count, "the channels of the gradients")
    steps = one_each(stride, 2, "strides")
    around = read_padding(padding, (height, width), (1, 1))
    image = padded(x, around, Layout(channels_last=True)) if any(around) else x
    n, i, j = (te.reduce_axis((0, grads.shape[d]), name) for d, name in enumerate(("n", "i", "j")))

    def element(r: Any, s: Any, c: Any, q: Any) -> te.Expr:
        value = image(n, i * steps[0] + r, j * steps[1] + s, c)
        return te.sum(value * grads(n, i, j, c * count + q), axis=(n, i, j))

    return te.compute((height, width, channels, count), element, name="depthwise_conv2d_backward_weight")
