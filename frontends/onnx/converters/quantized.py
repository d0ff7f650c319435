"""Quantised operators: products of integers, and conversions by scales and zero points.

A quantised number q with scale s and zero point z represents (q - z) * s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from ....dialects import graph
from ....operators.quantization import groups_of_outputs, less_zero_point, limits, windows_of_groups
from ..node import Node, Value, as_type, dtype, rank, scalar, shape, static_dim
from ..tensors import dtype_of
from .casting import converted
from .neural import convolved
from .windows import read_window

_QUANTIZED = ("int8", "uint8", "int16", "uint16")
"""The types that `graph.quantize` has results of."""


def quantize(node: Node) -> Value:
    """Convert QuantizeLinear: x / scale, rounded to the nearest integer, of two the even one, plus the zero point, and
    saturated. Types that are floats are rounded to as a cast does. The quotient has the type `precision`, else that of
    x, or of the scale where x has integers.
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
    """Return the operands of `graph.quantize` and `graph.dequantize` after the first."""
    return [scale] if zero is None else [scale, zero]


def _axis(node: Node, scale: Value, x: Value) -> int:
    """Return the axis of a vector of scales, which alone has to be an axis of x."""
    axis = node.attr("axis", 1)
    if rank(scale) == 0 or shape(scale) == (1,):
        return 1
    if rank(scale) != 1:
        node.fail("TW0303", f"expected a vector without block_size, but got shape {list(shape(scale))}")
    return node.axis(axis, rank(x))


def _saturated(node: Node, quotient: Value, offset: Value | None, to: str) -> Value:
    """Return the nearest integers plus an offset, saturated to the type. float32 represents all integers of the type,
    so that numbers can be clamped before they are rounded.
    """
    low, high = limits(to)
    if offset is None or (isinstance(offset, np.ndarray) and offset.size == 1):
        zero = 0 if offset is None else int(offset.reshape(()))
        bounds = {"low": float(low - zero), "high": float(high - zero)}
        bounded = node.emit(graph.ClipOp, as_type(node, quotient, "float32"), **bounds)
        whole = as_type(node, node.emit(graph.RoundOp, bounded), "int32")
        return as_type(node, node.emit(graph.AddOp, whole, np.array(zero, np.int32)) if zero else whole, to)
    whole = node.emit(graph.RoundOp, as_type(node, quotient, "float32"))
    whole = node.emit(graph.AddOp, whole, as_type(node, offset, "float32"))
    return node.emit(graph.CastOp, node.emit(graph.ClipOp, whole, low=float(low), high=float(high)), to=to)


def dequantize(node: Node) -> Value:
    """Convert DequantizeLinear: (x - zero point) * scale in float32, rounded to `output_dtype`, by default the
    type of the scale."""
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
    """Return a scale or zero point so that it broadcasts with x: one for all, one for each index of an axis, or for
    each block of indices."""
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
    """Return a vector as a tensor of `dims` dimensions that has it along an axis."""
    axes = tuple(d for d in range(dims) if d != axis)
    return node.emit(graph.UnsqueezeOp, vector, axes=axes) if axes and rank(vector) == 1 else vector


def matmul_integer(node: Node) -> Value:
    return _integer_product(node, *_matrices(node, 0, 1, 2, 3))


def _matrices(node: Node, a: int, b: int, a_zero: int, b_zero: int) -> tuple[Value, Value, Value | None, Value | None]:
    """Return two matrices and their zero points, several of which are a column of the first or a row of the second
    one."""
    left, zero = node.input(a), node.optional(a_zero)
    if zero is not None and rank(zero) == 1 and shape(zero) != (1,) and rank(left) > 1:
        zero = node.emit(graph.UnsqueezeOp, zero, axes=(1,))
    return left, node.input(b), zero, node.optional(b_zero)


def _integer_product(node: Node, a: Value, b: Value, a_zero: Value | None, b_zero: Value | None) -> Value:
    """Return the product of two matrices of integers less their zero points, summed in int32:

        a * b - (sums of the rows of a) * b_zero - a_zero * (sums of the columns of b - b_zero)

    so that the product is one of integers as they are stored. Constants are less their zero points where bytes hold it.
    """
    row, column = rank(a) == 1, rank(b) == 1
    a = node.emit(graph.UnsqueezeOp, a, axes=(0,)) if row else a
    b = node.emit(graph.UnsqueezeOp, b, axes=(1,)) if column else b
    if isinstance(b, np.ndarray) and isinstance(b_zero, np.ndarray):
        b, b_zero = less_zero_point(b, b_zero.astype(np.int64), may_stay=True)
    total = node.emit(graph.MatmulOp, a, b, out_dtype="int32")
    if _may_be_other(b_zero):
        rows = node.emit(graph.ReduceSumOp, as_type(node, a, "int32"), axes=(-1,), keepdims=True)
        total = node.emit(graph.SubOp, total, node.emit(graph.MulOp, rows, as_type(node, b_zero, "int32")))
    if _may_be_other(a_zero):
        columns = _sums_of_columns(node, b, b_zero)
        total = node.emit(graph.SubOp, total, node.emit(graph.MulOp, as_type(node, a_zero, "int32"), columns))
    dropped = ([-2] if row else []) + ([-1] if column else [])
    return node.emit(graph.SqueezeOp, total, axes=dropped) if dropped else total


def _sums_of_columns(node: Node, b: Value, zero: Value | None) -> Value:
    """Return the sums of the columns of a matrix less its zero point: of a constant as one, however large it is."""
    if isinstance(b, np.ndarray) and (zero is None or isinstance(zero, np.ndarray)):
        offset = 0 if zero is None else zero.astype(np.int32)
        return (b.astype(np.int32) - offset).sum(-2, keepdims=True, dtype=np.int32)
    return node.emit(graph.ReduceSumOp, _less(node, b, zero), axes=(-2,), keepdims=True)


def _may_be_other(zero: Value | None) -> TypeGuard[Value]:
    """Tell if a zero point may be other than 0."""
    return zero is not None and not (isinstance(zero, np.ndarray) and not zero.any())


def _less(node: Node, x: Value, zero: Value | None) -> Value:
    """Return integers less a zero point in int32."""
    number = as_type(node, x, "int32")
    return node.emit(graph.SubOp, number, as_type(node, zero, "int32")) if _may_be_other(zero) else number


def qlinear_matmul(node: Node) -> Value:
    """Convert QLinearMatMul on integers alone, for constant and computed scales: the product times a_scale * b_scale /
    y_scale."""
    total = _integer_product(node, *_matrices(node, 0, 3, 2, 5))
    a_scale, b_scale, y_scale, y_zero = (node.input(k) for k in (1, 4, 6, 7))
    if rank(a_scale) == 1 and shape(a_scale) != (1,):
        a_scale = node.emit(graph.UnsqueezeOp, a_scale, axes=(1,))
    return _requantized(node, total, a_scale, b_scale, y_scale, y_zero)


def _requantized(node: Node, total: Value, a: Value, b: Value, scale: Value, zero: Value) -> Value:
    """Return a sum of products of quantised numbers as quantised numbers of another scale and zero point."""
    factors = [as_type(node, each, "float32") for each in (a, b, scale)]
    factor = node.emit(graph.DivOp, node.emit(graph.MulOp, *factors[:2]), factors[2])
    return _saturated(node, node.emit(graph.MulOp, as_type(node, total, "float32"), factor), zero, dtype(zero))


def conv_integer(node: Node) -> Value:
    return _integer_convolution(node, node.input(0), node.input(1), node.optional(2), node.optional(3), [])


def qlinear_conv(node: Node) -> Value:
    """Convert QLinearConv on integers alone, constant or computed scales: the sum times x_scale * w_scale / y_scale."""
    x, x_scale, x_zero, weight, w_scale, w_zero, y_scale, y_zero = (node.input(k) for k in range(8))
    bias = [node.input(8)] if node.has(8) else []
    total = _integer_convolution(node, x, weight, x_zero, w_zero, bias)
    if shape(w_scale) not in ((), (1,)):
        w_scale = _along(node, w_scale, 1, rank(x))
    return _requantized(node, total, x_scale, w_scale, y_scale, y_zero)


def _integer_convolution(
    node: Node, x: Value, weight: Value, x_zero: Value | None, w_zero: Value | None, bias: Sequence[Value]
) -> Value:
    """Return the convolution of integers less their zero points, summed in int32. Padding has the value
    of a known zero point of the image, whose contribution to the sums is one number for each output channel. A zero
    point that is data is multiplied by the sums of the weights inside the image, which are fewer at its edges.
    """
    kernel = _kernel(node, weight, w_zero)
    if not _may_be_other(x_zero):
        return _less_windows(node, x, weight, w_zero, bias, 0)
    if isinstance(x_zero, np.ndarray) and x_zero.size == 1:
        pad_value = int(x_zero.reshape(()))
        sums = node.emit(graph.ReduceSumOp, as_type(node, kernel, "int32"), axes=tuple(range(1, rank(weight))))
        part = node.emit(graph.MulOp, sums, np.array(-pad_value, np.int32))
        bias = [node.emit(graph.AddOp, bias[0], part) if bias else part]
        return _less_windows(node, x, weight, w_zero, bias, pad_value)
    sizes = [size for size in shape(x)[1:] if isinstance(size, int)]
    if len(sizes) < rank(x) - 1 or shape(x_zero) not in ((), (1,)):
        x = node.emit(graph.SubOp, as_type(node, x, "int16"), as_type(node, x_zero, "int16"))
        return convolved(node, x, kernel, bias, out_dtype="int32")
    seen = _weights_seen(node, kernel, sizes)
    total = _less_windows(node, x, weight, w_zero, bias, 0)
    return node.emit(graph.SubOp, total, node.emit(graph.MulOp, as_type(node, x_zero, "int32"), seen))


def _less_windows(
    node: Node, x: Value, weight: Value, zero: Value | None, bias: Sequence[Value], pad_value: int
) -> Value:
    """Return the convolution of integers by weights less their zero points. Known weights stay bytes: where no byte
    holds their distance from the zero point, what the bytes have too much is multiplied by the sums of windows and
    subtracted.
    """
    types = {"pad_value": pad_value, "out_dtype": "int32"}
    if not (isinstance(weight, np.ndarray) and isinstance(zero, np.ndarray) and zero.any()):
        return convolved(node, x, _kernel(node, weight, zero), bias, **types)
    along = zero.astype(np.int64).reshape(-1, *(1,) * (weight.ndim - 1))
    factors, rest = less_zero_point(weight, along, may_stay=True)
    total = convolved(node, x, factors, bias, **types)
    if not rest.any():
        return total
    groups = node.attr("group")
    windows = convolved(node, x, windows_of_groups(weight.shape, groups), [], **types)
    if (chosen := groups_of_outputs(len(weight), groups)) is not None:
        windows = node.emit(graph.GatherOp, windows, chosen, axis=1)
    return node.emit(graph.SubOp, total, node.emit(graph.MulOp, windows, rest[..., 0].astype(np.int32)))


def _weights_seen(node: Node, kernel: Value, sizes: Sequence[int]) -> Value:
    """Return the sums of weights that windows see of an image [C, ...]: one number along an axis that no window
    leaves."""
    if not isinstance(kernel, np.ndarray):
        return convolved(node, np.ones((1, *sizes), np.int8), kernel, [], out_dtype="int32")
    window = read_window(node, kernel.shape[2:])
    seen, axes = kernel.sum(1, dtype=np.int32), len(window.kernel)
    for axis, (size, taps) in enumerate(zip(sizes[1:], window.kernel, strict=True)):
        stride, dilation = window.strides[axis], window.dilations[axis]
        before, after = window.padding[axis], window.padding[axes + axis]
        count = (size + before + after - dilation * (taps - 1) - 1) // stride + 1
        read = stride * np.arange(count)[:, None] + dilation * np.arange(taps) - before
        is_seen = (read >= 0) & (read < size)
        is_seen = is_seen[:1] if is_seen.all() else is_seen
        seen = np.moveaxis(np.tensordot(seen, is_seen.astype(np.int32), (axis + 1, 1)), -1, axis + 1)
    return seen[None]


def _kernel(node: Node, weight: Value, zero: Value | None) -> Value:
    """Return weights less their zero point, of which there may be one for each channel of the result."""
    if not _may_be_other(zero):
        return weight
    if shape(zero) not in ((), (1,)):
        zero = _along(node, zero, 0, rank(weight))
    if isinstance(weight, np.ndarray) and isinstance(zero, np.ndarray):
        return less_zero_point(weight, zero.astype(np.int64))[0]
    return node.emit(graph.SubOp, as_type(node, weight, "int16"), as_type(node, zero, "int16"))


def dynamic_quantize(node: Node) -> Sequence[Value]:
    """Convert DynamicQuantizeLinear: to uint8 by the range of x itself, which 0 is made part of. The scale is 1 where
    there is nothing but zeros."""
    x = node.input(0)
    none, axes = scalar(np.array(0), x), list(range(rank(x)))
    high = node.emit(graph.MaximumOp, node.emit(graph.ReduceMaxOp, x, axes=axes, keepdims=False), none)
    low = node.emit(graph.MinimumOp, node.emit(graph.ReduceMinOp, x, axes=axes, keepdims=False), none)
    width = node.emit(graph.SubOp, high, low)
    is_nothing = node.emit(graph.EqualOp, width, none)
    quotient = node.emit(graph.DivOp, width, scalar(np.array(255), x))
    scale = node.emit(graph.WhereOp, is_nothing, scalar(np.array(1), x), quotient)
    zero = _saturated(node, node.emit(graph.NegOp, node.emit(graph.DivOp, low, scale)), None, "uint8")
    return node.emit(graph.QuantizeOp, x, scale, zero, to="uint8"), scale, zero
