"""How `graph.conv2d` is written on images whose channels stand in blocks: with its weights packed while compiling."""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ..dialects import graph
from ..dialects.constant_data import has_data
from .record import Blocks


def convolution_in_blocks(op: graph.GraphOp, blocks: Blocks) -> graph.GraphOp | str:
    """A convolution with constant weights whose channels come out even in blocks."""
    assert isinstance(op, graph.Conv2dOp)
    source = op.weight.owner
    if not isinstance(source, graph.ConstantOp) or not has_data(source.value):
        return "its weights are not known"
    if not graph.is_static(graph.shape_of(op.x)):
        return "its image has a symbolic size"
    outputs, inputs, *_ = source.array.shape
    groups = op.groups.value.data
    if groups == 1:
        return _dense(op, source, blocks)
    return _depthwise(op, source, blocks) if inputs == 1 and groups == outputs else _grouped(op, source, blocks)


def _dense(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Every output channel sees all channels; those of an image that is in no blocks are read as they lie."""
    outputs, inputs, *kernel = source.array.shape
    out = blocks.size_for(outputs, graph.element_of(op.x))
    if out is None:
        return f"its {outputs} output channels do not come out even in blocks"
    size = blocks.size_of(op.x)
    if size is None:
        packed = np.moveaxis(source.array.reshape(outputs // out, out, inputs, *kernel), 1, -1)
        return _convolution(op, op.x, blocks.constant(packed, source), blocks, out)
    return _convolution(op, blocks.image(op.x, size), _packed(source, size, out, blocks), blocks, out)


def _grouped(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Groups of whole blocks, which are as large for the image as for the result."""
    groups = op.groups.value.data
    outputs, inputs, *_ = source.array.shape
    size = blocks.size_for(gcd(inputs, outputs // groups), graph.element_of(op.x))
    if size is None:
        return f"the channels of its {groups} groups do not come out even in blocks"
    return _convolution(op, blocks.image(op.x, size), _packed(source, size, size, blocks), blocks, size, groups)


def _depthwise(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Each channel alone.

    Vectors of pixels serve as well as vectors of channels where windows step from one pixel to the next, so that blocks
    are not worth a copy of the image; over longer steps pixels would have to be gathered.
    """
    channels, _, *kernel = source.array.shape
    size = blocks.size_of(op.x)
    if size is None and op.strides.get_values()[-1] > 1:
        size = blocks.size_for(channels, graph.element_of(op.x))
    if size is None:
        return "it sums over no channels, and the image that it reads is not in blocks"
    packed = np.moveaxis(source.array.reshape(channels // size, size, *kernel), 1, -1)
    return _convolution(op, blocks.image(op.x, size), blocks.constant(packed, source), blocks, size)


def _packed(source: graph.ConstantOp, size: int, out: int, blocks: Blocks) -> SSAValue:
    """Weights for images in blocks of `size` and results in blocks of `out`."""
    outputs, inputs, *kernel = source.array.shape
    filters = source.array.reshape(outputs // out, out, inputs // size, size, *kernel)
    return blocks.constant(filters.transpose(0, 2, 4, 5, 3, 1), source)


def _convolution(
    op: graph.Conv2dOp, x: SSAValue, weight: SSAValue, blocks: Blocks, out: int, groups: int = 1
) -> graph.BlockedConv2dOp:
    operands = [x, weight]
    if op.bias is not None:
        operands.append(blocks.insert(graph.ReshapeOp.of(op.bias, shape=(-1, out))))
    window: dict[str, Any] = {name: op.values[name] for name in ("strides", "padding", "dilations")}
    return graph.BlockedConv2dOp.of(*operands, **window, groups=groups)
