"""Pooling of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import te
from .record import FusionKind, Operator
from .windows import extents, image_size, windows


def _lowest(dtype: np.dtype) -> Any:
    return np.iinfo(dtype).min if np.issubdtype(dtype, np.integer) else dtype.type(-np.inf)


def _max_reference(x: np.ndarray, *, kernel: Sequence[int], **window: Any) -> np.ndarray:
    return windows(x, kernel, *_split(window), fill=_lowest(x.dtype), ceil_mode=window["ceil_mode"]).max(axis=(4, 5))


def _split(window: dict[str, Any]) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
    return window["strides"], window["padding"], window["dilations"]


def _avg_reference(
    x: np.ndarray, *, kernel: Sequence[int], ceil_mode: bool, count_include_pad: bool, **window: Any
) -> np.ndarray:
    """Sums in float64, rounded once."""
    strides, padding, dilations = _split(window)
    sums = windows(x.astype(np.float64), kernel, strides, padding, dilations, 0.0, ceil_mode).sum(axis=(4, 5))
    rows, columns = (
        _counts(sums.shape[2 + axis], axis, x.shape[2 + axis], kernel, strides, padding, dilations, count_include_pad)
        for axis in (0, 1)
    )
    return (sums / np.outer(rows, columns)).astype(x.dtype)


def _counts(
    out: int,
    axis: int,
    size: int,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    include_pad: bool,
) -> np.ndarray:
    """How many elements of each window along an axis count."""
    starts = np.arange(out) * strides[axis] - padding[axis]
    places = starts[:, None] + np.arange(kernel[axis]) * dilations[axis]
    low, high = (-padding[axis], size + padding[2 + axis]) if include_pad else (0, size)
    return ((places >= low) & (places < high)).sum(axis=1)


def _pool(
    x: te.Tensor,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool,
    combine: Any,
    fill: Any,
    name: str,
) -> te.Tensor:
    """Each window combined; what lies outside the image reads as `fill`, the combiner's identity."""
    sizes = image_size(x)
    out = extents(sizes, kernel, strides, padding, dilations, ceil_mode)
    r, s = te.reduce_axis((0, kernel[0]), "r"), te.reduce_axis((0, kernel[1]), "s")
    conditions = [_overhang(sizes[axis], out[axis], axis, kernel, strides, padding, dilations) for axis in (0, 1)]

    def element(n: Any, c: Any, h: Any, w: Any) -> te.Expr:
        row = h * strides[0] + r * dilations[0] - padding[0]
        column = w * strides[1] + s * dilations[1] - padding[1]
        inside: list[Any] = []
        for index, size, (before, after) in zip((row, column), sizes, conditions, strict=True):
            inside += ([index >= 0] if before else []) + ([index < size] if after else [])
        value = x[n, c, row, column]
        if inside:
            value = te.if_then_else(te.all(*inside), value, te.const(fill, x.dtype))
        return combine(value, axis=(r, s))

    return te.compute((*x.shape[:2], *out), element, name=name)


def _overhang(
    size: int,
    out: int,
    axis: int,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
) -> tuple[bool, bool]:
    """Whether windows reach out of the image before and after an axis."""
    last = (out - 1) * strides[axis] - padding[axis] + dilations[axis] * (kernel[axis] - 1)
    return padding[axis] > 0, last >= size


def _max_te(x: te.Tensor, *, kernel: Sequence[int], ceil_mode: bool, **window: Any) -> te.Tensor:
    fill = _lowest(np.dtype(x.dtype)) if x.dtype != "bfloat16" else float("-inf")
    return _pool(x, kernel, *_split(window), ceil_mode, te.max, fill, "max_pool2d")


def _avg_te(
    x: te.Tensor, *, kernel: Sequence[int], ceil_mode: bool, count_include_pad: bool, **window: Any
) -> te.Tensor:
    strides, padding, dilations = _split(window)
    total = _pool(x, kernel, strides, padding, dilations, ceil_mode, te.sum, 0, "pool_sum")

    def count(index: Any, axis: int) -> Any:
        """How many of a window's elements count along one axis: a number, or an expression of the output index."""
        before, after = (padding[axis], padding[2 + axis]) if count_include_pad else (0, 0)
        low, high = -before, x.shape[2 + axis] + after
        last = (total.shape[2 + axis] - 1) * strides[axis] - padding[axis] + dilations[axis] * (kernel[axis] - 1)
        if -padding[axis] >= low and last < high:
            return kernel[axis]
        start = index * strides[axis] - padding[axis]
        first = te.maximum((low - start + dilations[axis] - 1) // dilations[axis], 0)
        end = te.minimum((high - start + dilations[axis] - 1) // dilations[axis], kernel[axis])
        return end - first

    def element(n: Any, c: Any, h: Any, w: Any) -> te.Expr:
        counted = count(h, 0) * count(w, 1)
        divisor = counted.astype(x.dtype) if isinstance(counted, te.Expr) else te.const(counted, x.dtype)
        return total[n, c, h, w] / divisor

    return te.compute(total.shape, element, name="avg_pool2d")


def _global_reference(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64).mean(axis=(2, 3), keepdims=True).astype(x.dtype)


def _global_te(x: te.Tensor) -> te.Tensor:
    batch, channels, height, width = x.shape
    h, w = te.reduce_axis((0, height), "h"), te.reduce_axis((0, width), "w")
    total = te.compute((batch, channels, 1, 1), lambda n, c, i, j: te.sum(x[n, c, h, w], axis=(h, w)), name="pool_sum")
    count = height * width
    divisor = te.const(count, x.dtype) if isinstance(count, int) else count.astype(x.dtype)
    return te.compute(total.shape, lambda *i: total(*i) / divisor, name="global_avg_pool")


OPERATORS = {
    "max_pool2d": Operator("max_pool2d", FusionKind.OUT_ELEMENTWISE, _max_reference, _max_te),
    "avg_pool2d": Operator("avg_pool2d", FusionKind.OUT_ELEMENTWISE, _avg_reference, _avg_te),
    "global_avg_pool": Operator("global_avg_pool", FusionKind.OUT_ELEMENTWISE, _global_reference, _global_te),
}
