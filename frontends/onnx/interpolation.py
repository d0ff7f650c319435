"""The source positions of a resized axis, as ONNX defines them for each of its coordinate modes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...operators.sampling import cubic_weights


@dataclass(frozen=True)
class ResizedAxis:
    """An axis, its old and new size, the scale between them, and the region of interest along it."""

    axis: int
    size: int
    out: int
    scale: float
    region: tuple[float, float] = (0.0, 1.0)

    @property
    def is_plain(self) -> bool:
        """True if the new size is the old one times the scale, so that positions follow from the sizes alone."""
        exact = self.size * Fraction(self.scale).limit_denominator(1 << 16)
        return exact == self.out or abs(self.size * self.scale - self.out) < 1e-9

    @property
    def extent(self) -> float:
        """The new size before it was cut to a whole number."""
        return self.size * self.scale


def _half_pixel(axis: ResizedAxis) -> np.ndarray:
    return (np.arange(axis.out) + 0.5) / axis.scale - 0.5


def _pytorch_half_pixel(axis: ResizedAxis) -> np.ndarray:
    return np.full(axis.out, -0.5) if axis.extent == 1 else _half_pixel(axis)


def _half_pixel_symmetric(axis: ResizedAxis) -> np.ndarray:
    return _half_pixel(axis) + axis.size / 2 * (1 - axis.out / axis.extent)


def _align_corners(axis: ResizedAxis) -> np.ndarray:
    return np.zeros(axis.out) if axis.extent == 1 else np.arange(axis.out) * (axis.size - 1) / (axis.extent - 1)


def _crop(axis: ResizedAxis) -> np.ndarray:
    start, end = axis.region
    part = (end - start) * (axis.size - 1)
    if axis.extent == 1:
        return np.full(axis.out, part / 2 + start * (axis.size - 1))
    return np.arange(axis.out) * part / (axis.extent - 1) + start * (axis.size - 1)


POSITIONS: dict[str, Callable[[ResizedAxis], np.ndarray]] = {
    "align_corners": _align_corners,
    "asymmetric": lambda axis: np.arange(axis.out) / axis.scale,
    "half_pixel": _half_pixel,
    "half_pixel_symmetric": _half_pixel_symmetric,
    "pytorch_half_pixel": _pytorch_half_pixel,
    "tf_crop_and_resize": _crop,
}
"""Coordinate mode -> the position in the old axis of each element of the new axis."""


def nearest(positions: np.ndarray, size: int, rounding: str) -> np.ndarray:
    """Return the element next to each position."""
    match rounding:
        case "floor":
            found = np.floor(positions)
        case "ceil":
            found = np.ceil(positions)
        case "round_prefer_floor":
            found = np.ceil(positions - 0.5)
        case _:
            found = np.floor(positions + 0.5)
    return np.clip(found, 0, size - 1).astype(np.int64)


def taps(
    positions: np.ndarray, axis: ResizedAxis, mode: str, cubic: float, antialias: bool, exclude_outside: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the elements around each position and their weights, [new size, count] each."""
    floor = np.floor(positions).astype(np.int64)
    scale = min(axis.scale, 1.0) if antialias else 1.0
    reach = int(np.ceil((1 if mode == "linear" else 2) / scale))
    indices = floor[:, None] + np.arange(1 - reach, reach + 1)
    weights = _kernel(mode, np.abs(indices - positions[:, None]) * scale, cubic)
    if antialias:
        weights = weights / weights.sum(1, keepdims=True)
    if exclude_outside:
        weights = np.where((indices < 0) | (indices >= axis.size), 0, weights)
        total = weights.sum(1, keepdims=True)
        weights = weights / np.where(total == 0, 1, total)
    return np.clip(indices, 0, axis.size - 1), weights


def _kernel(mode: str, distance: np.ndarray, cubic: float) -> np.ndarray:
    """Return the weight of an element at a distance."""
    if mode == "linear":
        return np.clip(1 - distance, 0, 1)
    within = np.minimum(distance, 2)
    near, far = cubic_weights(within, cubic)[1], cubic_weights(within - 1, cubic)[0]
    return np.where(distance <= 1, near, far)
