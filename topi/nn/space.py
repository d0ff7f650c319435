"""Margins, flattening, and pixels moved to channels and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...te import Tensor
from ...te.shapes import as_size, format_shape
from .. import image
from ..arguments import a_tensor, an_integer, apply, one_of, refuse
from .windows import an_image


def pad(
    data: Tensor, pad_before: Sequence[Any], pad_after: Sequence[Any] | None = None, pad_value: float = 0.0
) -> Tensor:
    """So many elements of one value before and after each dimension; as many after as before unless told."""
    x = a_tensor(data, "the operand")
    before, after = _amounts(x, pad_before, pad_after)
    return apply("pad", x, before=before, after=after, value=pad_value)


def mirror_pad(
    data: Tensor, pad_before: Sequence[int], pad_after: Sequence[int] | None = None, mode: str = "SYMMETRIC"
) -> Tensor:
    """Margins of its own elements: mirrored (SYMMETRIC), mirrored about the last one (REFLECT), repeated (EDGE)."""
    x = a_tensor(data, "the operand")
    one_of(mode, ("SYMMETRIC", "REFLECT", "EDGE"), "mode of padding")
    before, after = _amounts(x, pad_before, pad_after)
    for size, low, high in zip(x.shape, before, after, strict=True):
        most = size - (mode == "REFLECT") if isinstance(size, int) else None
        if mode != "EDGE" and most is not None and max(low, high) > most:
            refuse("TW0445", f"expected margins of at most {most} elements to mirror, but got {max(low, high)}")
    return apply("pad", x, before=before, after=after, mode=mode.lower())


def _amounts(x: Tensor, before: Sequence[Any], after: Sequence[Any] | None) -> tuple[list[Any], list[Any]]:
    both = [list(before), list(before if after is None else after)]
    for amounts in both:
        if len(amounts) != x.ndim:
            refuse("TW0445", f"expected {x.ndim} margins for shape {format_shape(x.shape)}, but got {amounts}")
    low, high = ([as_size(amount, "a margin") for amount in amounts] for amounts in both)
    return low, high


def flatten(data: Tensor) -> Tensor:
    """All dimensions after the first as one."""
    x = a_tensor(data, "the operand")
    if x.ndim == 0:
        refuse("TW0444", "expected a tensor of at least one dimension, but got a scalar")
    return apply("flatten", x, axis=1)


def space_to_depth(data: Tensor, block_size: int, layout: str = "NCHW") -> Tensor:
    """Blocks of pixels as channels, the place within the block the outer part of the channel."""
    x, where = an_image(data, 2, layout)
    block = an_integer(block_size, "block_size", 1, code="TW0442")
    for size in where.spatial(x.shape):
        if not isinstance(size, int) or size % block:
            refuse("TW0442", f"expected a block that divides the height and width, but got {block} and {size}")
    return apply("space_to_depth", x, block=block, layout=where)


def depth_to_space(data: Tensor, block_size: int, layout: str = "NCHW", mode: str = "DCR") -> Tensor:
    """Channels as blocks of pixels; the place in the block is the outer (DCR) or inner (CRD) part of the channel."""
    x, where = an_image(data, 2, layout)
    block = an_integer(block_size, "block_size", 1, code="TW0442")
    channels = where.channels(x.shape)
    if not isinstance(channels, int) or channels % (block * block):
        refuse("TW0442", f"expected channels that {block * block} divides, but got {channels}")
    one_of(mode, ("DCR", "CRD"), "mode")
    return apply("depth_to_space", x, block=block, mode=mode, layout=where)


def upsampling(
    data: Tensor,
    scale_h: int,
    scale_w: int,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    align_corners: bool = False,
) -> Tensor:
    """An image enlarged by whole factors, nearest_neighbor or bilinear."""
    x, where = an_image(data, 2, layout)
    height, width = where.spatial(x.shape)
    scales = [an_integer(scale, "a scale", 1) for scale in (scale_h, scale_w)]
    one_of(method, ("nearest_neighbor", "bilinear"), "method")
    return image.resize2d(
        x,
        (height * scales[0], width * scales[1]),
        layout,
        "linear" if method == "bilinear" else "nearest",
        "align_corners" if align_corners else "asymmetric",
        "floor",
    )
