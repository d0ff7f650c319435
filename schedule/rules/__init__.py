"""Default schedules: for each block the first rule that its structure fits.

Rules look at axes and accesses, never at operators or names, and speak to the engine like any user.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around
from ...analysis.reduction import reduction_of
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV
from ..schedule import Schedule
from .contraction import find_epilogue, plan_contraction, schedule_contraction
from .inner_reduction import schedule_inner_reduction
from .outer_reduction import plan_outer_reduction, schedule_outer_reduction
from .packed_product import plan_product, schedule_product
from .packed_rows import plan_packed_rows
from .panel_loops import schedule_panels
from .panels import plan_panels
from .result_blocks import ResultBlocks, block_results, plan_result_blocks
from .row_chain import plan_row_chain, schedule_row_chain
from .row_loops import schedule_packed_rows
from .spatial import schedule_spatial
from .structure import is_plain, shape_of
from .transpose import plan_transposition, schedule_transposition
from .turned_results import find_turning, turn_on_the_way

__all__ = ["schedule_by_rule"]


def schedule_by_rule(function: FuncOp, target: CpuTargetAttr) -> Schedule:
    """Schedule every block of `function` in place and return the schedule with its trace.

    Blocks whose loops somebody has arranged already stay as they are. Blocks that share loops stay too, unless they are
    all elementwise and share all of them: then they are scheduled as one.
    """
    sch = Schedule(function)
    done: set[loop.BlockOp] = set()
    blocks = blocks_in(function)
    for op in reversed(blocks):
        chain = None if op in done else plan_row_chain(op, target)
        if chain is not None and not done.intersection(chain.blocks):
            schedule_row_chain(sch, chain, target)
            done |= set(chain.blocks)
    for op in sorted(blocks, key=lambda b: reduction_of(b) is None):
        if op in done or shape_of(op) is None or not _can_move(op):
            continue
        done |= _schedule_block(sch, op, target)
    return sch


def _schedule_block(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> set[loop.BlockOp]:
    """Apply the first rule that fits; the blocks that it took care of."""
    shape = shape_of(op)
    assert shape is not None
    handle = sch.get_block(op.label)
    turned = plan_transposition(op, target)
    if turned is not None and _nest(op) == [op]:
        schedule_transposition(sch, handle, turned, target)
        return {op}
    if not shape.reduce:
        schedule_spatial(sch, handle, shape, target)
        return set(_nest(op))
    product = plan_product(op, target)
    if product is not None:
        epilogue = find_epilogue(sch, handle)
        taken = {op} if epilogue is None else {op, sch.block(epilogue)}
        schedule_product(sch, handle, product, target)
        return taken
    packed = plan_packed_rows(op, target)
    if packed is not None:
        epilogue = find_epilogue(sch, handle)
        taken = {op} if epilogue is None else {op, sch.block(epilogue)}
        turning = find_turning(sch, epilogue or handle, target)
        taken |= {sch.block(copy) for copy in schedule_packed_rows(sch, handle, packed, target)}
        if turning is not None and turn_on_the_way(sch, *turning):
            taken.add(sch.block(turning[0]))
        return taken
    outer = plan_outer_reduction(op, target)
    if outer is not None:
        return schedule_outer_reduction(sch, handle, outer, target)
    panels = plan_panels(op, target)
    if panels is not None:
        epilogue = find_epilogue(sch, handle)
        taken = {op} if epilogue is None else {op, sch.block(epilogue)}
        schedule_panels(sch, handle, panels, target)
        return taken
    plan = plan_contraction(op, target)
    if plan is not None:
        blocks = plan_result_blocks(op, plan, target)
        if blocks is not None:
            return _schedule_in_blocks(sch, handle, blocks, target)
        epilogue = find_epilogue(sch, handle)
        taken = {op} if epilogue is None else {op, sch.block(epilogue)}
        schedule_contraction(sch, handle, plan, target)
        return taken
    if reduction_of(op) is not None:
        return schedule_inner_reduction(sch, handle, shape, target)
    return {op}


def _schedule_in_blocks(
    sch: Schedule, handle: BlockRV, blocks: ResultBlocks, target: CpuTargetAttr
) -> set[loop.BlockOp]:
    """Bring a contraction into blocks, and schedule what has become of it."""
    parts = (handle, *block_results(sch, handle, blocks))
    taken: set[loop.BlockOp] = set()
    for part in parts:
        if sch.block(part) not in taken:
            taken |= _schedule_block(sch, sch.block(part), target)
    return taken | {sch.block(part) for part in parts}


def _can_move(op: loop.BlockOp) -> bool:
    """Whether the loops around a block can be arranged for it: they hold nothing else, or only blocks that go along."""
    nest, loops = _nest(op), loops_around(op)
    if not all(map(is_plain, nest)):
        return False
    return nest == [op] or all("reduce" not in b.kinds and loops_around(b) == loops for b in nest)


def _nest(op: loop.BlockOp) -> list[loop.BlockOp]:
    """The blocks inside the outermost loop around a block."""
    loops = loops_around(op)
    return blocks_in(loops[0]) if loops else [op]
