"""Default schedules for CPUs: for each block the first rule that its structure fits.

Rules look at axes and accesses, never at operators or names, and speak to the engine like any user. `RULES` is the list
to read; what a rule is says `rule`. Rules of users come before them (`registered`). A block that no rule fits keeps its
plain loops.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.block_reductions import reduction_of
from ...analysis.domain import loops_around
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV
from ..schedule import Schedule
from .block_structure import is_plain, shape_of
from .contraction import find_epilogue, plan_contraction, schedule_contraction
from .inner_reduction import schedule_inner_reduction
from .outer_reduction import plan_outer_reduction, schedule_outer_reduction
from .packed_product import plan_product, schedule_product
from .packed_rows import plan_packed_rows
from .panel_loops import schedule_panels
from .panels import plan_panels
from .registered import user_rules
from .result_blocks import ResultBlocks, block_results, plan_result_blocks
from .row_chain import plan_row_chain, schedule_row_chain
from .row_loops import schedule_packed_rows
from .rule import Refused, RefusedRuleError, Rule, first_fitting
from .spatial import schedule_spatial
from .steps import schedule_in_step
from .transformed_product import plan_transformed_product, schedule_transformed_product
from .transpose import Transposition, plan_transposition, schedule_transposition
from .turned_results import find_turning, turn_on_the_way

__all__ = ["RULES", "schedule_by_rule"]

Blocks = Collection[loop.BlockOp]
P = TypeVar("P")


def schedule_by_rule(function: FuncOp, target: CpuTargetAttr, without: Collection[Refused] = ()) -> Schedule:
    """Schedule every block of `function` in place and return the schedule with its trace.

    Blocks whose loops somebody has arranged already stay as they are. Of blocks that share loops, those loops alone are
    arranged that hold one block each (`steps`), unless all are elementwise and share all of them: then they are
    scheduled as one. `without` are rules that are not tried for
    blocks. Raises RefusedRuleError where the engine refuses what a rule asks for.
    """
    sch = Schedule(function)
    done: set[loop.BlockOp] = set()

    def row_chain(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
        chain = plan_row_chain(op, target)
        if chain is None or done.intersection(chain.blocks):
            return None
        schedule_row_chain(sch, chain, target)
        return chain.blocks

    if own := user_rules("cpu"):
        for op in blocks_in(function):
            if op not in done and _can_move(op):
                done.update(first_fitting(sch, op, target, own, without))
    blocks = blocks_in(function)
    for op in reversed(blocks):
        if op not in done:
            done.update(first_fitting(sch, op, target, (row_chain,), without))
    for op in sorted(blocks, key=lambda b: reduction_of(b) is None):
        if op not in done and shape_of(op) is not None:
            done.update(first_fitting(sch, op, target, RULES if _can_move(op) else (_in_step,), without))
    return sch


def _transposition(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    turned = plan_transposition(op, target)
    if turned is None or _nest(op) != [op]:
        return None
    schedule_transposition(sch, sch.get_block(op.label), turned, target)
    return {op}


def _spatial(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    shape = shape_of(op)
    if shape is None or shape.reduce:
        return None
    schedule_spatial(sch, sch.get_block(op.label), shape, target)
    return _nest(op)


def _product(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    return _with_epilogue(sch, op, target, plan_product(op, target), schedule_product)


def _transformed_product(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    plan = plan_transformed_product(op, target)
    if plan is None:
        return None
    turning = find_turning(sch, sch.get_block(plan.results.block.label), target)
    taken = schedule_transformed_product(sch, sch.get_block(op.label), plan, target)
    return taken | _turned(sch, turning)


def _packed_rows(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    plan = plan_packed_rows(op, target)
    if plan is None:
        return None
    handle = sch.get_block(op.label)
    epilogue = find_epilogue(sch, handle)
    taken = {op} if epilogue is None else {op, sch.block(epilogue)}
    turning = find_turning(sch, epilogue or handle, target)
    taken |= {sch.block(copy) for copy in schedule_packed_rows(sch, handle, plan, target)}
    return taken | _turned(sch, turning)


def _turned(sch: Schedule, turning: tuple[BlockRV, Transposition] | None) -> set[loop.BlockOp]:
    """The block that takes results out of short rows, if it does so now where they are computed."""
    return {sch.block(turning[0])} if turning is not None and turn_on_the_way(sch, *turning) else set()


def _outer_reduction(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    plan = plan_outer_reduction(op, target)
    return None if plan is None else schedule_outer_reduction(sch, sch.get_block(op.label), plan, target)


def _panels(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    return _with_epilogue(sch, op, target, plan_panels(op, target), schedule_panels)


def _contraction(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    plan = plan_contraction(op, target)
    blocks = None if plan is None else plan_result_blocks(op, plan, target)
    if blocks is not None:
        return _schedule_in_blocks(sch, sch.get_block(op.label), blocks, target)
    return _with_epilogue(sch, op, target, plan, schedule_contraction)


def _inner_reduction(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    shape = shape_of(op)
    if shape is None or not shape.reduce or reduction_of(op) is None:
        return None
    return schedule_inner_reduction(sch, sch.get_block(op.label), shape, target)


def _in_step(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    return schedule_in_step(sch, op, target)


RULES: tuple[Rule[CpuTargetAttr], ...] = (
    _transposition,
    _spatial,
    _product,
    _transformed_product,
    _packed_rows,
    _outer_reduction,
    _panels,
    _contraction,
    _inner_reduction,
)
"""For single blocks, from the most particular to the most general. Blocks that reduce come first, because they take
the elementwise blocks along that use their results."""


def _with_epilogue(
    sch: Schedule,
    op: loop.BlockOp,
    target: CpuTargetAttr,
    plan: P | None,
    schedule: Callable[[Schedule, BlockRV, P, CpuTargetAttr], None],
) -> Blocks | None:
    """Apply a plan, if there is one, which takes the block along that computes on with the results where they lie."""
    if plan is None:
        return None
    handle = sch.get_block(op.label)
    epilogue = find_epilogue(sch, handle)
    taken = {op} if epilogue is None else {op, sch.block(epilogue)}
    schedule(sch, handle, plan, target)
    return taken


def _schedule_in_blocks(sch: Schedule, handle: BlockRV, blocks: ResultBlocks, target: CpuTargetAttr) -> Blocks:
    """Bring a contraction into blocks, and schedule what has become of it; a rule refused there refuses all of it."""
    parts = (handle, *block_results(sch, handle, blocks))
    taken: set[loop.BlockOp] = set()
    for part in parts:
        if sch.block(part) not in taken:
            try:
                taken.update(first_fitting(sch, sch.block(part), target, RULES))
            except RefusedRuleError as refusal:
                raise refusal.error from None
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
