"""Reductions over outer axes whose operands are read once: sums of columns, products of a vector and a matrix.

    for chunks of the row (parallel):
      row[chunk] = identity
      for groups of rows:
        for vectors of the chunk: for rows of the group (unrolled): for lanes (vectorized): row[…] += …
      result[chunk] = epilogue(row)

No loaded element is used twice, so a tile of results in registers would have no reuse, but would read down columns,
with each row on another page. Instead, rows are read from left to right, a few at a time. The results of a chunk stay
in the nearest cache, and each vector of results is loaded and stored once for a group of rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...analysis.block_reductions import Reduction, reduction_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV
from ..schedule import Schedule
from .block_structure import Axis, Operand, Shape, element_bits, shape_of
from .contraction import find_epilogue
from .partial_results import MOST_LANE_STRIDE
from .placement import share_among_threads
from .tiles import NARROWEST, even_sizes

GROUP = 8
"""Rows read at a time: streams that the hardware fetches ahead, and terms for one load of a result."""

LEAST_ROW_BYTES = 1024
"""Narrower rows fit registers, or nearly so."""


@dataclass(frozen=True)
class OuterReduction:
    """A plan of a reduction over rows."""

    shape: Shape
    vector: Axis
    lanes: int
    chunk: int
    """Vectors of results that are computed together."""
    group: int
    """Rows that are read at a time."""


def plan_outer_reduction(block: loop.BlockOp, target: CpuTargetAttr) -> OuterReduction | None:
    """Return the plan for a reduction over rows of which each element is used once; None for others."""
    shape, reduction = shape_of(block), reduction_of(block)
    if shape is None or reduction is None or not shape.reduce or block.init is None:
        return None
    vector = _row_axis(shape, reduction)
    bits = element_bits(block)
    lanes = target.lanes(bits)
    while vector is not None and lanes > vector.extent:
        lanes //= 2
    if vector is None or lanes < NARROWEST or not _reads_rows_once(shape, vector):
        return None
    size = vector.extent * bits // 8 * len(reduction.accumulators)
    fitting = -(-size // max(1, target.caches[0] // 2))
    chunks = max(fitting, min(target.threads, vector.extent // lanes))
    group = min(GROUP, shape.reduce[-1].extent)
    return OuterReduction(shape, vector, lanes, -(-vector.extent // (chunks * lanes)), group)


def outer_reduction_pays(plan: OuterReduction, target: CpuTargetAttr) -> bool:
    """Return whether rows are too wide for registers, or have several results for each element."""
    reduction = reduction_of(plan.shape.block)
    size = plan.vector.extent * element_bits(plan.shape.block) // 8
    return size >= LEAST_ROW_BYTES or (reduction is not None and not reduction.is_single)


def decided_outer_reduction(plan: OuterReduction, target: CpuTargetAttr) -> OuterReduction:
    """Return the plan with the decided chunk and group; the results of a chunk stay in the first cache."""
    block, reduction = plan.shape.block, reduction_of(plan.shape.block)
    assert reduction is not None
    size = plan.lanes * element_bits(block) // 8 * len(reduction.accumulators)
    chunks = (n for n in even_sizes(-(-plan.vector.extent // plan.lanes)) if n * size <= target.caches[0] // 2)
    groups = (n for n in (1, 2, 4, 8, 16) if n <= plan.shape.reduce[-1].extent)
    return replace(
        plan,
        chunk=decide("outer_reduction.chunk", chunks, plan.chunk, block=block),
        group=decide("outer_reduction.group", groups, plan.group, block=block),
    )


def _row_axis(shape: Shape, reduction: Reduction) -> Axis | None:
    """Return the innermost axis of results, where all of them lie side by side along it."""
    last = shape.spatial[-1] if shape.spatial else None
    if last is None or any(not s.index or s.index[-1] != Index.of(last.variable) for s in reduction.stores):
        return None
    return last


def _reads_rows_once(shape: Shape, vector: Axis) -> bool:
    """Return whether operands along rows of results are rows too, and each of their elements is used for one result and
    term."""
    moving = [o for o in shape.operands if vector.variable in o.variables]
    axes = [a for a in (*shape.spatial, *shape.reduce) if a.extent > 1]
    strides = [o.lane_stride(vector.variable) for o in moving]
    return (
        bool(moving)
        and all(s is not None and 0 < s <= MOST_LANE_STRIDE for s in strides)
        and all(a.variable in o.variables for o in moving for a in axes)
        and not any(_steps_within_row(o, shape) for o in moving)
    )


def _steps_within_row(operand: Operand, shape: Shape) -> bool:
    return any(a.variable in operand.op.index[-1].values() for a in shape.reduce)


def schedule_outer_reduction(
    sch: Schedule, block: BlockRV, plan: OuterReduction, target: CpuTargetAttr
) -> set[loop.BlockOp]:
    """Apply a plan; the blocks that it took care of."""
    op, shape = sch.block(block), plan.shape
    epilogue = find_epilogue(sch, block)
    taken = {op} if epilogue is None else {op, sch.block(epilogue)}
    if epilogue is None:
        epilogue = sch.cache_write(block, 0, loop.LOCAL)
    else:
        sch.set_scope(block, 0, loop.LOCAL)
    *loops, along = sch.get_loops(epilogue)
    outer, _, lanes = sch.split(along, [None, plan.chunk, plan.lanes])
    sch.vectorize(lanes)
    loops.append(outer)
    sch.compute_at(block, outer)
    _schedule_terms(sch, block, plan, len(loops))
    counts = [a.extent for a in shape.spatial[:-1]] + [-(-plan.vector.extent // (plan.chunk * plan.lanes))]
    share_among_threads(sch, block, loops, counts, shape.points, target)
    return taken


def _schedule_terms(sch: Schedule, block: BlockRV, plan: OuterReduction, depth: int) -> None:
    below = sch.get_loops(block)[depth:]
    *terms, last = below[-len(plan.shape.reduce) :]
    results = below[: -len(plan.shape.reduce)]
    tile = list(sch.split(results[-1], [None, plan.lanes])) if results else []
    group, row = sch.split(last, [None, plan.group])
    sch.reorder(*terms, group, *tile[:-1], row, *tile[-1:])
    sch.unroll(row)
    if tile:
        sch.vectorize(tile[-1])
    sch.decompose_reduction(block, [*terms, group][0])
