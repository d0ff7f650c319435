"""Legality of moving a computation to its consumer: the inputs must not be overwritten before.

Only the instances that a consumer reads matter, and only the writes that run before the new position. Each query pairs
a read of the block with the consumer's read of the element that is computed from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..analysis.access import Access, accesses_in, accesses_of
from ..analysis.dependence import Conflict, between_iterations, overlap, runs_before
from ..analysis.domain import is_inside, loops_around, with_facts
from ..analysis.integer_set import System
from ..diagnostics.locations import name_of
from ..dialects import loop
from ..dialects.index_expr import Index
from .block_moves import ancestor_in, change_of_inputs, inputs_of, shared_loops, sibling_ancestors


@dataclass(frozen=True)
class _Needed(Access):
    """A read of a block, restricted to the instances whose results a consumer reads."""

    needed: System = System()
    element: tuple[Index, ...] | None = None

    @property
    def system(self) -> System:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.needed

    @property
    def index(self) -> tuple[Index, ...] | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.element


def change_before_consumers(
    block: loop.BlockOp, consumers: Sequence[Access], destination: Operation, point: Operation
) -> Conflict | None:
    """Return a write that would come before `block` reads the element, once its instances run right before `point`.

    `point` is inside `destination`. If blocks share loops with their consumers, or consumers read at data-dependent
    indices, all writes in `destination` count.
    """
    stores = [a for a in accesses_in(block) if a.is_write and not a.is_init]
    start, end = sibling_ancestors(block, destination)
    conflict = _change_between_iterations(block, stores, consumers, start)
    if conflict is not None:
        return conflict
    known = all(a.index is not None and a.domain.is_exact for a in (*stores, *consumers, *inputs_of(block)))
    local = all(isinstance(a.buffer.owner, loop.AllocOp) for a in stores)
    body = start.parent
    if not known or not local or body is None or not isinstance(body.parent_op(), FuncOp):
        return change_of_inputs(block, destination)
    for read in inputs_of(block):
        writes = [w for w in accesses_of(read.buffer) if w.is_write and w.block is not block]
        for needed in (_needed(read, stores, consumer) for consumer in consumers):
            for write in writes:
                at = ancestor_in(body, write.op)
                if at is None or at.is_before_in_block(start) or end.is_before_in_block(at):
                    continue
                if at is start:
                    conflict = runs_before(needed, write, shared_loops(start, read.op, write.op))
                elif at is end:
                    conflict = _written_before(needed, write, end, point)
                else:
                    conflict = overlap(needed, write, at)
                if conflict is not None:
                    return conflict
    return None


def _change_between_iterations(
    block: loop.BlockOp, stores: Sequence[Access], consumers: Sequence[Access], start: Operation
) -> Conflict | None:
    """Return a write to an input of `block` before a later iteration of a loop around it and a consumer that still
    reads the result: the block would run in that iteration."""
    pairs = [(store, consumer) for store in stores for consumer in consumers if store.buffer is consumer.buffer]
    for op in loops_around(start):
        later = [c for s, c in pairs if not is_inside(s.buffer, op) and between_iterations(s, c, op) is not None]
        for read in inputs_of(block) if later else ():
            if is_inside(read.buffer, op):
                name = name_of(op.induction_variable)
                reason = (
                    f"it belongs to one iteration of loop {name}, and a later one may read results computed from it"
                )
                return Conflict(read, later[0], reason, {}, {})
            for write in accesses_of(read.buffer):
                if write.is_write and write.block is not block and op.is_ancestor(write.op):
                    conflict = between_iterations(read, write, op)
                    if conflict is not None:
                        return conflict
    return None


def _needed(read: Access, stores: Sequence[Access], consumer: Access) -> _Needed:
    store = next(a for a in stores if a.buffer is consumer.buffer)
    same = zip(store.index or (), consumer.index or (), strict=True)
    system = (with_facts(read.system) & with_facts(consumer.system)).equating(same)
    return _Needed(read.op, read.buffer, False, read.block, read.argument, needed=system, element=read.index)


def _written_before(needed: _Needed, write: Access, end: Operation, point: Operation) -> Conflict | None:
    """Return instances of a write in the consumers' nest that run before those of `point`."""
    conflict = runs_before(write, replace(needed, op=point), shared_loops(end, point, write.op))
    if conflict is None:
        return None
    return replace(
        conflict, source=needed, sink=write, source_point=conflict.sink_point, sink_point=conflict.source_point
    )
