"""Where an entry's own buffers lie in the memory that a call brings."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Operation

from ..dialects.loop import GLOBAL, AllocOp, byte_size, scope_of
from ..runtime.buffers import rounded


def place_in_arena(entry: func.FuncOp) -> tuple[dict[Operation, int], int]:
    """Offsets in bytes of the buffers of fixed size that an entry itself allocates, one after the other, and their
    total size."""
    offsets: dict[Operation, int] = {}
    end = 0
    for op in entry.body.block.ops:
        if not isinstance(op, AllocOp) or scope_of(op.res.type) != GLOBAL:
            continue
        size = byte_size(op.res.type)
        if size is not None:
            offsets[op] = end
            end += rounded(size)
    return offsets, end
