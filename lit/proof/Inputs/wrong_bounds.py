"""Wrong passes over loops: any run detects the first one; the second is wrong only at sizes larger than those of
runs."""

import tilewright
from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.passes.framework.rewriting import rewrite
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern


class Ends(RewritePattern):
    """Replaces the end of loops by a wrong bound."""

    def __init__(self, limit: int | None) -> None:
        self.limit = limit

    def match_and_rewrite(self, op: object, rewriter: PatternRewriter) -> None:
        if not isinstance(op, loop.ForOp) or len(op.uppers) > 1 or op.uppers[0] == Index.of(3):
            return
        if self.limit is None and op.uppers[0] == Index.of(4):
            op.set_index_lists(upper=[Index.of(3)])
            rewriter.notify_op_modified(op)
        elif self.limit is not None:
            op.set_index_lists(upper=[*op.uppers, Index.of(self.limit)])
            rewriter.notify_op_modified(op)


@tilewright.register_pass(phase=2)
def last_four(module):
    """Leave the last of four iterations out."""
    rewrite(module, [Ends(None)])


@tilewright.register_pass(phase=2)
def beyond_sixteen(module):
    """Do no more than 16 iterations."""
    rewrite(module, [Ends(16)])
