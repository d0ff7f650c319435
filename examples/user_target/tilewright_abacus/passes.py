"""The pass of the target's legalization."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern


class SplitFma(RewritePattern):
    """Write a fused product and sum as two operations, each of which rounds."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: math.FmaOp, rewriter: PatternRewriter) -> None:
        product = arith.MulfOp(op.a, op.b)
        rewriter.replace(op, [product, arith.AddfOp(product, op.c)])
