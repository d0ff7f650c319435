"""Pass `integer-products`: operators on quantised numbers become operators on their integers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, ModuleOp, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....diagnostics.remarks import remark
from ....dialects import graph
from ....traversal import operations
from ...framework.base import Level, Pass
from ...framework.rewriting import rewrite
from .elementwise import FunctionTable, IntegerMean, IntegerMultiple, IntegerSum, Requantize
from .moves import MOVES, CancelPair, FoldMove, FoldQuantize, LiftQuantize, SinkDequantize, fold_dequantize
from .numbers import Reason, is_uniform, quantized_value
from .products import IntegerConvolution, IntegerProduct, plan_convolution, plan_product


@dataclass(frozen=True)
class IntegerProductsPass(Pass):
    """Compute products, sums, means and functions of quantised numbers on the integers that represent them.

    ```mlir
    %a = graph.dequantize %x, %scale, %zero to f32 : tensor<1x64x56x56xf32>
    %b = graph.dequantize %w, %scales axis 0 to f32 : tensor<64x64x3x3xf32>
    %c = graph.conv2d %a, %b padding [1, 1, 1, 1] : tensor<1x64x56x56xf32>
    %y = graph.quantize %c, %other to ui8 : tensor<1x64x56x56xui8>
    ```
    becomes, where `%w` and all scales are constants and `%zero` is 128,
    ```mlir
    %s = graph.conv2d %x, %w, %bias padding [1, 1, 1, 1] pad_value 128 out_dtype i32 : tensor<1x64x56x56xi32>
    %f = graph.cast %s to f32 : tensor<1x64x56x56xf32>
    %p = graph.mul %f, %factor : tensor<1x64x56x56xf32>
    %l = graph.clip %p low 0.0 high 255.0 : tensor<1x64x56x56xf32>
    %r = graph.round %l : tensor<1x64x56x56xf32>
    %i = graph.cast %r to i32 : tensor<1x64x56x56xi32>
    %y = graph.cast %i to ui8 : tensor<1x64x56x56xui8>
    ```
    Sums are exact. Zero points of the image and integers of the bias are in `%bias`; zero points of weights are taken
    from the weights, or multiplied by sums of windows and rows. A result that is not quantised is the sum times the
    scales. Relu and clip become bounds of the last step. `graph.add` and `graph.mul` between quantised numbers are
    computed on integers times quotients of scales, means on sums of integers, and functions of one number of
    8 bits read a table. Conversions move past operators that only move elements. The factors are float32, so an integer
    may differ by one from that of the float program where the exact result lies next to a tie. Operators that stay on
    floats have a remark with the reason, and so has any other product of a network with quantised numbers. Needs types
    to be inferred.
    """

    name = "integer-products"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 1
    reassociates = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not any(map(_is_quantised, operations(op))):
            return
        sinking = [FoldQuantize(), SinkDequantize(), FoldMove()]
        rewrite(op, sinking)
        rewrite(op, [FunctionTable()])
        rewrite(op, [*sinking, LiftQuantize(), CancelPair()])
        rewrite(
            op,
            [
                IntegerConvolution(),
                IntegerProduct(),
                IntegerSum(),
                IntegerMultiple(),
                IntegerMean(),
                FunctionTable(),
                Requantize(),
                EraseUnused(),
            ],
        )
        for each in operations(op):
            if isinstance(each, graph.GraphOp) and (reason := _reason(each) or _reason_of_floats(each)):
                remark("TW0793", f"{each.name} is not computed on integers: {reason}", op=each)
        rewrite(op, [FoldFactors()])


class EraseUnused(RewritePattern):
    """Erases dequantize(q) without users."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, graph.DequantizeOp) and not op.y.uses:
            rewriter.erase(op)


class FoldFactors(RewritePattern):
    """dequantize(constant) that a product on floats reads → a constant of floats, as other passes expect weights."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, graph.DequantizeOp) and any(_is_product(use.operation) for use in op.y.uses):
            fold_dequantize(op.y, rewriter)


def _is_product(op: Operation) -> bool:
    return isinstance(op, (graph.Conv2dOp, graph.Conv3dOp, graph.DenseOp, graph.MatmulOp))


def _is_quantised(op: Operation) -> bool:
    """Tell if an operator is one of quantised networks alone."""
    return isinstance(op, (graph.QuantizeOp, graph.DequantizeOp)) or (_is_product(op) and _sums(op) == i32)


def _sums(op: Operation) -> Attribute:
    """Return the type of the sums of a product."""
    return graph.element_of(op.results[0])


def _reason_of_floats(op: graph.GraphOp) -> str | None:
    """Return the reason why a product of floats in a quantised network is one; None for other operators."""
    is_of_floats = _is_product(op) and isinstance(_sums(op), AnyFloat)
    return "it reads numbers that are not quantised" if is_of_floats else None


_WITHOUT_ARITHMETIC = (graph.QuantizeOp, graph.DequantizeOp, graph.CastOp)


def _reason(op: graph.GraphOp) -> Reason | None:
    """Return the reason why an operator on quantised numbers is computed on floats; None for other operators."""
    sources = [source for value in op.operands if (source := _source(value)) is not None]
    if isinstance(op, _WITHOUT_ARITHMETIC) or not sources:
        return None
    if not any(isinstance(value.owner, graph.DequantizeOp) for value in op.operands):
        numbers = [quantized_value(source.y) for source in sources]
        return next((each for each in numbers if isinstance(each, Reason)), Reason.MOVED)
    if isinstance(op, (graph.Conv2dOp, graph.Conv3dOp)):
        plan = plan_convolution(op)
    elif isinstance(op, (graph.DenseOp, graph.MatmulOp)):
        plan = plan_product(op)
    else:
        return _reason_of_others(op)
    assert isinstance(plan, Reason), "what has a plan was rewritten"
    return plan


def _reason_of_others(op: graph.GraphOp) -> Reason:
    for value in op.operands:
        if isinstance(value.owner, graph.DequantizeOp) and isinstance(number := quantized_value(value), Reason):
            return number
    uses = [use.operation for result in op.results for use in result.uses]
    if not any(isinstance(use, graph.QuantizeOp) and is_uniform(use) for use in uses):
        return Reason.NOT_REQUANTIZED
    return Reason.NO_FORM


def _source(value: SSAValue) -> graph.DequantizeOp | None:
    """Return the conversion of the numbers that a value is, maybe behind operators that move them or change their
    type."""
    while isinstance(op := value.owner, (graph.CastOp, graph.DilateOp, graph.PadOp, *MOVES)):
        value = op.operands[0]
    return op if isinstance(op, graph.DequantizeOp) else None
