"""Memory of threads, as `assign-memory-spaces` has planned it.

Behind the buffers of fixed offsets the arena has a piece for each member of a team. A kernel takes the pointer to the
first piece; pieces lie as far apart as the function states.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Operation

from ....dialects.loop.memory_spaces import OF_THREAD, THREAD_BYTES, bytes_of, memory_space_of
from ....traversal import operations


@dataclass(frozen=True)
class Scratch:
    """The offsets of one function's buffers in the memory of a thread."""

    offsets: Mapping[Operation, int]
    """Bytes: of allocations, and of what calls hand on to the functions that they call."""
    size: int
    """Bytes that a member needs, for the function and for those that it calls; a multiple of ALIGNMENT."""


def scratch_of(function: func.FuncOp) -> Scratch:
    """Return the offsets and the size of the thread memory that attributes of a function state."""
    memories = {op: memory_space_of(op) for op in operations(function)}
    offsets = {op: memory.start for op, memory in memories.items() if memory is not None and memory.kind == OF_THREAD}
    return Scratch(offsets, bytes_of(function, THREAD_BYTES))
