"""Pass `hoist`: moves loop-invariant operations before their loops."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint

from ....analysis.access import root_buffer, writes
from ....analysis.bounds import inside_conditions
from ....analysis.domain import is_inside
from ....analysis.effects import is_speculatable
from ....analysis.ranges import facts_at
from ....dialects import loop
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...shared.loops import certainly_runs
from .unswitch import Unswitch

_REPEATED_KINDS = (loop.SERIAL, loop.UNROLLED, loop.VECTORIZED)
"""Kinds of loops that a condition may enclose, independent of threads."""


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
    Pure operations that are defined for all operands move. A load moves if nothing in the loop writes the buffer, and
    if the load is in bounds or always executed. An assertion moves if it is always executed. Nothing moves out of a
    parallel loop, and no load out of a kernel, because the host has no access to its memory. A `loop.if` moves if it is
    the only operation of the loop, and invariant conjuncts of its condition move if others depend on the loop. If the
    `loop.if` has an `else`, or other statements beside it in an innermost loop, the loop is duplicated (unswitching).
    `max_ops`: a function that would get more operations than that keeps its conditions where they are.

    Needs: loop level; arguments and allocations that do not overlap.
    Grants: no speculatable operation inside a serial loop that does not depend on it.

    This is loop-invariant code motion (LICM).
    """

    name = "hoist"
    phase = 3
    levels = (Level.LOOP,)
    opt_level = 1

    max_ops: int = 600

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp):
                unswitch = Unswitch(function, self.max_ops)
                inside = operations(function)
                loops = [n for n in inside if isinstance(n, loop.ForOp) and n.kind != loop.PARALLEL]
                has_assertions = any(isinstance(n, loop.AssertOp) for n in inside)
                for nested in reversed(loops):  # the inner ones first
                    _hoist(nested, has_assertions=has_assertions)
                    if nested.kind in _REPEATED_KINDS:
                        unswitch.visit(nested)


def _hoist(op: loop.ForOp, *, has_assertions: bool) -> None:
    """Hoist the operations that do not depend on the loop. `has_assertions`: the function has some, so that those in
    the loop are to be looked for."""
    is_checked = False
    for nested in list(op.body.block.ops):
        if isinstance(nested, loop.AssertOp):
            _report_first(nested, op)
        is_movable = _is_invariant(nested, op) and _may_move_before(nested, op, is_checked)
        if is_movable and may_rewrite("hoist", nested):
            edit.move(nested, InsertPoint.before(op))
        elif has_assertions:
            is_checked |= any(isinstance(n, loop.AssertOp) for n in operations(nested))
    _hoist_out_of_conditions(op.body.block, op)


def _report_first(op: loop.AssertOp, around: loop.ForOp) -> None:
    """Let an assertion whose condition does not depend on a loop report the values of the first iteration."""
    lowers = around.lowers
    if len(lowers) != 1 or any(is_inside(v, around) for e in op.conditions for v in e.values()):
        return
    first = [e.substitute({around.induction_variable: lowers[0]}) for e in op.message_values]
    if first != list(op.message_values) and certainly_runs(around) and may_rewrite("report the first failure", op):
        op.set_index_lists(values=first)


def _may_move_before(op: Operation, around: loop.ForOp, is_checked: bool) -> bool:
    """Return whether an invariant operation may run before a loop; `is_checked`: it follows an assertion that stays
    inside."""
    match op:
        case loop.AssertOp():
            return certainly_runs(around) and not around.kind.tag.data
        case loop.LoadOp() if is_checked and not _is_always_inside(op, around):
            return False
        case _:
            return is_speculatable(op) or _may_load_before(op, around)


def _is_invariant(op: Operation, around: loop.ForOp) -> bool:
    return not any(is_inside(operand, around) for operand in op.operands)


def _may_load_before(op: Operation, around: loop.ForOp) -> bool:
    if not isinstance(op, loop.LoadOp) or root_buffer(op.buffer) in writes(_with_other_threads(around)):
        return False
    if around.kind.tag.data and not _threads_around(around):
        return False
    return certainly_runs(around) or (_is_always_inside(op, around) and not _others_write(op, around))


def _others_write(op: loop.LoadOp, around: loop.ForOp) -> bool:
    """Return whether other threads write the loaded buffer. If the loop has no iteration, no barrier may precede the
    load."""
    threads = _threads_around(around)
    if not threads or is_inside(root_buffer(op.buffer), threads[0]):
        return False
    return root_buffer(op.buffer) in writes(threads[-1])


def _threads_around(op: loop.ForOp) -> list[loop.ForOp]:
    """Return the loops over blocks and threads around a loop."""
    return [p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data]


def _with_other_threads(around: loop.ForOp) -> loop.ForOp:
    """Return the loop whose operations may run before a load in `around`.

    Where `around` has barriers, other threads run meanwhile, so that it is the outermost loop over threads."""
    if not any(isinstance(nested, loop.BarrierOp) for nested in operations(around)):
        return around
    threads = [p for p in (around, *loop.enclosing(around, loop.ForOp)) if loop.is_over_threads(p)]
    if not threads:  # they are inside of the loop
        return around
    outermost = threads[-1]
    assert isinstance(outermost, loop.ForOp)
    return outermost


def _is_always_inside(op: loop.LoadOp, around: loop.ForOp) -> bool:
    """Return whether the load stays inside its buffer before the loop too, even if the loop has no iteration."""
    conditions = inside_conditions(op)
    if conditions is None:
        return False
    return facts_at(around).where(*op.conditions).proves_all(conditions, exact=False)


def _hoist_out_of_conditions(block: Block, around: loop.ForOp) -> None:
    """Hoist pure operations inside of the conditionals of `block` out of the loop too."""
    for op in list(block.ops):
        if not isinstance(op, loop.IfOp):
            continue
        for region in op.regions:
            for inner in region.blocks:
                for nested in list(inner.ops):
                    is_movable = is_speculatable(nested) and _is_invariant(nested, around)
                    if is_movable and may_rewrite("hoist", nested):
                        edit.move(nested, InsertPoint.before(around))
                _hoist_out_of_conditions(inner, around)
