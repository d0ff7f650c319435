"""Reductions along rows: sums over the innermost axis, products of matrices whose rows are both reduced.

No result axis can be vectorised, so several results are reduced at once, each in a register of its own: their chains of
additions overlap.
"""

from __future__ import annotations

from ...analysis.reduction import reduction_of
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV
from ..schedule import Schedule
from .placement import parallel_count, run_in_parallel
from .structure import Shape

CHAINS = 8
"""Results reduced at once: the latency of an addition times the additions a cycle."""


def schedule_inner_reduction(sch: Schedule, block: BlockRV, shape: Shape, target: CpuTargetAttr) -> None:
    accumulator = _accumulator(sch, block)
    copy = sch.cache_write(block, accumulator, "register")
    loops = list(sch.get_loops(copy))
    counts = [axis.extent for axis in shape.spatial]
    if not loops:
        return
    rows = max(n for n in range(1, CHAINS + 1) if counts[-1] % n == 0)
    loops[-1], inner = sch.split(loops[-1], [None, rows])
    counts[-1] //= rows
    sch.compute_at(block, loops[-1])
    below = sch.get_loops(block)[len(loops) :]
    reduce = [h for h in below if h not in below[: len(below) - len(shape.reduce)]]
    tile = [h for h in below if h not in reduce]
    sch.reorder(*reduce, *tile)
    init = sch.decompose_reduction(block, reduce[0])
    for handle in (*tile, inner, *sch.get_loops(init)[len(loops) :]):
        sch.unroll(handle)
    run_in_parallel(sch, loops, parallel_count(counts, shape.points, target))


def _accumulator(sch: Schedule, block: BlockRV) -> str:
    reduction = reduction_of(sch.block(block))
    assert reduction is not None and reduction.buffer.name_hint is not None
    return reduction.buffer.name_hint
