"""
Convolutions of images whose channels stand in blocks, NCHW[c], and the way into blocks and out of them.

Weights stand in the order in which the loops read them: a vector holds those of one block of output channels for one
input channel and one place of the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import te
from .blocks import from_blocks, to_blocks
from .convolution import convolve, padded
from .record import WIDE, FusionKind, Operator
from .windows import KERNEL_NAMES, Layout, extents

_DEPTHWISE, _PLAIN, _DENSE = 4, 5, 6
"""Rank of the weights: each channel alone; an image that is NCHW; both sides in blocks."""

RANK = 2


def _reference(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, *, groups: int, **window: Any) -> Any:
    image = x if weight.ndim == _PLAIN else from_blocks(x)
    filters = _unpacked(weight)
    total = None if bias is None else bias.reshape(-1)
    result = convolve(image, filters, total, groups=len(filters) if weight.ndim == _DEPTHWISE else groups, **window)
    return to_blocks(result, weight.shape[-1])


def _unpacked(weight: np.ndarray) -> np.ndarray:
    """Packed weights as OIHW."""
    match weight.ndim:
        case 4:
            return np.moveaxis(weight, -1, 1).reshape(-1, 1, *weight.shape[1:-1])
        case 5:
            return np.moveaxis(weight, -1, 1).reshape(-1, *weight.shape[1:-1])
        case _:
            outputs, inputs, *kernel, c, o = weight.shape
            return weight.transpose(0, 5, 1, 4, 2, 3).reshape(outputs * o, inputs * c, *kernel)


def _te(
    x: te.Tensor,
    weight: te.Tensor,
    bias: te.Tensor | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    sums: str,
) -> te.Tensor:
    layout, blocked = Layout(blocked=weight.ndim != _PLAIN), Layout(blocked=True)
    image = padded(x, padding, layout) if any(padding) else x
    kernel = weight.shape[1 : 1 + RANK] if weight.ndim == _DEPTHWISE else weight.shape[2 : 2 + RANK]
    size = extents(layout.spatial(x.shape), kernel, strides, padding, dilations)
    window = [te.reduce_axis((0, k), name) for k, name in zip(kernel, KERNEL_NAMES[RANK], strict=True)]
    channels = _ChannelAxes(weight, groups)

    def element(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
        steps = zip(at, strides, window, dilations, strict=True)
        places = [a * stride + k * dilation for a, stride, k, dilation in steps]
        pixel, tap = image(*layout.index(n, channels.read(o), places)), weight(*channels.tap(o, window))
        return te.sum(pixel.astype(sums) * tap.astype(sums), axis=channels.around(window))

    shape = blocked.index(x.shape[0], (weight.shape[0], weight.shape[-1]), size)
    result = te.compute(shape, blocked.element(RANK, element, "o"), name="conv2d")
    if bias is None:
        return result

    def shifted(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
        return result(*blocked.index(n, o, at)) + bias(*o).astype(sums)

    return te.compute(shape, blocked.element(RANK, shifted, "o"), name="bias_add")


class _ChannelAxes:
    """The reduce axes over channels that weights of a rank imply, and where image and weights are read along them."""

    def __init__(self, weight: te.Tensor, groups: int):
        self.rank = weight.ndim
        self.outer = te.reduce_axis((0, weight.shape[1]), "ci") if self.rank != _DEPTHWISE else None
        self.inner = te.reduce_axis((0, weight.shape[-2]), "i") if self.rank == _DENSE else None
        self.groups, self.inputs, self.outputs = groups, weight.shape[1], weight.shape[0]

    def around(self, window: Sequence[te.Axis]) -> list[te.Axis]:
        """All reduce axes, in the order in which the weights are stored."""
        return [axis for axis in (self.outer, *window, self.inner) if axis is not None]

    def read(self, o: tuple[Any, Any]) -> Any:
        """The channel of the image that adds to output channel `o`."""
        if self.rank != _DENSE:
            return o if self.rank == _DEPTHWISE else self.outer
        first = 0 if self.groups == 1 else o[0] // (self.outputs // self.groups) * self.inputs
        assert self.outer is not None
        return first + self.outer, self.inner

    def tap(self, o: tuple[Any, Any], window: Sequence[te.Axis]) -> list[Any]:
        """The index of the weight."""
        return [o[0], *self.around(window), o[1]]


def _block_reference(x: np.ndarray, *, size: int) -> np.ndarray:
    return to_blocks(x, size)


def _block_te(x: te.Tensor, *, size: int) -> te.Tensor:
    batch, channels, *sizes = x.shape
    shape = (batch, channels // size, *sizes, size)
    return te.compute(shape, lambda n, b, h, w, c: x(n, b * size + c, h, w), name="block_channels")


def _unblock_te(x: te.Tensor) -> te.Tensor:
    batch, blocks, *sizes, size = x.shape
    shape = (batch, blocks * size, *sizes)
    return te.compute(shape, lambda n, c, h, w: x(n, c // size, h, w, c % size), name="unblock_channels")


OPERATORS = {
    "block_channels": Operator("block_channels", FusionKind.INJECTIVE, _block_reference, _block_te),
    "unblock_channels": Operator("unblock_channels", FusionKind.INJECTIVE, from_blocks, _unblock_te),
    "blocked_conv2d": Operator("blocked_conv2d", FusionKind.OUT_ELEMENTWISE, _reference, _te, accumulator=WIDE),
}
