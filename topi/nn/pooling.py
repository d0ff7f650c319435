"""Pooling: windows of an image reduced to their greatest element or their mean."""

from __future__ import annotations

from typing import Any

from ...te import Tensor
from ..arguments import a_tensor, apply, floats, one_of, refuse
from ..declared import checked
from .windows import an_image, one_each, read_padding, require_fit, with_overhang

_TYPES = ("max", "avg")


def pool1d(
    data: Tensor,
    kernel: Any,
    stride: Any = 1,
    dilation: Any = 1,
    padding: Any = 0,
    pool_type: str = "max",
    ceil_mode: bool = False,
    layout: str = "NCW",
    count_include_pad: bool = True,
) -> Tensor:
    """Pool along one dimension, layout NCW or NWC."""
    return _pool(1, data, kernel, stride, dilation, padding, pool_type, ceil_mode, layout, count_include_pad)


def pool2d(
    data: Tensor,
    kernel: Any,
    stride: Any = 1,
    dilation: Any = 1,
    padding: Any = 0,
    pool_type: str = "max",
    ceil_mode: bool = False,
    layout: str = "NCHW",
    count_include_pad: bool = True,
) -> Tensor:
    """Pool images, layout NCHW or NHWC.

    Padding never is the greatest element. In a mean it counts as zeros with `count_include_pad` and not at all without.
    With `ceil_mode` the last window may hang over the edge, where there is more padding.
    """
    return _pool(2, data, kernel, stride, dilation, padding, pool_type, ceil_mode, layout, count_include_pad)


def pool3d(
    data: Tensor,
    kernel: Any,
    stride: Any = 1,
    dilation: Any = 1,
    padding: Any = 0,
    pool_type: str = "max",
    ceil_mode: bool = False,
    layout: str = "NCDHW",
    count_include_pad: bool = True,
) -> Tensor:
    """Pool volumes, layout NCDHW or NDHWC."""
    return _pool(3, data, kernel, stride, dilation, padding, pool_type, ceil_mode, layout, count_include_pad)


def _pool(
    rank: int,
    data: Tensor,
    kernel: Any,
    stride: Any,
    dilation: Any,
    padding: Any,
    pool_type: str,
    ceil_mode: bool,
    layout: str,
    count_include_pad: bool,
) -> Tensor:
    x, where = an_image(data, rank, layout, blocks=True)
    one_of(pool_type, _TYPES, "type of pooling")
    sizes = where.spatial(x.shape)
    extent = one_each(kernel, rank, "the kernel")
    steps, gaps = one_each(stride, rank, "strides"), one_each(dilation, rank, "dilation")
    around = read_padding(padding, extent, gaps)
    require_fit(x, sizes, extent, around, gaps)
    window: dict[str, Any] = {
        "kernel": extent,
        "strides": steps,
        "padding": with_overhang(around, steps, ceil_mode),
        "dilations": gaps,
        "ceil_mode": False,
        "layout": where,
    }
    if pool_type == "max":
        return apply("max_pool2d", x, **window)
    return apply("avg_pool2d", floats(x, "an image"), **window, count_include_pad=bool(count_include_pad))


def global_pool(data: Tensor, pool_type: str, layout: str = "NCHW") -> Tensor:
    """Return the greatest element or the mean of each channel; spatial dimensions become 1."""
    x, where = an_image(data, 2, layout, blocks=True)
    if one_of(pool_type, _TYPES, "type of pooling") == "avg":
        return apply("global_avg_pool", floats(x, "an image"), layout=where)
    return apply("reduce_max", x, axes=where.spatial(range(x.ndim)), keepdims=True)


def adaptive_pool(data: Tensor, output_size: Any, pool_type: str, layout: str = "NCHW") -> Tensor:
    """Pool to a size: the image is cut into that many windows, which overlap where it does not divide."""
    return _adaptive(2, data, output_size, pool_type, layout)


def adaptive_pool1d(data: Tensor, output_size: Any, pool_type: str, layout: str = "NCW") -> Tensor:
    """Pool along one dimension to a size."""
    return _adaptive(1, data, output_size, pool_type, layout)


def adaptive_pool3d(data: Tensor, output_size: Any, pool_type: str, layout: str = "NCDHW") -> Tensor:
    """Pool volumes to a size."""
    return _adaptive(3, data, output_size, pool_type, layout)


def _adaptive(rank: int, data: Tensor, output_size: Any, pool_type: str, layout: str) -> Tensor:
    x, where = an_image(data, rank, layout, blocks=True)
    one_of(pool_type, _TYPES, "type of pooling")
    size = one_each(output_size, rank, "the output size")
    known = where.spatial(x.shape)
    if not all(isinstance(extent, int) and extent > 0 for extent in known):
        refuse("TW0445", f"expected known spatial sizes, but got {', '.join(map(str, known))}")
    image = floats(x, "an image") if pool_type == "avg" else x
    return apply(f"adaptive_{pool_type}_pool", image, output_size=size, layout=where)


def pool_grad(
    grads: Tensor,
    data: Tensor,
    kernel: Any,
    stride: Any,
    padding: Any,
    pool_type: str,
    ceil_mode: bool = False,
    layout: str = "NCHW",
    count_include_pad: bool = True,
) -> Tensor:
    """Return the gradient of pooling by its image, from `grads`, that of its result, layout NCHW or NHWC."""
    x, where = an_image(data, 2, layout)
    given = a_tensor(grads, "the gradients", 4)
    one_of(pool_type, _TYPES, "type of pooling")
    extent, steps = one_each(kernel, 2, "the kernel"), one_each(stride, 2, "strides")
    window: dict[str, Any] = {
        "kernel": extent,
        "strides": steps,
        "padding": with_overhang(read_padding(padding, extent, (1, 1)), steps, ceil_mode),
        "dilations": (1, 1),
        "ceil_mode": False,
    }
    if pool_type == "avg":
        window["count_include_pad"] = bool(count_include_pad)
    if where.channels_last:
        given, x = (apply("transpose", each, permutation=(0, 3, 1, 2)) for each in (given, x))
    result = checked(f"{pool_type}_pool2d_grad", given, x, **window)
    return apply("transpose", result, permutation=(0, 2, 3, 1)) if where.channels_last else result
