"""Passes of the dialect `poly`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, VectorType
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from .dialect import EvalOp


class TrimPoly(RewritePattern):
    """Leave out powers at the front whose coefficient is 0: 0 x^2 + 3 x + 1 is 3 x + 1."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: EvalOp, rewriter: PatternRewriter) -> None:
        kept = list(op.values)
        while len(kept) > 1 and kept[0] == 0:
            del kept[0]
        if len(kept) < len(op.values):
            rewriter.replace(op, EvalOp(op.x, kept))


class LowerPoly(RewritePattern):
    """Write Horner's rule out: poly.eval %x [a, b, c] is (a x + b) x + c."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: EvalOp, rewriter: PatternRewriter) -> None:
        constants = [arith.ConstantOp(_constant(value, op.x.type)) for value in op.values]
        made = [*constants]
        value = constants[0].result
        for constant in constants[1:]:
            product = arith.MulfOp(value, op.x)
            made += [product, arith.AddfOp(product, constant)]
            value = made[-1].results[0]
        rewriter.replace(op, made, [value])


def _constant(value: float, type: Attribute) -> Attribute:
    """Return the attribute of a constant of that type, a float or a vector of floats."""
    if isinstance(type, VectorType):
        return DenseIntOrFPElementsAttr.from_list(type, [value] * type.get_shape()[0])
    return FloatAttr(value, type)
