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
    element = graph.element_of(op.x)
    size = blocks.size_for(outputs, element)
    if size is None:
        return f"its {outputs} output channels do not come out even in blocks"
    if inputs == 1 and op.groups.value.data == outputs:
        return _depthwise(op, source, blocks, size)
    return _dense(op, source, blocks, size)


def _dense(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks, out: int) -> graph.GraphOp | str:
    groups = op.groups.value.data
    outputs, inputs, *kernel = source.array.shape
    element = graph.element_of(op.x)
    size = blocks.size_of(op.x) or blocks.size_for(inputs * groups, element)
    if groups > 1:
        out = size = blocks.size_for(gcd(inputs, outputs // groups), element) or 0
        if not size:
            return f"the channels of its {groups} groups do not come out even in blocks"
    filters = source.array.reshape(outputs // out, out, inputs, *kernel)
    if size is None:
        packed = np.moveaxis(filters, 1, -1)
        return _convolution(op, op.x, blocks.constant(packed, source), blocks, out)
    packed = filters.reshape(outputs // out, out, inputs // size, size, *kernel).transpose(0, 2, 4, 5, 3, 1)
    return _convolution(op, blocks.image(op.x, size), blocks.constant(packed, source), blocks, out, groups)


def _depthwise(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks, size: int) -> graph.GraphOp:
    size = blocks.size_of(op.x) or size
    channels, _, *kernel = source.array.shape
    packed = np.moveaxis(source.array.reshape(channels // size, size, *kernel), 1, -1)
    return _convolution(op, blocks.image(op.x, size), blocks.constant(packed, source), blocks, size)


def _convolution(
    op: graph.Conv2dOp, x: SSAValue, weight: SSAValue, blocks: Blocks, out: int, groups: int = 1
) -> graph.BlockedConv2dOp:
    operands = [x, weight]
    if op.bias is not None:
        operands.append(blocks.insert(graph.ReshapeOp.of(op.bias, shape=(-1, out))))
    window: dict[str, Any] = {name: op.values[name] for name in ("strides", "padding", "dilations")}
    return graph.BlockedConv2dOp.of(*operands, **window, groups=groups)
