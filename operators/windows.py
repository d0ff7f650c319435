"""Sliding windows over images, shared by convolution and pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..dialects.graph.windows import axis_padding, window_extent

if TYPE_CHECKING:
    from ..te import Tensor


def image_size(x: Tensor) -> tuple[int, int]:
    """Height and width of an NCHW image, which the graph op has verified to be static."""
    height, width = x.shape[2:]
    assert isinstance(height, int) and isinstance(width, int)
    return height, width


def extents(
    size: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool = False,
) -> tuple[int, int]:
    """Height and width of the output, for an image of this height and width."""
    height, width = (
        window_extent(
            size[axis],
            kernel[axis],
            strides[axis],
            dilations[axis],
            axis_padding(padding, axis),
            ceil_mode,
        )
        for axis in range(2)
    )
    return height, width


def windows(
    x: np.ndarray,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    fill: float | int,
    ceil_mode: bool = False,
) -> np.ndarray:
    """
    A view [N, C, H, W, kernel height, kernel width] of every window of an NCHW image, outside of which lies `fill`.
    """
    out = extents(x.shape[2:], kernel, strides, padding, dilations, ceil_mode)
    reach = [dilations[axis] * (kernel[axis] - 1) + 1 for axis in range(2)]
    amounts = [(0, 0), (0, 0)]
    for axis in range(2):
        before, after = axis_padding(padding, axis)
        hanging = (out[axis] - 1) * strides[axis] + reach[axis] - (x.shape[2 + axis] + before + after)
        amounts.append((before, after + max(hanging, 0)))
    padded = np.pad(x, amounts, constant_values=fill) if np.any(amounts) else x
    view = np.lib.stride_tricks.sliding_window_view(padded, reach, axis=(2, 3))
    view = view[:, :, :: strides[0], :: strides[1], :: dilations[0], :: dilations[1]]
    return view[:, :, : out[0], : out[1]]
