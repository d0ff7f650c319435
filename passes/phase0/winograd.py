"""Pass `winograd`: convolutions with a 3 x 3 window multiply transformed tiles, where the model expects a gain.

The model counts cycles of one thread. A plain convolution and the product of the transformed tiles keep the processor's
multiply-adds busy; the transforms before and after it, and the weights, which grow by a factor of 16/9, add to the cost
of the product.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32, f64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.remarks import remark
from ...dialects import graph
from ...dialects.constant_data import has_data
from ...dialects.dtypes import numpy_dtype
from ...dialects.target import CpuTargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...operators.winograd import STEP, TILE, WINDOW, transformed_weights
from ...schedule.decisions import decide
from ...schedule.rules.coefficients import (
    WINOGRAD_BLOCK_CYCLES,
    WINOGRAD_BUSY,
    WINOGRAD_GAIN,
    WINOGRAD_TRANSFORM_CYCLES,
)
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.tuning_records import decides_by_records
from ..shared.channel_scaling import derived
from ..shared.operator_key import operator_key
from .block_channels import block_size

BLOCKED_RANK = 5
"""Of an image with its channels in blocks."""


@dataclass(frozen=True)
class WinogradPass(Pass):
    """Let convolutions on blocks of channels whose window is 3 x 3 and moves by one pixel multiply transformed tiles.

    ```mlir
    %c = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x8x56x56x8xf32>
    ```
    becomes, where `%w` is a constant,
    ```mlir
    %c = graph.winograd_conv2d %x, %transformed padding [1, 1, 1, 1] : tensor<1x8x56x56x8xf32>
    ```
    There may be any number of images, of a known height and width. Results are as accurate as before, but rounded
    differently. An image without blocks of channels is put into blocks if its number of channels is a multiple of a
    block. Only float32 and float64 are transformed, because the sums of the transforms lose too many bits in narrower
    types. Needs a module with `tw.target`, and `block-channels`.
    """

    name = "winograd"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 2
    asks_target = True
    reassociates = True

    @decides_by_records
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None or not target.prefers_blocked_channels:
            return
        for convolution in [n for n in operations(op) if isinstance(n, graph.BlockedConv2dOp)]:
            _rewrite(convolution, target.core)


def _rewrite(op: graph.BlockedConv2dOp, target: CpuTargetAttr) -> None:
    source = op.weight.owner
    if not isinstance(source, graph.ConstantOp) or not has_data(source.value) or not _has_small_window(op):
        return
    if graph.element_of(op.x) not in (f32, f64) or op.out_dtype is not None or op.pad_value.value.data:
        return
    size = _block_size(op, target)
    if size is None:
        return
    if not graph.is_static(graph.shape_of(op.y)[2:]):
        remark("TW0765", f"{op.name} does not multiply transformed tiles: its height or width is open", op=op)
        return
    packed = _packed(source.array, size)
    gain = _gain(op, packed, target)
    if not decide("winograd", (False, True), gain >= WINOGRAD_GAIN, block=operator_key(op), changes_sums=True):
        remark("TW0765", f"{op.name} does not multiply transformed tiles: expected {gain:.2f} times as fast", op=op)
        return
    if not may_rewrite("transform tiles of", op):
        return
    remark("TW0764", f"{op.name} multiplies transformed tiles: expected {gain:.2f} times as fast", op=op, kind="passed")
    weight = derived(transformed_weights(packed), source)
    edit.insert(weight, InsertPoint.before(op))
    operands: list[SSAValue] = [_in_blocks(op, size), weight.y, *([] if op.bias is None else [op.bias])]
    new = graph.WinogradConv2dOp.of(*operands, padding=op.padding.get_values())
    new.location = op.location
    edit.replace(op, new)


def _has_small_window(op: graph.BlockedConv2dOp) -> bool:
    """Return whether the window is 3 x 3, with strides and dilations of 1, and in one group."""
    weight = graph.static_shape(op.weight)
    if weight is None or len(weight) == 4 or weight[2:4] != (WINDOW, WINDOW):
        return False
    return {*op.strides.get_values(), *op.dilations.get_values(), op.groups.value.data} == {1}


def _block_size(op: graph.BlockedConv2dOp, target: CpuTargetAttr) -> int | None:
    """Return the size of the image's blocks, or of those that it can be put into; None where there are none."""
    shape = graph.shape_of(op.x)
    if len(shape) == BLOCKED_RANK:
        return _known(shape[-1])
    return block_size(_known(shape[1]), _lanes(op, target))


def _known(size: graph.Dim) -> int:
    """Return a number of channels, which is known from the weights."""
    assert isinstance(size, int)
    return size


def _packed(weight: np.ndarray, size: int) -> np.ndarray:
    """Return weights for an image in blocks of `size`, where they may be [O/o, I, 3, 3, o] for one in none."""
    if weight.ndim == BLOCKED_RANK + 1:
        return weight
    outputs, inputs, *window, out = weight.shape
    return np.moveaxis(weight.reshape(outputs, inputs // size, size, *window, out), 2, 4)


def _lanes(op: graph.BlockedConv2dOp, target: CpuTargetAttr) -> int:
    return target.lanes(numpy_dtype(graph.element_of(op.x)).itemsize * 8)


def _in_blocks(op: graph.BlockedConv2dOp, size: int) -> SSAValue:
    if len(graph.shape_of(op.x)) == BLOCKED_RANK:
        return op.x
    blocks = graph.BlockChannelsOp.of(op.x, size=size)
    edit.insert(blocks, InsertPoint.before(op), of=op)
    return blocks.results[0]


def _gain(op: graph.BlockedConv2dOp, weight: np.ndarray, target: CpuTargetAttr) -> float:
    """Return the factor by which the product of transformed tiles is expected to be faster; `weight` is packed for
    blocks.

    Where the number of images is open, one is expected.
    """
    outputs, inputs, _, _, c, o = weight.shape
    images, _, *sizes, _ = graph.shape_of(op.y)
    batch = images if isinstance(images, int) else 1
    height, width = map(_known, sizes)
    pixels, tiles = batch * height * width, batch * ceil(height / STEP) * ceil(width / STEP)
    multiplied = inputs * c * outputs * o
    products = multiplied / _lanes(op, target) / (WINOGRAD_BUSY * target.multiply_adds)
    transforms = tiles * (inputs + outputs) * WINOGRAD_TRANSFORM_CYCLES
    # Each weight is used for all pixels, and then no more: it comes from memory.
    more_weights = weight.itemsize * (TILE**2 - WINDOW**2) * multiplied / target.bandwidths[-1]
    blocks = 0 if len(graph.shape_of(op.x)) == BLOCKED_RANK else pixels * inputs * WINOGRAD_BLOCK_CYCLES
    return pixels * WINDOW**2 * products / (tiles * TILE**2 * products + transforms + more_weights + blocks)
