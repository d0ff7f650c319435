"""Padding, flattening, and space-to-depth and depth-to-space rearrangements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...te import Tensor
from ...te.shapes import as_size, format_shape
from .. import image
from ..arguments import a_list, a_number, a_tensor, accepts, an_axis, an_integer, apply, one_of, refuse, require_size
from ..declared import checked
from ..transform import concatenate
from .windows import an_image


@accepts("name")
def pad(
    data: Tensor, pad_before: Sequence[Any], pad_after: Sequence[Any] | None = None, pad_value: float = 0.0
) -> Tensor:
    """Pad with so many elements of one value before and after each dimension; as many after as before by default."""
    x = a_tensor(data, "the operand")
    before, after = _amounts(x, pad_before, pad_after)
    return apply("pad", x, before=before, after=after, value=pad_value)


@accepts("name")
def mirror_pad(
    data: Tensor, pad_before: Sequence[int], pad_after: Sequence[int] | None = None, mode: str = "SYMMETRIC"
) -> Tensor:
    """Pad with the operand's elements: mirrored (SYMMETRIC), mirrored about the last one (REFLECT), repeated (EDGE)."""
    x = a_tensor(data, "the operand")
    one_of(mode, ("SYMMETRIC", "REFLECT", "EDGE"), "mode of padding")
    before, after = _amounts(x, pad_before, pad_after)
    for size, low, high in zip(x.shape, before, after, strict=True):
        most = size - (mode == "REFLECT") if isinstance(size, int) else None
        if mode != "EDGE" and most is not None and max(low, high) > most:
            refuse("TW0445", f"expected margins of at most {most} elements to mirror, but got {max(low, high)}")
    return apply("pad", x, before=before, after=after, mode=mode.lower())


def _amounts(x: Tensor, before: Sequence[Any], after: Sequence[Any] | None) -> tuple[list[Any], list[Any]]:
    both = [a_list(each, "margins") for each in (before, before if after is None else after)]
    for amounts in both:
        if len(amounts) != x.ndim:
            refuse("TW0445", f"expected {x.ndim} margins for shape {format_shape(x.shape)}, but got {amounts}")
    low, high = ([as_size(amount, "a margin") for amount in amounts] for amounts in both)
    return low, high


def flatten(data: Tensor) -> Tensor:
    """Flatten all dimensions after the first into one."""
    x = a_tensor(data, "the operand")
    if x.ndim == 0:
        refuse("TW0444", "expected a tensor of at least one dimension, but got a scalar")
    return apply("flatten", x, axis=1)


def space_to_depth(data: Tensor, block_size: int, layout: str = "NCHW") -> Tensor:
    """Return blocks of pixels as channels, the position within the block the outer part of the channel."""
    x, where = an_image(data, 2, layout)
    block = an_integer(block_size, "block_size", 1, code="TW0442")
    for size in where.spatial(x.shape):
        if not isinstance(size, int) or size % block:
            refuse("TW0442", f"expected a block that divides the height and width, but got {block} and {size}")
    return apply("space_to_depth", x, block=block, layout=where)


def depth_to_space(data: Tensor, block_size: int, layout: str = "NCHW", mode: str = "DCR") -> Tensor:
    """Return channels as blocks of pixels; the position in the block is the outer (DCR) or inner (CRD, also written
    CDR) part of the channel."""
    x, where = an_image(data, 2, layout)
    block = an_integer(block_size, "block_size", 1, code="TW0442")
    channels = where.channels(x.shape)
    if not isinstance(channels, int) or channels % (block * block):
        refuse("TW0442", f"expected channels that {block * block} divides, but got {channels}")
    order = "CRD" if mode == "CDR" else one_of(mode, ("DCR", "CRD"), "mode")
    return apply("depth_to_space", x, block=block, mode=order, layout=where)


def upsampling(
    data: Tensor,
    scale_h: int,
    scale_w: int,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    align_corners: bool = False,
    output_shape: Any = None,
) -> Tensor:
    """Return an image enlarged by factors, nearest_neighbor or bilinear; the result has `output_shape` where it is
    given."""
    x, axes = image.an_image_of(data, 2, layout)
    size = _enlarged(x, axes, (scale_h, scale_w), output_shape)
    one_of(method, ("nearest_neighbor", "bilinear"), "method")
    return image.resize2d(
        x,
        size,
        layout,
        "linear" if method == "bilinear" else "nearest",
        "align_corners" if align_corners else "asymmetric",
    )


def upsampling3d(
    data: Tensor,
    scale_d: float,
    scale_h: float,
    scale_w: float,
    layout: str = "NCDHW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "half_pixel",
    output_shape: Any = None,
) -> Tensor:
    """Return a volume enlarged by factors, nearest_neighbor or trilinear."""
    x, axes = image.an_image_of(data, 3, layout)
    size = _enlarged(x, axes, (scale_d, scale_h, scale_w), output_shape)
    one_of(method, ("nearest_neighbor", "trilinear"), "method")
    return image.resize3d(
        x, size, layout, "linear" if method == "trilinear" else "nearest", coordinate_transformation_mode
    )


def _enlarged(x: Tensor, axes: Sequence[int], scales: Sequence[Any], output_shape: Any) -> list[Any]:
    """Return sizes along axes times factors, or those of `output_shape`; factors of known sizes need not be whole,
    products are then rounded."""
    if output_shape:
        sizes = a_list(output_shape, "sizes as output_shape")
        require_size(len(sizes), x.ndim, "the number of sizes")
        return [sizes[axis] for axis in axes]
    result: list[Any] = []
    for size, scale in zip((x.shape[axis] for axis in axes), scales, strict=True):
        if not isinstance(scale, (int, float)) or scale <= 0:
            refuse("TW0446", f"expected a positive number as a scale, but got {scale!r}")
        if isinstance(size, int):
            result.append(round(size * scale))
        else:
            result.append(size * an_integer(scale, "a scale", 1))
    return result


def dilate(data: Tensor, strides: Sequence[int], dilation_value: float = 0.0, name: str = "DilatedInput") -> Tensor:
    """Return the elements spread, `strides` steps from one to the next, with `dilation_value` between them."""
    x = a_tensor(data, "the operand")
    steps = [an_integer(step, "a stride", 1) for step in a_list(strides, "strides")]
    return checked("dilate", x, strides=steps, dilation_value=a_number(dilation_value, "dilation_value"))


def space_to_batch_nd(
    data: Tensor,
    block_shape: Sequence[int],
    pad_before: Sequence[int],
    pad_after: Sequence[int],
    pad_value: float = 0.0,
) -> Tensor:
    """Return blocks of the dimensions after the batch moved into the batch, after margins around them."""
    return checked(
        "space_to_batch_nd",
        a_tensor(data, "the operand"),
        block_shape=a_list(block_shape, "numbers as block_shape"),
        pad_before=a_list(pad_before, "numbers as pad_before"),
        pad_after=a_list(pad_after, "numbers as pad_after"),
        pad_value=a_number(pad_value, "pad_value"),
    )


def batch_to_space_nd(
    data: Tensor, block_shape: Sequence[int], crop_begin_list: Sequence[int], crop_end_list: Sequence[int]
) -> Tensor:
    """Return the outer part of the batch moved into blocks of the dimensions after it, whose margins are then cut
    off."""
    return checked(
        "batch_to_space_nd",
        a_tensor(data, "the operand"),
        block_shape=a_list(block_shape, "numbers as block_shape"),
        crop_begin=a_list(crop_begin_list, "numbers as crop_begin"),
        crop_end=a_list(crop_end_list, "numbers as crop_end"),
    )


def fifo_buffer(data: Tensor, buffer: Tensor, axis: int) -> Tensor:
    """Return a buffer with new data at its end along an axis, and as much less at its beginning."""
    x, kept = a_tensor(data, "the data"), a_tensor(buffer, "the buffer")
    along = an_axis(axis, kept.ndim)
    joined = concatenate([kept, x], along)
    size = kept.shape[along]
    if not isinstance(size, int) or not isinstance(joined.shape[along], int):
        refuse("TW0446", f"expected a buffer of known size along axis {along}, but got {size}")
    starts = [joined.shape[along] - size if d == along else 0 for d in range(joined.ndim)]
    sizes = list(kept.shape)
    return apply("slice", joined, starts=starts, sizes=sizes, steps=[1] * joined.ndim)
