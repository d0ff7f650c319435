"""Changes of guards: the conditions of `loop.if`, `loop.test`, loads and stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit

GuardedOp: TypeAlias = "loop.IfOp | loop.LoadOp | loop.StoreOp | loop.TestOp"
"""An op with `conditions`."""


def set_conditions(op: GuardedOp, conditions: Sequence[Index]) -> None:
    """Give `op` fewer conditions; without any a `loop.if` is replaced by its first region, a load loses its `else`."""
    if conditions or isinstance(op, (loop.StoreOp, loop.TestOp)):
        op.set_index_lists(guard=conditions)
    elif isinstance(op, loop.IfOp):
        keep_region(op, op.then_body.block)
    else:
        plain = loop.LoadOp(op.buffer, op.index, lanes=op.lanes)
        plain.location = op.location
        edit.change(plain).attributes = dict(op.attributes)
        edit.replace(op, plain)


def keep_region(op: loop.IfOp, block: Block | None) -> None:
    """Replace a `loop.if` by the operations of one of its regions, or by nothing."""
    if block is not None:
        edit.insert(edit.detach_all(block), InsertPoint.before(op))
    edit.erase(op)
