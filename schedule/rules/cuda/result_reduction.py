"""Reductions with a thread for each result: sums of columns, pooling, and others that read contiguously along results.

    for blocks (blockIdx.x):
      for threads (threadIdx.x):
        accumulator = identity
        for reduce axes: accumulator = combine(accumulator, term)
        result = epilogue(accumulator)

Neighbouring threads compute neighbouring results. If there are too few results to fill the GPU and the reduction is
long, each reduction is divided into parts, whose results a second kernel combines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from ....analysis.block_reductions import reduction_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...handles import BlockRV
from ...schedule import Schedule
from ..block_structure import is_plain, shape_of
from ..contraction import find_epilogue
from .grid_threads import bind_results, equal_parts, is_free
from .row_reduction import CUT_FROM, private_results
from .spatial import nest_of

TERMS_OF_PART = 64
"""Terms of a part of a reduction at least."""


@dataclass(frozen=True)
class ResultReduction:
    """The numbers of results, terms and parts of a reduction."""

    results: int
    terms: int
    parts: int
    """The number of parts of each result."""


def schedule_result_reduction(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Give each result a thread."""
    plan = plan_result_reduction(op, target)
    if plan is None:
        return None
    block = sch.get_block(op.label)
    remark("TW0646", lambda: _remark_text(op, plan), op=op, kind="analysis")
    if plan.parts == 1:
        return _schedule(sch, block, target)
    loops = sch.get_loops(block)
    spatial = op.kinds.count("spatial")
    flat = sch.fuse(*loops[spatial:]) if len(loops) > spatial + 1 else loops[-1]
    part, _ = sch.split(flat, [plan.parts, None])
    partial = sch.rfactor(part, 0)
    return [*_schedule(sch, partial, target), *_schedule(sch, block, target)]


def plan_result_reduction(op: loop.BlockOp, target: CudaTargetAttr) -> ResultReduction | None:
    """Return the plan for a reduction that stands alone in its loops; None for others."""
    shape = shape_of(op)
    if shape is None or not shape.reduce or not is_plain(op) or not is_free(op) or nest_of(op) != [op]:
        return None
    if [a.position for a in shape.reduce] != [*range(len(shape.spatial), len(op.kinds))]:
        return None
    reduction = reduction_of(op)
    results, terms = prod(a.extent for a in shape.spatial), prod(a.extent for a in shape.reduce)
    is_known = all(e.is_constant for _, _, _, e in op.iteration())
    parts = 1
    if is_known and reduction is not None and op.init is not None and results * terms >= CUT_FROM:
        threads = target.processors * target.resident_threads
        parts = equal_parts(terms, min(threads // results, terms // TERMS_OF_PART))
    return ResultReduction(results, terms, parts)


def _schedule(sch: Schedule, block: BlockRV, target: CudaTargetAttr) -> list[loop.BlockOp]:
    op, epilogue = sch.block(block), find_epilogue(sch, block)
    reduction = reduction_of(op)
    taken = [op] if epilogue is None else [op, sch.block(epilogue)]
    private = private_results(op, taken[-1])
    is_single = reduction is not None and len(reduction.accumulators) == 1
    is_private = reduction is not None and len(reduction.accumulators) == len(private)
    if reduction is None or op.init is None or not (is_single or (epilogue is not None and is_private)):
        for buffer in private_results(op, None):
            sch.set_scope(block, buffer, loop.LOCAL)
        loops = sch.get_loops(block)[: op.kinds.count("spatial")]
        bind_results(sch, loops or [sch.add_unit_loop(sch.get_loops(block)[0])], target)
        return [op]
    if epilogue is None:
        epilogue = sch.cache_write(block, reduction.buffer, loop.LOCAL)
    else:
        for buffer in private:
            sch.set_scope(block, buffer, loop.LOCAL)
    loops = sch.get_loops(epilogue) or (sch.add_unit_loop(epilogue),)
    innermost = bind_results(sch, loops, target)
    sch.compute_at(block, innermost)
    terms = sch.get_loops(block)[-op.kinds.count("reduce") :]
    sch.decompose_reduction(block, terms[0])
    return taken


def _remark_text(op: loop.BlockOp, plan: ResultReduction) -> str:
    parts = f", in {plan.parts} parts" if plan.parts > 1 else ""
    return f"each of {plan.results} results of block '{op.label}' is reduced by one thread{parts}"
