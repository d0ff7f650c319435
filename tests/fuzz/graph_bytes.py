"""Makers of conversions between integers and the numbers that they stand for, and of products of bytes.

Scales of numbers that are quantised are powers of two, and sums are short: no step rounds before the last one, so the
integers are the same in any order of sums, and a tie stays a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from tilewright.dialects import graph
from tilewright.dialects.dtypes import element_type, numpy_dtype
from tilewright.dialects.graph import make_type
from tilewright.operators.blocked_convolution import BYTE_TYPES, WORDS
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Attribute, Block
from xdsl.utils.exceptions import VerifyException

from .graph_makers import makes
from .graph_modules import SIZES, GraphWriter, Value, has_elements
from .graph_windows import BYTES, margins, pair

QUANTA = (*BYTES, *(element_type(name) for name in ("int16", "uint16")))


@makes("dequantize")
def _dequantize(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    draw = writer.draw
    x = writer.need(lambda element: element in QUANTA)
    axis = draw.between(0, len(x.shape) - 1) if x.shape else 0
    sizes = (x.shape[axis],) if x.shape and draw.chance(0.4) else ()
    if all(map(has_elements, sizes)):
        operands, values = _numbers_of(writer, x, axis, *sizes)  # pyright: ignore[reportArgumentType]
        bound = 16.0 if isinstance(x.ssa.owner, Block) else float(np.iinfo(numpy_dtype(x.element)).max) * 2
        writer.emit(op, operands, bound, exact=True, **values)


def _numbers_of(writer: GraphWriter, x: Value, axis: int = 0, *sizes: int) -> tuple[list[Value], dict[str, object]]:
    """Return the operands and properties of graph.dequantize by a scale and maybe a zero point, one or `sizes` of
    them."""
    scale = writer.given(np.exp2(writer.numbers.integers(-3, 1, sizes)).astype(np.float32), 1.0)
    zero = [_zero(writer, x.element, *sizes)] if writer.draw.chance(0.7) else []
    return [x, scale, *zero], {"axis": axis, "to": f32}


def _zero(writer: GraphWriter, element: Attribute, *sizes: int) -> Value:
    dtype = numpy_dtype(element)
    low = 0 if dtype.kind == "u" else -4
    return writer.given(np.asarray(writer.numbers.integers(low, 8, sizes)).astype(dtype), 8.0)


def _step(
    writer: GraphWriter, op: type[graph.GraphOp], operands: Sequence[Value], values: Mapping[str, object]
) -> Value | None:
    """Return an operator within a chain, whose result has no rounding; None where the operands do not fit."""
    try:
        made = op.of(*(value.ssa for value in operands), **values)  # pyright: ignore[reportArgumentType]
    except VerifyException:
        return None
    writer.block.add_op(made)
    return Value(made.results[0], 0.0, True)


@makes("quantize")
def _quantize(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Quantize a number without rounding; in half of the draws a product, a sum or a function of quantised numbers."""
    draw = writer.draw
    made = draw.one_of(_CHAINS)(writer) if draw.chance(0.5) else writer.need(lambda element: element == f32, leaf=True)
    if made is None:
        return
    to = draw.one_of((*BYTES, *BYTES, *QUANTA))
    scale = writer.given(np.asarray(2.0 ** draw.between(-4, 4), np.float32), 16.0)
    zero = [_zero(writer, to)] if draw.chance(0.7) else []
    writer.emit(op, [made, scale, *zero], 8.0, exact=True, to=to)


def _numbers(writer: GraphWriter, *shape: int) -> Value | None:
    """Return quantised numbers that are an argument."""
    x = writer.argument(make_type(shape, writer.draw.one_of(BYTES)))
    return _step(writer, graph.DequantizeOp, *_numbers_of(writer, x))


def _weights(writer: GraphWriter, *shape: int) -> Value | None:
    """Return quantised numbers that are constant, with one scale or one for each index of the first axis."""
    x = writer.constant(writer.draw.one_of(BYTES), *shape)
    sizes = shape[:1] if writer.draw.chance(0.5) else ()
    return _step(writer, graph.DequantizeOp, *_numbers_of(writer, x, 0, *sizes))


def _convolution(writer: GraphWriter) -> Value | None:
    draw = writer.draw
    groups = draw.one_of((1, 1, 2))
    inputs, outputs, kernel = groups * draw.between(1, 4), groups * draw.between(1, 4), (draw.between(1, 2), 2)
    x = _numbers(writer, draw.between(1, 2), inputs, 4, draw.between(3, 5))
    w = _weights(writer, outputs, inputs // groups, *kernel)
    if x is None or w is None:
        return None
    values = {"strides": pair(writer, 1, 2), "padding": margins(writer), "groups": groups}
    return _step(writer, graph.Conv2dOp, [x, w], values)


def _product(writer: GraphWriter) -> Value | None:
    rows, terms, columns = (writer.draw.one_of(SIZES) for _ in range(3))
    x, w = _numbers(writer, rows, terms), _weights(writer, columns, terms)
    if x is None or w is None:
        return None
    if writer.draw.chance(0.5):
        return _step(writer, graph.DenseOp, [x, w], {})
    return _step(writer, graph.MatmulOp, [x, w], {"transpose_b": True})


def _sum(writer: GraphWriter) -> Value | None:
    shape = [writer.draw.one_of(SIZES) for _ in range(writer.draw.between(1, 3))]
    parts = [_numbers(writer, *each) for each in (shape, writer.draw.one_of((shape, shape[-1:])))]
    if parts[0] is None or parts[1] is None:
        return None
    op = writer.draw.one_of((graph.AddOp, graph.SubOp, graph.MulOp, graph.MaximumOp))
    return _step(writer, op, [parts[0], parts[1]], {})


def _function(writer: GraphWriter) -> Value | None:
    x = _numbers(writer, *(writer.draw.one_of(SIZES) for _ in range(writer.draw.between(1, 4))))
    op = writer.draw.one_of((graph.ReluOp, graph.AbsOp, graph.NegOp, graph.FlattenOp))
    return None if x is None else _step(writer, op, [x], {})


_CHAINS: tuple[Callable[[GraphWriter], Value | None], ...] = (_convolution, _product, _sum, _function)


@makes("words")
def _words(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit words of bytes, and in most draws a product of them."""
    draw = writer.draw
    kind, dtype = draw.one_of(WORDS), draw.one_of(("int8", "uint8"))
    match draw.one_of(("words", "image", "image", "rows", "rows")):
        case "image":
            shape = (draw.between(1, 2), draw.between(1, 2), 4, draw.between(2, 4), 4 * draw.between(1, 2))
            x = _view(writer, op, BYTE_TYPES[kind[0]], shape)
            w = _weights_of(writer, kind, draw.between(1, 2), shape[1], *pair(writer, 1, 2), shape[4] // 4, 4)
            values = {"strides": pair(writer, 1, 2), "padding": margins(writer), "words": kind}
            values["pad_value"] = draw.one_of((0, 0x03030303))
            writer.emit(graph.BlockedConv2dOp, [x, w], 8.0, **values)
        case "rows":
            shape = (draw.one_of(SIZES), 4 * draw.between(1, 4))
            x = _view(writer, op, BYTE_TYPES[kind[0]], shape)
            w = _weights_of(writer, kind, draw.between(1, 2), shape[1] // 4, draw.one_of((1, 4)))
            writer.emit(graph.PackedMatmulOp, [x, w], 8.0, words=kind)
        case _:
            _view(writer, op, dtype, (*(draw.one_of(SIZES) for _ in range(draw.between(0, 2))), 4 * draw.between(0, 2)))


@makes("depthwise_of_words")
def _depthwise(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    """Emit a convolution of each channel of bytes alone, by words of the rows of a window."""
    draw = writer.draw
    kind, rows, size = draw.one_of(WORDS), draw.one_of((1, 2, 3, 5)), draw.one_of((1, 4))
    shape = (draw.between(1, 2), draw.between(1, 2), draw.between(5, 6), draw.between(2, 4), size)
    x = writer.argument(make_type(shape, element_type(BYTE_TYPES[kind[0]])))
    quarters, columns = -(-rows // 4), draw.between(1, 2)
    operands = [x, _weights_of(writer, kind, shape[1], quarters, columns, size)]
    operands += [writer.constant(i32, shape[1], size)] if draw.chance(0.5) else []
    values: dict[str, object] = {"rows": rows, "words": kind, "strides": pair(writer, 1, 2)}
    values |= {"padding": margins(writer), "pad_value": draw.one_of((0, 3))}
    writer.emit(op, operands, 8.0, **values)


@makes("lookup")
def _lookup(writer: GraphWriter, op: type[graph.GraphOp]) -> None:
    x = writer.need(lambda element: element in BYTES)
    table = writer.constant(writer.draw.one_of((*BYTES, f32)), 256)
    writer.emit(op, [x, table], 1.5, exact=True)


def _view(writer: GraphWriter, op: type[graph.GraphOp], dtype: str, shape: tuple[int, ...]) -> Value:
    """Return an argument of bytes as words."""
    x = writer.argument(make_type(shape, element_type(dtype)))
    writer.emit(op, [x], 8.0, exact=True)
    return writer.values[-1]


def _weights_of(writer: GraphWriter, kind: str, *shape: int) -> Value:
    """Return words of weights. Those that are said to fit 16 bits are small."""
    dtype = np.dtype(BYTE_TYPES[kind[2]])
    info = np.iinfo(dtype)
    low, high = (-60, 60) if kind.endswith("fits") else (info.min, info.max)
    found = writer.numbers.integers(low, high, (*shape, 4), endpoint=True).astype(dtype)
    return writer.given(found.view(np.int32)[..., 0], 8.0)
