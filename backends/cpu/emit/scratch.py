"""Memory of parallel loops: what an iteration needs that is too large for a stack.

Iterations that a team runs at once need a buffer each, and how large a team is shows when the program is called. So
behind the buffers of fixed places the arena has a piece for each member of a team, all as large as the hungriest loop
of the program wants it. A kernel takes the pointer to the first piece; pieces of one function's loops lie as far apart
as the hungriest of these needs. Kernels run one after the other, and a member runs its iterations one after the other:
places are used again.

What depends on symbolic sizes comes from the heap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation

from ....dialects.loop import GLOBAL, LOCAL, PARALLEL, AllocOp, ForOp, byte_size, scope_of
from ....runtime.buffers import rounded
from ....traversal import operations

STACK_LIMIT = 64 << 10
"""Local buffers above this many bytes are put elsewhere: threads of a pool have small stacks."""


@dataclass(frozen=True)
class Scratch:
    """The places of one function's parallel loops in the piece of a member."""

    offsets: Mapping[Operation, int]
    """Bytes: of allocations, and of what calls hand on to the functions that they call."""
    size: int
    """Bytes that a member needs, for the function and for those that it calls; a multiple of ALIGNMENT."""


def is_on_stack(type_: MemRefType) -> bool:
    """Whether a buffer lies on the stack of whoever runs its allocation."""
    size = byte_size(type_)
    return scope_of(type_) == LOCAL and size is not None and size <= STACK_LIMIT


def plan_scratch(function: func.FuncOp, callees: Mapping[str, int]) -> Scratch:
    """The places of a function's loops; `callees` is what the functions need that it calls."""
    offsets: dict[Operation, int] = {}
    largest = max((callees.get(name, 0) for name in _called(function)), default=0)
    for loop in _outermost_parallel_loops(function.body.block):
        end = 0
        for op in operations(loop):
            size = _needs(op, callees)
            if size:
                offsets[op] = end
                end += rounded(size)
        largest = max(largest, end)
    return Scratch(offsets, largest)


def _called(function: func.FuncOp) -> Iterator[str]:
    return (op.callee.root_reference.data for op in operations(function) if isinstance(op, func.CallOp))


def _outermost_parallel_loops(block: Block) -> Iterator[ForOp]:
    for op in block.ops:
        if isinstance(op, ForOp) and op.kind == PARALLEL:
            yield op
            continue
        for region in op.regions:
            for inner in region.blocks:
                yield from _outermost_parallel_loops(inner)


def _needs(op: Operation, callees: Mapping[str, int]) -> int:
    """Bytes that an operation within a parallel loop needs of the member that runs it."""
    if isinstance(op, func.CallOp):
        return callees.get(op.callee.root_reference.data, 0)
    if not isinstance(op, AllocOp) or scope_of(op.res.type) not in (GLOBAL, LOCAL) or is_on_stack(op.res.type):
        return 0
    return byte_size(op.res.type) or 0
