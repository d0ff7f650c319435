"""Asynchronous copies of a software pipeline: the statements that start them, and the points at which threads wait."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation

from ....analysis.access import accesses_in
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.loop.pragmas import PIPELINE_ASYNC, annotation_key, integers_of
from ....dialects.target import target_of
from ....ir import editor as edit
from ....traversal import operations
from ...shared.pipeline_stages import Statement

NOT_ASYNCHRONOUS = "TW0666"


def mark_copies(around: loop.ForOp, statements: Sequence[Statement]) -> Sequence[Statement]:
    """Mark the stores of the stages that the loop is annotated to copy asynchronously; the statements that wait.

    A statement of such a stage copies elements as they are from global to shared memory. Each time step's copies are a
    group, which the statements of the earliest stage that uses them wait for; the data of later stages has arrived in
    an earlier time step. Copies that cannot be asynchronous stay synchronous, with a remark, and nothing waits.
    """
    name = annotation_key(around, PIPELINE_ASYNC)
    stages = integers_of(around, name) if name is not None else ()
    if not stages:
        return ()
    wanted = [s for s in statements if s.stage in stages]
    users = _users(statements, wanted)
    reason = _obstacle(around, statements, wanted, users)
    stores = [op for s in wanted for op in operations(s.root) if isinstance(op, loop.StoreOp)]
    if reason is None:
        reason = next((r for store in stores if (r := _not_a_copy(store))), None)
    if reason is not None or not stores:
        remark(NOT_ASYNCHRONOUS, f"copies of a pipeline are not asynchronous: {reason or 'there are none'}", op=around)
        return ()
    for store in stores:
        edit.change(store).attributes[loop.ASYNC] = UnitAttr()
    first = min(s.stage for s in users)
    return [s for s in users if s.stage == first]


def _users(statements: Sequence[Statement], wanted: Sequence[Statement]) -> list[Statement]:
    """Return the statements that read the copies, or that write to these buffers without being copies."""
    copied = {a.buffer for s in wanted for a in accesses_in(s.root) if a.is_write}

    def uses_copies(statement: Statement) -> bool:
        accesses = [a for op in statement.ops for a in accesses_in(op) if a.buffer in copied]
        return any(not a.is_write or statement not in wanted for a in accesses)

    return [s for s in statements if uses_copies(s)]


def _obstacle(
    around: loop.ForOp, statements: Sequence[Statement], wanted: Sequence[Statement], users: Sequence[Statement]
) -> str | None:
    target = target_of(around)
    if target is None or not target.has_async_copies:
        return "the target has no such copies"
    if len(around.lowers) != 1 or len(around.uppers) != 1:
        return "the loop has several bounds"
    if not wanted or any(s.stage != 0 for s in wanted):
        return "they are not made in the first stage"
    if all(s.stage == 0 for s in statements):
        return "the loop has one stage"
    if not users:
        return "nothing uses them"
    early = next((s for s in users if s.stage == 0), None)
    return None if early is None else f"statement {early.number} needs them in the stage that makes them"


def _not_a_copy(store: loop.StoreOp) -> str | None:
    value, type = store.value.owner, store.buffer.type
    if loop.family_of(type) != loop.SHARED:
        return "one of them does not go to shared memory"
    if not isinstance(value, loop.LoadOp) or loop.scope_of(value.buffer.type) != loop.GLOBAL:
        return "one of them converts or computes elements" if isinstance(value, Operation) else "one stores a value"
    return "one of them is guarded" if value.conditions or store.conditions else None
