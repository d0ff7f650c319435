"""The elements of a row that its threads keep in registers between the blocks of a chain.

If a thread has the same elements in every block, it needs no elements of other threads: the results of one block stay
in registers for the next block, and an input that several blocks read is loaded once. `privatize-shared-memory` derives
this from the indices. The rule has to predict it, because elements that would not become registers are better read
again from the caches than copied to shared memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ....analysis.thread_memory import most_words, words
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.index_expr import Index
from ..block_structure import Axis, Shape
from ..row_chain import stores_of
from .grid_threads import USUAL_THREADS
from .spatial import lanes_of
from .vector_terms import lanes_of_terms


@dataclass(frozen=True)
class RowMemory:
    """The memory of elements of a row that are read more than once."""

    lanes: int | None
    """Neighbouring elements of a thread in every block; None where blocks differ."""
    copied: tuple[SSAValue, ...] = ()
    """Inputs that are read once and kept in registers."""
    kept: frozenset[loop.BlockOp] = frozenset()
    """The blocks whose elements are kept in registers."""


@dataclass(frozen=True)
class _Kept:
    """Elements of a row that may stay in registers from one block of a chain to another."""

    buffer: SSAValue
    writer: loop.BlockOp | None
    """None: it is an input, which is loaded before the first block."""
    first: int
    """The position of the writer in the chain."""
    last: int
    """The position of the last reader."""
    words: int
    """Words of each thread."""


def plan_row_memory(shapes: Sequence[Shape], rows: int, threads: int) -> RowMemory:
    """Return the elements that the blocks of a chain, in order, keep in registers with `threads` threads for each row.

    Inputs are kept only if the registers also hold all intermediate elements.
    """
    lanes = _common_lanes(shapes, rows)
    if lanes is None:
        return RowMemory(None)
    limit = most_words(max(threads, USUAL_THREADS))
    found = [*_candidates(shapes, rows, threads, lanes)]
    made = [k for k in found if k.writer is not None]
    for copied in ([k for k in found if k.writer is None], []):
        if _most_at_once([*copied, *made]) <= limit:
            writers = frozenset(k.writer for k in made if k.writer is not None)
            return RowMemory(lanes, tuple(k.buffer for k in copied), writers)
    return RowMemory(lanes)


def _most_at_once(kept: Sequence[_Kept]) -> int:
    """Return the most words that a thread has between two blocks."""
    return max((sum(k.words for k in kept if k.first <= at.first < k.last) for at in kept), default=0)


def _common_lanes(shapes: Sequence[Shape], rows: int) -> int | None:
    """Return the number of neighbours that a thread has of every block along the row; None where vectors would be
    lost."""
    lanes = [lanes_of_terms(s.block) if s.reduce else lanes_of(s) for s in shapes if _along(s, rows)]
    return None if min(lanes) == 1 < max(lanes) else min(lanes)


def _along(shape: Shape, rows: int) -> tuple[Axis, ...]:
    """Return the axes of a block along the row."""
    return (*shape.spatial[rows:], *shape.reduce)


def _candidates(shapes: Sequence[Shape], rows: int, threads: int, lanes: int) -> Iterator[_Kept]:
    """Yield the buffers that all reading blocks of a chain read in one order, which is that of the block that writes
    them.

    An input is yielded where several blocks read it.
    """
    writers = {stores_of(shape.block)[0].buffer: n for n, shape in enumerate(shapes)}
    for buffer in dict.fromkeys(o.op.buffer for shape in shapes for o in shape.operands):
        writer = writers.get(buffer)
        readers = [n for n, shape in enumerate(shapes) if any(o.op.buffer is buffer for o in shape.operands)]
        involved = readers if writer is None else [writer, *readers]
        extents = {tuple(a.extent for a in _along(shapes[n], rows)) for n in involved}
        if len(involved) < 2 or len(extents) > 1 or not all(_reads_in_order(shapes[n], buffer) for n in readers):
            continue
        if elements := prod(*extents) if () not in extents else 0:
            type = buffer.type
            assert isinstance(type, MemRefType)
            each = words(-(-elements // (threads * lanes)) * lanes, numpy_dtype(type.element_type).itemsize)
            block = None if writer is None else shapes[writer].block
            yield _Kept(buffer, block, -1 if writer is None else writer, readers[-1], each)


def _reads_in_order(shape: Shape, buffer: SSAValue) -> bool:
    """Return whether a block reads only the element of the present iteration from a buffer."""
    element = tuple(Index.of(a.variable) for a in (*shape.spatial, *shape.reduce))
    return all(o.op.index == element and not o.op.conditions for o in shape.operands if o.op.buffer is buffer)
