"""
Sizes of sliding windows, shared by convolution and pooling.

Padding is written [top, left, bottom, right]: the padding before each axis, then the padding after each axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from xdsl.utils.exceptions import VerifyException

from .sizes import Dim, quotient_of, smaller_of, sum_of


def require_ints(values: Sequence[int], count: int, least: int, what: str) -> tuple[int, ...]:
    """Return `values`, checked to be `count` integers that are not below `least`."""
    if len(values) != count or any(value < least for value in values):
        raise VerifyException(f"expected {what} to be {count} integers >= {least}, but got {list(values)}")
    return tuple(values)


@overload
def window_extent(
    size: int, kernel: int, stride: int, dilation: int, padding: tuple[int, int], ceil: bool = False
) -> int: ...


@overload
def window_extent(
    size: Dim, kernel: int, stride: int, dilation: int, padding: tuple[int, int], ceil: bool = False
) -> Dim: ...


def window_extent(
    size: Dim, kernel: int, stride: int, dilation: int, padding: tuple[int, int], ceil: bool = False
) -> Dim:
    """Return the number of windows that fit along an axis.

    With `ceil` the last window may extend past the end, even if it is the only one, unless it would start in the
    padding after it (the rule of ONNX and PyTorch). Verification fails where no window fits.
    """
    if not isinstance(size, int):
        free = sum_of(size, sum(padding) - (dilation * (kernel - 1) + 1))
        if not ceil:
            return sum_of(quotient_of(free, stride), 1)
        starts = quotient_of(sum_of(size, padding[0] + stride - 1), stride)
        return smaller_of(sum_of(quotient_of(sum_of(free, stride - 1), stride), 1), starts)
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
    """Return (before, after) of a window's axis, in [top, left, bottom, right]."""
    rank = len(padding) // 2
    return padding[axis], padding[rank + axis]
