"""Quantised operators: products of integers, and conversions by scales and zero points.

A quantised number q with scale s and zero point z stands for (q - z) * s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....operators.quantization import limits
from ..node import Node, Value, as_type, dtype, rank, scalar, shape, static_dim
from ..tensors import dtype_of
from .casting import converted
from .linear import product
from .neural import convolved

_QUANTIZED = ("int8", "uint8", "int16", "uint16")
"""The types that `graph.quantize` has results of."""


def quantize(node: Node) -> Value:
    """
    x / scale, rounded to the nearest integer, of two the even one, plus the zero point, and saturated. Types that are
    floats are rounded to as a cast does. The quotient has the type `precision`, else that of x, or of the scale where
    x has integers.
    """
    x, scale, zero = node.input(0), node.input(1), node.optional(2)
    code = node.attr("output_dtype", 0)
    to = dtype_of(code, "the result") if code else "uint8" if zero is None else dtype(zero)
    if zero is not None and to != dtype(zero):
        node.fail("TW0303", f"expected a zero point of type {to}, but got {dtype(zero)}")
    precision = node.attr("precision", 0)
    if to in _QUANTIZED and not precision and not node.attr("block_size", 0):
        node.attr("saturate", 1)  # integers always are
        return node.emit(graph.QuantizeOp, x, *_parameters(node, scale, zero), axis=_axis(node, scale, x), to=to)
    element = dtype_of(precision, "the quotient") if precision else dtype(x if "float" in dtype(x) else scale)
    quotient = node.emit(graph.DivOp, as_type(node, x, element), as_type(node, _over_blocks(node, scale, x), element))
    offset = None if zero is None else _over_blocks(node, zero, x)
    if "float" in to:
        saturates = node.flag("saturate", 1)
        if to.startswith("float8"):
            return converted(node, quotient, to, saturates, "up")
        shifted = quotient if offset is None else node.emit(graph.AddOp, quotient, as_type(node, offset, element))
        return node.emit(graph.CastOp, shifted, to=to)
    node.attr("saturate", 1)
    return _saturated(node, quotient, offset, to)


def _parameters(node: Node, scale: Value, zero: Value | None) -> list[Value]:
    """The operands of `graph.quantize` and `graph.dequantize` after the first."""
    return [scale] if zero is None else [scale, zero]


def _axis(node: Node, scale: Value, x: Value) -> int:
    """The axis of a vector of scales, which alone has to be an axis of x."""
    axis = node.attr("axis", 1)
    if rank(scale) == 0 or shape(scale) == (1,):
        return 1
    if rank(scale) != 1:
        node.fail("TW0303", f"expected a vector without block_size, but got shape {list(shape(scale))}")
    return node.axis(axis, rank(x))


def _saturated(node: Node, quotient: Value, offset: Value | None, to: str) -> Value:
    """The nearest integers plus an offset, within what the type holds. float32 has all integers that are within."""
    whole = node.emit(graph.RoundOp, as_type(node, quotient, "float32"))
    if offset is not None:
        whole = node.emit(graph.AddOp, whole, as_type(node, offset, "float32"))
    low, high = limits(to)
    return node.emit(graph.CastOp, node.emit(graph.ClipOp, whole, low=float(low), high=float(high)), to=to)


def dequantize(node: Node) -> Value:
    """(x - zero point) * scale in float32, rounded to the type of the scale, or the one that is asked for."""
    x, scale, zero = node.input(0), node.input(1), node.optional(2)
    code = node.attr("output_dtype", 0)
    to = dtype_of(code, "the result") if code else dtype(scale)
    if dtype(x) in (*_QUANTIZED, "int32") and "float" in dtype(scale) and not node.attr("block_size", 0):
        return node.emit_later(
            graph.DequantizeOp, x, *_parameters(node, scale, zero), axis=_axis(node, scale, x), to=to
        )
    number = as_type(node, x, "float32")
    if zero is not None and "float" not in dtype(x):
        number = node.emit(graph.SubOp, number, as_type(node, _over_blocks(node, zero, x), "float32"))
    result = node.emit(graph.MulOp, number, as_type(node, _over_blocks(node, scale, x), "float32"))
    return as_type(node, result, to)


def _over_blocks(node: Node, parameter: Value, x: Value) -> Value:
    """A scale or zero point so that it broadcasts with x: one for all, one for each index of an axis, or for each block
    of indices."""
    along, block = node.attr("axis", 1), node.attr("block_size", 0)
    if rank(parameter) == 0 or shape(parameter) == (1,):
        return parameter
    axis = node.axis(along, rank(x))
    if block:
        blocks = np.arange(static_dim(node, shape(x)[axis], "the size of the axis in blocks")) // block
        return node.emit(graph.GatherOp, parameter, blocks, axis=axis)
    if rank(parameter) != 1:
        node.fail("TW0303", f"expected a vector without block_size, but got shape {list(shape(parameter))}")
    return _along(node, parameter, axis, rank(x))


def _along(node: Node, vector: Value, axis: int, dims: int) -> Value:
    """A vector as a tensor of `dims` dimensions that has it along an axis."""
    axes = tuple(d for d in range(dims) if d != axis)
    return node.emit(graph.UnsqueezeOp, vector, axes=axes) if axes and rank(vector) == 1 else vector


def matmul_integer(node: Node) -> Value:
    a, b = node.input(0), node.input(1)
    return product(node, _shifted(node, a, node.optional(2), 0), _shifted(node, b, node.optional(3), 1))


def _shifted(node: Node, x: Value, zero: Value | None, columns: int) -> Value:
    """A matrix less its zero point in int32; of several there is one for each row, or for each column."""
    if zero is not None and not columns and rank(zero) == 1 and shape(zero) != (1,) and rank(x) > 1:
        zero = node.emit(graph.UnsqueezeOp, zero, axes=(1,))
    return _less(node, x, zero)


def _less(node: Node, x: Value, zero: Value | None) -> Value:
    number = as_type(node, x, "int32")
    return number if zero is None else node.emit(graph.SubOp, number, as_type(node, zero, "int32"))


def qlinear_matmul(node: Node) -> Value:
    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = node.inputs()
    total = product(node, _shifted(node, a, a_zero, 0), _shifted(node, b, b_zero, 1))
    if rank(a_scale) == 1 and shape(a_scale) != (1,):
        a_scale = node.emit(graph.UnsqueezeOp, a_scale, axes=(1,))
    return _requantized(node, total, a_scale, b_scale, y_scale, y_zero)


def _requantized(node: Node, total: Value, a: Value, b: Value, scale: Value, zero: Value) -> Value:
    """A sum of products of quantised numbers as quantised numbers with a scale and a zero point of their own."""
    factors = [as_type(node, each, "float32") for each in (a, b, scale)]
    factor = node.emit(graph.DivOp, node.emit(graph.MulOp, *factors[:2]), factors[2])
    return _saturated(node, node.emit(graph.MulOp, as_type(node, total, "float32"), factor), zero, dtype(zero))


def conv_integer(node: Node) -> Value:
    x, weight = node.input(0), node.input(1)
    kernel = _kernel(node, weight, node.optional(3))
    return convolved(node, _less(node, x, node.optional(2)), kernel, [])


def qlinear_conv(node: Node) -> Value:
    x, x_scale, x_zero, weight, w_scale, w_zero, y_scale, y_zero = (node.input(k) for k in range(8))
    bias = [node.input(8)] if node.has(8) else []
    total = convolved(node, _less(node, x, x_zero), _kernel(node, weight, w_zero), bias)
    if shape(w_scale) not in ((), (1,)):
        w_scale = _along(node, w_scale, 1, rank(x))
    return _requantized(node, total, x_scale, w_scale, y_scale, y_zero)


def _kernel(node: Node, weight: Value, zero: Value | None) -> Value:
    """Weights less their zero point, of which there may be one for each channel of the result."""
    if zero is not None and shape(zero) not in ((), (1,)):
        zero = _along(node, zero, 0, rank(weight))
    return _less(node, weight, zero)


def dynamic_quantize(node: Node) -> Sequence[Value]:
    """To uint8 by the range of x itself, which 0 is made part of. The scale is 1 where there is nothing but zeros."""
    x = node.input(0)
    none, axes = scalar(np.array(0), x), list(range(rank(x)))
    high = node.emit(graph.MaximumOp, node.emit(graph.ReduceMaxOp, x, axes=axes, keepdims=False), none)
    low = node.emit(graph.MinimumOp, node.emit(graph.ReduceMinOp, x, axes=axes, keepdims=False), none)
    width = node.emit(graph.SubOp, high, low)
    is_nothing = node.emit(graph.EqualOp, width, none)
    quotient = node.emit(graph.DivOp, width, scalar(np.array(255), x))
    scale = node.emit(graph.WhereOp, is_nothing, scalar(np.array(1), x), quotient)
    zero = _saturated(node, node.emit(graph.NegOp, node.emit(graph.DivOp, low, scale)), None, "uint8")
    return _saturated(node, node.emit(graph.DivOp, x, scale), zero, "uint8"), scale, zero
