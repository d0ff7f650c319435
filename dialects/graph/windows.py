"""
Sizes of sliding windows, shared by convolution and pooling.

Padding is written [top, left, bottom, right]: what comes before each axis, then what comes after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException

from .types import Dim, UnknownSize


def require_ints(values: Sequence[int], count: int, least: int, what: str) -> tuple[int, ...]:
    """`values`, checked to be `count` integers that are not below `least`."""
    if len(values) != count or any(value < least for value in values):
        raise VerifyException(f"expected {what} to be {count} integers >= {least}, but got {list(values)}")
    return tuple(values)


def window_extent(
    size: Dim, kernel: int, stride: int, dilation: int, padding: tuple[int, int], ceil: bool = False
) -> int:
    """
    How many windows fit along an axis.

    With `ceil` the last window may hang over the end, a single one too, unless it would start in the padding after it
    (the rule of ONNX and PyTorch). Verification fails on a dynamic size and where no window fits.
    """
    if not isinstance(size, int):
        raise UnknownSize(f"expected a static size along a window's axis, but got {size or '?'}")
    free = size + sum(padding) - (dilation * (kernel - 1) + 1)
    if free <= -stride or (free < 0 and not ceil):
        raise VerifyException(
            f"expected a window of at most {size + sum(padding)} elements, but got {dilation * (kernel - 1) + 1}"
        )
    if not ceil:
        return free // stride + 1
    extent = -(-free // stride) + 1
    return extent - 1 if (extent - 1) * stride >= size + padding[0] else extent


def axis_padding(padding: Sequence[int], axis: int) -> tuple[int, int]:
    """(before, after) of a window's axis, in [top, left, bottom, right]."""
    rank = len(padding) // 2
    return padding[axis], padding[rank + axis]
