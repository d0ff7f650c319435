"""
Convolutions (correlations: kernels are not mirrored) of images with one to three spatial dimensions.

Weights are OIHW beside NCHW images and HWIO beside NHWC ones, with I the channels of one group. Strides and dilations
are one number or one a dimension; padding is one number, one a dimension, all of those before and then all of those
after, "VALID" or "SAME". Products are made and summed in `out_dtype`, the image's type unless told.
"""

from __future__ import annotations

from typing import Any

from ...operators.windows import Layout
from ...te import Tensor
from ...te.dtypes import dtype_info
from ...te.shapes import format_shape
from ..arguments import a_tensor, an_integer, apply, one_of, refuse, require_size
from .windows import an_image, one_each, read_padding, require_fit

_KERNELS = {
    "NCW": "OIW",
    "NWC": "WIO",
    "NCHW": "OIHW",
    "NHWC": "HWIO",
    "NCDHW": "OIDHW",
    "NDHWC": "DHWIO",
}


def conv1d(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    data_layout: str = "NCW",
    kernel_layout: str = "",
    out_dtype: str | None = None,
    groups: int = 1,
) -> Tensor:
    """A convolution along one dimension, layout NCW or NWC."""
    return _convolve(1, data, kernel, strides, padding, dilation, data_layout, kernel_layout, out_dtype, groups)


def conv2d(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    data_layout: str = "NCHW",
    kernel_layout: str = "",
    out_dtype: str | None = None,
    groups: int = 1,
) -> Tensor:
    """A convolution of images, layout NCHW or NHWC."""
    return _convolve(2, data, kernel, strides, padding, dilation, data_layout, kernel_layout, out_dtype, groups)


def conv3d(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    data_layout: str = "NCDHW",
    kernel_layout: str = "",
    out_dtype: str | None = None,
    groups: int = 1,
) -> Tensor:
    """A convolution of volumes, layout NCDHW or NDHWC."""
    return _convolve(3, data, kernel, strides, padding, dilation, data_layout, kernel_layout, out_dtype, groups)


def conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """A convolution of NCHW images with OIHW weights."""
    return conv2d(Input, Filter, stride, padding, dilation, "NCHW", "OIHW", out_dtype)


def conv2d_nhwc(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """A convolution of NHWC images with HWIO weights."""
    return conv2d(Input, Filter, stride, padding, dilation, "NHWC", "HWIO", out_dtype)


def group_conv2d_nchw(
    Input: Tensor,
    Filter: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """A convolution of NCHW images in groups of channels."""
    return conv2d(Input, Filter, stride, padding, dilation, "NCHW", "OIHW", out_dtype, groups)


def depthwise_conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Each channel of an NCHW image with its own filters, weights [channels, filters a channel, height, width]."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NCHW")


def depthwise_conv2d_nhwc(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Each channel of an NHWC image with its own filters, weights [height, width, channels, filters a channel]."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NHWC")


def _convolve(
    rank: int,
    data: Tensor,
    kernel: Tensor,
    strides: Any,
    padding: Any,
    dilation: Any,
    data_layout: str,
    kernel_layout: str,
    out_dtype: str | None,
    groups: int,
) -> Tensor:
    x, layout = an_image(data, rank, data_layout)
    one_of(kernel_layout or _KERNELS[data_layout], (_KERNELS[data_layout],), f"layout of weights beside {data_layout}")
    weight = a_tensor(kernel, f"{_KERNELS[data_layout]} weights", rank + 2)
    inputs, outputs = weight.shape[-2:] if layout.channels_last else weight.shape[1::-1]
    count = an_integer(groups, "groups", 1, code="TW0442")
    _check_groups(layout.channels(x.shape), inputs, outputs, count)
    window = _window(x, weight, layout, strides, padding, dilation)
    name = f"conv{rank}d" + ("_channels_last" if layout.channels_last else "")
    return apply(name, x, weight, **window, groups=count, out_dtype=_dtype(out_dtype))


def _check_groups(channels: Any, inputs: Any, outputs: Any, groups: int) -> None:
    if groups == 1:
        require_size(inputs, channels, "the input channels of the weights")
        return
    known = isinstance(channels, int) and isinstance(outputs, int)
    if not known or channels % groups or outputs % groups:
        refuse("TW0442", f"expected groups that divide {channels} and {outputs} channels, but got {groups}")
    if inputs != channels // groups:
        refuse("TW0442", f"expected weights of {channels // groups} input channels a group, but got {inputs}")


def _depthwise(
    data: Tensor, filters: Tensor, stride: Any, padding: Any, dilation: Any, out_dtype: str | None, data_layout: str
) -> Tensor:
    x, layout = an_image(data, 2, data_layout)
    weight = a_tensor(filters, "the weights of a depthwise convolution", 4)
    own = weight.shape[2 if layout.channels_last else 0]
    require_size(own, layout.channels(x.shape), "the channels of the weights")
    window = _window(x, weight, layout, stride, padding, dilation)
    name = "depthwise_conv2d" + ("_channels_last" if layout.channels_last else "")
    return apply(name, x, weight, **window, out_dtype=_dtype(out_dtype))


def _window(x: Tensor, weight: Tensor, layout: Layout, strides: Any, padding: Any, dilation: Any) -> dict[str, Any]:
    """The window's properties as the records name them."""
    rank = x.ndim - 2
    sizes = layout.spatial(x.shape)
    extents = weight.shape[:rank] if layout.channels_last else weight.shape[2:]
    kernel = [size for size in extents if isinstance(size, int)]
    if len(kernel) < rank:
        refuse("TW0445", f"expected weights of known spatial sizes, but got {format_shape(extents)}")
    steps, gaps = one_each(strides, rank, "strides"), one_each(dilation, rank, "dilation")
    around = read_padding(padding, sizes, kernel, steps, gaps)
    require_fit(x, sizes, kernel, around, gaps)
    return {"strides": steps, "padding": around, "dilations": gaps}


def _dtype(out_dtype: str | None) -> str | None:
    return dtype_info(out_dtype).name if out_dtype else None
