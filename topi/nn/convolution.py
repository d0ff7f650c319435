"""
Convolutions (correlations: kernels are not mirrored) of images with one to three spatial dimensions.

Weights are OIHW beside NCHW images and HWIO beside NHWC ones, with I the channels of one group. Strides and dilations
are one number or one a dimension; padding is one number, one a dimension, all begins followed by all ends, "VALID" or
"SAME". Products are computed and summed in `out_dtype`, the image's type by default.
"""

from __future__ import annotations

from typing import Any

from ...operators.windows import Layout
from ...te import Tensor
from ...te.dtypes import dtype_info
from ...te.shapes import format_shape
from ..arguments import a_tensor, accepts, an_integer, apply, one_of, refuse, require_size
from ..declared import checked
from .windows import an_image, one_each, read_padding, require_fit

_KERNELS = {
    "NCW": "OIW",
    "NWC": "WIO",
    "NCHW": "OIHW",
    "NHWC": "HWIO",
    "NCDHW": "OIDHW",
    "NDHWC": "DHWIO",
}


@accepts(layout="data_layout", input="data", filter="kernel")
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
    """Return a convolution along one dimension, layout NCW or NWC."""
    return _convolve(1, data, kernel, strides, padding, dilation, data_layout, kernel_layout, out_dtype, groups)


@accepts(layout="data_layout", input="data", filter="kernel")
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
    """Return a convolution of images, layout NCHW or NHWC."""
    return _convolve(2, data, kernel, strides, padding, dilation, data_layout, kernel_layout, out_dtype, groups)


@accepts(layout="data_layout", input="data", filter="kernel")
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
    """Return a convolution of volumes, layout NCDHW or NDHWC."""
    return _convolve(3, data, kernel, strides, padding, dilation, data_layout, kernel_layout, out_dtype, groups)


def conv1d_ncw(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = "VALID",
    dilation: Any = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return a convolution of NCW images with OIW weights."""
    return conv1d(data, kernel, strides, padding, dilation, "NCW", "OIW", out_dtype)


def conv1d_nwc(
    data: Tensor,
    kernel: Tensor,
    strides: Any = 1,
    padding: Any = "VALID",
    dilation: Any = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return a convolution of NWC images with WIO weights."""
    return conv1d(data, kernel, strides, padding, dilation, "NWC", "WIO", out_dtype)


def conv3d_ncdhw(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return a convolution of NCDHW volumes with OIDHW weights."""
    return conv3d(Input, Filter, stride, padding, dilation, "NCDHW", "OIDHW", out_dtype)


@accepts("auto_scheduler_rewritten_layout")
def conv3d_ndhwc(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return a convolution of NDHWC volumes with DHWIO weights."""
    return conv3d(Input, Filter, stride, padding, dilation, "NDHWC", "DHWIO", out_dtype)


def conv2d_hwcn(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return a convolution of HWCN images, the batch last, with HWIO weights."""
    return conv2d(Input, Filter, stride, padding, dilation, "HWCN", "HWIO", out_dtype)


@accepts("auto_scheduler_rewritten_layout", "pre_computed")
def conv2d_winograd_nhwc(
    data: Tensor,
    weight: Tensor,
    strides: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return a convolution of NHWC images with HWIO weights; the default schedules choose how it is computed."""
    return conv2d(data, weight, strides, padding, dilation, "NHWC", "HWIO", out_dtype)


@accepts("n_elems")
def conv2d_NCHWc(
    data: Tensor,
    kernel: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    layout: str = "",
    out_layout: str = "",
    out_dtype: str | None = None,
) -> Tensor:
    """Return a convolution of images with their channels in blocks, [batch, blocks, height, width, channel in the
    block], with weights [output blocks, input blocks, height, width, input in the block, output in the block]. The
    layouts follow from the shapes. Weights of rank 7 have blocks of four inputs each, inner ones first.
    """
    x, weight = a_tensor(data, "an image with blocks of channels", 5), a_tensor(kernel, "weights in blocks")
    if weight.ndim == 7:
        weight = _without_quads(weight)
    return _blocked(x, weight, 6, stride, padding, dilation, out_dtype)


@accepts("n_elems")
def conv2d_NCHWc_int8(
    data: Tensor,
    kernel: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    layout: str = "",
    out_layout: str = "",
    out_dtype: str | None = "int32",
) -> Tensor:
    """Return a convolution as `conv2d_NCHWc`, of bytes, summed in int32. Of an NCHW image with OIHW weights the result
    has blocks of four channels."""
    if str(out_layout)[:1].islower():
        out_layout, out_dtype = "", out_layout  # programs for a GPU have the type instead of the layout
    if a_tensor(data, "an image").ndim == 4:
        return group_conv2d_NCHWc_int8(data, kernel, stride, padding, dilation, 1, out_dtype)
    return conv2d_NCHWc(data, kernel, stride, padding, dilation, layout, out_layout, out_dtype)


def group_conv2d_NCHWc_int8(
    data: Tensor,
    kernel: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    out_dtype: str | None = "int32",
) -> Tensor:
    """Return a convolution of NCHW images of bytes in groups of channels, OIHW weights; the result is NCHW4c."""
    result = conv2d(data, kernel, stride, padding, dilation, "NCHW", "OIHW", out_dtype, groups)
    return checked("layout_transform", result, src_layout="NCHW", dst_layout="NCHW4c")


def depthwise_conv2d_NCHWc(
    Input: Tensor,
    Filter: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    layout: str = "",
    out_layout: str = "",
    out_dtype: str | None = None,
) -> Tensor:
    """Return the depthwise convolution of an image in blocks of channels, one filter a channel, weights [blocks, 1,
    height, width, 1, channel]."""
    x, weight = a_tensor(Input, "an image with blocks of channels", 5), a_tensor(Filter, "weights in blocks", 6)
    for axis in (1, 4):
        require_size(weight.shape[axis], 1, f"dimension {axis} of the weights")
    return _blocked(x, apply("squeeze", weight, axes=(1, 4)), 4, stride, padding, dilation, out_dtype)


def _blocked(
    x: Tensor, weight: Tensor, rank: int, stride: Any, padding: Any, dilation: Any, out_dtype: str | None
) -> Tensor:
    a_tensor(weight, "weights in blocks", rank)
    steps, gaps = one_each(stride, 2, "strides"), one_each(dilation, 2, "dilation")
    extents = weight.shape[2:4] if rank == 6 else weight.shape[1:3]
    kernel = [size for size in extents if isinstance(size, int)]
    around = read_padding(padding, kernel, gaps) if len(kernel) == 2 else (0, 0, 0, 0)
    window: dict[str, Any] = {"strides": steps, "padding": around, "dilations": gaps}
    if x.dtype != weight.dtype and out_dtype is not None:
        x, weight = (apply("cast", each, to=_dtype(out_dtype)) for each in (x, weight))
    return checked("blocked_conv2d", x, weight, **window, out_dtype=_dtype(out_dtype))


def _without_quads(weight: Tensor) -> Tensor:
    """Return weights [O, I, H, W, i, o, four inputs] as [O, I, H, W, i, o]."""
    turned = apply("transpose", weight, permutation=(0, 1, 2, 3, 4, 6, 5))
    *outer, i, four, o = turned.shape
    return apply("reshape", turned, shape=(*outer, i * four, o), literal=True)


def _batch_last(
    data: Tensor,
    kernel: Tensor,
    strides: Any,
    padding: Any,
    dilation: Any,
    kernel_layout: str,
    out_dtype: str | None,
    groups: int,
) -> Tensor:
    """Return a convolution of images with the batch last, moved first and back."""
    x = apply("transpose", a_tensor(data, "an HWCN image", 4), permutation=(3, 0, 1, 2))
    result = conv2d(x, kernel, strides, padding, dilation, "NHWC", kernel_layout, out_dtype, groups)
    return apply("transpose", result, permutation=(1, 2, 3, 0))


def group_conv2d_nhwc(
    Input: Tensor,
    Filter: Tensor,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    out_dtype: str | None = None,
) -> Tensor:
    """Return a convolution of NHWC images in groups of channels, weights HWIO."""
    return conv2d(Input, Filter, stride, padding, dilation, "NHWC", "HWIO", out_dtype, groups)


def conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return a convolution of NCHW images with OIHW weights."""
    return conv2d(Input, Filter, stride, padding, dilation, "NCHW", "OIHW", out_dtype)


@accepts("auto_scheduler_rewritten_layout")
def conv2d_nhwc(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return a convolution of NHWC images with HWIO weights."""
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
    """Return a convolution of NCHW images in groups of channels."""
    return conv2d(Input, Filter, stride, padding, dilation, "NCHW", "OIHW", out_dtype, groups)


def depthwise_conv2d_nchw(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return the depthwise convolution of an NCHW image, weights [channels, filters a channel, height, width]."""
    return _depthwise(Input, Filter, stride, padding, dilation, out_dtype, "NCHW")


def depthwise_conv2d_nhwc(
    Input: Tensor, Filter: Tensor, stride: Any = 1, padding: Any = 0, dilation: Any = 1, out_dtype: str | None = None
) -> Tensor:
    """Return the depthwise convolution of an NHWC image, weights [height, width, channels, filters a channel]."""
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
    kernel_layout, out_dtype = _layout_or_type(kernel_layout or "", out_dtype)
    if rank == 2 and data_layout == "HWCN":
        return _batch_last(data, kernel, strides, padding, dilation, kernel_layout, out_dtype, groups)
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
    channels = weight.shape[2 if layout.channels_last else 0]
    require_size(channels, layout.channels(x.shape), "the channels of the weights")
    window = _window(x, weight, layout, stride, padding, dilation)
    name = "depthwise_conv2d" + ("_channels_last" if layout.channels_last else "")
    return apply(name, x, weight, **window, out_dtype=_dtype(out_dtype))


def _window(x: Tensor, weight: Tensor, layout: Layout, strides: Any, padding: Any, dilation: Any) -> dict[str, Any]:
    """Return the window's properties as the records name them."""
    rank = x.ndim - 2
    sizes = layout.spatial(x.shape)
    extents = weight.shape[:rank] if layout.channels_last else weight.shape[2:]
    kernel = [size for size in extents if isinstance(size, int)]
    if len(kernel) < rank:
        refuse("TW0445", f"expected weights of known spatial sizes, but got {format_shape(extents)}")
    steps, gaps = one_each(strides, rank, "strides"), one_each(dilation, rank, "dilation")
    around = read_padding(padding, kernel, gaps)
    require_fit(x, sizes, kernel, around, gaps)
    return {"strides": steps, "padding": around, "dilations": gaps}


def _layout_or_type(kernel_layout: str, out_dtype: str | None) -> tuple[str, str | None]:
    """Return the layout of weights and the type, where a classic call has the type at the position of the layout."""
    is_type = out_dtype is None and str(kernel_layout)[:1].islower()
    return ("", kernel_layout) if is_type else (kernel_layout, out_dtype)


def _dtype(out_dtype: str | None) -> str | None:
    return dtype_info(out_dtype).name if out_dtype else None
