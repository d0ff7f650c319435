"""
Sliding windows over images, shared by convolution and pooling.

An image has a batch, channels and any number of spatial dimensions; `Layout` gives their order, so that one definition
is used for channels first and channels last. Padding is written [before each axis ..., after each axis ...].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from ..dialects.graph.windows import axis_padding, window_extent
from .deferred import np, te
from .sizes import ceil_div

if TYPE_CHECKING:
    from ..te import Tensor

SPATIAL_NAMES = {1: ("w",), 2: ("h", "w"), 3: ("d", "h", "w")}
"""The names of the axes of the output, by their number."""

KERNEL_NAMES = {1: ("s",), 2: ("r", "s"), 3: ("q", "r", "s")}
"""The names of the reduce axes over a window, by their number."""


@dataclass(frozen=True)
class Layout:
    """The order of an image's dimensions.

    Channels are the dimension after the batch, or the last one, or blocked: the blocks after the batch and the channels
    of a block last. A blocked channel is a pair (block, position in it).
    """

    channels_last: bool = False
    blocked: bool = False

    def spatial(self, shape: Sequence[Any]) -> tuple[Any, ...]:
        """Return the spatial ones among sizes or indices of an image."""
        if self.blocked:
            return tuple(shape[2:-1])
        return tuple(shape[1:-1] if self.channels_last else shape[2:])

    def channels(self, shape: Sequence[Any]) -> Any:
        if self.blocked:
            return shape[1], shape[-1]
        return shape[-1 if self.channels_last else 1]

    def index(self, batch: Any, channel: Any, spatial: Sequence[Any]) -> tuple[Any, ...]:
        """Put sizes or indices in their positions."""
        if self.blocked:
            return (batch, channel[0], *spatial, channel[1])
        return (batch, *spatial, channel) if self.channels_last else (batch, channel, *spatial)

    def element(self, rank: int, value: Callable[[Any, Any, Sequence[Any]], Any], channel: str = "c") -> Any:
        """Return the function for `te.compute` that gives `value(batch, channel, spatial)`, its axes named."""

        def at(*index: Any) -> Any:
            return value(index[0], self.channels(index), self.spatial(index))

        names = self.index("n", (f"{channel}o", f"{channel}i") if self.blocked else channel, SPATIAL_NAMES[rank])
        at.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in names])
        return at


def extents(
    size: Sequence[Any],
    kernel: Sequence[Any],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool = False,
) -> tuple[Any, ...]:
    """Return the spatial sizes of the output, for an image of these sizes."""
    return tuple(
        _extent(size[axis], kernel[axis], strides[axis], dilations[axis], axis_padding(padding, axis), ceil_mode)
        for axis in range(len(kernel))
    )


def _extent(size: Any, kernel: int, stride: int, dilation: int, padding: tuple[int, int], ceil_mode: bool) -> Any:
    if isinstance(size, int):
        return window_extent(size, kernel, stride, dilation, padding, ceil_mode)
    free = size + (sum(padding) - dilation * (kernel - 1) - 1)
    if not ceil_mode:
        return free // stride + 1
    return te.minimum(ceil_div(free, stride) + 1, ceil_div(size + padding[0], stride))


def inside(index: Any, size: Any, before: int | bool, after: int | bool) -> list[Any]:
    """Return the conditions under which an index lies in the image, where padding makes them necessary."""
    return ([index >= 0] if before else []) + ([index < size] if after else [])


def image_size(x: Tensor, layout: Layout | None = None) -> tuple[Any, ...]:
    """Return the spatial sizes of an image."""
    return (layout or Layout()).spatial(x.shape)


def windows(
    x: np.ndarray,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    fill: float | int,
    ceil_mode: bool = False,
) -> np.ndarray:
    """Return a view [N, C, *spatial, *kernel] of every window of an image with its channels first, outside of which
    lies `fill`.
    """
    axes = tuple(range(len(kernel)))
    spatial = tuple(2 + axis for axis in axes)
    out = extents(x.shape[2:], kernel, strides, padding, dilations, ceil_mode)
    reach = [dilations[axis] * (kernel[axis] - 1) + 1 for axis in axes]
    amounts = [(0, 0), (0, 0)]
    for axis in axes:
        before, after = axis_padding(padding, axis)
        hanging = (out[axis] - 1) * strides[axis] + reach[axis] - (x.shape[2 + axis] + before + after)
        amounts.append((before, after + max(hanging, 0)))
    padded = np.pad(x, amounts, constant_values=fill) if np.any(amounts) else x
    view = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=spatial)
    whole = (slice(None), slice(None))
    view = view[(*whole, *(slice(None, None, s) for s in strides), *(slice(None, None, d) for d in dilations))]
    return view[(*whole, *(slice(None, size) for size in out))]
