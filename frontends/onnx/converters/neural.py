"""Matrix products, convolution, normalisation and softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx

from ....dialects import graph
from ....dialects.graph import Shape
from ....operators.record import WIDE
from ..node import Node, Value, dtype, in_accumulator, rank, scalar, shape, static_dim
from ..tensors import dtype_of
from .movement import reshape_like
from .windows import Window, on_images, read_window


def gemm(node: Node) -> Value:
    """Convert Gemm: alpha * A' * B' + beta * C. The form that exporters write for a linear layer becomes one
    `graph.dense`. All of it is computed in the type in which products are summed, and rounded once.
    """
    a, b = node.input(0), node.input(1)
    alpha, beta = node.attr("alpha"), node.attr("beta")
    transpose_a, transpose_b = node.flag("transA"), node.flag("transB")
    c = node.optional(2) if beta != 0 else None
    if alpha == 1 and transpose_b and not transpose_a:
        if c is None:
            return node.emit(graph.DenseOp, a, b)
        if beta == 1 and rank(c) == 1 and shape(c)[0] == shape(b)[0]:
            return node.emit(graph.DenseOp, a, b, c)
    wide = WIDE.of(dtype(a))
    if alpha == 1 and transpose_b and not transpose_a and wide == dtype(a):
        total = node.emit(graph.DenseOp, a, b)
    else:
        flags: dict[str, Any] = {"transpose_a": transpose_a, "transpose_b": transpose_b}
        total = node.emit(graph.MatmulOp, a, b, out_dtype=None if wide == dtype(a) else wide, **flags)
    if alpha != 1:
        total = node.emit(graph.MulOp, total, scalar(np.array(alpha), total))
    if c is not None:
        addend = c if wide == dtype(a) else node.emit(graph.CastOp, c, to=wide)
        addend = addend if beta == 1 else node.emit(graph.MulOp, addend, scalar(np.array(beta), total))
        total = node.emit(graph.AddOp, total, addend)
    return total if wide == dtype(a) else node.emit(graph.CastOp, total, to=dtype(a))


def matmul(node: Node) -> Value:
    return _product(node, node.input(0), node.input(1))


def _product(node: Node, a: Value, b: Value) -> Value:
    """Multiply as numpy does: a vector on the left is a row, on the right a column, and its dimension is dropped
    again."""
    row, column = rank(a) == 1, rank(b) == 1
    left = node.emit(graph.UnsqueezeOp, a, axes=(0,)) if row else a
    right = node.emit(graph.UnsqueezeOp, b, axes=(1,)) if column else b
    result = node.emit(graph.MatmulOp, left, right)
    dropped = ([-2] if row else []) + ([-1] if column else [])
    return node.emit(graph.SqueezeOp, result, axes=dropped) if dropped else result


def conv(node: Node) -> Value:
    return convolved(node, node.input(0), node.input(1), _bias(node))


def _bias(node: Node) -> list[Value]:
    return [node.input(2)] if node.has(2) else []


def convolved(node: Node, x: Value, weight: Value, bias: Sequence[Value], **types: Any) -> Value:
    """Return the convolution of these operands, with the window of the node; `types` are the types of
    integers."""
    sizes = [static_dim(node, size, "the kernel's size") for size in shape(weight)[2:]]
    if node.has_attr("kernel_shape") and list(node.attr("kernel_shape")) != sizes:
        node.fail("TW0303", f"expected kernel_shape {sizes} as the weights have, but got {node.attr('kernel_shape')}")
    if len(sizes) not in (1, 2, 3) or rank(x) != len(sizes) + 2:
        node.fail("TW0302", f"expected one to three spatial dimensions, but got {rank(x) - 2}")
    return _convolved(node, x, weight, bias, read_window(node, sizes), **types)


def _convolved(node: Node, x: Value, weight: Value, bias: Sequence[Value], window: Window, **types: Any) -> Value:
    """Return the convolution of the node's groups; one along a single axis is one of images with a height of 1."""
    operation = graph.Conv3dOp if rank(x) == 5 else graph.Conv2dOp
    kernel = node.emit(graph.UnsqueezeOp, weight, axes=(2,)) if rank(x) == 3 else weight
    window = window.as_2d()

    def build(image: Value) -> Value:
        return node.emit(
            operation,
            image,
            kernel,
            *bias,
            strides=window.strides,
            padding=window.padding,
            dilations=window.dilations,
            groups=node.attr("group"),
            **types,
        )

    return on_images(node, x, build)


def conv_transpose(node: Node) -> Value:
    """Convert ConvTranspose: the convolution of the image, dilated by the strides, with mirrored weights whose channels
    are exchanged within each group.
    """
    x, weight = node.input(0), node.input(1)
    kernel = [static_dim(node, size, "the kernel's size") for size in shape(weight)[2:]]
    if node.has_attr("kernel_shape") and list(node.attr("kernel_shape")) != kernel:
        node.fail("TW0303", f"expected kernel_shape {kernel} as the weights have, but got {node.attr('kernel_shape')}")
    axes, groups = len(kernel), node.attr("group")
    if axes not in (1, 2, 3) or rank(x) != axes + 2:
        node.fail("TW0302", f"expected one to three spatial dimensions, but got {rank(x) - 2}")
    strides, dilations = (tuple(node.attr(name) or (1,) * axes) for name in ("strides", "dilations"))
    reach = [dilation * (size - 1) + 1 for size, dilation in zip(kernel, dilations, strict=True)]
    before, after = _cut_of_transposed(node, strides, reach)
    border = [size - 1 - cut for size, cut in zip(reach * 2, (*before, *after), strict=True)]
    dilated = node.emit(graph.DilateOp, x, strides=(1, 1, *strides)) if any(step > 1 for step in strides) else x
    if any(amount < 0 for amount in border):
        sizes = [static_dim(node, size, "a size of the image") for size in shape(dilated)[2:]]
        starts = [max(-amount, 0) for amount in border[:axes]]
        kept = [n - low + min(high, 0) for n, low, high in zip(sizes, starts, border[axes:], strict=True)]
        properties = {"starts": (0, 0, *starts), "sizes": (-1, -1, *kept), "steps": (1,) * rank(x)}
        dilated = node.emit(graph.SliceOp, dilated, **properties)
    padding = tuple(max(amount, 0) for amount in border)
    window = Window(tuple(kernel), (1,) * axes, padding, dilations)
    return _convolved(node, dilated, _exchanged(node, weight, groups), _bias(node), window)


def _cut_of_transposed(node: Node, strides: Sequence[int], reach: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the elements to cut from the whole result before and after each axis; negative where it is padded."""
    axes = len(strides)
    extra = tuple(node.attr("output_padding") or (0,) * axes)
    pads, wanted, mode = node.attr("pads") or (0,) * (2 * axes), node.attr("output_shape"), node.attr("auto_pad")
    if mode not in ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"):
        node.fail("TW0303", f"expected auto_pad to be NOTSET, VALID, SAME_UPPER or SAME_LOWER, but got {mode}")
    if not wanted and not mode.startswith("SAME"):
        pads = pads if mode == "NOTSET" else (0,) * (2 * axes)
        return list(pads[:axes]), [cut - more for cut, more in zip(pads[axes:], extra, strict=True)]
    before: list[int] = []
    after: list[int] = []
    for axis, step in enumerate(strides):
        size = static_dim(node, shape(node.input(0))[2 + axis], "a size of the image")
        target = wanted[len(wanted) - axes + axis] if wanted else size * step
        total = step * (size - 1) + extra[axis] + reach[axis] - target
        less, more = total // 2, total - total // 2
        first, last = (less, more) if mode == "SAME_UPPER" else (more, less)
        before.append(first)
        after.append(last - extra[axis])
    return before, after


def _exchanged(node: Node, weight: Value, groups: int) -> Value:
    """Return weights [C, M / groups, ...] as [M, C / groups, ...], mirrored."""
    inputs, outputs, *kernel = (static_dim(node, size, "a size of the weights") for size in shape(weight))
    axes = len(kernel)
    if inputs % groups:
        node.fail("TW0303", f"expected groups that divide {inputs} channels, but got {groups}")
    starts, steps = (0, 0, *(size - 1 for size in kernel)), (1, 1, *(-1,) * axes)
    mirrored = node.emit(graph.SliceOp, weight, starts=starts, sizes=(inputs, outputs, *kernel), steps=steps)
    split = node.emit(graph.ReshapeOp, mirrored, shape=(groups, inputs // groups, outputs, *kernel))
    turned = node.emit(graph.TransposeOp, split, permutation=(0, 2, 1, *range(3, 3 + axes)))
    return node.emit(graph.ReshapeOp, turned, shape=(groups * outputs, inputs // groups, *kernel))


def batch_norm(node: Node) -> Value | Sequence[Value]:
    """Convert BatchNormalization: the operands of the op keep ONNX's order: scale, shift, mean, variance. In
    training (attribute `training_mode` since opset 14), mean and variance are those of the operand. A vector is a batch
    of one channel.
    """
    training = node.flag("training_mode", 0)
    if not training and any(node.uses_output(index) for index in range(1, 5)):
        node.fail("TW0302", "training mode is not supported")
    if not node.attr("spatial", 1):
        node.fail("TW0302", "statistics of every activation (spatial = 0) are not supported")
    x, *statistics = node.inputs()
    if rank(x) == 1:
        x = node.emit(graph.UnsqueezeOp, x, axes=(1,))
    vectors = [
        vector if dtype(vector) == dtype(x) else node.emit(graph.CastOp, vector, to=dtype(x)) for vector in statistics
    ]
    used = _statistics(node, x) if training else vectors[2:]
    result = node.emit(graph.BatchNormOp, x, *vectors[:2], *used, epsilon=node.attr("epsilon"))
    if rank(node.input(0)) == 1:
        result = node.emit(graph.SqueezeOp, result, axes=(1,))
    if not training:
        return result
    momentum = node.attr("momentum")

    def running(old: Value, new: Value) -> Value:
        kept = node.emit(graph.MulOp, old, scalar(np.array(momentum), old))
        return node.emit(graph.AddOp, kept, node.emit(graph.MulOp, new, scalar(np.array(1 - momentum), new)))

    return result, *(
        in_accumulator(
            node, [old, new if dtype(new) == dtype(old) else node.emit(graph.CastOp, new, to=dtype(old))], running
        )
        for old, new in zip(statistics[2:], used, strict=True)
    )


def _statistics(node: Node, x: Value) -> tuple[Value, Value]:
    """Return the mean and the variance of each channel."""
    axes = (0, *range(2, rank(x)))

    def variance(wide: Value) -> Value:
        distance = node.emit(graph.SubOp, wide, node.emit(graph.ReduceMeanOp, wide, axes=axes, keepdims=True))
        return node.emit(graph.ReduceMeanOp, node.emit(graph.MulOp, distance, distance), axes=axes)

    return node.emit(graph.ReduceMeanOp, x, axes=axes), in_accumulator(node, [x], variance)


def layer_norm(node: Node) -> Value | Sequence[Value]:
    """Convert LayerNormalization, over all dimensions from `axis` on. The mean and the inverse deviation are results
    where they are asked for."""
    x, *affine = node.inputs()
    axes = tuple(range(node.axis(node.attr("axis"), rank(x)), rank(x)))
    sizes = tuple(shape(x)[axis] for axis in axes)
    affine = [_stretched(node, value, sizes) for value in affine]
    result = node.emit(graph.LayerNormOp, x, *affine, axes=axes, epsilon=node.attr("epsilon"))
    stash = _stash_type(node, x)
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
    """Convert RMSNormalization, over all dimensions from `axis` on; sums are taken in float32, as `stash_type` asks for
    by default."""
    x, scale = node.input(0), node.input(1)
    _stash_type(node, x)
    axes = tuple(range(node.axis(node.attr("axis", -1), rank(x)), rank(x)))
    scale = _stretched(node, scale, tuple(shape(x)[axis] for axis in axes))
    return node.emit(graph.RmsNormOp, x, scale, axes=axes, epsilon=node.attr("epsilon", 1e-5))


def _stash_type(node: Node, x: Value) -> str:
    """Return the type of sums and statistics, which is float32 or the operand's type."""
    stash = dtype_of(node.attr("stash_type", onnx.TensorProto.FLOAT), "the statistics")
    if stash not in ("float32", dtype(x)):
        node.fail("TW0306", f"attribute 'stash_type' with value {node.attr('stash_type')} is not supported")
    return stash


def _stretched(node: Node, value: Value, sizes: Shape) -> Value:
    """Broadcast a scale or a shift to the normalised sizes."""
    if shape(value) == sizes:
        return value
    return node.emit(graph.BroadcastToOp, value, shape=[static_dim(node, size, "a normalised size") for size in sizes])


def lp_norm(node: Node) -> Value:
    """Convert LpNormalization: x divided by the sum of magnitudes, or the root of the sum of squares, along an axis; 0
    where that is 0."""
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
    """Convert GroupNormalization: one scale and shift a channel; before opset 21 it was one a group, which all of its
    channels get."""
    x, *affine = node.inputs()
    groups, epsilon = node.attr("num_groups"), node.attr("epsilon")
    _stash_type(node, x)
    if node.opset < 21:
        channels = static_dim(node, shape(x)[1], "the number of channels")
        owner = np.arange(channels) // (channels // groups)
        affine = [node.emit(graph.GatherOp, value, owner, axis=0) for value in affine]
    return node.emit(graph.GroupNormOp, x, *affine, groups=groups, epsilon=epsilon)


def softmax(node: Node) -> Value:
    """Convert Softmax, LogSoftmax or Hardmax: along one axis since opset 13. Before, the operand was taken as a matrix
    whose columns are the dimensions from `axis` on: the same thing where those after the axis have size 1.
    """
    op = {"Softmax": graph.SoftmaxOp, "LogSoftmax": graph.LogSoftmaxOp, "Hardmax": graph.HardmaxOp}[node.operator]
    x = node.input(0)
    axis = node.axis(node.attr("axis"), rank(x))
    sizes = shape(x)
    if node.opset >= 13 or all(size == 1 for size in sizes[axis + 1 :]):
        return node.emit(op, x, axis=axis)
    matrix = node.emit(graph.FlattenOp, x, axis=axis)
    return reshape_like(node, node.emit(op, matrix, axis=1), sizes)
