"""The form of `graph.conv2d` on images in blocked layout: its weights are packed at compile time."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod
from typing import Any

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ..dialects import graph
from ..dialects.constant_data import has_data
from ..dialects.dtypes import dtype_name, numpy_dtype
from ..semantics.byte_products import pairs_fit
from .blocks import BYTES, column_words
from .deferred import np
from .record import Blocks

NARROWEST = 4
"""The least size of blocks that are filled up."""

MOST_FILLED = 1 / 8
"""The most channels of zeros for each one that there is."""

LEAST_TERMS = 64
"""The fewest terms of a sum that make up for a copy of the result, which takes a few multiply-adds' time an element."""


def convolution_in_blocks(op: graph.GraphOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite a convolution with constant weights whose channels come out even in blocks; images may have any size."""
    assert isinstance(op, graph.Conv2dOp)
    source = op.weight.owner
    if not isinstance(source, graph.ConstantOp) or not has_data(source.value):
        return "its weights are not known"
    outputs, inputs, *_ = _shape(source)
    groups = op.groups.value.data
    if groups == 1:
        return _dense_of_words(op, source, blocks) if _has_bytes(op) else _dense(op, source, blocks)
    return _depthwise(op, source, blocks) if inputs == 1 and groups == outputs else _grouped(op, source, blocks)


def _shape(source: graph.ConstantOp) -> tuple[int, ...]:
    """Return the sizes of weights, without a look at their elements."""
    shape = graph.static_shape(source.y)
    assert shape is not None, "a constant's"
    return shape


def _dense(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite a convolution in which every output channel sees all channels; those of an image that is in no blocks are
    read as they lie."""
    outputs, inputs, *kernel = _shape(source)
    out = _output_block(op, source, blocks)
    if out is None:
        return f"its {outputs} output channels do not come out even in blocks"
    filters = _filled(source.array, out)
    size = blocks.size_of(op.x)
    if size is None:
        packed = np.moveaxis(filters.reshape(-1, out, inputs, *kernel), 1, -1)
        return _convolution(op, op.x, blocks.constant(packed, source), blocks, out)
    return _convolution(op, blocks.image(op.x, size), _packed(filters, source, size, blocks, out), blocks, out)


def _has_bytes(op: graph.Conv2dOp) -> bool:
    """Return whether bytes are multiplied, and their products summed in words."""
    elements = [graph.element_of(value) for value in (op.x, op.weight)]
    return graph.element_of(op.y) == i32 and all(numpy_dtype(element).itemsize == 1 for element in elements)


def _dense_of_words(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite a convolution in which every output channel sees all channels of an image of bytes, four of which are
    read as a word.

    An image that is in no blocks is put into some: it is small, and a word takes the time of a byte. Channels of zeros
    fill its last word up, which no weight is for.
    """
    outputs, inputs, *_ = _shape(source)
    out = _output_block(op, source, blocks)
    if out is None:
        return f"its {outputs} output channels do not come out even in blocks"
    size, image = blocks.size_of(op.x), op.x
    if size is None and (size := blocks.size_for(inputs, graph.element_of(op.y))) is None:
        size = NARROWEST
        if missing := -inputs % size:
            image = blocks.insert(graph.PadOp.of(image, before=(0, 0, 0, 0), after=(0, missing, 0, 0)))
        image = blocks.insert(graph.BlockChannelsOp.of(image, size=size))
    else:
        image = blocks.image(image, size)
    return _of_words(op, image, source, size, blocks, out)


def _of_words(
    op: graph.Conv2dOp, image: SSAValue, source: graph.ConstantOp, size: int, blocks: Blocks, out: int
) -> graph.BlockedConv2dOp:
    """Rewrite a convolution of an image of bytes in blocks of `size` as one of words."""
    filters = _filled(source.array, out)
    filters = np.pad(filters, [(0, 0), (0, -filters.shape[1] % size), (0, 0), (0, 0)])
    outputs, inputs, *kernel = filters.shape
    parted = filters.reshape(outputs // out, out, inputs // size, size // BYTES, BYTES, *kernel)
    packed = np.ascontiguousarray(parted.transpose(0, 2, 5, 6, 3, 1, 4)).view(np.int32)[..., 0]
    bytes_ = _bytes_of(op, image, source, blocks)
    pixel = np.full(BYTES, bytes_.margin, bytes_.dtype)
    words = _types_of_bytes(bytes_.dtype, packed.view(filters.dtype))
    weight = blocks.constant(packed, source)
    image = blocks.insert(graph.WordsOp.of(bytes_.image))
    margin = int(pixel.view(np.int32)[0])
    return _convolution(op, image, weight, blocks, out, bias=bytes_.bias, words=words, pad_value=margin)


@dataclass(frozen=True)
class _Bytes:
    """An image of bytes in the type that suits the target, its padding value, and the bias that corrects the sums."""

    image: SSAValue
    margin: int
    bias: SSAValue | None

    @property
    def dtype(self) -> np.dtype[Any]:
        return numpy_dtype(graph.element_of(self.image))


HALF = 128
"""The distance between bytes with a sign and bytes without."""


def _bytes_of(op: graph.Conv2dOp, image: SSAValue, source: graph.ConstantOp, blocks: Blocks) -> _Bytes:
    """Return the image of a convolution, moved by 128 where the target's instructions want another sign beside weights
    with one: sums of weights, which are known, make up for it."""
    wanted, found = blocks.summed_bytes(), dtype_name(graph.element_of(image))
    is_known = op.bias is None or isinstance(op.bias.owner, graph.ConstantOp)
    margin = op.pad_value.value.data
    if wanted in (None, found) or dtype_name(graph.element_of(op.weight)) != "int8" or not is_known:
        return _Bytes(image, margin, op.bias)
    step = HALF if wanted == "uint8" else -HALF
    filters = source.array
    added = -step * filters.reshape(len(filters), -1).astype(np.int64).sum(1)
    if op.bias is not None and isinstance(op.bias.owner, graph.ConstantOp):
        added = added + op.bias.owner.array
    bias = blocks.constant(added.astype(np.uint32).astype(np.int32), source)
    wide = blocks.insert(graph.CastOp.of(image, to="int32"))
    moved = blocks.insert(graph.AddOp.of(wide, blocks.constant(np.array(step, np.int32), source)))
    return _Bytes(blocks.insert(graph.CastOp.of(moved, to=wanted)), margin + step, bias)


def _types_of_bytes(image: np.dtype[Any], weights: np.ndarray) -> str:
    """Return the types of bytes of image and weights, of which the last dimension holds words."""
    names = [image.name, weights.dtype.name]
    types = "".join("u8" if name == "uint8" else "s8" for name in names)
    return f"{types}_fits" if types == "u8s8" and pairs_fit(weights) else types


def _output_block(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> int | None:
    """Return the size of the blocks of the result. A few channels of zeros may fill the last one of whole vectors up,
    where there is more to gain from those than a copy of the result costs."""
    outputs, *terms = _shape(source)
    element = graph.element_of(op.y)
    even, whole = blocks.size_for(outputs, element), blocks.lanes(element)
    known = op.bias is None or isinstance(op.bias.owner, graph.ConstantOp)
    if even == whole or outputs % whole == 0 or not known or prod(terms) < LEAST_TERMS:
        return even
    return whole if -outputs % whole <= MOST_FILLED * outputs and whole >= NARROWEST else even


def _filled(filters: np.ndarray, out: int) -> np.ndarray:
    """Pad filters with zeros to a multiple of `out` output channels."""
    missing = -len(filters) % out
    return np.pad(filters, [(0, missing), *[(0, 0)] * (filters.ndim - 1)]) if missing else filters


def _grouped(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite a convolution of groups of whole blocks, which are as large for the image as for the result."""
    groups = op.groups.value.data
    outputs, inputs, *_ = _shape(source)
    size = blocks.size_for(gcd(inputs, outputs // groups), graph.element_of(op.y))
    if size is None:
        return f"the channels of its {groups} groups do not come out even in blocks"
    image = blocks.image(op.x, size)
    if _has_bytes(op):
        return _of_words(op, image, source, size, blocks, size)
    return _convolution(op, image, _packed(source.array, source, size, blocks, size), blocks, size)


def _depthwise(op: graph.Conv2dOp, source: graph.ConstantOp, blocks: Blocks) -> graph.GraphOp | str:
    """Rewrite a depthwise convolution: each channel alone.

    Vectors of pixels serve as well as vectors of channels where windows step from one pixel to the next, so that blocks
    are not worth a copy of the image; over longer steps pixels would have to be gathered.
    """
    channels, _, *kernel = _shape(source)
    size = blocks.size_of(op.x)
    if size is None and op.strides.get_values()[-1] > 1:
        size = blocks.size_for(channels, graph.element_of(op.y))
    if size is None:
        return "it sums over no channels, and the image that it reads is not in blocks"
    if _has_bytes(op) and blocks.sums_bytes():
        return _depthwise_of_words(op, source, size, blocks)
    packed = np.moveaxis(source.array.reshape(channels // size, size, *kernel), 1, -1)
    return _convolution(op, blocks.image(op.x, size), blocks.constant(packed, source), blocks, size, groups=1)


def _depthwise_of_words(op: graph.Conv2dOp, source: graph.ConstantOp, size: int, blocks: Blocks) -> graph.GraphOp:
    """Rewrite a depthwise convolution of an image of bytes: four taps below each other are a word."""
    channels, _, *kernel = _shape(source)
    packed = column_words(np.moveaxis(source.array.reshape(channels // size, size, *kernel), 1, -1))
    bytes_ = _bytes_of(op, blocks.image(op.x, size), source, blocks)
    operands = [bytes_.image, blocks.constant(packed, source)]
    words = _types_of_bytes(bytes_.dtype, packed[..., np.newaxis].view(source.array.dtype))
    if bytes_.bias is not None:
        operands.append(blocks.insert(graph.ReshapeOp.of(bytes_.bias, shape=(-1, size))))
    values: dict[str, Any] = {name: op.values[name] for name in ("strides", "padding", "dilations")}
    values["pad_value"] = bytes_.margin
    return graph.DepthwiseOfWordsOp.of(*operands, **values, rows=kernel[0], words=words)


def _packed(filters: np.ndarray, source: graph.ConstantOp, size: int, blocks: Blocks, out: int) -> SSAValue:
    """Pack weights for images in blocks of `size` and results in blocks of `out`."""
    outputs, inputs, *kernel = filters.shape
    parted = filters.reshape(outputs // out, out, inputs // size, size, *kernel)
    return blocks.constant(parted.transpose(0, 2, 4, 5, 3, 1), source)


def _convolution(
    op: graph.Conv2dOp,
    x: SSAValue,
    weight: SSAValue,
    blocks: Blocks,
    out: int,
    bias: SSAValue | None = None,
    **changed: Any,
) -> graph.BlockedConv2dOp:
    """Return the convolution on blocks, with another bias where one is given."""
    operands, bias = [x, weight], op.bias if bias is None else bias
    if bias is not None:
        operands.append(blocks.insert(graph.ReshapeOp.of(_filled_bias(bias, out, blocks), shape=(-1, out))))
    values: dict[str, Any] = {**op.values, **changed}
    return graph.BlockedConv2dOp.of(*operands, **values)


def _filled_bias(bias: SSAValue, out: int, blocks: Blocks) -> SSAValue:
    (channels,) = graph.shape_of(bias)
    if not isinstance(channels, int) or channels % out == 0:
        return bias
    source = bias.owner
    assert isinstance(source, graph.ConstantOp)
    return blocks.constant(_filled(source.array, out), source)
