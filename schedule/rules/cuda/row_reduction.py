"""Reductions over the axis along which their operands lie side by side: sums of rows, averages of images, arg maxima.

    for blocks (blockIdx.x):
      for rows of a block (threadIdx.y):
        for threads (threadIdx.x):
          partial = identity
          for steps along the row: partial = combine(partial, term[step * threads + thread])
        result = the partial results of the threads, combined

Neighbouring threads read neighbouring terms. A warp reduces a short row, so that a block has several rows; a block
reduces a long row. If there are too few rows to fill the GPU, each row is divided into parts, whose results a second
kernel combines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import SSAValue

from ....analysis.access import accesses_of
from ....analysis.block_reductions import reduction_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...decisions import decide
from ...handles import BlockRV
from ...schedule import Schedule
from ..block_structure import Shape, is_plain, shape_of
from ..contraction import find_epilogue
from ..tiles import divisors
from .grid_threads import (
    USUAL_THREADS,
    bind_first,
    bind_rows,
    equal_parts,
    is_free,
)
from .spatial import nest_of
from .vector_terms import Copies, share_reduction

TERMS_OF_THREAD = 4
"""Terms that a thread has at least, where a row is to have more than a warp."""

LONGEST_BLOCK = 1024
"""Threads of a row at most."""

TERMS_OF_PART = 4096
"""Terms of a part of a row at least: shorter parts are not worth a second kernel."""

MOST_PARTS = 256
"""Parts of a row that a decision may choose at most."""

CUT_FROM = 1 << 18
"""Terms of all rows below which a second kernel costs more than it saves."""


@dataclass(frozen=True)
class RowReduction:
    """The numbers of rows, terms, threads and parts of a reduction."""

    rows: int
    terms: int
    threads: int
    """Of a row."""
    together: int
    """Rows of a block."""
    parts: int
    """Of a row."""


def schedule_row_reduction(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Share the terms of each result among threads."""
    plan = plan_row_reduction(op, target)
    if plan is None:
        return None
    plan = _decided(plan, op, target)
    remark("TW0646", lambda: _remark_text(op, plan), op=op, kind="analysis")
    block = sch.get_block(op.label)
    if plan.parts > 1:
        return _cut(sch, block, plan, target)
    return _schedule(sch, block, plan)


def plan_row_reduction(op: loop.BlockOp, target: CudaTargetAttr) -> RowReduction | None:
    """Return the plan for a reduction along rows; None for others."""
    shape = shape_of(op)
    if shape is None or not shape.reduce or not is_plain(op) or not is_free(op) or nest_of(op) != [op]:
        return None
    if reduction_of(op) is None or op.init is None or not reads_rows(shape):
        return None
    if [a.position for a in shape.reduce] != [*range(len(shape.spatial), len(op.kinds))]:
        return None
    return model(prod(a.extent for a in shape.spatial), prod(a.extent for a in shape.reduce), _is_known(shape), target)


def _decided(plan: RowReduction, op: loop.BlockOp, target: CudaTargetAttr) -> RowReduction:
    """Return the plan with the threads, the rows of a block and the parts of a row that are decided upon."""
    shape, most = shape_of(op), min(LONGEST_BLOCK, target.max_threads)
    assert shape is not None
    sizes = [target.warp << n for n in range(6) if target.warp << n <= most]
    threads = decide("row_reduction.threads", sizes, plan.threads, block=op, changes_sums=True)
    rows = [n for n in (1, 2, 4, 8) if n * threads <= most]
    default = plan.together if plan.together in rows else rows[-1]
    together = decide("row_reduction.together", rows, default, block=op)
    parts = divisors(plan.terms) if _is_known(shape) else [1]
    parts = [n for n in parts if n * target.warp <= plan.terms and n <= MOST_PARTS]
    return replace(
        plan,
        threads=threads,
        together=together,
        parts=decide("row_reduction.parts", parts, plan.parts, block=op, changes_sums=True),
    )


def _is_known(shape: Shape) -> bool:
    """Return whether the number of terms is known."""
    return all(e.is_constant for _, kind, _, e in shape.block.iteration() if kind == "reduce")


def reads_rows(shape: Shape) -> bool:
    """Return whether the operand of the most elements lies side by side along the reduction and not along the
    results."""
    along = shape.reduce[-1]
    moving = [o for o in shape.operands if along.variable in o.variables]
    if not moving:
        return False
    largest = max(moving, key=lambda o: sum(a.variable in o.variables for a in (*shape.spatial, *shape.reduce)))
    return largest.lane_stride(along.variable) == 1 and not any(
        largest.lane_stride(a.variable) for a in shape.spatial if a.extent > 1
    )


def model(rows: int, terms: int, is_known: bool, target: CudaTargetAttr) -> RowReduction | None:
    """Return the number of threads for a row of `terms` terms, where there are `rows` rows; None where one is
    enough."""
    if terms < target.warp:
        return None
    wanted = target.processors * target.resident_threads
    threads = target.warp
    most = min(LONGEST_BLOCK, target.max_threads)
    while threads * 2 <= most and terms >= threads * 2 * TERMS_OF_THREAD:
        if threads >= USUAL_THREADS and rows * threads >= wanted:
            break
        threads *= 2
    together = max(min(USUAL_THREADS, most) // threads, 1)
    while together > 1 and rows < target.processors * together:
        together //= 2
    parts = 1
    if is_known and rows * terms >= CUT_FROM and rows * threads * 2 <= wanted:
        parts = equal_parts(terms, min(wanted // (rows * threads), terms // TERMS_OF_PART))
    return RowReduction(rows, terms, threads, together, parts)


def _schedule(sch: Schedule, block: BlockRV, plan: RowReduction) -> list[loop.BlockOp]:
    """Apply a plan of whole rows; the elementwise block that reads the results is scheduled with it."""
    op, epilogue = sch.block(block), find_epilogue(sch, block)
    epilogue_op = None if epilogue is None else sch.block(epilogue)
    taken = [op] if epilogue_op is None else [op, epilogue_op]
    for buffer in private_results(op, epilogue_op):
        sch.set_scope(block, buffer, loop.SHARED)
    copies = Copies(sch, block, plan.threads)
    loops = list(sch.get_loops(block))
    terms = len([kind for kind in sch.block(block).kinds if kind == "reduce"])
    results = loops[:-terms] or [sch.add_unit_loop(loops[0])]
    row = bind_rows(sch, results, plan.together)
    share_reduction(sch, loops[-terms:], plan.threads, copies)
    if epilogue is not None:
        sch.reverse_compute_at(epilogue, row)
        bind_first(sch, epilogue, plan.threads)
    return taken


def private_results(op: loop.BlockOp, epilogue: loop.BlockOp | None) -> list[SSAValue]:
    """Return the buffers of a reduction's results that only the reduction and its epilogue access."""
    reduction = reduction_of(op)
    buffers = [] if reduction is None else [a.buffer for a in reduction.accumulators]
    return [
        buffer
        for buffer in buffers
        if isinstance(buffer.owner, loop.AllocOp) and all(a.block in (op, epilogue) for a in accesses_of(buffer))
    ]


def _cut(sch: Schedule, block: BlockRV, plan: RowReduction, target: CudaTargetAttr) -> list[loop.BlockOp]:
    """Give the parts of each row separate results, and combine these."""
    loops = sch.get_loops(block)
    terms = len([kind for kind in sch.block(block).kinds if kind == "reduce"])
    flat = sch.fuse(*loops[-terms:]) if terms > 1 else loops[-1]
    part, _ = sch.split(flat, [plan.parts, None])
    partial = sch.rfactor(part, len(loops) - terms)
    taken: list[loop.BlockOp] = []
    for each, rows, length in (
        (partial, plan.rows * plan.parts, -(-plan.terms // plan.parts)),
        (block, plan.rows, plan.parts),
    ):
        found = model(rows, length, False, target)
        taken += _schedule(sch, each, found or RowReduction(rows, length, target.warp, 1, 1))
    return taken


def _remark_text(op: loop.BlockOp, plan: RowReduction) -> str:
    parts = f", in {plan.parts} parts" if plan.parts > 1 else ""
    return (
        f"each of {plan.rows} results of block '{op.label}' is reduced by {plan.threads} threads{parts}, "
        f"{plan.together} to a block"
    )
