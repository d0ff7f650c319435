"""Pass `hoist`: what every iteration computes alike is computed before the loop."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.access import root_buffer, writes
from ...analysis.bounds import inside_conditions
from ...analysis.domain import is_inside
from ...analysis.ranges import facts_at
from ...dialects import loop
from ..base import Level, Pass
from ..effects import is_speculatable
from ..loops import detach_ops
from ..rewrite_limit import may_rewrite


@dataclass(frozen=True)
class HoistPass(Pass):
    """Move operations that do not depend on a loop in front of it, and conditions that do not depend on it around it.

    ```mlir
    loop.for %i = 0 to 8 {
      %s = loop.load %S[0] : memref<1xf32>
      %v = vector.broadcast %s : f32 to vector<8xf32>
      loop.if (%n >= 1) { loop.store %v, %A[%i * 8 + lane] : vector<8xf32>, memref<64xf32> }
    }
    // becomes
    %s = loop.load %S[0] : memref<1xf32>
    %v = vector.broadcast %s : f32 to vector<8xf32>
    loop.if (%n >= 1) {
      loop.for %i = 0 to 8 { loop.store %v, %A[%i * 8 + lane] : vector<8xf32>, memref<64xf32> }
    }
    ```
    Pure operations that are defined for all operands move; a load moves where nothing in the loop writes its buffer
    and it stays inside of it, or runs in any case. Nothing leaves a parallel loop. A condition moves where it is all
    that the loop holds.

    Needs: loop level; arguments and allocations that do not overlap.
    Grants: no speculatable operation inside a serial loop that does not depend on it.
    """

    name = "hoist"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in reversed([n for n in op.walk() if isinstance(n, loop.ForOp)]):  # the inner ones first
            if nested.kind != loop.PARALLEL:
                _hoist(nested)


def _hoist(op: loop.ForOp) -> None:
    for nested in list(op.body.block.ops):
        is_movable = _is_invariant(nested, op) and (is_speculatable(nested) or _may_load_before(nested, op))
        if is_movable and may_rewrite("hoist", nested):
            nested.detach()
            Rewriter.insert_op(nested, InsertPoint.before(op))
    _hoist_out_of_conditions(op.body.block, op)
    _exchange_with_condition(op)


def _runs(op: loop.ForOp) -> bool:
    """Whether the loop certainly has an iteration."""
    if (trips := op.constant_trip_count) is not None:
        return trips > 0
    facts = facts_at(op)
    return all(facts.proves(upper - lower - 1, exact=False) for lower in op.lowers for upper in op.uppers)


def _is_invariant(op: Operation, around: loop.ForOp) -> bool:
    return not any(is_inside(operand, around) for operand in op.operands)


def _may_load_before(op: Operation, around: loop.ForOp) -> bool:
    if not isinstance(op, loop.LoadOp) or root_buffer(op.buffer) in writes(_with_other_threads(around)):
        return False
    return _runs(around) or _is_always_inside(op, around)


def _with_other_threads(around: loop.ForOp) -> loop.ForOp:
    """What may run before a load of the loop and not before the loop: at a barrier in it, all that other threads do."""
    if not any(isinstance(nested, loop.BarrierOp) for nested in around.walk()):
        return around
    threads = [p for p in (around, *loop.enclosing(around, loop.ForOp)) if loop.is_over_threads(p)]
    outermost = threads[-1]
    assert isinstance(outermost, loop.ForOp)
    return outermost


def _is_always_inside(op: loop.LoadOp, around: loop.ForOp) -> bool:
    """Whether the load stays inside its buffer before the loop too, even if that has no iteration."""
    conditions = inside_conditions(op)
    if conditions is None:
        return False
    return facts_at(around).where(*op.conditions).proves_all(conditions, exact=False)


def _hoist_out_of_conditions(block: Block, around: loop.ForOp) -> None:
    """Pure operations inside of the conditionals of `block` leave the loop too."""
    for op in list(block.ops):
        if not isinstance(op, loop.IfOp):
            continue
        for region in op.regions:
            for inner in region.blocks:
                for nested in list(inner.ops):
                    is_movable = is_speculatable(nested) and _is_invariant(nested, around)
                    if is_movable and may_rewrite("hoist", nested):
                        nested.detach()
                        Rewriter.insert_op(nested, InsertPoint.before(around))
                _hoist_out_of_conditions(inner, around)


def _exchange_with_condition(op: loop.ForOp) -> None:
    """`for { if (c) { … } }` becomes `if (c) { for { … } }` where c does not depend on the loop."""
    inner = op.body.block.first_op
    if not isinstance(inner, loop.IfOp) or inner is not op.body.block.last_op or inner.else_body.blocks:
        return
    if op.iter_args or not _is_invariant(inner, op):
        return
    guarded = loop.IfOp(inner.conditions)
    guarded.attributes = dict(inner.attributes)
    guarded.location = inner.location
    ops = detach_ops(inner.then_body.block)
    Rewriter.erase_op(inner)
    op.body.block.add_ops(ops)
    Rewriter.insert_op(guarded, InsertPoint.before(op))
    op.detach()
    guarded.then_body.block.add_op(op)
