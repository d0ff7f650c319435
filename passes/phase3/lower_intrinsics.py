"""Pass `lower-intrinsics`: operations that the target has a better form for."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.target import TARGET_ATTRIBUTE
from ..base import Level, Pass
from ..intrinsics import ANY_TARGET, has_rules, rules_for
from ..rewriting import rewrite


@dataclass(frozen=True)
class LowerIntrinsicsPass(Pass):
    """Rewrite operations by the rules that are registered for the module's target.

    ```mlir
    %y = math.exp %x : vector<16xf32>
    // becomes, on a CPU, a polynomial
    %n = math.fma %x, %log2e, %shift : vector<16xf32>
    …
    ```
    The rule of the highest level is asked first; where every rule declines, or there is none, the operation stays and
    the backend calls a library. `target`: use the rules of that target, whatever the module says.

    Needs: loop level; rules registered with `register_lowering`.
    Grants: nothing that later passes rely on.
    """

    name = "lower-intrinsics"
    phase = 3
    levels = (Level.LOOP,)
    reassociates = True

    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kind = self.target or getattr(op.attributes.get(TARGET_ATTRIBUTE), "kind", ANY_TARGET)
        names = {n.name for n in op.walk()}
        if any(has_rules(name, kind) for name in names):
            rewrite(op, [_ApplyRules(kind)])


class _ApplyRules(RewritePattern):
    def __init__(self, target: str) -> None:
        self.target = target

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for rule in rules_for(op.name, self.target):
            if rule(op, rewriter):
                return
