"""When what a loop reads is fetched before it asks for it.

Processors follow streams by themselves, but within a page of memory only, so that each page begins with a wait. And
where much is computed for an element, too few reads are in flight together: memory is idle meanwhile.
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
"""Bytes from what a stream reads to what is fetched for it, at least: the next page is known before it begins."""

MOST_LINES = 16
"""Cache lines of a buffer that one iteration fetches. What reads more of them is no stream."""

LEAST_STEP = 0.5
"""Cache lines of a buffer that an iteration moves on by. What takes smaller steps asks for each line many times."""


def read_ahead(sch: Schedule, block: BlockRV, target: CpuTargetAttr) -> None:
    """Fetch what the innermost loop around `block` reads a page ahead, where it comes from beyond the second cache.

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
    """Fetch the next row of what the outermost loop around a block, over rows, reads, in the last of the loops inside
    that read this one.

    The first of them finds it near then. The last has this row near, and would leave memory idle. `rows` is how many
    leading dimensions of a buffer count rows.
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
    """Bytes from what a stream reads to what is fetched for it, as decided; 0 where nothing is fetched."""
    return decide("read_ahead", (0, AHEAD // 2, AHEAD, 2 * AHEAD, 4 * AHEAD), AHEAD, block=block)


def _stepping_loop(sch: Schedule, block: BlockRV) -> LoopRV | None:
    """The innermost loop around a block that is one in the program too."""
    handles = [h for h in sch.get_loops(block) if sch.loop(h).kind in (loop.SERIAL, loop.PARALLEL)]
    return next((h for h in reversed(handles) if sch.loop(h).constant_trip_count != 1), None)


def _fetch(sch: Schedule, buffer: SSAValue, handle: LoopRV, distance: int, target: CpuTargetAttr) -> None:
    """Fetch what the loop reads of a buffer so many bytes ahead, as the buffer lies in memory."""
    next_lines, later = (lines_ahead(buffer, sch.loop(handle), ahead) for ahead in (1, 2))
    if isinstance(next_lines, str) or isinstance(later, str) or not _is_stream(next_lines):
        return
    step = _bytes_between(buffer, next_lines, later)
    if step is not None and step >= LEAST_STEP * target.line_bytes:
        sch.prefetch(buffer, handle, -(-distance // step))


def _is_stream(lines: Sequence[Lines]) -> bool:
    """Whether an iteration is known to read few lines."""
    counts = [along.lines for along in lines]
    return all(n.is_constant for n in counts) and 0 < prod(n.constant for n in counts) <= MOST_LINES


def _bytes_between(buffer: SSAValue, one: Sequence[Lines], other: Sequence[Lines]) -> int | None:
    """How far apart two parts of a buffer begin in memory, where that is always the same."""
    assert isinstance(buffer.type, MemRefType)
    shape, elements = buffer.type.get_shape(), 0
    for position, (first, second) in enumerate(zip(one, other, strict=True)):
        apart = second.start - first.start
        if not apart.is_constant:
            return None
        elements += apart.constant * prod(shape[position + 1 :])
    return abs(elements) * buffer_bytes(buffer.type) // max(1, prod(shape))


def _far_buffers(around: loop.ForOp, target: CpuTargetAttr) -> list[SSAValue]:
    """What is read in a loop, is not made there, and is known not to fit the second cache."""
    accesses = accesses_in(around)
    near, made = target.caches[1], {a.buffer for a in accesses if a.is_write}
    read = dict.fromkeys(a.buffer for a in accesses if a.buffer not in made)
    return [b for b in read if 0 < near < _bytes_in_memory(b)]


def _bytes_in_memory(buffer: SSAValue) -> int:
    """The size of a buffer; 0 for one in registers, and where it is symbolic."""
    type = buffer.type
    assert isinstance(type, MemRefType)
    unknown = loop.scope_of(type) == loop.REGISTER or DYNAMIC_INDEX in type.get_shape()
    return 0 if unknown else buffer_bytes(type)


def _row_bytes(buffer: SSAValue, rows: int) -> int:
    assert isinstance(buffer.type, MemRefType)
    return _bytes_in_memory(buffer) // prod(buffer.type.get_shape()[:rows])
