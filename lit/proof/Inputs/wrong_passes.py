"""Passes that are wrong on purpose, each in a different way."""

from dataclasses import dataclass

from tilewright import register_pass
from tilewright.passes.framework.rewriting import rewrite
from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern


class _SubtractsSecond(RewritePattern):
    """Replaces the second addition by a subtraction, like a pattern that misjudges only some operations."""

    def __init__(self):
        self.seen = 0

    def match_and_rewrite(self, op, rewriter):
        if isinstance(op, arith.AddfOp) and "seen" not in op.attributes:
            self.seen += 1
            made = (arith.SubfOp if self.seen == 2 else arith.AddfOp)(*op.operands)
            made.attributes["seen"] = UnitAttr()
            rewriter.replace(op, made)


@register_pass(phase=3)
@dataclass(frozen=True)
class WrongValuePass(ModulePass):
    """Turn the second addition into a subtraction."""

    name = "wrong-value"

    def apply(self, ctx, op):
        rewrite(op, [_SubtractsSecond()])


@register_pass(phase=3)
@dataclass(frozen=True)
class WrongOrderPass(ModulePass):
    """Reassociate chains of additions: (a + b) + c becomes a + (b + c)."""

    name = "wrong-order"

    def apply(self, ctx, op):
        for outer in [n for n in op.walk() if isinstance(n, arith.AddfOp)]:
            inner = outer.lhs.owner
            if isinstance(inner, arith.AddfOp):
                last = arith.AddfOp(inner.rhs, outer.rhs)
                total = arith.AddfOp(inner.lhs, last.result)
                outer.parent.insert_ops_before([last, total], outer)
                outer.result.replace_all_uses_with(total.result)
                outer.detach()
                outer.erase()
                return


@register_pass(phase=3)
@dataclass(frozen=True)
class CrashingPass(ModulePass):
    """Divide by zero."""

    name = "crashing"

    def apply(self, ctx, op):
        _ = 1 // 0


@register_pass(phase=3)
@dataclass(frozen=True)
class InvalidIrPass(ModulePass):
    """Erase the terminator of every function."""

    name = "invalid-ir"

    def apply(self, ctx, op):
        for function in op.ops:
            last = function.body.block.last_op
            last.detach()
            last.erase()
