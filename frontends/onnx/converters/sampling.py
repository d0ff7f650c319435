"""Sampling of images at fractional positions, and the reassembly of images from their windows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ..node import Node, Value, dtype, in_accumulator, in_float, rank, scalar, shape, static_dim

_MODES = {"bilinear": "linear", "bicubic": "cubic"}
"""The names of GridSample's modes before opset 20, with their later names."""


def grid_sample(node: Node) -> Value:
    mode, padding = node.attr("mode", "bilinear"), node.attr("padding_mode", "zeros")
    rules = {"mode": _MODES.get(mode, mode), "padding": padding, "align_corners": node.flag("align_corners", 0)}

    def sampled(x: Value) -> Value:
        return node.emit(graph.GridSampleOp, x, node.input(1), **rules)

    x = node.input(0)
    return sampled(x) if rules["mode"] == "nearest" else in_float(node, x, sampled)


def affine_grid(node: Node) -> Value:
    """Convert AffineGrid: the positions of a grid over images of a given size, each moved by the affine map of its
    image."""
    theta, sizes = node.input(0), node.constant_ints(1, "the size")[2:]
    if len(sizes) not in (2, 3) or shape(theta)[1:] != (len(sizes), len(sizes) + 1):
        node.fail("TW0303", f"expected maps of {len(sizes)} axes, but got shape {list(shape(theta))}")
    align = node.flag("align_corners", 0)
    axes = [_centres(size, align) for size in sizes]
    grid = np.meshgrid(*axes, indexing="ij")
    base = np.stack([*reversed(grid), np.ones(sizes)], -1).reshape(-1, len(sizes) + 1)
    turned = node.emit(graph.TransposeOp, theta, permutation=(0, 2, 1))
    moved = node.emit(graph.MatmulOp, base.astype(numpy_dtype(dtype(theta))), turned)
    return node.emit(graph.ReshapeOp, moved, shape=(0, *sizes, len(sizes)))


def _centres(size: int, align_corners: bool) -> np.ndarray:
    """Return the positions of the elements of an axis, which goes from -1 to 1."""
    if align_corners:
        return np.linspace(-1, 1, size)
    return (2 * np.arange(size) + 1) / size - 1


def deform_conv(node: Node) -> Value:
    """Convert DeformConv: the elements that the kernel reads as columns, then one matrix product a group."""
    x, weight, offset = (node.input(index) for index in range(3))
    kernel = [static_dim(node, size, "the kernel's size") for size in shape(weight)[2:]]
    if node.has_attr("kernel_shape") and list(node.attr("kernel_shape")) != kernel:
        node.fail("TW0303", f"expected kernel_shape {kernel} as the weights have, but got {node.attr('kernel_shape')}")
    axes, groups = len(kernel), node.attr("group", 1)
    columns = node.emit(
        graph.DeformColumnsOp,
        x,
        offset,
        *([node.input(4)] if node.has(4) else []),
        kernel=kernel,
        strides=node.attr("strides") or (1,) * axes,
        padding=node.attr("pads") or (0,) * (2 * axes),
        dilations=node.attr("dilations") or (1,) * axes,
        offset_groups=node.attr("offset_group", 1),
    )
    out = [static_dim(node, size, "a size of the offsets") for size in shape(offset)[2:]]
    outputs, members = (static_dim(node, size, "a number of channels") for size in shape(weight)[:2])
    if outputs % groups or shape(x)[1] != members * groups:
        node.fail("TW0303", f"expected {groups} groups of {members} channels, but got {shape(x)[1]} channels")
    depth = members * math.prod(kernel)
    grouped = node.emit(graph.ReshapeOp, columns, shape=(0, groups, depth, math.prod(out)))
    rows = node.emit(graph.ReshapeOp, weight, shape=(groups, outputs // groups, depth))
    result = node.emit(graph.ReshapeOp, node.emit(graph.MatmulOp, rows, grouped), shape=(0, outputs, *out))
    if not node.has(3):
        return result
    return node.emit(graph.AddOp, result, node.emit(graph.ReshapeOp, node.input(3), shape=(outputs, *(1,) * axes)))


def roi_align(node: Node) -> Value:
    """Convert RoiAlign: since opset 16 regions are moved by half an element unless the older way is requested."""
    mode = node.attr("coordinate_transformation_mode", "output_half_pixel")
    if mode not in ("half_pixel", "output_half_pixel"):
        node.fail("TW0303", f"expected coordinates of half_pixel or output_half_pixel, but got {mode}")
    return node.emit(
        graph.RoiAlignOp,
        *(node.input(index) for index in range(3)),
        output_size=(node.attr("output_height", 1), node.attr("output_width", 1)),
        sampling_ratio=node.attr("sampling_ratio", 0),
        spatial_scale=node.attr("spatial_scale", 1.0),
        mode=node.attr("mode", "avg"),
        half_pixel=mode == "half_pixel",
    )


def max_roi_pool(node: Node) -> Value:
    """Convert MaxRoiPool, the pooling of Caffe: the number of the image stands before a region's corners, which round
    to pixels.

    Corners are computed in the accumulator's type, as narrower floats do not hold all products with the scale.
    """
    x, rois = node.input(0), node.input(1)
    if rank(rois) != 2 or (isinstance(width := shape(rois)[1], int) and width != 5):
        node.fail("TW0303", f"expected regions of shape [n, 5], but got {list(shape(rois))}")
    rois = node.matched(rois, 1, 5)

    def pooled(image: Value, regions: Value) -> Value:
        first = node.emit(graph.SliceOp, regions, starts=(0, 0), sizes=(-1, 1), steps=(1, 1))
        corners = node.emit(graph.SliceOp, regions, starts=(0, 1), sizes=(-1, 4), steps=(1, 1))
        scaled = node.emit(graph.MulOp, corners, scalar(np.array(node.attr("spatial_scale")), corners))
        return node.emit(
            graph.RoiPoolOp,
            image,
            _rounded_away(node, scaled),
            node.emit(graph.CastOp, node.emit(graph.SqueezeOp, first, axes=(1,)), to="int64"),
            output_size=node.attr("pooled_shape"),
        )

    return in_accumulator(node, (x, rois), pooled)


def _rounded_away(node: Node, x: Value) -> Value:
    """Return the nearest whole numbers, halves away from zero, as C's `round` has them. A sum with 0.5 would be
    inexact."""
    size = node.emit(graph.AbsOp, x)
    whole = node.emit(graph.FloorOp, size)
    rest = node.emit(graph.SubOp, size, whole)
    one = node.emit(graph.CastOp, node.emit(graph.GreaterEqualOp, rest, scalar(np.array(0.5), x)), to=dtype(x))
    return node.emit(graph.MulOp, node.emit(graph.AddOp, whole, one), node.emit(graph.SignOp, x))


def col2im(node: Node) -> Value:
    """Convert Col2Im: blocks of an image, one a column, added up where they lie."""
    x = node.input(0)
    image, block = node.constant_ints(1, "the image's size"), node.constant_ints(2, "the block's size")
    axes = len(image)
    return node.emit(
        graph.Col2imOp,
        x,
        image=image,
        kernel=block,
        strides=node.attr("strides") or (1,) * axes,
        padding=node.attr("pads") or (0,) * (2 * axes),
        dilations=node.attr("dilations") or (1,) * axes,
    )


def max_unpool(node: Node) -> Value:
    """Convert MaxUnpool: elements written to their positions among zeros; a requested output shape may be
    larger than needed."""
    x, indices = node.input(0), node.input(1)
    kernel = list(node.attr("kernel_shape"))
    axes = len(kernel)
    strides, pads = node.attr("strides") or (1,) * axes, node.attr("pads") or (0,) * (2 * axes)
    sizes = [static_dim(node, size, "a size") for size in shape(x)]
    padded = sizes[:2] + [
        (size - 1) * strides[axis] - pads[axis] - pads[axes + axis] + kernel[axis]
        for axis, size in enumerate(sizes[2:])
    ]
    zeros = scalar(np.zeros(math.prod(padded)), x)
    flat = [node.emit(graph.ReshapeOp, value, shape=(-1,)) for value in (indices, x)]
    result = node.emit(graph.ReshapeOp, node.emit(graph.ScatterElementsOp, zeros, *flat, axis=0), shape=padded)
    if not node.has(2):
        return result
    wanted = node.constant_ints(2, "the output shape")
    return _enlarged(node, result, padded, wanted)


def _enlarged(node: Node, x: Value, padded: Sequence[int], wanted: Sequence[int]) -> Value:
    more = [want - size for want, size in zip(wanted, padded, strict=True)]
    if min(more) < 0:
        node.fail("TW0303", f"expected an output shape of at least {list(padded)}, but got {list(wanted)}")
    return node.emit(graph.PadOp, x, before=(0,) * rank(x), after=more, value=0.0) if any(more) else x
