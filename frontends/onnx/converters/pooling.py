"""Pooling operators."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....dialects import graph
from ....dialects.graph import Shape
from ....dialects.graph.windows import axis_padding, window_extent
from ..node import Node, Value, in_accumulator, rank, scalar, shape, static_dim
from .windows import Window, on_images, read_window

_OPS: dict[tuple[str, bool], type[graph.GraphOp]] = {
    ("MaxPool", False): graph.MaxPool2dOp,
    ("MaxPool", True): graph.MaxPool3dOp,
    ("AveragePool", False): graph.AvgPool2dOp,
    ("AveragePool", True): graph.AvgPool3dOp,
}
"""Operator, whether of volumes."""


def pool(node: Node) -> Value | Sequence[Value]:
    x = node.input(0)
    kernel = list(node.attr("kernel_shape"))
    if rank(x) != len(kernel) + 2:
        node.fail("TW0303", f"expected kernel_shape for {rank(x) - 2} axes, but got {kernel}")
    if len(kernel) > 3:
        node.fail("TW0302", f"expected one to three spatial dimensions, but got {len(kernel)}")
    ceil_mode = node.flag("ceil_mode", 0)
    window = read_window(node, kernel)
    window = (_cut_to_image(window, shape(x)[2:]) if ceil_mode else window).as_2d()
    op = _OPS[node.operator, len(kernel) == 3]
    properties: dict[str, Any] = {
        "kernel": window.kernel,
        "strides": window.strides,
        "padding": window.padding,
        "dilations": window.dilations,
        "ceil_mode": ceil_mode,
    }
    if node.operator == "AveragePool":
        properties["count_include_pad"] = node.flag("count_include_pad", 0)
    result = on_images(node, x, lambda image: node.emit(op, image, **properties))
    if not node.uses_output(1):
        return result
    if len(kernel) > 2:
        node.fail("TW0302", "the indices of the greatest elements of volumes are not supported")
    properties["columns_first"] = node.flag("storage_order", 0)
    return result, on_images(node, x, lambda image: node.emit(graph.MaxPositions2dOp, image, **properties))


def _cut_to_image(window: Window, sizes: Shape) -> Window:
    """Cut a window that is larger than the padded image, which lies in it once, to the image.

    Models for images of any size say "all of it" by a large kernel.
    """
    kernel, strides = list(window.kernel), list(window.strides)
    for axis, size in enumerate(sizes):
        if not isinstance(size, int):
            continue
        padded = size + sum(axis_padding(window.padding, axis))
        dilation = window.dilations[axis]
        hanging = dilation * (kernel[axis] - 1) + 1 - padded
        if padded > 0 and 0 < hanging < strides[axis]:
            kernel[axis], strides[axis] = (padded - 1) // dilation + 1, padded
    return replace(window, kernel=tuple(kernel), strides=tuple(strides))


def global_pool(node: Node) -> Value:
    x = node.input(0)
    if node.operator == "GlobalAveragePool" and rank(x) == 4:
        return node.emit(graph.GlobalAvgPoolOp, x)
    op = graph.ReduceMeanOp if node.operator == "GlobalAveragePool" else graph.ReduceMaxOp
    return node.emit(op, x, axes=tuple(range(2, rank(x))), keepdims=True)


def lp_pool(node: Node) -> Value:
    """Convert LpPool: the p-th root of the sum of p-th powers of magnitudes in each window: their mean, times the
    window's size."""
    x, kernel = node.input(0), list(node.attr("kernel_shape"))
    if rank(x) != len(kernel) + 2:
        node.fail("TW0303", f"expected kernel_shape for {rank(x) - 2} axes, but got {kernel}")
    if len(kernel) > 3:
        node.fail("TW0317", f"expected windows of at most 3 axes, but got {kernel}")
    window = read_window(node, kernel)
    if node.attr("ceil_mode", 0):
        window = _whole_windows(node, window, shape(x)[2:])
    window = window.as_2d()
    op, size = _OPS["AveragePool", len(kernel) == 3], math.prod(kernel)

    def total(powers: Value) -> Value:
        properties = {"kernel": window.kernel, "strides": window.strides, "padding": window.padding}
        rest = {"dilations": window.dilations, "ceil_mode": False, "count_include_pad": True}
        mean = on_images(node, powers, lambda image: node.emit(op, image, **properties, **rest))
        return node.emit(graph.MulOp, mean, scalar(np.array(size), mean))

    return _rooted(node, x, total)


def _whole_windows(node: Node, window: Window, sizes: Shape) -> Window:
    """Return the window with padding that reaches as far as the last window that ceil mode counts."""
    padding = list(window.padding)
    for axis, size in enumerate(sizes):
        extent = static_dim(node, size, f"the image's size along axis {2 + axis}")
        around, step = axis_padding(window.padding, axis), window.strides[axis]
        count = window_extent(extent, window.kernel[axis], step, window.dilations[axis], around, True)
        reach = window.dilations[axis] * (window.kernel[axis] - 1) + 1
        padding[len(sizes) + axis] = max((count - 1) * step + reach - extent - around[0], 0)
    return replace(window, padding=tuple(padding))


def global_lp_pool(node: Node) -> Value:
    x = node.input(0)
    axes = tuple(range(2, rank(x)))
    return _rooted(node, x, lambda powers: node.emit(graph.ReduceSumOp, powers, axes=axes, keepdims=True))


def _rooted(node: Node, x: Value, total: Callable[[Value], Value]) -> Value:
    """Return the p-th root of `total` of the p-th powers of magnitudes, in the type in which operators accumulate."""
    order = node.attr("p")

    def root(wide: Value) -> Value:
        size = node.emit(graph.AbsOp, wide)
        if order == 1:
            return total(size)
        if order == 2:
            return node.emit(graph.SqrtOp, total(node.emit(graph.MulOp, wide, wide)))
        powers = node.emit(graph.PowOp, size, scalar(np.array(order), wide))
        return node.emit(graph.PowOp, total(powers), scalar(np.array(1 / order), wide))

    return in_accumulator(node, [x], root)
