"""Pass `expand-operations`: expands operations that the target lacks, bit for bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.dtypes import dtype_name, has_dtype
from ...dialects.target import target_of
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.intrinsics import ANY_TARGET, Rule, has_rules, rules_for
from ..framework.rewriting import rewrite


@dataclass(frozen=True)
class ExpandOperationsPass(Pass):
    """Rewrite operations by the exact rules that are registered for the module's target.

    ```mlir
    %c = arith.addf %a, %b : bf16
    // becomes
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %c = arith.truncf %2 : f32 to bf16
    ```
    Arithmetic on f16 and bf16 is expanded to f32 on targets without such arithmetic. On a CPU, conversions without an
    instruction become integer arithmetic, the rounding of floats becomes additions, floor and ceiling division become
    selects, and divisors at which machines trap are replaced. Rules are those of `register_lowering(..., exact=True)`,
    the rule of the highest level first; operations that a rule creates are expanded in turn. `target`: use the rules of
    that target instead of the module's.

    Needs: loop level.
    Grants: emitters write the operations that are left one to one.
    """

    name = "expand-operations"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    target: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        kind = self.target or (ANY_TARGET if target is None else target.kind)
        table = _Rules(kind)
        if any(table.of(each) for each in operations(op)):
            rewrite(op, [_Expand(table)])


class _Rules:
    """The rules for operations, looked up once for each name and element types, because most operations have none."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._known: dict[tuple[str, tuple[Attribute, ...]], list[Rule]] = {}

    def of(self, op: Operation) -> list[Rule]:
        types = (*(v.type for v in op.operands), *(v.type for v in op.results))
        key = (op.name, types)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = list(dict.fromkeys(self._find(op.name, types)))
        return found

    def _find(self, name: str, types: tuple[Attribute, ...]) -> Iterator[Rule]:
        for dtype in dict.fromkeys(map(_dtype, types)):
            if dtype is not None and has_rules(name, self._target, dtype, exact=True):
                yield from rules_for(name, self._target, dtype, exact=True)


@dataclass(frozen=True)
class _Expand(RewritePattern):
    rules: _Rules

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for rule in self.rules.of(op):
            if rule(op, rewriter):
                return


def _dtype(type_: Attribute) -> str | None:
    """Return the element type of a scalar or vector."""
    element = type_.element_type if isinstance(type_, VectorType) else type_
    return dtype_name(element) if has_dtype(element) else None
