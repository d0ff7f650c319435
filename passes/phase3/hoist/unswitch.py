"""Loop unswitching: a loop around a condition that does not depend on it becomes a condition around loops.

If the condition is the only operation of the loop, nothing is copied. If the condition has an `else`, or other
statements beside it, each branch needs a copy of the loop. Only innermost loops are copied, because their bodies are
short compared with their number of iterations.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint

from ....analysis.domain import is_inside
from ....diagnostics.locations import name_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...shared.guards import keep_region, set_conditions


class Unswitch:
    """Moves conditions out of the loops of one function, which may grow to `max_ops` operations."""

    def __init__(self, function: FuncOp, max_ops: int) -> None:
        self.function = function
        self.max_ops = max_ops
        self._size: int | None = None

    def visit(self, op: loop.ForOp) -> None:
        """Move the conditions right inside `op` that do not depend on it around it."""
        if op.iter_args:
            return
        only = _only_condition(op)
        if only is not None and not only.else_body.blocks:
            _exchange(only, op)
            return
        # All threads of a block must wait at the same barrier operation.
        kept_together = loop.BarrierOp if only is not None else (loop.BarrierOp, loop.ForOp)
        if not any(isinstance(n, kept_together) for n in operations(op)[1:]):
            self._unswitch(op)

    def _unswitch(self, op: loop.ForOp) -> None:
        """Replace `for { a; if (c) { b } else { d } }` by `if (c) { for { a; b } } else { for { a; d } }`."""
        body = list(op.body.block.ops)
        inner = next(
            (n for n in body if isinstance(n, loop.IfOp) and all(_is_fixed(e, op) for e in n.conditions)), None
        )
        if inner is None or _parts_threads(inner, op):
            return
        same = [k for k, n in enumerate(body) if isinstance(n, loop.IfOp) and n.conditions == inner.conditions]
        if not self._affords(2 + _size_of(op) - sum(_size_of(body[k]) for k in same), inner, op):
            return
        if not may_rewrite("take a condition out of a loop", op):
            return
        choice = loop.IfOp(inner.conditions, Region(Block()), Region(Block()))
        edit.change(choice).attributes, choice.location = dict(inner.attributes), inner.location
        other = op.clone()
        copies = list(other.body.block.ops)
        for k in same:
            _keep_side(body[k], holds=True)
            _keep_side(copies[k], holds=False)
        edit.insert(choice, InsertPoint.before(op))
        edit.append(choice.then_body.block, edit.detach(op))
        edit.append(choice.else_body.block, other)
        for each in (op, other):
            self.visit(each)

    def _affords(self, added: int, inner: loop.IfOp, op: loop.ForOp) -> bool:
        if self._size is None:
            self._size = _size_of(self.function)
        if self._size + added <= self.max_ops:
            self._size += added
            return True
        remark(
            "TW0547",
            f"a condition stays in loop {name_of(op.induction_variable)}, which it does not depend on: "
            f"with a second loop, @{self.function.sym_name.data} would have more than {self.max_ops} operations",
            op=inner,
        )
        return False


def _only_condition(op: loop.ForOp) -> loop.IfOp | None:
    """Return the conditional that is all that a loop holds."""
    inner = op.body.block.first_op
    return inner if isinstance(inner, loop.IfOp) and inner is op.body.block.last_op else None


def _exchange(inner: loop.IfOp, op: loop.ForOp) -> None:
    """Replace `for { if (c, d) { … } }` by `if (c) { for { if (d) { … } } }` where c does not depend on the loop."""
    fixed = [e for e in inner.conditions if _is_fixed(e, op)]
    if not fixed or not may_rewrite("take a condition out of a loop", op):
        return
    around = loop.IfOp(fixed)
    edit.change(around).attributes, around.location = dict(inner.attributes), inner.location
    set_conditions(inner, [e for e in inner.conditions if e not in fixed])
    edit.insert(around, InsertPoint.before(op))
    edit.append(around.then_body.block, edit.detach(op))


def _is_fixed(e: Index, around: loop.ForOp) -> bool:
    return not any(is_inside(v, around) for v in e.values())


def _parts_threads(inner: loop.IfOp, op: loop.ForOp) -> bool:
    """Return whether unswitching would separate threads that meet at a barrier in the loop."""
    return any(isinstance(n, loop.BarrierOp) for n in operations(op)) and any(
        map(loop.depends_on_thread, inner.operands)
    )


def _keep_side(op: Operation, *, holds: bool) -> None:
    assert isinstance(op, loop.IfOp)
    region = op.then_body if holds else op.else_body
    keep_region(op, region.block if region.blocks else None)


def _size_of(op: Operation) -> int:
    return sum(1 for _ in operations(op))
