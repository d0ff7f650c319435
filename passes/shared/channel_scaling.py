"""
Scales and shifts by constants: they move into the weights of the preceding layer, and chains of them become one.

    (conv(x, w) + b) * s  =  conv(x, w * s) + b * s          s, b one number a channel
    (x * a + b) * c + d   =  x * (a * c) + (b * c + d)

Products of constants are taken in float64 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects import graph
from ...dialects.constant_data import dense_array, derived_name, has_data
from ...dialects.dtypes import numpy_dtype
from ...dialects.resource import ResourceAttr
from ...ir import editor as edit

Layer: TypeAlias = "graph.Conv2dOp | graph.DenseOp"


class ScaleIntoWeights(RewritePattern):
    """mul(conv(x, w, b), s) → conv(x, w * s, b * s), and likewise for dense layers."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.MulOp) or (found := _layer_and_vector(op)) is None:
            return
        layer, factor, _ = found
        parameters = [constant_of(value) for value in layer.operands[1:]]
        scaled = [scaled_rows(constant, factor) for constant in parameters if constant is not None]
        if len(scaled) == len(parameters):
            for constant in scaled:
                rewriter.insert(constant)
            _replace_layer(rewriter, op, layer, [constant.y for constant in scaled])


class ShiftIntoBias(RewritePattern):
    """add(conv(x, w, b), s) → conv(x, w, b + s), and likewise for dense layers."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.AddOp) or (found := _layer_and_vector(op)) is None:
            return
        layer, shift, source = found
        if layer.bias is not None:
            if (bias := constant_of(layer.bias)) is None:
                return
            shift = bias.array.astype(np.float64) + shift
        constant = rewriter.insert(derived(shift, source))
        _replace_layer(rewriter, op, layer, [layer.weight, constant.y])


class FoldScaleChain(RewritePattern):
    """mul(mul(x, a), c) → mul(x, a * c), and mul(add(x, b), c) → add(mul(x, c), b * c)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.MulOp) or (found := _inner(op)) is None:
            return
        inner, x, first, second = found
        product = _combined(np.multiply, first, second)
        if product is None:
            return
        constant = derived(product, first)
        if isinstance(inner, graph.MulOp):
            rewriter.replace(op, [constant, graph.MulOp.of(x, constant)])
        else:
            scaled = graph.MulOp.of(x, second)
            rewriter.replace(op, [constant, scaled, graph.AddOp.of(scaled, constant)])
        rewriter.erase(inner)


class FoldShiftChain(RewritePattern):
    """add(add(x, b), d) → add(x, b + d)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, graph.AddOp) or (found := _inner(op)) is None:
            return
        inner, x, first, second = found
        total = _combined(np.add, first, second)
        if total is not None and isinstance(inner, graph.AddOp):
            constant = derived(total, first)
            rewriter.replace(op, [constant, graph.AddOp.of(x, constant)])
            rewriter.erase(inner)


def constant_of(value: SSAValue) -> graph.ConstantOp | None:
    """Return the constant that a value is, where its data is there, of float32 or float64.

    Constants of narrow floats do not fold into others: the product would be rounded to 8 or 11 bits once more, and the
    error of a weight does not average out as that of a result does.
    """
    owner = value.owner
    if not isinstance(owner, graph.ConstantOp) or not has_data(owner.value):
        return None
    return owner if graph.element_of(value) in (f32, f64) else None


def split_constant(op: graph.GraphOp) -> tuple[SSAValue, graph.ConstantOp] | None:
    """Return the operands of a commutative op as (other, constant), where one is constant and the other has its
    shape."""
    for value, other in (op.operands, reversed(op.operands)):
        constant = constant_of(other)
        if constant is not None and constant_of(value) is None and value.type == op.results[0].type:
            return value, constant
    return None


def channel_vector(constant: graph.ConstantOp, op: Operation) -> np.ndarray | None:
    """Return a constant that varies along axis 1 at most, as one float64 number a channel of `op`'s result."""
    shape = graph.shape_of(op.results[0])
    array = constant.array.reshape((1,) * (len(shape) - constant.array.ndim) + constant.array.shape)
    varies = [axis for axis, size in enumerate(array.shape) if size != 1]
    channels = shape[1] if len(shape) > 1 else None
    if not isinstance(channels, int) or varies not in ([], [1]):
        return None
    return np.broadcast_to(array.reshape(-1).astype(np.float64), channels)


def _layer_and_vector(op: graph.GraphOp) -> tuple[Layer, np.ndarray, graph.ConstantOp] | None:
    """Return the layer of f(layer, constant), where nothing else uses it, and the constant as a number a channel."""
    if (split := split_constant(op)) is None:
        return None
    layer, vector = split[0].owner, channel_vector(split[1], op)
    if vector is None or not isinstance(layer, (graph.Conv2dOp, graph.DenseOp)) or not layer.y.has_one_use():
        return None
    return layer, vector, split[1]


def derived(array: np.ndarray, source: graph.ConstantOp, dtype: np.dtype | None = None) -> graph.ConstantOp:
    """Return `array`, rounded to the type of `source` or to `dtype`, as a constant that is named after `source`."""
    rounded = dense_array(array, dtype or numpy_dtype(graph.element_of(source.y)))
    name = source.value.data.name if isinstance(source.value, ResourceAttr) else "folded"
    constant = graph.ConstantOp.from_array(rounded, derived_name(name, rounded), source.location)
    edit.rename(constant.y, source.y.name_hint)
    return constant


def scaled_rows(constant: graph.ConstantOp, factor: np.ndarray) -> graph.ConstantOp:
    """Return each output channel's weights or bias times its factor."""
    array = constant.array
    factors = factor.reshape((-1,) + (1,) * (array.ndim - 1))
    # With an output array of the same type numpy widens and rounds piece by piece, without copies of twice the size.
    scaled = np.multiply(array, factors, dtype=np.float64, out=np.empty_like(array), casting="unsafe")
    return derived(scaled, constant)


def _inner(
    op: graph.GraphOp,
) -> tuple[graph.GraphOp, SSAValue, graph.ConstantOp, graph.ConstantOp] | None:
    """Return g, x, a and b of f(g(x, a), b), where a and b are constants and nothing else uses g."""
    if (outer := split_constant(op)) is None:
        return None
    inner = outer[0].owner
    if not isinstance(inner, (graph.MulOp, graph.AddOp)) or not inner.results[0].has_one_use():
        return None
    if (split := split_constant(inner)) is None:
        return None
    return inner, split[0], split[1], outer[1]


def _combined(function: np.ufunc, a: graph.ConstantOp, b: graph.ConstantOp) -> np.ndarray | None:
    """Return two constants combined in float64, unless the result would be larger than both."""
    result = np.broadcast_shapes(a.array.shape, b.array.shape)
    if int(np.prod(result)) > max(a.array.size, b.array.size):
        return None
    return function(a.array.astype(np.float64), b.array.astype(np.float64))


def _replace_layer(rewriter: PatternRewriter, op: Operation, layer: Layer, parameters: Sequence[SSAValue]) -> None:
    """Replace `op` by the preceding `layer` with other weights."""
    operands = [layer.x, *parameters]
    new = type(layer).create(operands=operands, properties=layer.properties, result_types=op.result_types)
    new.location = layer.location
    rewriter.replace(op, new)
    rewriter.erase(layer)
