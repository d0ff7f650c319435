"""Forms of operators on images in blocked layout, NCHW[c], that need only their operands in that layout.

These are elementwise operators, pooling, and concatenation of images. Such a form is used where an image operand has
the blocked layout already; alone it gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import SSAValue

from ..dialects import graph
from .deferred import np
from .record import Blocks

IMAGE_RANK = 4
CHANNELS = 1

BYTES = 4
"""Of a word."""


def to_blocks(x: np.ndarray, size: int) -> np.ndarray:
    """Return an NCHW image with its channels in blocks."""
    return put_into_blocks(x, x.shape[1] // size, size)


def put_into_blocks(x: np.ndarray, blocks: int, size: int) -> np.ndarray:
    """Return an NCHW image with its channels in a number of blocks of a size, of which either may be 0."""
    batch, _, *sizes = x.shape
    return np.moveaxis(x.reshape(batch, blocks, size, *sizes), 2, -1)


def from_blocks(x: np.ndarray) -> np.ndarray:
    """Return the NCHW image of an image in blocks."""
    batch, blocks, *sizes, size = x.shape
    return np.moveaxis(x, -1, 2).reshape(batch, blocks * size, *sizes)


def column_words(filters: np.ndarray) -> np.ndarray:
    """Return filters [C/c, R, S, c] of bytes as words [C/c, Q, S, c] of four rows, the last ones filled up with
    zeros."""
    blocks, rows, columns, size = filters.shape
    whole = np.pad(filters, [(0, 0), (0, -rows % BYTES), (0, 0), (0, 0)])
    parted = whole.reshape(blocks, -1, BYTES, columns, size)
    return np.ascontiguousarray(np.moveaxis(parted, 2, -1)).view(np.int32)[..., 0]


def on_blocks(reference: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """Return the reference of an operator whose images are NCHW, or with the flag `blocked` in blocks."""

    def either(x: np.ndarray, *, blocked: bool = False, **values: Any) -> np.ndarray:
        if not blocked:
            return reference(x, **values)
        return put_into_blocks(reference(from_blocks(x), **values), x.shape[1], x.shape[-1])

    return either


def image_in_blocks(op: graph.GraphOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite an operator with a flag for images in blocks."""
    size = blocks.size_of(op.operands[0], filled=True)
    if size is None:
        return "the image that it reads is not in blocks"
    values: dict[str, Any] = {**op.values, "blocked": True}
    return type(op).of(blocks.image(op.operands[0], size), **values)


def concat_in_blocks(op: graph.GraphOp, blocks: Blocks) -> graph.GraphOp | str:
    """Join images along their channels, which all come out even in blocks of the smallest size among them."""
    assert isinstance(op, graph.ConcatOp)
    rank = len(graph.shape_of(op.y))
    if rank != IMAGE_RANK or op.axis.value.data % rank != CHANNELS:
        return "it does not join images along their channels"
    sizes = [size for value in op.inputs if (size := blocks.size_of(value)) is not None]
    channels = [graph.shape_of(value)[CHANNELS] for value in op.inputs]
    if 2 * len(sizes) <= len(channels):
        return "most of the images that it joins are not in blocks"
    size = min(sizes)
    if not all(isinstance(n, int) and n % size == 0 for n in channels):
        return f"not all images that it joins come out even in blocks of {size}"
    return graph.ConcatOp.of(*(blocks.image(value, size) for value in op.inputs), axis=CHANNELS)


def elementwise_in_blocks(op: graph.GraphOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite an operator of operands that broadcast: one number a channel becomes a block of numbers."""
    shape = graph.shape_of(op.results[0])
    alone = len(op.operands) == 1
    sizes = [size for value in op.operands if (size := blocks.size_of(value, filled=alone)) is not None]
    if len(shape) != IMAGE_RANK or not sizes:
        return "no image that it reads is in blocks"
    operands = [_broadcast(value, sizes[0], blocks) for value in op.operands]
    values: dict[str, Any] = op.values
    return type(op).of(*operands, **values)


def _broadcast(value: SSAValue, size: int, blocks: Blocks) -> SSAValue:
    """Give an operand a dimension for the positions in a block, unless it has one element."""
    shape = graph.shape_of(value)
    if all(n == 1 for n in shape):
        return value
    channels = shape[-3] if len(shape) > 2 else 1
    if channels == 1:
        return blocks.insert(graph.UnsqueezeOp.of(value, axes=(len(shape),)))
    if len(shape) < IMAGE_RANK:
        value = blocks.insert(graph.UnsqueezeOp.of(value, axes=(0,)))
    return blocks.image(value, size)
