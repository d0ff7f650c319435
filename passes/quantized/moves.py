"""
Conversions around what only moves or chooses elements: it works on integers as on the numbers that they stand for.

    move(dequantize(q)) → dequantize(move(q))        quantize(move(x)) → move(quantize(x))
    quantize(dequantize(q)) → q                      where that gives back each integer
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects import graph
from ...dialects.constant_data import dense_array, derived_name, has_data
from ...dialects.dtypes import dtype_name
from ...dialects.resource import ResourceAttr
from ...operators import get_operator
from ...operators.quantization import dequantized, limits, quantized
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
    """move(dequantize(q)) → dequantize(move(q)), of pooling by the greatest element too."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, (*MOVES, *_INDEXED, graph.MaxPool2dOp, graph.MaxPool3dOp, graph.PadOp, graph.ResizeOp)):
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
            rewriter.insert(graph.DequantizeOp.of(result, *source.operands[1:], axis=axis, to=source.to)).y  # pyright: ignore
            for result in moved.results
        ]
        rewriter.replace(op, [], results)
        if not source.y.uses:
            rewriter.erase(source)


def _values_on_integers(op: graph.GraphOp, source: graph.DequantizeOp) -> dict[str, Any] | None:
    """The properties of an operator that moves integers; None where it is none."""
    values: dict[str, Any] = op.values
    match op:
        case graph.MaxPool2dOp() | graph.MaxPool3dOp():
            return values if _has_elements(op) else None
        case graph.ResizeOp():
            return values if values["method"] == "nearest" else None
        case graph.PadOp() if values["mode"] == "constant":
            parameters = known_parameters(source)
            assert parameters is not None, "as the caller has seen"
            to, number = dtype_name(graph.element_of(source.x)), np.float32(values["value"])
            if to.endswith("32"):
                return None
            scale, zero = parameters[0].reshape(()), parameters[1].astype(to).reshape(())
            integer = quantized(number, scale, zero, axis=0, to=to)
            is_exact = dequantized(integer, scale, zero, axis=0, to="float32") == number
            return {**values, "value": float(integer)} if is_exact else None
        case _:
            return values


def _is_uniform(op: graph.DequantizeOp) -> bool:
    return all(graph.shape_of(value) in ((), (1,)) for value in op.operands[1:])


def _moved_axis(op: Operation, source: graph.DequantizeOp) -> int | None:
    """The axis of the result along which a vector of scales runs; None where there is none."""
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
        case _:
            return None


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
    """quantize(move(x)) → move(quantize(x)), and quantize(concat(x, y)) → concat(quantize(x), quantize(y))."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.QuantizeOp) or not is_uniform(op):
            return
        move = op.x.owner
        if not isinstance(move, (*MOVES, graph.ConcatOp)) or not op.x.has_one_use():
            return
        is_joined = isinstance(move, graph.ConcatOp)
        moved = list(move.operands) if is_joined else [move.operands[0]]
        if is_joined and not any(isinstance(value.owner, graph.DequantizeOp) for value in moved):
            return
        integers = [rewriter.insert(graph.QuantizeOp.of(value, *op.operands[1:], to=op.to)).y for value in moved]  # pyright: ignore
        rest = [] if is_joined else move.operands[1:]
        values: dict[str, Any] = move.values
        rewriter.replace(op, type(move).of(*integers, *rest, **values))
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
    """Compute the numbers that constant integers stand for."""
    if isinstance(op := value.owner, graph.DequantizeOp) and known_array(op.x) is not None:
        _fold(op, rewriter)
