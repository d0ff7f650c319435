"""Chains of blocks over the same rows: softmax, layer normalisation, and other reductions of a row whose result the row
uses.

    for blocks (blockIdx.x):
      for rows of a block (threadIdx.y):
        results and elements of the row, one after another, each by all threads of the row (threadIdx.x)

Intermediate elements of a row stay on the chip from the first reduction to the last store: in registers if each thread
reads only elements that it wrote, else in shared memory. Inputs that several blocks read are copied to registers first.
So global memory is read once and written once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ....analysis.access import blocks_in, reads
from ....analysis.block_reductions import reduction_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.index_expr import Index
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV, LoopRV
from ...schedule import Schedule
from ..block_structure import Shape, element_bits, is_plain, shape_of
from ..row_chain import blocks_behind, read_within, stores_of
from .grid_threads import (
    THREADS,
    THREADS_Y,
    USUAL_THREADS,
    bind_first,
    bind_rows,
    is_free,
)
from .row_memory import RowMemory, plan_row_memory
from .row_reduction import reads_rows
from .spatial import lanes_of
from .vector_terms import Copies, share_reduction

LEAST_THREADS = 4
"""The fewest threads of a row."""

LONGEST_BLOCK = 1024
"""Threads of a row at most."""

ELEMENTS_OF_THREAD = 4
"""Elements of a row that a thread has at least, where a row is to have more than a warp."""

MOST_OF_THREAD = 32
"""Elements of a row that a thread has at most, where more threads may be had: they are to fit its registers."""


@dataclass(frozen=True)
class RowChain:
    """Blocks over the same rows, in program order; the last one writes the results of the chain."""

    blocks: tuple[loop.BlockOp, ...]
    rows: int
    """The number of leading axes of each block that count the rows."""
    threads: int
    """The threads of a row."""
    together: int
    """Rows of a block of threads."""
    shared: int
    """Bytes of shared memory that these take."""
    memory: RowMemory
    """The inputs and the intermediate elements in registers."""


def schedule_row_chain(sch: Schedule, last: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Compute each row from the first block of the chain that ends in `last` to that by the same threads."""
    chain = plan_row_chain(last, target)
    if chain is None:
        return None
    remark("TW0646", lambda: _remark_text(chain), op=last, kind="analysis")
    *before, end = [sch.get_block(block.label) for block in chain.blocks]
    loops = sch.get_loops(end)
    inputs = [_copy_input(sch, [*before, end], buffer) for buffer in chain.memory.copied]
    for member in [m for m in before if sch.block(m).kinds == ("spatial",) * chain.rows]:
        sch.compute_inline(member)  # every thread computes the elements that it needs, which takes no barrier
        before.remove(member)
    for member in before:
        sch.set_scope(member, 0, loop.SHARED)
    lanes = chain.memory.lanes
    copies = {b: Copies(sch, b, chain.threads, lanes) for b in before if "reduce" in sch.block(b).kinds}
    before = [*inputs, *before]
    *outer, last_row = loops[: chain.rows] or [sch.add_unit_loop(loops[0] if loops else end)]
    if chain.together > 1:
        last_row, row = sch.split(last_row, [None, chain.together])
        sch.bind(row, THREADS_Y)
    inner = bind_rows(sch, [*outer, last_row])
    _share(sch, end, loops[chain.rows :], chain)
    depth = _depth(sch, inner)
    for member in reversed(before):
        sch.compute_at(member, inner)
        if chain.together > 1:
            (row,) = _loops_along(sch, member, slice(chain.rows), depth)
            sch.bind(row, THREADS_Y)
        _share(sch, member, _loops_along(sch, member, slice(chain.rows, None), depth), chain, copies.get(member))
    return chain.blocks


def _copy_input(sch: Schedule, members: Sequence[BlockRV], buffer: SSAValue) -> BlockRV:
    """Let the members that read a buffer read a copy of the elements that they read."""
    first, *others = [m for m in members if buffer in reads(sch.block(m))]
    return sch.cache_read(first, buffer, loop.SHARED, others, assert_legal=True)


def _loops_along(sch: Schedule, block: BlockRV, axes: slice, depth: int) -> list[LoopRV]:
    """Return the loops around a block, below the first `depth`, that run along some of its axes."""
    along = {v for _, _, binding, _ in [*sch.block(block).iteration()][axes] for v in binding.values()}
    return [h for h in sch.get_loops(block)[depth:] if sch.loop(h).induction_variable in along]


def _depth(sch: Schedule, inner: LoopRV) -> int:
    """Return the number of loops around the statements in the body of a loop."""
    return 1 + len([*loop.enclosing(sch.loop(inner), loop.ForOp)])


def _share(
    sch: Schedule, block: BlockRV, loops: Sequence[LoopRV], chain: RowChain, copies: Copies | None = None
) -> None:
    """Share the elements of a row that a block computes among the threads of the row."""
    op = sch.block(block)
    if not loops:
        bind_first(sch, block, chain.threads)
    elif copies is not None:
        share_reduction(sch, loops, chain.threads, copies)
    else:
        shape = shape_of(op)
        lanes = chain.memory.lanes or (lanes_of(shape) if shape is not None else 1)
        loops = list(loops)
        if lanes > 1:
            loops[-1], vector = sch.split(loops[-1], [None, lanes])
            sch.vectorize(vector)
        flat = sch.fuse(*loops) if len(loops) > 1 else loops[0]
        steps, thread = sch.split(flat, [None, chain.threads])
        sch.reorder(thread, steps)
        sch.bind(thread, THREADS)


def _remark_text(chain: RowChain) -> str:
    names = ", ".join(f"'{b.label}'" for b in chain.blocks)
    copied = ", ".join(f"'{buffer.name_hint}'" for buffer in chain.memory.copied)
    return (
        f"blocks {names} are computed row by row, each by {chain.threads} threads, {chain.together} to a block, with "
        f"{chain.shared} bytes of shared memory" + (f" and {copied} in registers" if copied else "")
    )


# The blocks of a chain


def plan_row_chain(last: loop.BlockOp, target: CudaTargetAttr) -> RowChain | None:
    """Return the chain that ends in `last`: the producers of its operands, direct or not, that compute row by row for
    it and fit shared memory.

    A single reduction with consumers of its result alone is no chain: it has a separate rule.
    """
    shape = shape_of(last)
    if shape is None or shape.reduce or not is_plain(last) or not is_free(last):
        return None
    found = blocks_behind(last)
    reductions = [b for b in found if _is_along_rows(b)]
    if not reductions:
        return None
    rows = reductions[-1].kinds.count("spatial")
    if len(shape.spatial) < rows:
        return None
    members = [last, *(b for b in found if _goes_along(b, shape, rows))]
    while dropped := [b for b in members[1:] if not read_within(b, members, rows)]:
        members = [b for b in members if b not in dropped]
    chain = tuple(b for b in blocks_in(_function(last)) if b in members)
    reducing = sum("reduce" in b.kinds for b in chain)
    has_elements = any("reduce" not in b.kinds and len(b.kinds) > rows for b in chain)
    if reducing == 0 or (reducing == 1 and not has_elements):
        return None
    return _sized(chain, shape, rows, target)


def _is_along_rows(block: loop.BlockOp) -> bool:
    """Return whether a block reduces along rows to one result each."""
    shape, reduction = shape_of(block), reduction_of(block)
    if shape is None or reduction is None or not shape.reduce or block.init is None or len(stores_of(block)) != 1:
        return False
    is_inside = [a.position for a in shape.reduce] == [*range(len(shape.spatial), len(block.kinds))]
    return is_inside and reads_rows(shape)


def _goes_along(block: loop.BlockOp, last: Shape, rows: int) -> bool:
    """Return whether a block can be computed one row at a time: a row's result by a reduction, or its elements."""
    shape = shape_of(block)
    if shape is None or not is_plain(block) or not is_free(block) or len(stores_of(block)) != 1:
        return False
    (store,) = stores_of(block)
    element = tuple(Index.of(a.variable) for a in shape.spatial)
    if not isinstance(store.buffer.owner, loop.AllocOp) or store.index != element:
        return False
    if [a.extent for a in shape.spatial[:rows]] != [a.extent for a in last.spatial[:rows]]:
        return False
    return len(shape.spatial) == rows and _is_along_rows(block) if shape.reduce else len(shape.spatial) >= rows


def _sized(chain: Sequence[loop.BlockOp], last: Shape, rows: int, target: CudaTargetAttr) -> RowChain | None:
    """Return the chain with the number of threads of its rows; None where the kept elements of a row do not fit shared
    memory."""
    if any(not e.is_constant for b in chain for _, _, _, e in [*b.iteration()][rows:]):
        return None
    shapes = [shape for block in chain if (shape := shape_of(block)) is not None]
    longest = max(prod(a.extent for a in (*s.spatial[rows:], *s.reduce)) for s in shapes)
    count, neighbours = prod(a.extent for a in last.spatial[:rows]), last.spatial[rows - 1].extent if rows else 1
    threads = threads_of_row(count, longest, target)
    memory = plan_row_memory(shapes, rows, threads)
    kept = sum(_row_bytes(s, rows) for s in shapes[:-1] if s.block not in memory.kept)
    partial = threads * max(element_bits(s.block) // 8 for s in shapes)
    together = max(min(USUAL_THREADS, target.max_threads) // threads, 1)
    while together > 1 and (together > neighbours or together * (kept + partial) > target.shared):
        together //= 2
    while together > 1 and count < target.processors * together:
        together //= 2
    if together * (kept + partial) > target.shared:
        return None
    return RowChain(tuple(chain), rows, threads, together, together * (kept + partial), memory)


def threads_of_row(rows: int, elements: int, target: CudaTargetAttr) -> int:
    """Return the number of threads for a row of `elements` elements, where there are `rows` rows."""
    wanted = target.processors * target.resident_threads
    threads = LEAST_THREADS
    while threads < target.warp and threads < elements:
        threads *= 2
    most = min(LONGEST_BLOCK, target.max_threads)
    while threads * 2 <= most and elements >= threads * 2 * ELEMENTS_OF_THREAD:
        if threads >= USUAL_THREADS and rows * threads >= wanted and elements <= threads * MOST_OF_THREAD:
            break
        threads *= 2
    return threads


def _row_bytes(shape: Shape, rows: int) -> int:
    return prod(a.extent for a in shape.spatial[rows:]) * element_bits(shape.block) // 8


def _function(block: loop.BlockOp) -> FuncOp:
    return next(op for op in loop.enclosing(block, FuncOp))  # pyright: ignore[reportReturnType]
