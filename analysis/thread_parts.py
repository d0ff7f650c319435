"""Buffers inside loops over virtual threads that need a private copy for each thread.

A buffer allocated inside such a loop is private to the thread in principle. One shared buffer is enough in two cases:
different threads touch different elements, or all threads write the same values, such as a tile that every thread of a
row reads.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from xdsl.dialects.func import CallOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialects import loop
from ..traversal import operations
from .access import accesses_in, accesses_of
from .domain import is_inside
from .exact_coverage import stores_cover_reads
from .radix import forced_equal


def has_parts(alloc: loop.AllocOp, threads: loop.ForOp) -> bool:
    """Return whether no two threads touch one element of a buffer that is allocated inside their loop."""
    accesses = accesses_of(alloc.res)
    thread = threads.induction_variable
    return all(thread in forced_equal(a, b, (threads,)) for a in accesses if a.is_write for b in accesses)


def uniform_buffers(threads: loop.ForOp) -> Set[SSAValue]:
    """Return the buffers allocated inside a loop over threads that all threads fill with the same, at the same
    indices."""
    written = {access.buffer for access in accesses_in(threads) if access.is_write}
    found = {op.res for op in operations(threads) if isinstance(op, loop.AllocOp) and _is_filled_first(op)}
    while True:
        varying = {buffer for buffer in found if any(_varies(op, threads, written - found) for op in _stores(buffer))}
        if not varying:
            return found
        found -= varying


def writes_only(ops: Sequence[Operation], buffers: Set[SSAValue]) -> bool:
    """Return whether operations have no effect but on these buffers, and no other operation uses their results."""
    for op in (nested for each in ops for nested in operations(each)):
        match op:
            case loop.StoreOp():
                if op.buffer not in buffers:
                    return False
            case CallOp() | loop.CallExternOp() | loop.BarrierOp() | loop.PrefetchOp() | loop.AllocOp():
                return False
            case _:
                pass
    return any(isinstance(nested, loop.StoreOp) for each in ops for nested in operations(each))


def _is_filled_first(alloc: loop.AllocOp) -> bool:
    """Return whether each run of the block fills the buffer before it reads it, in different operations.

    Then it does not matter between which of these operations other threads fill it with the same.
    """
    users = [use.operation for use in alloc.res.uses]
    if not users or not all(isinstance(user, (loop.LoadOp, loop.StoreOp)) for user in users):
        return False
    block = users[0].parent
    while block is not None and any(block.find_ancestor_op_in_block(user) is None for user in users):
        parent = block.parent_op()
        block = parent.parent if parent is not None else None
    assert block is not None
    around = block.parent_op()
    if block is not alloc.parent and not (
        isinstance(around, loop.ForOp) and stores_cover_reads(around, accesses_of(alloc.res))
    ):
        return False
    fills = {block.find_ancestor_op_in_block(user) for user in users if isinstance(user, loop.StoreOp)}
    reads = {block.find_ancestor_op_in_block(user) for user in users if isinstance(user, loop.LoadOp)}
    return all(f is not None and r is not None and f is not r and f.is_before_in_block(r) for f in fills for r in reads)


def _stores(buffer: SSAValue) -> list[Operation]:
    return [use.operation for use in buffer.uses if isinstance(use.operation, loop.StoreOp)]


def _varies(store: Operation, threads: loop.ForOp, varying: Set[SSAValue]) -> bool:
    """Return whether the value, index or condition of a store may depend on the thread, as elements of `varying`
    buffers do."""
    values = list(store.operands)
    parent = store.parent_op()
    while parent is not None and parent is not threads:
        values += parent.operands
        parent = parent.parent_op()
    seen: set[SSAValue] = set()
    while values:
        value = values.pop()
        if value in seen or not is_inside(value, threads):
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(value, BlockArgument):
            # The bounds of the loops around the store are among the values already.
            if value is threads.induction_variable or value.index != 0:
                return True
            continue
        assert isinstance(owner, Operation)
        if isinstance(owner, loop.AllocOp):
            continue
        if owner.regions or (isinstance(owner, loop.LoadOp) and owner.buffer in varying):
            return True
        values += owner.operands
    return False
