"""Pooling."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....dialects import graph
from ....dialects.graph import Shape
from ....dialects.graph.windows import axis_padding
from ..node import Node, Value, rank, shape
from .windows import Window, on_images, read_window


def pool(node: Node) -> Value:
    if node.uses_output(1):
        node.fail("TW0302", "the indices of the greatest elements are not supported")
    x = node.input(0)
    kernel = list(node.attr("kernel_shape"))
    if rank(x) != len(kernel) + 2:
        node.fail("TW0303", f"expected kernel_shape for {rank(x) - 2} axes, but got {kernel}")
    if len(kernel) > 2:
        node.fail("TW0302", f"expected one or two spatial dimensions, but got {len(kernel)}")
    ceil_mode = bool(node.attr("ceil_mode", 0))
    window = read_window(node, kernel)
    window = (_cut_to_image(window, shape(x)[2:]) if ceil_mode else window).as_2d()
    op = graph.MaxPool2dOp if node.operator == "MaxPool" else graph.AvgPool2dOp
    properties: dict[str, Any] = {
        "kernel": window.kernel,
        "strides": window.strides,
        "padding": window.padding,
        "dilations": window.dilations,
        "ceil_mode": ceil_mode,
    }
    if op is graph.AvgPool2dOp:
        properties["count_include_pad"] = bool(node.attr("count_include_pad", 0))
    return on_images(node, x, lambda image: node.emit(op, image, **properties))


def _cut_to_image(window: Window, sizes: Shape) -> Window:
    """
    A window that is larger than the padded image, which lies in it once, without what it has beyond the image.

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
