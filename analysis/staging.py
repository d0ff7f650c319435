"""Staging buffers, which each iteration of a loop fills and reads, and proofs that they may be filled ahead of time."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ..diagnostics.locations import name_of
from ..dialects import loop
from .access import accesses_in, accesses_of
from .domain import is_inside
from .exact_coverage import stores_cover_reads


@dataclass(frozen=True)
class Staging:
    """A buffer that each iteration of a loop writes first and reads afterwards."""

    loop: loop.ForOp
    fill: tuple[Operation, ...]
    """The operations of the loop's body that write the buffer, in order, and the pure ones that they use."""


def staging_of(alloc: loop.AllocOp) -> Staging | str:
    """Return how the loop around an allocation fills it, or why the next iteration's copy cannot be filled ahead.

    The operations that fill the buffer write nothing else, and read no other memory that the loop writes. They read
    from the buffer only elements that they have written in the same iteration, because each iteration uses a separate
    copy. Shared memory is allocated outside of the loops over threads: there the loop in question is the innermost loop
    around all uses, where each iteration reads only elements that it has written.
    """
    around = _sharing_loop(alloc) if loop.scope_of(alloc.res.type) == loop.SHARED else alloc.parent_op()
    if not isinstance(around, loop.ForOp):
        return "is not allocated inside a loop"
    if around.kind not in (loop.SERIAL, loop.UNROLLED) or around.iter_args or len(around.lowers) != 1:
        return "is allocated in a loop that is not serial"
    if any(is_inside(v, around) for n in alloc.shape for v in n.values()):
        return "has an extent that changes with the loop"
    writers, holders = _holders(alloc, around)
    readers = [op for op in holders if op not in writers]
    if not writers or not readers:
        return "is not written and then read in the loop"
    if any(r.is_before_in_block(w) for w in writers for r in readers):
        return "is read before all of it is written in an iteration"
    obstacle = next((o for w in writers if (o := _obstacle(w, alloc.res, around))), None)
    if obstacle is not None:
        return obstacle
    used = _pure_inputs(writers, around)
    if isinstance(used, str):
        return used
    body = around.body.block
    return Staging(around, tuple(op for op in body.ops if op in used or op in writers))


def _sharing_loop(alloc: loop.AllocOp) -> Operation | None:
    """Return the loop whose iterations fill and read a buffer that threads share."""
    accesses = accesses_of(alloc.res)
    outer = alloc.parent_op()
    inside = [
        op
        for op in (accesses[0].domain.loops if accesses else ())
        if all(op.is_ancestor(access.op) for access in accesses) and outer is not None and outer.is_ancestor(op)
    ]
    innermost = inside[-1] if inside else outer
    if innermost is outer or not isinstance(innermost, loop.ForOp):
        return outer
    return innermost if stores_cover_reads(innermost, accesses) else None


def _holders(alloc: loop.AllocOp, around: loop.ForOp) -> tuple[list[Operation], list[Operation]]:
    """Return the operations of the loop's body that write the buffer, and those that read it."""
    writers: dict[Operation, None] = {}
    readers: dict[Operation, None] = {}
    for access in accesses_of(alloc.res):
        holder = around.body.block.find_ancestor_op_in_block(access.op)
        assert holder is not None
        (writers if access.is_write else readers)[holder] = None
    return list(writers), list(readers)


def _obstacle(fill: Operation, buffer: SSAValue, around: loop.ForOp) -> str | None:
    """Return the effect or operand of `fill` that forbids to fill the buffer ahead, as the end of a sentence; or
    None."""
    written = {a.buffer for a in accesses_in(around) if a.is_write}
    for access in accesses_in(fill):
        if access.buffer is buffer or is_inside(access.buffer, fill):
            continue
        if access.is_write:
            return f"is filled together with {name_of(access.buffer)}"
        if access.buffer in written:
            return f"is filled from {name_of(access.buffer)}, which the loop writes"
    return None


def _pure_inputs(writers: list[Operation], around: loop.ForOp) -> set[Operation] | str:
    """Return the operations of the loop's body whose results the writers use, if all can be repeated."""
    found: set[Operation] = set()
    pending = [*writers]
    while pending:
        for nested in pending.pop().walk():
            for value in nested.operands:
                owner = value.owner
                if not isinstance(owner, Operation) or owner.parent is not around.body.block or owner in found:
                    continue
                if isinstance(owner, loop.AllocOp):
                    continue
                if not is_side_effect_free(owner):
                    return f"is filled by means of {name_of(value)}, which is computed in the loop"
                found.add(owner)
                pending.append(owner)
    return found
