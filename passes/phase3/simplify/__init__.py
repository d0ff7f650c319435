"""Pass `simplify`: simplifies by ranges of loop variables and identities of arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....analysis.domain import resolve
from ....analysis.ranges import Facts, RangeAnalysis
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ...framework.base import Level, Pass
from ...shared.guards import keep_region, set_conditions
from ...shared.loops import inline_body
from ...shared.unused import erase_unused
from .identities import identity_of

_REPEATED_KINDS = (loop.SERIAL, loop.PARALLEL, loop.UNROLLED, loop.VECTORIZED)
"""Kinds of loops that mean nothing but repetition: one iteration can stand for itself."""


@dataclass(frozen=True)
class SimplifyPass(Pass):
    """Simplify index expressions and conditions by what is known of loop variables, and scalar identities.

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
    Conditions that always hold are dropped; what a condition that never holds guards is removed. Loops without an
    iteration go, loops of one iteration leave their body. Index values are written into the expressions that use them,
    and values that nobody uses are erased. The identities are listed in passes/phase3/simplify/identities.py.

    Needs: loop level.
    Grants: no condition, bound or index that interval arithmetic can decide; no unused pure operation.

    MLIR's `canonicalize` and `int-range-optimizations` do the like.
    """

    name = "simplify"
    phase = 3
    levels = (Level.LOOP,)
    opt_level = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        simplifier = _Simplifier()
        for function in op.ops:
            for region in function.regions:
                for block in region.blocks:
                    simplifier.visit(block)
        erase_unused(op)


_Guarded: TypeAlias = "loop.IfOp | loop.LoadOp | loop.StoreOp | loop.TestOp"


class _Simplifier:
    def __init__(self) -> None:
        self.ranges = RangeAnalysis()

    def visit(self, block: Block) -> None:
        """Simplify the operations of `block` in order, each before those inside it."""
        op = block.first_op
        while op is not None:
            before = op.prev_op
            if may_rewrite("simplify", op) and self._simplify(op):  # gone: what came in its place is next
                op = block.first_op if before is None else before.next_op
                continue
            for region in op.regions:
                for inner in region.blocks:
                    self.visit(inner)
            op = op.next_op

    def _simplify(self, op: Operation) -> bool:
        """Simplify `op`; return whether it was replaced or erased."""
        if isinstance(op, loop.IndexedOp):
            self._simplify_indices(op)
        match op:
            case loop.ForOp():
                return self._simplify_loop(op)
            case loop.IfOp() | loop.LoadOp() | loop.StoreOp() | loop.TestOp():
                return self._simplify_guard(op)
            case loop.ApplyOp() if op.index.is_constant:
                return _replace(op, op.index.constant)
            case loop.ApplyOp() if len(values := op.index.values()) == 1 and op.index == Index.of(values[0]):
                return _replace(op, values[0])
            case _:
                return _replace(op, identity_of(op))

    def _simplify_indices(self, op: loop.IndexedOp) -> None:
        facts = self.ranges.at(op)
        before = op.index_lists()
        after = {name: tuple(facts.simplify(resolve(e)) for e in expressions) for name, expressions in before.items()}
        if after != before:
            op.set_index_lists(**after)

    # Loops

    def _simplify_loop(self, op: loop.ForOp) -> bool:
        facts = self.ranges.at(op)
        _drop_implied_bounds(op, facts)
        trips = op.constant_trip_count
        if trips == 0 or any(_is_below(facts, upper - lower) for upper in op.uppers for lower in op.lowers):
            edit.replace(op, (), op.iter_args)
            return True
        if trips == 1 and op.kind in _REPEATED_KINDS:
            bounds = op.constant_bounds
            inline_body(op, bounds[0] if bounds is not None else op.lowers[0])
            return True
        return False

    # Guards

    def _simplify_guard(self, op: _Guarded) -> bool:
        """Drop conditions that always hold; act on one that never does."""
        conditions = op.conditions
        if not conditions and isinstance(op, (loop.LoadOp, loop.StoreOp)):
            return False
        facts = self.ranges.at(op)
        left: list[Index] = []
        for e in dict.fromkeys(conditions):
            if facts.proves(-e - 1, exact=False):
                return self._never(op)
            if not facts.proves(e, exact=isinstance(op, loop.IfOp)):
                left.append(e)
        if isinstance(op, loop.TestOp) and not left:
            return _replace(op, 1)
        if len(left) < len(conditions) or (not left and isinstance(op, loop.IfOp)):
            set_conditions(op, left)
            return not left and not isinstance(op, loop.StoreOp)
        return False

    def _never(self, op: _Guarded) -> bool:
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
        return True


def _is_below(facts: Facts, extent: Index) -> bool:
    """Return whether a loop of this extent never runs."""
    _, high = facts.bounds(extent)
    return high is not None and high <= 0


def _drop_implied_bounds(op: loop.ForOp, facts: Facts) -> None:
    lowers = _without_implied(op.lowers, lambda kept, e: facts.proves(kept - e))
    uppers = _without_implied(op.uppers, lambda kept, e: facts.proves(e - kept))
    if len(lowers) < len(op.lowers) or len(uppers) < len(op.uppers):
        op.set_index_lists(lower=lowers, upper=uppers)


def _without_implied(bounds: Sequence[Index], implies: Callable[[Index, Index], bool]) -> list[Index]:
    """The bounds without those that another one makes unnecessary."""
    left = list(dict.fromkeys(bounds))
    for e in list(left) if len(left) > 1 else ():
        if any(implies(kept, e) for kept in left if kept is not e):
            left.remove(e)
    return left


def _replace(op: Operation, result: SSAValue | int | None) -> bool:
    """Replace the one result of `op` by a value or a constant, broadcast where it is a vector."""
    if result is None:
        return False
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
    return True


def _element(type: Attribute) -> Attribute:
    return type.element_type if isinstance(type, VectorType) else type
