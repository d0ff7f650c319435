"""What rules share: the axes of the grid, how many threads a GPU wants, and loops bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ....analysis.domain import loops_around
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...handles import LoopRV
from ...schedule import Schedule

BLOCKS, BLOCKS_Y, BLOCKS_Z = "blockIdx.x", "blockIdx.y", "blockIdx.z"
THREADS, THREADS_Y = "threadIdx.x", "threadIdx.y"

PROCESSORS = 132
"""Multiprocessors to fill, as a large GPU has: what is cut for more of them still runs well on fewer."""

RESIDENT_THREADS = 2048
"""Threads that a multiprocessor keeps at a time, which hide how long memory takes."""

USUAL_THREADS = 256
"""Threads of a block, where nothing asks for another number: eight blocks fill a multiprocessor."""

VECTOR_BYTES = 16
"""What a thread loads or stores at once, at most."""


def is_bound(op: loop.ForOp | loop.BlockOp | loop.IfOp) -> bool:
    """Whether a loop, or one around or inside it, is bound to blocks or threads."""
    around = [p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp)]
    inside = [nested for nested in op.walk() if isinstance(nested, loop.ForOp)]
    return any(each.kind.tag.data for each in (*around, *inside))


def is_free(op: loop.BlockOp) -> bool:
    """Whether no loop around a block is bound yet."""
    return not any(each.kind.tag.data for each in loops_around(op))


def threads_of_block(points: int, target: CudaTargetAttr) -> int:
    """How many threads a block gets that share `points` pieces of work: whole warps, as many as is usual."""
    most = min(USUAL_THREADS, target.max_threads)
    return min(most, -(-max(points, 1) // target.warp) * target.warp)


def bind_flat(sch: Schedule, loops: Sequence[LoopRV], target: CudaTargetAttr) -> tuple[int, int]:
    """Bind nested loops whose iterations are free of one another to blocks of threads, neighbours to neighbours.

    Returns the numbers of blocks and of threads in each; 0 blocks where sizes decide. Where more than one extent is
    symbolic, there is no expression for the number of blocks: a fixed number of them walks over the iterations.
    """
    counts = [sch.loop(handle).constant_trip_count for handle in loops]
    flat = sch.fuse(*loops) if len(loops) > 1 else loops[0]
    known = prod(n for n in counts if n is not None)
    threads = threads_of_block(known, target) if None not in counts else min(USUAL_THREADS, target.max_threads)
    if None in counts[1:]:
        blocks = PROCESSORS * RESIDENT_THREADS // threads
        rounds, block, thread = sch.split(flat, [None, blocks, threads])
        sch.reorder(block, thread, rounds)
    else:
        block, thread = sch.split(flat, [None, threads])
        blocks = sch.loop(block).constant_trip_count or 0
    sch.bind(block, BLOCKS)
    sch.bind(thread, THREADS)
    return blocks, threads
