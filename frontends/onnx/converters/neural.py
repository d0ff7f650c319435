"""Convolution, normalisation and softmax."""

from __future__ import annotations

from ....dialects import graph
from ..node import Node, Value, dtype, rank, shape, static_dim
from .movement import reshape_like
from .windows import on_images, read_window


def conv(node: Node) -> Value:
    x, weight = node.input(0), node.input(1)
    sizes = [static_dim(node, size, "the kernel's size") for size in shape(weight)[2:]]
    if node.has_attr("kernel_shape") and list(node.attr("kernel_shape")) != sizes:
        node.fail("TW0303", f"expected kernel_shape {sizes} as the weights have, but got {node.attr('kernel_shape')}")
    if len(sizes) not in (1, 2) or rank(x) != len(sizes) + 2:
        node.fail("TW0302", f"expected one or two spatial dimensions, but got {rank(x) - 2}")
    window = read_window(node, sizes).as_2d()
    bias = [node.input(2)] if node.has(2) else []
    kernel = weight if len(sizes) == 2 else node.emit(graph.UnsqueezeOp, weight, axes=(2,))

    def build(image: Value) -> Value:
        return node.emit(
            graph.Conv2dOp,
            image,
            kernel,
            *bias,
            strides=window.strides,
            padding=window.padding,
            dilations=window.dilations,
            groups=node.attr("group"),
        )

    return on_images(node, x, build)


def batch_norm(node: Node) -> Value:
    """Inference only. The first operands of the op keep ONNX's order: scale, shift, mean, variance."""
    if node.attr("training_mode", 0) or any(node.uses_output(index) for index in range(1, 5)):
        node.fail("TW0302", "training mode is not supported")
    if not node.attr("spatial", 1):
        node.fail("TW0302", "statistics of every activation (spatial = 0) are not supported")
    x, *statistics = node.inputs()
    vectors = [
        vector if dtype(vector) == dtype(x) else node.emit(graph.CastOp, vector, to=dtype(x)) for vector in statistics
    ]
    return node.emit(graph.BatchNormOp, x, *vectors, epsilon=node.attr("epsilon"))


def layer_norm(node: Node) -> Value:
    """Over all dimensions from `axis` on. Statistics as outputs are for training."""
    if node.uses_output(1) or node.uses_output(2):
        node.fail("TW0302", "mean and inverse deviation as outputs are not supported")
    x, *affine = node.inputs()
    axes = tuple(range(node.axis(node.attr("axis"), rank(x)), rank(x)))
    return node.emit(graph.LayerNormOp, x, *affine, axes=axes, epsilon=node.attr("epsilon"))


def group_norm(node: Node) -> Value:
    """One scale and shift a channel; before opset 21 it was one a group."""
    if node.opset < 21:
        node.fail("TW0302", "scales of groups (before opset 21) are not supported")
    groups, epsilon = node.attr("num_groups"), node.attr("epsilon")
    return node.emit(graph.GroupNormOp, *node.inputs(), groups=groups, epsilon=epsilon)


def softmax(node: Node) -> Value:
    """
    Along one axis since opset 13. Before, the operand was taken as a matrix whose columns are the dimensions from
    `axis` on: the same thing where those after the axis have size 1.
    """
    op = graph.SoftmaxOp if node.operator == "Softmax" else graph.LogSoftmaxOp
    x = node.input(0)
    axis = node.axis(node.attr("axis"), rank(x))
    sizes = shape(x)
    if node.opset >= 13 or all(size == 1 for size in sizes[axis + 1 :]):
        return node.emit(op, x, axis=axis)
    matrix = node.emit(graph.FlattenOp, x, axis=axis)
    return reshape_like(node, node.emit(op, matrix, axis=1), sizes)
