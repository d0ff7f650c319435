"""The storage plan of a function: registers, stack, memory of a thread, arena or heap for each buffer.

Concurrent iterations need a buffer each, and the number of threads of a team is known only when the program is called.
Behind the buffers at fixed offsets the arena therefore has a piece for each thread, as large as the largest need of a
parallel loop of the program. A kernel takes the pointer to the first piece; the distance of the pieces of one function
is the largest need of its loops. Kernels run one after the other, and a thread runs its iterations one after the other,
so that all of them use the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.ir import Block, Operation

from ....dialects.loop import GLOBAL, LOCAL, REGISTER, UNROLLED, AllocOp, ForOp, LoadOp, StoreOp, byte_size, scope_of
from ....dialects.loop.memory_spaces import IN_ARENA, IN_REGISTERS, OF_THREAD, ON_HEAP, ON_STACK, MemorySpaceAttr
from ....semantics.assigned_memory import check_written_out
from ....traversal import operations
from ...shared.arena_offsets import aligned
from ...shared.loops import outermost_parallel_loops

STACK_LIMIT_BYTES = 64 << 10
"""Local buffers above this size are put elsewhere: threads of a pool have small stacks."""


@dataclass
class Storage:
    """The storage of a function's buffers."""

    of: dict[Operation, MemorySpaceAttr] = field(default_factory=dict[Operation, MemorySpaceAttr])
    """Of allocations, and of calls that hand memory of a thread on."""
    thread_bytes: int = 0
    """The bytes that a member of a team needs for the function and its callees; a multiple of a cache line."""
    arena_bytes: int = 0


def storage_in(
    function: func.FuncOp, callees: Mapping[str, int], *, is_entry: bool, has_thread_memory: bool
) -> Storage:
    """Choose the storage of a function's buffers; `callees` maps the functions that it calls to their bytes of a
    thread's memory."""
    storage = Storage()
    called = (op.callee.root_reference.data for op in operations(function) if isinstance(op, func.CallOp))
    storage.thread_bytes = max((callees.get(name, 0) for name in called), default=0)
    if has_thread_memory:
        for loop in outermost_parallel_loops(function.body.block):
            _assign_in_threads(storage, loop, callees)
    in_order = set(_run_in_order(function.body.block)) if is_entry else set[Operation]()
    for op in operations(function):
        if isinstance(op, AllocOp) and op not in storage.of:
            storage.of[op] = _storage_of(storage, op, in_arena=op in in_order)
    return storage


def _run_in_order(block: Block) -> Iterator[Operation]:
    """Yield the operations of a function's block and of the loops in it that are written out."""
    for op in block.ops:
        yield op
        if isinstance(op, ForOp) and op.kind == UNROLLED:
            yield from _run_in_order(op.body.block)


def _assign_in_threads(storage: Storage, loop: ForOp, callees: Mapping[str, int]) -> None:
    """Assign offsets in the memory of a thread to the buffers of an iteration of a parallel loop, one after the
    other."""
    end = 0
    for op in operations(loop):
        size = _bytes_of_thread(op, callees)
        if size:
            storage.of[op] = MemorySpaceAttr.get(OF_THREAD, end)
            end += aligned(size)
    storage.thread_bytes = max(storage.thread_bytes, end)


def _bytes_of_thread(op: Operation, callees: Mapping[str, int]) -> int:
    if isinstance(op, func.CallOp):
        return callees.get(op.callee.root_reference.data, 0)
    if not isinstance(op, AllocOp) or scope_of(op.res.type) not in (GLOBAL, LOCAL) or _fits_stack(op):
        return 0
    return byte_size(op.res.type) or 0


def _storage_of(storage: Storage, op: AllocOp, *, in_arena: bool) -> MemorySpaceAttr:
    scope, size = scope_of(op.res.type), byte_size(op.res.type)
    if scope == REGISTER:
        return MemorySpaceAttr.get(IN_REGISTERS, _widest_access(op))
    if _fits_stack(op):
        return MemorySpaceAttr.get(ON_STACK)
    if not in_arena or scope != GLOBAL or size is None:
        return MemorySpaceAttr.get(ON_HEAP)
    arena = MemorySpaceAttr.get(IN_ARENA, storage.arena_bytes)
    storage.arena_bytes += aligned(size)
    return arena


def _fits_stack(op: AllocOp) -> bool:
    size = byte_size(op.res.type)
    return scope_of(op.res.type) == LOCAL and size is not None and size <= STACK_LIMIT_BYTES


def _widest_access(op: AllocOp) -> int:
    """Return the lanes of the widest access to a register buffer: its chunks. Raises TW0728 for an index that
    varies."""
    accesses = [use.operation for use in op.res.uses if isinstance(use.operation, (LoadOp, StoreOp))]
    for access in accesses:
        check_written_out(access)
    return max((access.lanes for access in accesses if access.lanes is not None), default=1)
