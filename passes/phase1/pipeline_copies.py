"""Asynchronous copies of a software pipeline: which of its statements make them, and where threads wait for them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation

from ...analysis.access import accesses_in
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.loop.pragmas import PIPELINE_ASYNC, annotation_key, integers_of
from ...dialects.target import TARGET_ATTRIBUTE, CudaTargetAttr
from ...traversal import operations
from .pipeline_stages import Statement

NOT_ASYNCHRONOUS = "TW0666"


def mark_copies(around: loop.ForOp, statements: Sequence[Statement]) -> bool:
    """Mark the stores of the stages that the loop is annotated to copy asynchronously; whether there are any.

    A statement of such a stage copies elements as they are from global to shared memory. Each time step's copies are a
    group, so what needs them is in the last stage. Where it is not so, the copies stay what they are, with a remark.
    """
    name = annotation_key(around, PIPELINE_ASYNC)
    stages = integers_of(around, name) if name is not None else ()
    if not stages:
        return False
    wanted = [s for s in statements if s.stage in stages]
    reason = _obstacle(around, statements, wanted)
    stores = [op for s in wanted for op in operations(s.root) if isinstance(op, loop.StoreOp)]
    if reason is None:
        reason = next((r for store in stores if (r := _not_a_copy(store))), None)
    if reason is not None or not stores:
        remark(NOT_ASYNCHRONOUS, f"copies of a pipeline are not asynchronous: {reason or 'there are none'}", op=around)
        return False
    for store in stores:
        store.attributes[loop.ASYNC] = UnitAttr()
    return True


def _obstacle(around: loop.ForOp, statements: Sequence[Statement], wanted: Sequence[Statement]) -> str | None:
    module = next(iter(loop.enclosing(around, ModuleOp)), None)
    target = module.attributes.get(TARGET_ATTRIBUTE) if module is not None else None
    if not isinstance(target, CudaTargetAttr) or target.capability < (8, 0):
        return "the target has no such copies"
    if len(around.lowers) != 1 or len(around.uppers) != 1:
        return "the loop has several bounds"
    last = max((s.stage for s in statements), default=0)
    copied = {a.buffer for s in wanted for a in accesses_in(s.root) if a.is_write}
    for statement in (s for s in statements if s not in wanted):
        if statement.stage != last and any(a.buffer in copied for a in accesses_in(statement.root)):
            return f"statement {statement.number} needs them before the last stage"
    if not wanted or any(s.stage != 0 for s in wanted):
        return "they are not made in the first stage"
    return "the loop has one stage" if last == 0 else None


def _not_a_copy(store: loop.StoreOp) -> str | None:
    value, type = store.value.owner, store.buffer.type
    if loop.family_of(type) != loop.SHARED:
        return "one of them does not go to shared memory"
    if not isinstance(value, loop.LoadOp) or loop.scope_of(value.buffer.type) != loop.GLOBAL:
        return "one of them converts or computes elements" if isinstance(value, Operation) else "one stores a value"
    return "one of them is guarded" if value.conditions or store.conditions else None
