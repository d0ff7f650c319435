"""Expansion of calls of functions that have a definition, for targets without a rule for the function."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import dtype_name
from ...dialects.loop import CallIntrinOp
from ...dialects.target import TargetAttr
from ...semantics.intrinsics import DEFINED
from ...te.calls import Call
from ...te.expr import Expr
from ...te.functions import DEFINITIONS
from ...traversal import operations
from .expression_rules import ExpressionRule
from .intrinsics import is_replaced
from .rewriting import rewrite


def definition_of(call: Call) -> Expr:
    """Return the rule of the lowest level for functions in `DEFINED`: the expression that such a function is."""
    return DEFINITIONS[call.symbol](*call.args)


def expand_definitions(module: ModuleOp, target: TargetAttr | None) -> None:
    """Replace calls of the functions in `DEFINED` by their definitions where `target` has no rule for them.

    ```mlir
    %b = loop.call_intrin "isnan"(%a) : (f32) -> i1
    // becomes
    %b = arith.cmpf une, %a, %a : f32
    ```
    Where the target is not known, calls are left to `lower-intrinsics`.
    """
    if target is not None and any(isinstance(op, CallIntrinOp) and op.symbol in DEFINED for op in operations(module)):
        rewrite(module, [_Expand(target.kind)])


class _Expand(RewritePattern):
    """Expands calls that a target has no rule for."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.rule = ExpressionRule(definition_of)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CallIntrinOp) or op.symbol not in DEFINED:
            return
        if not is_replaced(op.symbol, self.target, dtype_name(op.res.type)):
            self.rule(op, rewriter)
