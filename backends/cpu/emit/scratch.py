"""Memory of threads, as `assign-storage` has planned it.

Behind the buffers of fixed places the arena has a piece for each member of a team. A kernel takes the pointer to the
first piece; pieces lie as far apart as the function states.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.ir import Operation

from ....dialects.loop.places import OF_THREAD, THREAD_BYTES, bytes_of, place_of
from ....traversal import operations


@dataclass(frozen=True)
class Scratch:
    """The places of one function's parallel loops in the piece of a member."""

    offsets: Mapping[Operation, int]
    """Bytes: of allocations, and of what calls hand on to the functions that they call."""
    size: int
    """Bytes that a member needs, for the function and for those that it calls; a multiple of ALIGNMENT."""


def scratch_of(function: func.FuncOp) -> Scratch:
    """What a function states."""
    places = {op: place_of(op) for op in operations(function)}
    offsets = {op: place.start for op, place in places.items() if place is not None and place.kind == OF_THREAD}
    return Scratch(offsets, bytes_of(function, THREAD_BYTES))
