"""Convolution, normalisation and softmax."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....dialects.graph import Shape
from ..node import Node, Value, dtype, in_accumulator, rank, scalar, shape, static_dim
from ..tensors import dtype_of
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


def layer_norm(node: Node) -> Value | Sequence[Value]:
    """Over all dimensions from `axis` on. The mean and the inverse deviation are results where they are asked for."""
    x, *affine = node.inputs()
    axes = tuple(range(node.axis(node.attr("axis"), rank(x)), rank(x)))
    sizes = tuple(shape(x)[axis] for axis in axes)
    affine = [_stretched(node, value, sizes) for value in affine]
    result = node.emit(graph.LayerNormOp, x, *affine, axes=axes, epsilon=node.attr("epsilon"))
    stash = dtype_of(node.attr("stash_type"), "the statistics")
    if not (node.uses_output(1) or node.uses_output(2)):
        return result
    wide = x if dtype(x) == stash else node.emit(graph.CastOp, x, to=stash)
    mean = node.emit(graph.ReduceMeanOp, wide, axes=axes, keepdims=True)
    distance = node.emit(graph.SubOp, wide, mean)
    squares = node.emit(graph.MulOp, distance, distance)
    variance = node.emit(graph.ReduceMeanOp, squares, axes=axes, keepdims=True)
    shifted = node.emit(graph.AddOp, variance, scalar(np.array(node.attr("epsilon")), wide))
    inverse = node.emit(graph.ReciprocalOp, node.emit(graph.SqrtOp, shifted))
    return result, mean, inverse


def rms_norm(node: Node) -> Value:
    """Over all dimensions from `axis` on; sums are taken in float32, as `stash_type` asks for unless told."""
    dtype_of(node.attr("stash_type"), "the sums")
    x, scale = node.input(0), node.input(1)
    axes = tuple(range(node.axis(node.attr("axis"), rank(x)), rank(x)))
    scale = _stretched(node, scale, tuple(shape(x)[axis] for axis in axes))
    return node.emit(graph.RmsNormOp, x, scale, axes=axes, epsilon=node.attr("epsilon"))


def _stretched(node: Node, value: Value, sizes: Shape) -> Value:
    """A scale or a shift with all the sizes of what it belongs to."""
    if shape(value) == sizes:
        return value
    return node.emit(graph.BroadcastToOp, value, shape=[static_dim(node, size, "a normalised size") for size in sizes])


def lp_norm(node: Node) -> Value:
    """Divided by the sum of magnitudes, or the root of the sum of squares, along an axis; 0 where that is 0."""
    x, order = node.input(0), node.attr("p")
    axes = (node.axis(node.attr("axis"), rank(x)),)

    def normalized(wide: Value) -> Value:
        size = node.emit(graph.AbsOp, wide) if order == 1 else node.emit(graph.MulOp, wide, wide)
        total = node.emit(graph.ReduceSumOp, size, axes=axes, keepdims=True)
        length = total if order == 1 else node.emit(graph.SqrtOp, total)
        nothing = node.emit(graph.EqualOp, length, scalar(np.array(0), length))
        divisor = node.emit(graph.WhereOp, nothing, scalar(np.array(1), length), length)
        return node.emit(graph.DivOp, wide, divisor)

    if order not in (1, 2):
        node.fail("TW0303", f"expected p to be 1 or 2, but got {order}")
    return in_accumulator(node, [x], normalized)


def group_norm(node: Node) -> Value:
    """One scale and shift a channel; before opset 21 it was one a group, which all of its channels get."""
    x, *affine = node.inputs()
    groups, epsilon = node.attr("num_groups"), node.attr("epsilon")
    node.attr("stash_type")  # sums are taken in float32 anyway
    if node.opset < 21:
        channels = static_dim(node, shape(x)[1], "the number of channels")
        owner = np.arange(channels) // (channels // groups)
        affine = [node.emit(graph.GatherOp, value, owner, axis=0) for value in affine]
    return node.emit(graph.GroupNormOp, x, *affine, groups=groups, epsilon=epsilon)


def softmax(node: Node) -> Value:
    """
    Along one axis since opset 13. Before, the operand was taken as a matrix whose columns are the dimensions from
    `axis` on: the same thing where those after the axis have size 1.
    """
    op = {"Softmax": graph.SoftmaxOp, "LogSoftmax": graph.LogSoftmaxOp, "Hardmax": graph.HardmaxOp}[node.operator]
    x = node.input(0)
    axis = node.axis(node.attr("axis"), rank(x))
    sizes = shape(x)
    if node.opset >= 13 or all(size == 1 for size in sizes[axis + 1 :]):
        return node.emit(op, x, axis=axis)
    matrix = node.emit(graph.FlattenOp, x, axis=axis)
    return reshape_like(node, node.emit(op, matrix, axis=1), sizes)
