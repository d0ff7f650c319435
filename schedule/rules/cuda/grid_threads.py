"""The axes of the grid, the usual numbers of threads, and the binding of loops to them, for all rules."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ....analysis.access import blocks_in
from ....analysis.domain import loops_around
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV, LoopRV
from ...schedule import Schedule

BLOCKS, BLOCKS_Y, BLOCKS_Z = "blockIdx.x", "blockIdx.y", "blockIdx.z"
THREADS, THREADS_Y = "threadIdx.x", "threadIdx.y"

USUAL_THREADS = 256
"""The default number of threads of a block: eight blocks fill a multiprocessor."""

BLOCKS_ACROSS = 65535
"""Blocks along y and z at most."""

VECTOR_BYTES = 16
"""The most bytes that a thread loads or stores at once."""


def is_bound(op: loop.ForOp | loop.BlockOp | loop.IfOp) -> bool:
    """Return whether a loop, or one around or inside it, is bound to blocks or threads."""
    around = [p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp)]
    inside = [nested for nested in op.walk() if isinstance(nested, loop.ForOp)]
    return any(each.kind.tag.data for each in (*around, *inside))


def is_free(op: loop.BlockOp) -> bool:
    """Return whether no loop around a block is bound yet."""
    return not any(each.kind.tag.data for each in loops_around(op))


def equal_parts(terms: int, wanted: int) -> int:
    """Return a number of equal parts of `terms`, at most `wanted`: the terms are a multiple of it.

    A shorter part would need a condition on the result and the reduction at once.
    """
    return max(n for n in range(1, max(min(wanted, terms), 1) + 1) if terms % n == 0)


def threads_of_block(points: int, target: CudaTargetAttr) -> int:
    """Return the number of threads of a block that share `points` pieces of work: whole warps, up to the usual
    number."""
    most = min(USUAL_THREADS, target.max_threads)
    return min(most, -(-max(points, 1) // target.warp) * target.warp)


def bind_flat(sch: Schedule, loops: Sequence[LoopRV], target: CudaTargetAttr) -> tuple[int, int]:
    """Bind nested loops with independent iterations to blocks of threads, neighbours to neighbours.

    Returns the numbers of blocks and of threads in each; 0 blocks if the number depends on symbolic sizes. If more than
    one extent is symbolic, there is no expression for the number of blocks, and a fixed number of blocks loops over the
    iterations.
    """
    counts = [sch.loop(handle).constant_trip_count for handle in loops]
    flat = sch.fuse(*loops) if len(loops) > 1 else loops[0]
    threads = _threads_along(counts, target)
    if None in counts[1:]:
        blocks = target.processors * target.resident_threads // threads
        rounds, block, thread = sch.split(flat, [None, blocks, threads])
        sch.reorder(block, thread, rounds)
    else:
        block, thread = sch.split(flat, [None, threads])
        blocks = sch.loop(block).constant_trip_count or 0
    sch.bind(block, BLOCKS)
    sch.bind(thread, THREADS)
    return blocks, threads


def _threads_along(counts: Sequence[int | None], target: CudaTargetAttr) -> int:
    known = [n for n in counts if n is not None]
    return threads_of_block(prod(known) if len(known) == len(counts) else USUAL_THREADS, target)


def bind_results(sch: Schedule, loops: Sequence[LoopRV], target: CudaTargetAttr) -> LoopRV:
    """Bind nested loops over results to blocks of threads, neighbours to neighbours; the loop over one result.

    Unlike `bind_flat` this keeps the indices of results affine, so that producers can be moved into the loop.
    """
    *others, last = affine_groups(sch, loops)
    block, thread = sch.split(last, [None, _threads_along([sch.loop(last).constant_trip_count], target)])
    return _bind_groups(sch, others, block, (thread, THREADS))


def bind_rows(sch: Schedule, loops: Sequence[LoopRV], together: int = 1) -> LoopRV:
    """Bind nested loops over rows, `together` of which the threads of one block compute; the loop over one row."""
    *others, last = affine_groups(sch, loops)
    if together == 1:
        return _bind_groups(sch, others, last, None)
    block, row = sch.split(last, [None, together])
    return _bind_groups(sch, others, block, (row, THREADS_Y))


def affine_groups(sch: Schedule, loops: Sequence[LoopRV]) -> list[LoopRV]:
    """Fuse nested loops as far as their variables stay affine in those of the result: one has a symbolic extent at
    its outside only."""
    groups: list[list[LoopRV]] = []
    for handle in loops:
        if not groups or sch.loop(handle).constant_trip_count is None:
            groups.append([])
        groups[-1].append(handle)
    return [sch.fuse(*group) if len(group) > 1 else group[0] for group in groups]


def _bind_groups(sch: Schedule, others: Sequence[LoopRV], block: LoopRV, inner: tuple[LoopRV, str] | None) -> LoopRV:
    """Bind `block` to blocks along x and the loops around it to blocks along y and z; returns the innermost loop.

    There are fewer blocks along y and z, so that each of them runs several iterations of a loop that is known to be
    long. A loop whose size comes with the call must not be longer than the grid.
    """
    bound: list[tuple[LoopRV, str]] = []
    rounds: list[LoopRV] = list(others[:-2])
    for handle, tag in zip(reversed(others), (BLOCKS_Y, BLOCKS_Z), strict=False):
        count = sch.loop(handle).constant_trip_count
        if count is not None and count > BLOCKS_ACROSS:
            turn, handle = sch.split(handle, [None, BLOCKS_ACROSS])
            rounds.append(turn)
        bound.append((handle, tag))
    bound.append((block, BLOCKS))
    if inner is not None:
        bound.append(inner)
    order = [*(handle for handle, _ in bound), *rounds]
    if len(order) > 1:
        sch.reorder(*order)
    for handle, tag in bound:
        sch.bind(handle, tag)
    return order[-1]


def bind_first(sch: Schedule, block: BlockRV, threads: int) -> None:
    """Let the first of `threads` threads run a block: all loops over an axis of a kernel have the extent of the
    axis."""
    _, thread = sch.split(sch.add_unit_loop(block), [None, threads])
    sch.bind(thread, THREADS)


def bind_rest(sch: Schedule) -> None:
    """Let one thread run every nest of the function that is bound to nothing.

    Programs without a parallel axis, such as scans, and blocks that share their loops with others are correct in this
    form, but slow.
    """
    for block in blocks_in(sch.func):
        around = loops_around(block)
        if is_bound(around[0] if around else block):
            continue
        remark("TW0647", f"block '{block.label}' is run by one thread: no rule runs it in parallel", op=block)
        handle = sch.get_block(block.label)
        nest = sch.get_loops(handle)
        sch.bind(sch.add_unit_loop(nest[0] if nest else handle), THREADS)
