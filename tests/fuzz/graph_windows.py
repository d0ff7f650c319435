"""Makers of products, operators with windows over images, and normalisations.

An image of rank 5 has its channels in blocks, NCHW[c].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tilewright.dialects import graph
from tilewright.dialects.dtypes import element_type, is_float
from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute

from .graph_makers import makes
from .graph_modules import SIZES, GraphWriter, any_element, has_elements, is_number

BYTES = (element_type("int8"), element_type("uint8"))


def _factor(writer: GraphWriter, element: Attribute) -> tuple[Attribute, Attribute, dict[str, object]]:
    """Return the types of weights and bias for operands of a type: bytes may be summed in i32, with weights of other
    bytes."""
    if element in BYTES and writer.draw.chance(0.6):
        return writer.draw.one_of(BYTES), i32, {"out_dtype": i32}
    return element, element, {}


@makes("dense")
def _dense(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_number, 2)
    depth = x.shape[1]
    if isinstance(depth, int):
        columns = writer.draw.one_of(SIZES)
        weights, sums, values = _factor(writer, x.element)
        bias = [writer.constant(sums, columns)] if writer.draw.chance(0.5) else []
        writer.emit(op, [x, writer.constant(weights, columns, depth), *bias], x.bound * depth + 1, **values)


@makes("matmul")
def _matmul(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    a = writer.need(is_number, draw.one_of((2, 3)))
    first, second = draw.chance(0.3), draw.chance(0.3)
    depth = a.shape[-2 if first else -1]
    if isinstance(depth, int):
        columns = draw.one_of(SIZES)
        weights, _, values = _factor(writer, a.element)
        b = writer.constant(weights, *((columns, depth) if second else (depth, columns)))
        writer.emit(op, [a, b], a.bound * depth, transpose_a=first, transpose_b=second, **values)


@makes("packed_matmul")
def _packed_matmul(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    a = writer.need(is_number, writer.draw.one_of((2, 3)))
    depth = a.shape[-1]
    if isinstance(depth, int):
        weights, _, values = _factor(writer, a.element)
        weight = writer.constant(weights, writer.draw.one_of(SIZES), depth, writer.draw.between(1, 4))
        writer.emit(op, [a, weight], a.bound * depth, **values)


@makes("conv2d")
def _conv2d(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, 4)
    channels = x.shape[1]
    if not has_elements(channels):
        return
    groups = draw.one_of([g for g in (1, 1, channels, 2) if channels % g == 0])
    outputs = groups * draw.between(1, 2)
    inputs, kernel = channels // groups, [draw.between(1, 3), draw.between(1, 2)]
    weights, sums, values = _factor(writer, x.element)
    weight = writer.constant(weights, outputs, inputs, *kernel)
    bias = [writer.constant(sums, outputs)] if draw.chance(0.5) else []
    bound = x.bound * inputs * kernel[0] * kernel[1] + 1
    values |= {"strides": pair(writer, 1, 2), "dilations": pair(writer, 1, 2), "padding": margins(writer)}
    writer.emit(op, [x, weight, *bias], bound, groups=groups, pad_value=_margin(writer, x.element), **values)


def _margin(writer: GraphWriter, element: Attribute) -> int:
    """Return the number beside an image: integers may have another one than 0."""
    return 0 if is_float(element) else writer.draw.one_of((0, 3))


def pair(writer: GraphWriter, low: int, high: int) -> tuple[int, int]:
    """Return numbers for height and width; the second is small more often."""
    return writer.draw.between(low, high), writer.draw.one_of((low, low, high))


def margins(writer: GraphWriter, kernel: Sequence[int] = (2, 2)) -> tuple[int, ...]:
    """Return padding before each axis, then after each, of less than the kernel's size: no window lies in it wholly."""
    return tuple(min(writer.draw.one_of((0, 0, 1)), size - 1) for size in (*kernel, *kernel))


@makes("max_pool2d", "avg_pool2d")
def _pool(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    rank = draw.one_of((4, 4, 5))
    x = writer.need(is_float if op is graph.AvgPool2dOp else is_number, rank)
    kernel = pair(writer, 1, 3)
    values: dict[str, object] = {"kernel": kernel, "strides": pair(writer, 1, 2), "blocked": rank == 5}
    values |= {"padding": margins(writer, kernel), "ceil_mode": draw.chance(0.3)}
    if op is graph.AvgPool2dOp:
        values["count_include_pad"] = draw.chance(0.5)
    writer.emit(op, [x], x.bound, exact=op is graph.MaxPool2dOp, **values)


@makes("max_places2d")
def _max_positions(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(is_number, 4, leaf=True)
    kernel = pair(writer, 1, 3)
    values: dict[str, object] = {"kernel": kernel, "strides": pair(writer, 1, 2), "columns_first": draw.chance(0.3)}
    values |= {"padding": margins(writer, kernel), "ceil_mode": draw.chance(0.3)}
    writer.emit(op, [x], 8.0, **values)


@makes("max_pool3d", "avg_pool3d")
def _pool3d(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    averages = op is graph.AvgPool3dOp
    x = writer.need(is_float if averages else is_number, 5)
    kernel = _triple(writer)
    values: dict[str, object] = {"kernel": kernel, "strides": _triple(writer)}
    values |= {"padding": margins(writer, kernel), "ceil_mode": draw.chance(0.3)}
    if averages:
        values["count_include_pad"] = draw.chance(0.5)
    writer.emit(op, [x], x.bound, exact=not averages, **values)


@makes("conv3d")
def _conv3d(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_number, 5)
    channels = x.shape[1]
    if has_elements(channels):
        kernel = _triple(writer)
        weight = writer.constant(x.element, writer.draw.between(1, 3), channels, *kernel)
        bound = 1.5 * x.bound * channels * prod(kernel)
        writer.emit(op, [x, weight], bound, strides=_triple(writer), padding=margins(writer, (2, 2, 2)))


def _triple(writer: GraphWriter) -> tuple[int, ...]:
    """Return 1 or 2 for depth, height and width."""
    return tuple(writer.draw.between(1, 2) for _ in range(3))


@makes("global_avg_pool")
def _global_pool(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, writer.draw.one_of((4, 4, 5)))
    writer.emit(op, [x], x.bound, blocked=len(x.shape) == 5)


@makes("batch_norm", "instance_norm", "group_norm")
def _channel_norm(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, writer.draw.one_of((3, 4)))
    channels = x.shape[1]
    if not has_elements(channels):
        return
    parameters = [writer.constant(x.element, channels) for _ in range(2)]
    values: dict[str, object] = {"epsilon": 0.25}
    if op is graph.BatchNormOp:
        parameters += [writer.constant(x.element, channels), writer.constant(x.element, channels, positive=True)]
    if op is graph.GroupNormOp:
        values["groups"] = writer.draw.one_of([g for g in (1, 2, channels) if channels % g == 0])
    writer.emit(op, [x, *parameters], 4 * x.bound + 4, **values)


@makes("layer_norm")
def _layer_norm(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, writer.draw.one_of((2, 3)))
    axes = writer.draw.one_of(((-1,), (0,), (0, 1)))
    sizes = [x.shape[a] for a in sorted(a % len(x.shape) for a in axes)]
    if all(isinstance(s, int) for s in sizes):
        shift = [writer.constant(x.element, *sizes)] if writer.draw.chance(0.5) else []  # pyright: ignore
        operands = [x, writer.constant(x.element, *sizes), *shift]  # pyright: ignore[reportArgumentType]
        writer.emit(op, operands, 4 * x.bound + 4, axes=axes, epsilon=0.25)


@makes("rms_norm")
def _rms_norm(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, writer.draw.between(1, 3))
    size = x.shape[-1]
    if has_elements(size):
        scale = [writer.constant(x.element, size)] if writer.draw.chance(0.7) else []
        writer.emit(op, [x, *scale], 4 * x.bound + 4, axes=(-1,), epsilon=0.25)


@makes("lrn")
def _lrn(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, 4)
    writer.emit(op, [x], x.bound, size=writer.draw.between(1, 3), alpha=0.1, beta=0.75, bias=1.0)


@makes("softmax", "log_softmax")
def _softmax(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, writer.draw.between(1, 4))
    writer.emit(op, [x], 2 * x.bound + 2, axis=writer.draw.between(-1, len(x.shape) - 1))


@makes("block_channels")
def _block_channels(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element, 4)
    channels = x.shape[1]
    if has_elements(channels):
        size = writer.draw.one_of([n for n in range(1, channels + 1) if channels % n == 0])
        writer.emit(op, [x], x.bound, exact=True, size=size)


@makes("unblock_channels")
def _unblock_channels(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(any_element, 5)
    writer.emit(op, [x], x.bound, exact=True)


@makes("blocked_conv2d")
def _blocked_conv2d(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a convolution; the rank of the weights says of what: each channel alone, an NCHW image, or one in blocks."""
    draw = writer.draw
    rank = draw.between(4, 6)
    x = writer.need(is_number, 4 if rank == 5 else 5)
    inputs, block = x.shape[1], x.shape[-1]
    if not has_elements(inputs) or not has_elements(block):
        return
    groups = draw.one_of([g for g in (1, 2, inputs) if inputs % g == 0]) if rank == 6 else 1
    outputs, out, kernel = groups * draw.between(1, 2), draw.between(1, 4), (draw.between(1, 3), draw.between(1, 2))
    match rank:
        case 4:
            outputs, out, terms = inputs, block, 1
            shape = (outputs, *kernel, out)
        case 5:
            terms = inputs
            shape = (outputs, inputs, *kernel, out)
        case _:
            terms = inputs // groups * block
            shape = (outputs, inputs // groups, *kernel, block, out)
    weights, sums, values = _factor(writer, x.element)
    operands = [x, writer.constant(weights, *shape)]
    operands += [writer.constant(sums, outputs, out)] if draw.chance(0.5) else []
    values |= {"strides": pair(writer, 1, 2), "dilations": pair(writer, 1, 2), "padding": margins(writer)}
    values |= {"pad_value": _margin(writer, x.element), "groups": groups}
    writer.emit(op, operands, x.bound * terms * kernel[0] * kernel[1] + 1, **values)


@makes("winograd_conv2d")
def _winograd_conv2d(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(is_float, 5)
    _, inputs, *_, block = x.shape
    if has_elements(inputs) and has_elements(block):
        outputs, out = writer.draw.between(1, 2), writer.draw.between(1, 4)
        bias = [writer.constant(x.element, outputs, out)] if writer.draw.chance(0.5) else []
        weight = writer.constant(x.element, 4, 4, outputs, inputs, block, out)
        padding = tuple(writer.draw.between(1, 2) for _ in range(4))
        writer.emit(op, [x, weight, *bias], 36 * x.bound * inputs * block + 1, padding=padding)
