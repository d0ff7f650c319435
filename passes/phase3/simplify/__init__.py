"""Pass `simplify`: simplifies by ranges of loop variables and identities of arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ....analysis.domain import resolve
from ....analysis.ranges import Facts, RangeAnalysis
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ...framework.base import Level, Pass
from ...framework.rewriting import rewrite
from ...shared.guards import keep_region, set_conditions
from ...shared.loops import inline_body
from ...shared.unused import erase_unused
from .identities import RULES, identity_of

_REPEATED_KINDS = (loop.SERIAL, loop.PARALLEL, loop.UNROLLED, loop.VECTORIZED)
"""Kinds of loops that only mean repetition, so that a loop of one iteration equals its body."""


@dataclass(frozen=True)
class SimplifyPass(Pass):
    """Simplify index expressions and conditions by the ranges of loop variables, and apply scalar identities.

    ```mlir
    loop.for %i = 0 to 4 {
      loop.for %j = 0 to 1 {
        loop.if (%i * 16 + %j < 60) {
          %x = loop.load %X[(%i * 16 + %j) floordiv 16, 0] where (%i >= 0) else %z : memref<4x16xf32>
          …
    // becomes
    loop.for %i = 0 to 4 {
      %x = loop.load %X[%i, 0] : memref<4x16xf32>
      …
    ```
    Conditions that always hold are dropped; operations under a condition that never holds are removed. Loops without an
    iteration are removed, and loops of one iteration are replaced by their body. Index values are substituted into the
    expressions that use them, and unused values are erased. The identities are listed in
    passes/phase3/simplify/identities.py.

    Needs: loop level.
    Grants: no condition, bound or index that interval arithmetic can decide; no unused pure operation.

    MLIR's `canonicalize` and `int-range-optimizations` are similar.
    """

    name = "simplify"
    phase = 3
    levels = (Level.LOOP,)
    opt_level = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ranges = RangeAnalysis()
        patterns = [
            _SimplifyIndices(ranges),
            _SimplifyLoop(ranges),
            _SimplifyGuard(ranges),
            _ReplaceApplied(),
            _ApplyIdentity(),
        ]
        rewrite(op, patterns, in_order=True)
        erase_unused(op)


_Guarded: TypeAlias = "loop.IfOp | loop.LoadOp | loop.StoreOp | loop.TestOp"


@dataclass(frozen=True)
class _SimplifyIndices(RewritePattern):
    """Substitutes values into the index expressions that use them, and simplifies the expressions by ranges."""

    matches: ClassVar = (loop.IndexedOp,)

    ranges: RangeAnalysis

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, loop.IndexedOp):
            return
        facts = self.ranges.at(op)
        before = op.index_lists()
        after = {name: tuple(facts.simplify(resolve(e)) for e in expressions) for name, expressions in before.items()}
        if after != before:
            op.set_index_lists(**after)
            rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class _SimplifyLoop(RewritePattern):
    """Drops bounds that others imply, removes loops without an iteration, and replaces loops of one iteration by their
    body."""

    matches: ClassVar = (loop.ForOp,)

    ranges: RangeAnalysis

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, loop.ForOp):
            return
        facts = self.ranges.at(op)
        if _drop_implied_bounds(op, facts):
            rewriter.notify_op_modified(op)
        trips = op.constant_trip_count
        if trips == 0 or any(_is_below(facts, upper - lower) for upper in op.uppers for lower in op.lowers):
            edit.replace(op, (), op.iter_args)
        elif trips == 1 and op.kind in _REPEATED_KINDS:
            bounds = op.constant_bounds
            inline_body(op, bounds[0] if bounds is not None else op.lowers[0])
        else:
            return
        rewriter.has_done_action = True


@dataclass(frozen=True)
class _SimplifyGuard(RewritePattern):
    """Drops conditions that always hold, and removes operations under conditions that never hold."""

    matches: ClassVar = (loop.IfOp, loop.LoadOp, loop.StoreOp, loop.TestOp)

    ranges: RangeAnalysis

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, (loop.IfOp, loop.LoadOp, loop.StoreOp, loop.TestOp)):
            return
        if isinstance(op, loop.LoadOp) and op.otherwise is None:  # no guard: cheaper to ask than its conditions
            return
        conditions = op.conditions
        if not conditions and isinstance(op, loop.StoreOp):
            return
        facts = self.ranges.at(op)
        left: list[Index] = []
        for e in dict.fromkeys(conditions):
            if facts.proves(-e - 1, exact=False):
                _never(op)
                rewriter.has_done_action = True
                return
            if not facts.proves(e, exact=isinstance(op, loop.IfOp)):
                left.append(e)
        if isinstance(op, loop.TestOp) and not left:
            _replace(op, 1)
        elif len(left) < len(conditions) or (not left and isinstance(op, loop.IfOp)):
            set_conditions(op, left)
        else:
            return
        rewriter.has_done_action = True


class _ReplaceApplied(RewritePattern):
    """Replaces an index value that equals a constant or another value."""

    matches: ClassVar = (loop.ApplyOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, loop.ApplyOp):
            return
        if op.index.is_constant:
            _replace(op, op.index.constant)
        elif len(values := op.index.values()) == 1 and op.index == Index.of(values[0]):
            _replace(op, values[0])
        else:
            return
        rewriter.has_done_action = True


class _ApplyIdentity(RewritePattern):
    """Replaces a scalar operation by an equal value, by the table of identities."""

    matches: ClassVar = tuple(RULES)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if (result := identity_of(op)) is not None:
            _replace(op, result)
            rewriter.has_done_action = True


def _never(op: _Guarded) -> None:
    """Remove or replace an operation whose conditions never hold."""
    match op:
        case loop.IfOp():
            keep_region(op, op.else_body.block if op.else_body.blocks else None)
        case loop.LoadOp():
            assert op.otherwise is not None
            _replace(op, op.otherwise)
        case loop.StoreOp():
            edit.erase(op)
        case loop.TestOp():
            _replace(op, 0)


def _is_below(facts: Facts, extent: Index) -> bool:
    """Return whether a loop of this extent never runs."""
    _, high = facts.bounds(extent)
    return high is not None and high <= 0


def _drop_implied_bounds(op: loop.ForOp, facts: Facts) -> bool:
    """Drop the bounds that others imply, and return whether there are any."""
    lowers = _without_implied(op.lowers, lambda kept, e: facts.proves(kept - e))
    uppers = _without_implied(op.uppers, lambda kept, e: facts.proves(e - kept))
    if len(lowers) < len(op.lowers) or len(uppers) < len(op.uppers):
        op.set_index_lists(lower=lowers, upper=uppers)
        return True
    return False


def _without_implied(bounds: Sequence[Index], implies: Callable[[Index, Index], bool]) -> list[Index]:
    """Return the bounds without those that another one makes unnecessary."""
    left = list(dict.fromkeys(bounds))
    for e in list(left) if len(left) > 1 else ():
        if any(implies(kept, e) for kept in left if kept is not e):
            left.remove(e)
    return left


def _replace(op: Operation, result: SSAValue | int) -> None:
    """Replace the one result of `op` by a value or a constant, broadcast where it is a vector."""
    made: list[Operation] = []
    type = op.results[0].type
    if isinstance(result, int):
        element = _element(type)
        assert isinstance(element, (IntegerType, IndexType))
        constant = arith.ConstantOp(IntegerAttr(result, element))
        made.append(constant)
        result = constant.result
    if result.type != type:
        assert isinstance(type, VectorType)
        broadcast = vector.BroadcastOp(result, type)
        made.append(broadcast)
        result = broadcast.vector
    for new in made:
        new.location = op.location
    if result.name_hint is None:
        edit.rename(result, op.results[0].name_hint)
    edit.replace(op, made, [result])


def _element(type: Attribute) -> Attribute:
    return type.element_type if isinstance(type, VectorType) else type
