"""Pooling."""

from __future__ import annotations

from typing import Any

from ....dialects import graph
from ..node import Node, Value, rank
from .windows import on_images, read_window


def pool(node: Node) -> Value:
    if node.uses_output(1):
        node.fail("TW0302", "the indices of the greatest elements are not supported")
    x = node.input(0)
    kernel = list(node.attr("kernel_shape"))
    if rank(x) != len(kernel) + 2:
        node.fail("TW0303", f"expected kernel_shape for {rank(x) - 2} axes, but got {kernel}")
    if len(kernel) > 2:
        node.fail("TW0302", f"expected one or two spatial dimensions, but got {len(kernel)}")
    window = read_window(node, kernel).as_2d()
    op = graph.MaxPool2dOp if node.operator == "MaxPool" else graph.AvgPool2dOp
    properties: dict[str, Any] = {
        "kernel": window.kernel,
        "strides": window.strides,
        "padding": window.padding,
        "dilations": window.dilations,
        "ceil_mode": bool(node.attr("ceil_mode", 0)),
    }
    if op is graph.AvgPool2dOp:
        properties["count_include_pad"] = bool(node.attr("count_include_pad", 0))
    return on_images(node, x, lambda image: node.emit(op, image, **properties))


def global_pool(node: Node) -> Value:
    x = node.input(0)
    if node.operator == "GlobalAveragePool" and rank(x) == 4:
        return node.emit(graph.GlobalAvgPoolOp, x)
    op = graph.ReduceMeanOp if node.operator == "GlobalAveragePool" else graph.ReduceMaxOp
    return node.emit(op, x, axes=tuple(range(2, rank(x))), keepdims=True)
