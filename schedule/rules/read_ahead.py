"""Prefetches of the operands of a loop.

Hardware prefetchers follow streams only within a page of memory, so each page begins with a stall. If much is computed
for each element, too few reads are in flight, and memory is idle in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ...analysis.access import accesses_in
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..lookahead import Lines, lines_ahead
from ..schedule import Schedule
from .block_structure import buffer_bytes
from .coefficients import AHEAD_ROW_PART

AHEAD = 4096
"""The least distance of a prefetch in bytes: the next page is requested before it begins."""

MOST_LINES = 16
"""The most cache lines of a buffer that one iteration prefetches. An access to more lines is no stream."""

LEAST_STEP = 0.5
"""The least step of an iteration, in cache lines. With a smaller step each line would be requested many times."""


def read_ahead(sch: Schedule, block: BlockRV, target: CpuTargetAttr) -> None:
    """Prefetch the operands of the innermost loop around `block` a page ahead, where they come from beyond the second
    cache.

    The loops have their final order; those that are unrolled or vectorised are part of an iteration.
    """
    handle = _stepping_loop(sch, block)
    if handle is None:
        return
    far = _far_buffers(sch.loop(handle), target)
    distance = _decided_distance(block) if far else 0
    for buffer in far if distance else ():
        _fetch(sch, buffer, handle, distance, target)


def read_next_row(sch: Schedule, block: BlockRV, rows: int, target: CpuTargetAttr) -> None:
    """Prefetch the next row of each operand of the outermost loop around a block, over rows, in the last inner loop
    that reads the current row.

    The first inner loop then finds the next row in the caches. The last one reads its row from the caches, so that
    memory is idle. `rows` is the number of leading dimensions of a buffer that count rows.
    """
    body = sch.loop(sch.get_loops(block)[0])
    far = _far_buffers(body, target)
    distance = _decided_distance(block) if far else 0
    for buffer in far if distance else ():
        *_, last = (a for a in accesses_in(body) if a.buffer is buffer and not a.is_write)
        row = _row_bytes(buffer, rows)
        if last.block is None or row > target.caches[1] * AHEAD_ROW_PART:
            continue
        handle = _stepping_loop(sch, sch.get_block(last.block.label))
        if handle is not None:
            _fetch(sch, buffer, handle, max(row, distance), target)


def _decided_distance(block: BlockRV) -> int:
    """Return the decided distance of a prefetch in bytes; 0 where nothing is prefetched."""
    return decide("read_ahead", (0, AHEAD // 2, AHEAD, 2 * AHEAD, 4 * AHEAD), AHEAD, block=block)


def _stepping_loop(sch: Schedule, block: BlockRV) -> LoopRV | None:
    """Return the innermost loop around a block that is neither unrolled nor vectorised."""
    handles = [h for h in sch.get_loops(block) if sch.loop(h).kind in (loop.SERIAL, loop.PARALLEL)]
    return next((h for h in reversed(handles) if sch.loop(h).constant_trip_count != 1), None)


def _fetch(sch: Schedule, buffer: SSAValue, handle: LoopRV, distance: int, target: CpuTargetAttr) -> None:
    """Prefetch the elements of a buffer that the loop reads, `distance` bytes ahead in memory."""
    next_lines, later = (lines_ahead(buffer, sch.loop(handle), ahead) for ahead in (1, 2))
    if isinstance(next_lines, str) or isinstance(later, str) or not _is_stream(next_lines):
        return
    step = _bytes_between(buffer, next_lines, later)
    if step is not None and step >= LEAST_STEP * target.line_bytes:
        sch.prefetch(buffer, handle, -(-distance // step))


def _is_stream(lines: Sequence[Lines]) -> bool:
    """Return whether an iteration is known to read few lines."""
    counts = [along.lines for along in lines]
    return all(n.is_constant for n in counts) and 0 < prod(n.constant for n in counts) <= MOST_LINES


def _bytes_between(buffer: SSAValue, one: Sequence[Lines], other: Sequence[Lines]) -> int | None:
    """Return the distance in memory between two parts of a buffer, where it is constant."""
    assert isinstance(buffer.type, MemRefType)
    shape, elements = buffer.type.get_shape(), 0
    for position, (first, second) in enumerate(zip(one, other, strict=True)):
        distance = second.start - first.start
        if not distance.is_constant:
            return None
        elements += distance.constant * prod(shape[position + 1 :])
    return abs(elements) * buffer_bytes(buffer.type) // max(1, prod(shape))


def _far_buffers(around: loop.ForOp, target: CpuTargetAttr) -> list[SSAValue]:
    """Return the buffers that a loop reads and does not write, and that are known not to fit the second cache."""
    accesses = accesses_in(around)
    near, made = target.caches[1], {a.buffer for a in accesses if a.is_write}
    read = dict.fromkeys(a.buffer for a in accesses if a.buffer not in made)
    return [b for b in read if 0 < near < _bytes_in_memory(b)]


def _bytes_in_memory(buffer: SSAValue) -> int:
    """Return the size of a buffer; 0 for one in registers, and where it is symbolic."""
    type = buffer.type
    assert isinstance(type, MemRefType)
    unknown = loop.scope_of(type) == loop.REGISTER or DYNAMIC_INDEX in type.get_shape()
    return 0 if unknown else buffer_bytes(type)


def _row_bytes(buffer: SSAValue, rows: int) -> int:
    assert isinstance(buffer.type, MemRefType)
    return _bytes_in_memory(buffer) // prod(buffer.type.get_shape()[:rows])
