"""Chains of blocks over the same rows: softmax, layer normalisation, and other reductions of a row whose result the row
uses.

    for rows (parallel):
      partial results, results and elements of one row after another, each computed where it is first read

A row stays in the nearest cache from the first reduction to the last store, so that memory is read once and written
once. Reductions keep vectors of partial results (`partial_results`); elements of a row that several blocks read are
held in a buffer of one row, which one loop fills and reduces if the reduction uses the elements unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...analysis.access import accesses_of, blocks_in, producers
from ...analysis.domain import loops_around
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..primitives.merge import has_equal_bounds
from ..schedule import Schedule
from .block_structure import Shape, element_bits, is_plain, shape_of
from .block_work import pays_threads
from .contraction import plan_contraction
from .partial_results import Partials, compute_partials_at, decided_partials, factor_reduction, plan_partials
from .placement import share_among_threads
from .read_ahead import read_next_row
from .spatial import UNROLLED_VECTORS, vectorize_row
from .streaming_stores import stream_stores

MOST_ON_STACK = 32 << 10
"""The most bytes of a row that are kept on the stack of the thread that computes it."""


@dataclass(frozen=True)
class RowChain:
    """Blocks over the same rows, in program order; the last one writes the results of the chain."""

    blocks: tuple[loop.BlockOp, ...]
    rows: int
    """The number of leading axes of each block that count the rows."""


def plan_row_chain(last: loop.BlockOp, target: CpuTargetAttr) -> RowChain | None:
    """Return the chain that ends in `last`: the producers of its operands, direct or not, that compute row by row for
    it.

    A single reduction with consumers of its result alone is no chain: there several rows may be computed together.
    """
    shape = shape_of(last)
    if shape is None or shape.reduce or not is_plain(last) or not _has_separate_loops(last):
        return None
    found = blocks_behind(last)
    reductions = [b for b in found if _is_along_rows(b, target)]
    if not reductions:
        return None
    rows = reductions[-1].kinds.count("spatial")
    members = [last, *(b for b in found if _goes_along(b, rows, target))]
    while dropped := [b for b in members[1:] if not read_within(b, members, rows)]:
        members = [b for b in members if b not in dropped]
    chain = tuple(b for b in blocks_in(_function(last)) if b in members)
    return RowChain(chain, rows) if rows and _is_chain(chain, rows) else None


def _is_chain(blocks: Sequence[loop.BlockOp], rows: int) -> bool:
    """Return whether blocks have several reductions of a row, or one together with a producer or a consumer of row
    elements."""
    reducing = sum("reduce" in b.kinds for b in blocks)
    return reducing > 1 or (reducing == 1 and any("reduce" not in b.kinds and len(b.kinds) > rows for b in blocks))


def decided_row_chain(chain: RowChain, target: CpuTargetAttr) -> RowChain:
    """Return the chain from the decided block on; the blocks before it store their results to memory."""
    suffixes = {block.label: chain.blocks[n:] for n, block in enumerate(chain.blocks)}
    suffixes = {label: blocks for label, blocks in suffixes.items() if _is_chain(blocks, chain.rows)}
    first = decide("row_chain.first", suffixes, chain.blocks[0].label, block=chain.blocks[-1])
    return replace(chain, blocks=suffixes[first])


def _is_along_rows(block: loop.BlockOp, target: CpuTargetAttr) -> bool:
    """Return whether a block reduces along rows, and cannot do so for neighbouring results at once."""
    return (
        "reduce" in block.kinds and plan_contraction(block, target) is None and plan_partials(block, target) is not None
    )


def schedule_row_chain(sch: Schedule, chain: RowChain, target: CpuTargetAttr) -> None:
    """Compute each row from the first block of the chain to the last, the rows in parallel."""
    remark("TW0762", lambda: _remark_text(chain), op=chain.blocks[-1], kind="analysis")
    *before, last = [_Member.of(sch, block, chain.rows, target) for block in chain.blocks]
    rows = list(sch.get_loops(last.handle)[: chain.rows])
    for member in before:
        scope = _decided_scope(member.shape, chain.rows) if member.has_elements else loop.REGISTER
        sch.set_scope(member.handle, 0, scope)
    factored = {m: factor_reduction(sch, m.handle, m.partials) for m in before if m.partials is not None}
    filling = vectorize_row(sch, last.handle, last.shape, target) if last.has_elements else None
    steps: dict[_Member, LoopRV] = {}
    for member in reversed(before):
        if member.partials is not None:
            loops = compute_partials_at(sch, factored[member], rows[-1])
            if len(loops) == 1:
                steps[member] = loops[0]
            continue
        sch.compute_at(member.handle, rows[-1])
        if member.has_elements:
            _fill_and_reduce(sch, member, steps, target)
    counts = [axis.extent for axis in last.shape.spatial[: chain.rows]]
    share_among_threads(sch, last.handle, rows, counts, last.shape.points, target)
    if filling is not None:
        stream_stores(sch, last.handle, target)
    read_next_row(sch, last.handle, chain.rows, target)


def _remark_text(chain: RowChain) -> str:
    shapes = [shape for b in chain.blocks[:-1] if (shape := shape_of(b)) is not None and not shape.reduce]
    kept = sum(_row_bytes(shape, chain.rows) for shape in shapes)
    names = ", ".join(f"'{b.label}'" for b in chain.blocks)
    return f"blocks {names} are computed row by row, with {kept} bytes of a row kept between them"


@dataclass(frozen=True, eq=False)
class _Member:
    """A block of a chain before scheduling."""

    handle: BlockRV
    shape: Shape
    partials: Partials | None
    """The vectors of partial results of a reduction; None for other blocks."""
    has_elements: bool
    """True where it computes elements of a row rather than one result."""
    reads: frozenset[SSAValue]
    """The buffers of which it reads one element of the same row for each of its elements."""
    buffer: SSAValue

    @staticmethod
    def of(sch: Schedule, block: loop.BlockOp, rows: int, target: CpuTargetAttr) -> _Member:
        shape = shape_of(block)
        assert shape is not None
        partials = plan_partials(block, target)
        if partials is not None:
            partials = Partials(min(partials.chains, UNROLLED_VECTORS), partials.lanes, 1, None)
            partials = decided_partials(partials, block, target)
        buffer = stores_of(block)[0].buffer
        elements = "reduce" not in block.kinds and len(shape.spatial) > rows
        element = tuple(Index.of(a.variable) for a in (*shape.spatial, *shape.reduce))
        same = frozenset(o.op.buffer for o in shape.operands if o.op.index == element and not o.op.conditions)
        return _Member(sch.get_block(block.label), shape, partials, elements, same, buffer)


def _decided_scope(shape: Shape, rows: int) -> str:
    """Return the stack or the heap, for the elements of a row; by default the stack, as far as that reaches."""
    size = _row_bytes(shape, rows)
    candidates = (loop.LOCAL, loop.GLOBAL) if size <= 2 * MOST_ON_STACK else (loop.GLOBAL,)
    default = loop.LOCAL if size <= MOST_ON_STACK else loop.GLOBAL
    return decide("row_chain.scope", candidates, default, block=shape.block)


def _row_bytes(shape: Shape, rows: int) -> int:
    return prod(a.extent for a in shape.spatial[rows:]) * element_bits(shape.block) // 8


def _fill_and_reduce(sch: Schedule, member: _Member, steps: dict[_Member, LoopRV], target: CpuTargetAttr) -> None:
    """Vectorise the elements of a row, and reduce them in the loop that fills them where a reduction comes next."""
    reader = next((m for m in reversed(steps) if member.buffer in m.reads), None)
    if reader is None or len(member.shape.spatial) - len(reader.shape.spatial) != 1:
        vectorize_row(sch, member.handle, member.shape, target)
        return
    partials = reader.partials
    assert partials is not None
    filling = vectorize_row(sch, member.handle, member.shape, target, (partials.chains, partials.lanes))
    following = steps[reader]
    if filling is not None and _follows(sch.loop(filling), sch.loop(following)):
        steps[reader] = sch.merge(filling, following)


def _follows(first: loop.ForOp, second: loop.ForOp) -> bool:
    """Return whether a loop comes right after another one over as many iterations."""
    return first.next_op is second and has_equal_bounds(first, second)


# The blocks of a chain


def blocks_behind(last: loop.BlockOp) -> list[loop.BlockOp]:
    """Return the blocks whose results `last` depends on, in program order."""
    found: list[loop.BlockOp] = []
    waiting = [last]
    while waiting:
        for block in producers(waiting.pop()):
            if block is not last and block not in found:
                found.append(block)
                waiting.append(block)
    return [b for b in blocks_in(_function(last)) if b in found]


def _goes_along(block: loop.BlockOp, rows: int, target: CpuTargetAttr) -> bool:
    """Return whether a block can be computed one row at a time: a row's result by a reduction, or its elements."""
    shape = shape_of(block)
    if shape is None or not is_plain(block) or len(stores_of(block)) != 1 or not _has_separate_loops(block):
        return False
    (store,) = stores_of(block)
    if not isinstance(store.buffer.owner, loop.AllocOp) or store.index != tuple(
        Index.of(a.variable) for a in shape.spatial
    ):
        return False
    if shape.reduce:
        return len(shape.spatial) == rows and _is_along_rows(block, target)
    return len(shape.spatial) >= rows


def _has_separate_loops(block: loop.BlockOp) -> bool:
    """Return whether no other block has been moved into the loops around a block."""
    loops = loops_around(block)
    return not loops or blocks_in(loops[0]) == [block]


def read_within(block: loop.BlockOp, members: Sequence[loop.BlockOp], rows: int) -> bool:
    """Return whether all readers of the results of a block are members that read only the row that they compute."""
    (store,) = stores_of(block)
    for access in accesses_of(store.buffer):
        if access.block is block:
            continue
        if access.block is None or access.block not in members:
            return False
        if not isinstance(access.op, loop.LoadOp) or access.op.conditions:
            return False
        variables = [v for v, _, _, _ in access.block.iteration()]
        if access.op.index[:rows] != tuple(Index.of(v) for v in variables[:rows]):
            return False
    return True


def stores_of(block: loop.BlockOp) -> list[loop.StoreOp]:
    return [op for op in block.body.block.ops if isinstance(op, loop.StoreOp)]


def row_chain_pays(chain: RowChain, target: CpuTargetAttr) -> bool:
    """Return whether there are rows enough for all threads, or too little work for more than one."""
    shape = shape_of(chain.blocks[-1])
    assert shape is not None
    count = prod(axis.extent for axis in shape.spatial[: chain.rows])
    return count >= target.threads or not pays_threads(shape.block, shape.points, target)


def _function(block: loop.BlockOp) -> FuncOp:
    return next(op for op in loop.enclosing(block, FuncOp))  # pyright: ignore[reportReturnType]
