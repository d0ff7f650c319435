"""
Conversions around operators that only move or select elements, which give the same on integers as on floats.

    move(dequantize(q)) → dequantize(move(q))        quantize(move(x)) → move(quantize(x))
    quantize(dequantize(q)) → q                      where that gives back each integer
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....dialects import graph
from ....dialects.constant_data import dense_array, derived_name, has_data
from ....dialects.dtypes import dtype_name
from ....dialects.resource import ResourceAttr
from ....operators import get_operator
from ....operators.quantization import dequantized, limits, quantized
from .numbers import is_uniform, known_array, known_parameters

MOVES = (
    graph.ReshapeOp,
    graph.FlattenOp,
    graph.SqueezeOp,
    graph.UnsqueezeOp,
    graph.TransposeOp,
    graph.BroadcastToOp,
    graph.SliceOp,
    graph.TileOp,
    graph.DepthToSpaceOp,
    graph.SpaceToDepthOp,
    graph.StretchOp,
    graph.RegroupOp,
    graph.MatchShapeOp,
    graph.CutOp,
)
"""Operators whose elements are those of the first operand; the others only state sizes."""

_INDEXED = (graph.GatherOp, graph.GatherElementsOp, graph.GatherNdOp, graph.SplitOp)
"""Operators that move elements, and take indices too or have several results."""

_FILLED = (graph.PadOp, graph.DilateOp)
"""Operators that put numbers between others, or around them."""

_ORDERED = (
    graph.MaxPool2dOp,
    graph.MaxPool3dOp,
    graph.ReduceMaxOp,
    graph.ReduceMinOp,
    graph.ArgmaxOp,
    graph.ArgminOp,
    graph.TopkOp,
)
"""Operators that choose elements by their order, which is that of integers of one scale."""

_MONOTONE = (graph.ConcatOp, graph.WhereOp, graph.MaximumOp, graph.MinimumOp)
"""Operators of several tensors whose elements are some of theirs: integers have the order of the numbers."""

_MANY_SIZES = 1 << 16
"""The most integers of a type, all of which are tried."""


class FoldQuantize(RewritePattern):
    """quantize(constant) → constant."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, graph.QuantizeOp):
            _fold(op, rewriter)


class FoldMove(RewritePattern):
    """dequantize(move(constant)) → dequantize(constant)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.DequantizeOp) or not isinstance(move := op.x.owner, MOVES):
            return
        if move.results[0].has_one_use() and _is_as_large(move):
            _fold(move, rewriter)


def _is_as_large(op: graph.GraphOp) -> bool:
    """Tell if the result has no more elements than the operand."""
    before, after = graph.static_shape(op.operands[0]), graph.static_shape(op.results[0])
    return before is not None and after is not None and prod(after) <= prod(before)


def _fold(op: graph.GraphOp, rewriter: PatternRewriter) -> None:
    """Compute an operator on constants."""
    owners = [value.owner for value in op.operands]
    constants = [owner for owner in owners if isinstance(owner, graph.ConstantOp) and has_data(owner.value)]
    if len(constants) != len(owners):
        return
    results = get_operator(op.name.removeprefix("graph.")).fold(op, *(constant.array for constant in constants))
    if results is None:
        return
    data = dense_array(np.asarray(results[0]))
    first = constants[0].value
    name = first.data.name if isinstance(first, ResourceAttr) else "quantized"
    rewriter.replace(op, graph.ConstantOp.from_array(data, derived_name(name, data), op.location))


class SinkDequantize(RewritePattern):
    """move(dequantize(q)) → dequantize(move(q)), of operators that choose elements by their order too."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, (*MOVES, *_INDEXED, *_FILLED, *_ORDERED, graph.ResizeOp)):
            return
        source = op.operands[0].owner
        if not isinstance(source, graph.DequantizeOp) or known_parameters(source) is None:
            return
        axis = 1
        if not _is_uniform(source) and (axis := _moved_axis(op, source)) is None:
            return
        if (values := _values_on_integers(op, source)) is None:
            return
        moved = rewriter.insert(type(op).of(source.x, *op.operands[1:], **values))
        results = [
            rewriter.insert(graph.DequantizeOp.of(result, *source.operands[1:], axis=axis, to=dtype_name(source.to))).y
            if graph.element_of(before) == source.to
            else result
            for result, before in zip(moved.results, op.results, strict=True)
        ]
        rewriter.replace(op, [], results)
        if not source.y.uses:
            rewriter.erase(source)


def _values_on_integers(op: graph.GraphOp, source: graph.DequantizeOp) -> dict[str, Any] | None:
    """Return the properties of an operator that moves integers; None where it is none."""
    values: dict[str, Any] = op.values
    match op:
        case graph.MaxPool2dOp() | graph.MaxPool3dOp():
            return values if _has_elements(op) else None
        case graph.ResizeOp():
            return values if values["method"] == "nearest" else None
        case graph.ReduceMaxOp() | graph.ReduceMinOp():
            return values if all(isinstance(size, int) and size for size in graph.shape_of(op.operands[0])) else None
        case graph.ArgmaxOp() | graph.ArgminOp() | graph.TopkOp():
            return values if _is_strict(source) else None
        case graph.PadOp() if values["mode"] == "constant":
            return _filled(source, values, "value")
        case graph.DilateOp():
            return _filled(source, values, "dilation_value")
        case _:
            return values


def _is_strict(source: graph.DequantizeOp) -> bool:
    """Return whether different integers certainly represent different numbers."""
    parameters, dtype = known_parameters(source), dtype_name(graph.element_of(source.x))
    assert parameters is not None, "as the caller has seen"
    scale, numbers = parameters[0], np.finfo(np.float32)
    return not dtype.endswith("32") and bool(
        (scale >= numbers.tiny).all() and (scale < numbers.max / _MANY_SIZES).all()
    )


def _filled(source: graph.DequantizeOp, values: dict[str, Any], name: str) -> dict[str, Any] | None:
    """Return the properties of an operator that puts a number between others, with its integer; None where it has
    none."""
    parameters = known_parameters(source)
    assert parameters is not None, "as the caller has seen"
    to, number = dtype_name(graph.element_of(source.x)), np.asarray(values[name], np.float32)
    if to.endswith("32") or parameters[0].size > 1 or parameters[1].size > 1:
        return None
    scale, zero = parameters[0].reshape(()), parameters[1].astype(to).reshape(())
    integer = quantized(number, scale, zero, axis=0, to=to)
    is_exact = dequantized(integer, scale, zero, axis=0, to="float32") == number
    return {**values, name: float(integer)} if is_exact else None


def _is_uniform(op: graph.DequantizeOp) -> bool:
    return all(graph.shape_of(value) in ((), (1,)) for value in op.operands[1:])


def _moved_axis(op: Operation, source: graph.DequantizeOp) -> int | None:
    """Return the axis of the result along which a vector of scales runs; None where there is none."""
    shape = graph.shape_of(source.x)
    axis = source.axis.value.data % len(shape)
    match op:
        case graph.TransposeOp():
            return list(op.permutation.get_values()).index(axis)
        case graph.UnsqueezeOp():
            rank = len(graph.shape_of(op.y))
            added = {each % rank for each in op.axes.get_values()}
            return [each for each in range(rank) if each not in added][axis]
        case graph.SqueezeOp():
            dropped = {each % len(shape) for each in op.axes.get_values()}
            kept = [each for each in range(len(shape)) if each not in dropped]
            return kept.index(axis) if axis in kept else None
        case graph.SliceOp():
            is_whole = graph.shape_of(op.y)[axis] == shape[axis] and op.steps.get_values()[axis] == 1
            return axis if is_whole else None
        case graph.ReshapeOp():
            return _same_axis(shape, graph.shape_of(op.y), axis)
        case _:
            return None


def _same_axis(before: graph.Shape, after: graph.Shape, axis: int) -> int | None:
    """Return the axis of a reshaped tensor that is one of the tensor before; None where there is none."""
    if not graph.is_static(before) or not graph.is_static(after):
        return None
    outer = prod(before[:axis])
    found = [k for k, size in enumerate(after) if size == before[axis] and prod(after[:k]) == outer]
    return found[0] if found else None


def _has_elements(op: graph.MaxPool2dOp | graph.MaxPool3dOp) -> bool:
    """Tell if each window has an element of the image: one of none has the least number of a type."""
    rank = len(op.kernel.get_values())
    padding = op.padding.get_values()
    if not any(padding) and op.ceil_mode is None:
        return True
    reach = op.kernel.get_values()
    is_near = all(padding[axis] < reach[axis] and padding[rank + axis] < reach[axis] for axis in range(rank))
    return is_near and set(op.dilations.get_values()) == {1}


class LiftQuantize(RewritePattern):
    """quantize(move(x)) → move(quantize(x)), and quantize(maximum(x, y)) → maximum(quantize(x), quantize(y))."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.QuantizeOp) or not is_uniform(op):
            return
        move = op.x.owner
        if not isinstance(move, (*MOVES, *_MONOTONE, graph.PadOp)) or not op.x.has_one_use():
            return
        moved = [value for value in move.operands if graph.element_of(value) == graph.element_of(op.x)]
        moved = moved if isinstance(move, _MONOTONE) else [move.operands[0]]
        if not isinstance(move, MOVES) and not any(isinstance(value.owner, graph.DequantizeOp) for value in moved):
            return
        values: dict[str, Any] = move.values
        if isinstance(move, graph.PadOp) and values["mode"] == "constant":
            number = np.asarray(values["value"], np.float32)
            parameters = known_parameters(op)
            assert parameters is not None, "as `is_uniform` has seen"
            to = dtype_name(op.to)
            scale, zero = parameters[0].reshape(()), parameters[1].astype(to).reshape(())
            values = {**values, "value": float(quantized(number, scale, zero, axis=0, to=to))}
        integers = {
            value: rewriter.insert(graph.QuantizeOp.of(value, *op.operands[1:], to=dtype_name(op.to))).y
            for value in dict.fromkeys(moved)
        }
        rewriter.replace(op, type(move).of(*(integers.get(value, value) for value in move.operands), **values))
        rewriter.erase(move)


class CancelPair(RewritePattern):
    """quantize(dequantize(q)) → q, where scales and zero points give back each integer."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.QuantizeOp) or not isinstance(source := op.x.owner, graph.DequantizeOp):
            return
        if not is_uniform(op) or not _is_uniform(source) or not _gives_back(source, op):
            return
        rewriter.replace(op, [], [source.x])
        if not source.y.uses:
            rewriter.erase(source)


def _gives_back(source: graph.DequantizeOp, op: graph.QuantizeOp) -> bool:
    before, after = known_parameters(source), known_parameters(op)
    integers = graph.element_of(source.x)
    if before is None or after is None or integers != op.to:
        return False
    dtype = dtype_name(integers)
    low, high = limits(dtype)
    if high - low >= _MANY_SIZES:
        return False
    every = np.arange(low, high + 1).astype(dtype)
    numbers = dequantized(every, before[0], before[1], axis=0, to=dtype_name(source.to))
    zero = after[1].astype(dtype)
    return bool(np.array_equal(quantized(numbers, after[0], zero, axis=0, to=dtype), every))


def fold_dequantize(value: SSAValue, rewriter: PatternRewriter) -> None:
    """Compute the numbers that constant integers represent."""
    if isinstance(op := value.owner, graph.DequantizeOp) and known_array(op.x) is not None:
        _fold(op, rewriter)
