"""Positions in the body of a loop, counted by its loops and statements."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ..diagnostics import fail
from ..dialects import loop
from .block_moves import ancestor_in
from .refusal import BAD_ARGUMENT, loop_name


def statements_in(target: loop.ForOp) -> list[Operation]:
    """Return the statements in the body of a loop: all operations but allocations and computations of values."""
    return [op for op in target.body.block.ops if not isinstance(op, loop.AllocOp) and not is_side_effect_free(op)]


def check_target(primitive: str, block: loop.BlockOp, target: loop.ForOp) -> None:
    """Refuse a loop that cannot take a block: one around it, one that a block holds, and one of lanes."""
    if target.is_ancestor(block):
        fail(
            BAD_ARGUMENT,
            f"{primitive}: loop {loop_name(target)} is an ancestor of block {block.label!r} already",
            op=block,
        )
    if any(True for _ in loop.enclosing(target, loop.BlockOp)):
        fail(
            BAD_ARGUMENT,
            f"{primitive}: loop {loop_name(target)} is inside a block, not in the same block scope as {block.label!r}",
            op=target,
        )
    if target.kind == loop.VECTORIZED:
        fail(
            BAD_ARGUMENT, f"{primitive}: loop {loop_name(target)} is vectorized and cannot hold other loops", op=target
        )


def insertion_point(
    primitive: str, target: loop.ForOp, index: int, after: list[Operation], before: list[Operation]
) -> InsertPoint:
    """Return the insertion point of a nest in the body of `target`: after the statements that hold the operations
    `after`, before those that hold the operations `before`.

    `index` counts statements; -1 is the last possible position and -2 the first.
    """
    body = target.body.block
    statements = statements_in(target)
    first = max((statements.index(op) + 1 for op in _holders(target, after)), default=0)
    last = min((statements.index(op) for op in _holders(target, before)), default=len(statements))
    position = {-1: last, -2: first}.get(index, index)
    if not first <= position <= last:
        fail(
            BAD_ARGUMENT,
            f"{primitive}: expected an index from {first} to {last} in the body of loop {loop_name(target)}, -1 for "
            f"the last or -2 for the first of these, but got {index}",
            op=target,
        )
    if position == len(statements):
        return InsertPoint.at_end(body)
    return InsertPoint.before(statements[position])


def _holders(target: loop.ForOp, ops: list[Operation]) -> list[Operation]:
    holders = (ancestor_in(target.body.block, op) for op in ops)
    return [op for op in holders if op is not None]
