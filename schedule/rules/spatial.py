"""Blocks without reduction: elementwise chains, padding, transposes, concatenations.

The axis along which results lie side by side is vectorised, a few vectors are unrolled where the axis is long, and the
outermost loops run in parallel.
"""

from __future__ import annotations

from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV
from ..schedule import Schedule
from .placement import parallel_count, run_in_parallel
from .structure import Shape, element_bits
from .tiles import NARROWEST

UNROLLED_VECTORS = 4
"""Independent vectors in flight, enough to cover the latency of a load."""


def schedule_spatial(sch: Schedule, block: BlockRV, shape: Shape, target: CpuTargetAttr) -> None:
    loops = list(sch.get_loops(block))
    counts = [axis.extent for axis in shape.spatial]
    axis = shape.row_axis()
    lanes = target.lanes(element_bits(shape.block))
    if axis is not None and axis.position == len(loops) - 1 and min(lanes, axis.extent) >= NARROWEST:
        while lanes > axis.extent:
            lanes //= 2
        vectors = UNROLLED_VECTORS if axis.extent >= 4 * UNROLLED_VECTORS * lanes else 1
        outer, unrolled, vector = sch.split(loops[-1], [None, vectors, lanes])
        sch.unroll(unrolled)
        sch.vectorize(vector)
        loops[-1], counts[-1] = outer, -(-axis.extent // (vectors * lanes))
    run_in_parallel(sch, loops, parallel_count(counts, shape.points, target))
