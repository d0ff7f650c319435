"""Pass `simplify-inference`: removes operators of training, and folds scales and shifts into weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects import graph
from ...dialects.constant_data import has_data
from ...dialects.dtypes import dtype_name, numpy_dtype
from ...operators.record import WIDE
from ..framework.base import Level, Pass
from ..framework.rewriting import rewrite
from ..shared.channel_scaling import (
    FoldScaleChain,
    FoldShiftChain,
    ScaleIntoWeights,
    ShiftIntoBias,
    constant_of,
    derived,
)


@dataclass(frozen=True)
class SimplifyInferencePass(Pass):
    """Drop dropout and identity; turn batch normalisation into scale and shift, inside weights where there are any.

    ```mlir
    %c = graph.conv2d %x, %w : tensor<1x64x56x56xf32>
    %n = graph.batch_norm %c, %scale, %shift, %mean, %variance : tensor<1x64x56x56xf32>
    ```
    becomes, when all parameters are constants,
    ```mlir
    %n = graph.conv2d %x, %folded_w, %folded_b : tensor<1x64x56x56xf32>
    ```
    and otherwise a `graph.mul` and a `graph.add`. Multiplications and additions of one constant a channel fold in the
    same way. Rounding changes; the mathematics does not. Batch normalisation of narrow floats is written out in float32
    between two casts, and does not fold. Grants: no batch_norm, dropout or identity is left.
    """

    name = "simplify-inference"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 1
    reassociates = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(
            op,
            [
                DropIdentity(),
                WidenBatchNorm(),
                ExpandBatchNorm(),
                ScaleIntoWeights(),
                ShiftIntoBias(),
                FoldScaleChain(),
                FoldShiftChain(),
            ],
        )


class DropIdentity(RewritePattern):
    """identity(x) → x, dropout(x) → x."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, (graph.IdentityOp, graph.DropoutOp)):
            rewriter.replace(op, [], [op.operands[0]])


class WidenBatchNorm(RewritePattern):
    """
    batch_norm(x, …) of narrow floats → cast((cast(x) - mean) * a + shift) with a = scale / sqrt(variance + ε).

    The mean is subtracted first, because x * a - mean * a would lose digits by cancellation.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.BatchNormOp, rewriter: PatternRewriter) -> None:
        def insert(new: graph.GraphOp) -> graph.GraphOp:
            return rewriter.insert(new)

        dtype = dtype_name(graph.element_of(op.x))
        if (wide := WIDE.of(dtype)) == dtype:
            return
        x, scale, shift, mean, variance = (insert(_cast(value, wide)) for value in op.operands)
        epsilon = insert(graph.ConstantOp.from_array(np.array(op.epsilon.value.data, wide), "epsilon"))
        deviation = insert(graph.SqrtOp.of(insert(graph.AddOp.of(variance, epsilon))))
        axes = tuple(range(1, len(graph.shape_of(op.x)) - 1))
        factor, mean, shift = (
            insert(graph.UnsqueezeOp.of(v, axes=axes)) for v in (insert(graph.DivOp.of(scale, deviation)), mean, shift)
        )
        distance = insert(graph.SubOp.of(x, mean))
        result = insert(graph.AddOp.of(insert(graph.MulOp.of(distance, factor)), shift))
        rewriter.replace(op, graph.CastOp.of(result, to=dtype))


def _cast(value: SSAValue, dtype: str) -> graph.GraphOp:
    source = value.owner
    if isinstance(source, graph.ConstantOp) and has_data(source.value):
        return derived(source.array, source, np.dtype(dtype))
    return graph.CastOp.of(value, to=dtype)


class ExpandBatchNorm(RewritePattern):
    """batch_norm(x, …) → add(mul(x, a), b) with a = scale / sqrt(variance + ε) and b = shift - mean * a."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.BatchNormOp, rewriter: PatternRewriter) -> None:
        constants = [constant_of(value) for value in op.operands[1:]]
        known = [constant for constant in constants if constant is not None]
        factors = _known_factors(op, known) if len(known) == len(constants) else _computed_factors(op, rewriter)
        for factor in factors:
            rewriter.insert(factor)
        scaled = rewriter.insert(graph.MulOp.of(op.x, factors[0]))
        rewriter.replace(op, graph.AddOp.of(scaled, factors[1]))


def _known_factors(op: graph.BatchNormOp, parameters: list[graph.ConstantOp]) -> tuple[graph.GraphOp, graph.GraphOp]:
    """Scale and shift in float64, rounded once, with a dimension for each axis after the channels."""
    scale, shift, mean, variance = (constant.array.astype(np.float64) for constant in parameters)
    factor = scale / np.sqrt(variance + op.epsilon.value.data)
    shape = (-1,) + (1,) * (len(graph.shape_of(op.x)) - 2)
    addend = shift - mean * factor
    return derived(factor.reshape(shape), parameters[0]), derived(addend.reshape(shape), parameters[1])


def _computed_factors(op: graph.BatchNormOp, rewriter: PatternRewriter) -> tuple[graph.GraphOp, graph.GraphOp]:
    """Compute factor and addend by operators, for parameters that are arguments or whose weights file was not read."""

    def insert(new: graph.GraphOp) -> graph.GraphOp:
        return rewriter.insert(new)

    real = numpy_dtype(graph.element_of(op.x)).type
    epsilon = insert(graph.ConstantOp.from_array(np.array(real(op.epsilon.value.data)), "epsilon"))
    deviation = insert(graph.SqrtOp.of(insert(graph.AddOp.of(op.variance, epsilon))))
    factor = insert(graph.DivOp.of(op.scale, deviation))
    addend = insert(graph.SubOp.of(op.shift, insert(graph.MulOp.of(op.mean, factor))))
    axes = tuple(range(1, len(graph.shape_of(op.x)) - 1))
    return graph.UnsqueezeOp.of(factor, axes=axes), graph.UnsqueezeOp.of(addend, axes=axes)
