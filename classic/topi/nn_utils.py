"""Names of `topi.nn.utils` that programs import: padding as numbers before and after each axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...topi.nn.windows import read_padding

__all__ = ["get_pad_tuple", "get_pad_tuple1d", "get_pad_tuple3d"]


def get_pad_tuple1d(padding: Any, kernel: Any) -> tuple[int, int]:
    """Return (left, right) of one number, a list, "VALID" or "SAME"."""
    sizes = tuple(kernel) if isinstance(kernel, (tuple, list)) else (kernel,)
    left, right = read_padding(padding, sizes, (1,))
    return left, right


def get_pad_tuple(padding: Any, kernel: Sequence[int]) -> tuple[int, int, int, int]:
    """Return (top, left, bottom, right) of one number, a list, "VALID" or "SAME"."""
    top, left, bottom, right = read_padding(padding, tuple(kernel), (1, 1))
    return top, left, bottom, right


def get_pad_tuple3d(padding: Any, kernel: Sequence[int]) -> tuple[int, int, int, int, int, int]:
    """Return (front, top, left, back, bottom, right) of one number, a list, "VALID" or "SAME"."""
    front, top, left, back, bottom, right = read_padding(padding, tuple(kernel), (1, 1, 1))
    return front, top, left, back, bottom, right
