"""Reductions along rows: sums over the innermost axis, products of a matrix whose rows are reduced and a vector.

No result axis can be vectorised. If the operands are contiguous along the reduction, each row gets vectors of partial
results (`partial_results`); rows that share an operand are reduced together. Otherwise several results are reduced at
once, each in a separate register, so that their chains of additions overlap.
"""

from __future__ import annotations

from ...analysis.block_reductions import reduction_of
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV
from ..schedule import Schedule
from .block_structure import Shape, shape_of
from .block_work import pays_threads, point_cycles
from .contraction import find_epilogue
from .partial_results import (
    Partials,
    chains_in_flight,
    compute_partials_at,
    decided_partials,
    factor_reduction,
    plan_partials,
)
from .placement import TILES_A_THREAD, share_among_threads
from .read_ahead import read_ahead
from .tiles import divisors


def schedule_inner_reduction(sch: Schedule, block: BlockRV, shape: Shape, target: CpuTargetAttr) -> set[loop.BlockOp]:
    """Schedule a reduction that no result axis vectorises; the blocks of the function that it took care of."""
    op = sch.block(block)
    partials = plan_partials(op, target)
    epilogue = find_epilogue(sch, block)
    taken = {op} if epilogue is None else {op, sch.block(epilogue)}
    if partials is None:
        return taken if _schedule_results(sch, block, epilogue, shape, target) else {op}
    shares = _shares(shape, target)
    if shares > 1:
        block = _share_out(sch, block, shape, shares)
        shared = shape_of(sch.block(block))
        assert shared is not None
        shape, partials = shared, plan_partials(sch.block(block), target) or partials
    _schedule_partials(sch, block, shape, decided_partials(partials, sch.block(block), target), target)
    return taken


def _schedule_partials(sch: Schedule, block: BlockRV, shape: Shape, partials: Partials, target: CpuTargetAttr) -> None:
    """Reduce each row by vectors of partial results; `partials.rows` rows at a time."""
    cycles = point_cycles(sch.block(block), target)
    epilogue = find_epilogue(sch, block)
    if epilogue is None:
        epilogue = sch.cache_write(block, _accumulator(sch, block), "register")
    else:
        sch.set_scope(block, 0, "register")
    loops = list(sch.get_loops(epilogue)) or [sch.add_unit_loop(epilogue)]
    counts = [axis.extent for axis in shape.spatial] or [1]
    factored = factor_reduction(sch, block, partials)
    if partials.row_axis is not None and partials.rows > 1:
        at = partials.row_axis.position
        loops[at], together = sch.split(loops[at], [None, partials.rows])
        counts[at] = -(-counts[at] // partials.rows)
        sch.reorder(*loops, together)
        sch.unroll(together)
    compute_partials_at(sch, factored, loops[-1])
    share_among_threads(sch, block, loops, counts, shape.points, target, cycles)
    read_ahead(sch, factored.blocks[0], target)


def _shares(shape: Shape, target: CpuTargetAttr) -> int:
    """Return the number of parts of the outermost reduce axis with which every thread has work; 1 where results
    suffice.

    The parts are equal: a part that is shorter would be a condition on the result and the reduction at once.
    """
    results = shape.points
    for axis in shape.reduce:
        results //= axis.extent
    wanted, default = TILES_A_THREAD * target.threads, 1
    if target.threads == 1 or shape.reduce[0].is_open:
        return 1
    fitting = [n for n in divisors(shape.reduce[0].extent) if n <= wanted]
    if results < wanted and pays_threads(shape.block, shape.points, target):
        default = fitting[-1]
    return decide("inner_reduction.shares", fitting, default, block=shape.block, changes_sums=True)


def _share_out(sch: Schedule, block: BlockRV, shape: Shape, shares: int) -> BlockRV:
    """Give each share of the outermost reduce axis separate results; returns the block that computes them."""
    outermost = sch.get_loops(block)[shape.reduce[0].position]
    part, _ = sch.split(outermost, [shares, None])
    return sch.rfactor(part, 0)


def _schedule_results(
    sch: Schedule, block: BlockRV, epilogue: BlockRV | None, shape: Shape, target: CpuTargetAttr
) -> bool:
    """Reduce several results at once, which the epilogue reads in registers. Return whether it does."""
    if len(_reduction_buffers(sch, block)) > 1:
        return False
    if epilogue is None or not sch.get_loops(epilogue):
        epilogue = sch.cache_write(block, _accumulator(sch, block), "register")
    else:
        sch.set_scope(block, 0, "register")
    loops = list(sch.get_loops(epilogue))
    counts = [axis.extent for axis in shape.spatial]
    if not loops:
        return False
    chains = chains_in_flight(target)
    fitting = [n for n in divisors(counts[-1]) if n <= 2 * chains]
    default = max(n for n in fitting if n <= chains)
    rows = decide("inner_reduction.results", fitting, default, block=block)
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
    share_among_threads(sch, block, loops, counts, shape.points, target)
    return True


def _accumulator(sch: Schedule, block: BlockRV) -> str:
    return _reduction_buffers(sch, block)[0]


def _reduction_buffers(sch: Schedule, block: BlockRV) -> list[str]:
    reduction = reduction_of(sch.block(block))
    assert reduction is not None
    return [a.buffer.name_hint or "" for a in reduction.accumulators]
