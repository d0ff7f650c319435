"""Pass `lower-intrinsics`: applies the target's rules to operations and to calls of intrinsics."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...diagnostics import fail
from ...diagnostics.remarks import remark, remarks_wanted
from ...dialects.dtypes import dtype_name, has_dtype
from ...dialects.loop import CallIntrinOp
from ...dialects.target import target_of
from ...ir.rewrites import active_counter
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.intrinsics import (
    ANY_TARGET,
    has_rules,
    is_instruction,
    rules_for,
    rules_without_calls,
    targets_with_rules,
)
from ..framework.rewriting import rewrite


@dataclass(frozen=True)
class LowerIntrinsicsPass(Pass):
    """Rewrite operations and calls of intrinsics by the rules that are registered for the module's target.

    ```mlir
    %y = math.exp %x : vector<16xf32>
    // becomes, on a CPU, a polynomial
    %n = math.fma %x, %log2e, %shift : vector<16xf32>
    …
    ```
    The rule of the highest level is tried first. If every rule declines, or there is none, an operation stays and the
    backend calls a library, while a call of an intrinsic is an error. `target`: use the rules of that target instead of
    the module's. Remark TW0673: a user's rule for a name that no operation or function has.

    Needs: loop level; rules registered with `register_lowering`.
    Grants: no call of an intrinsic, except instructions for which the target's emitter has a text.
    """

    name = "lower-intrinsics"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True
    axioms = ("expand-intrinsic",)

    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        kind = self.target or (ANY_TARGET if target is None else target.kind)
        if remarks_wanted():
            for name in rules_without_calls(kind, lambda name: ctx.get_optional_op(name) is not None):
                remark("TW0673", f"the rule for '{name}' is never asked: no operation or function has that name", op=op)
        names = {_rule_name(n) for n in operations(op)}
        if any(has_rules(name, kind) for name in names):
            rewrite(op, [_ApplyRules(kind)])
        counter = active_counter()
        for call in operations(op):
            # Calls are left where rewrites are limited.
            if counter is not None and counter.is_spent:
                break
            if isinstance(call, CallIntrinOp) and not is_instruction(call.symbol, kind):
                _refuse(call, kind)


class _ApplyRules(RewritePattern):
    def __init__(self, target: str) -> None:
        self.target = target
        self.known: dict[str, bool] = {}
        """Names of operations -> whether rules for them exist, which most have none of."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        name = _rule_name(op)
        if name not in self.known:
            self.known[name] = has_rules(name, self.target)
        if not self.known[name]:
            return
        for rule in rules_for(name, self.target, _dtype(op)):
            if rule(op, rewriter):
                return


def _rule_name(op: Operation) -> str:
    return op.symbol if isinstance(op, CallIntrinOp) else op.name


def _dtype(op: Operation) -> str | None:
    """Return the element type of an operation's result."""
    if not op.results:
        return None
    type = op.results[0].type
    element = type.element_type if isinstance(type, VectorType) else type
    return dtype_name(element) if has_dtype(element) else None


def _refuse(call: CallIntrinOp, target: str) -> None:
    name, known = call.symbol, targets_with_rules(call.symbol)
    others = ", ".join(f"'{t}'" for t in known) if known else "no target"
    declined = "; those that are asked for it decline" if {target, ANY_TARGET} & {*known} else ""
    fail(
        "TW0533",
        f"expected a rule that lowers intrinsic '{name}' of {_dtype(call)} for target '{target}', but there are rules "
        f"for {others}{declined}",
        op=call,
        help=f'@tilewright.register_lowering("{name}", target="{target}") adds one',
    )
