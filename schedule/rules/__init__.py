"""Default schedules for CPUs: each block is scheduled by the first rule that fits its structure.

Rules inspect axes and accesses, never operators or names, and call the primitives as users do. `RULES` lists the rules
in the order in which they are tried; `rule` defines a rule. User rules are tried first (`registered`). A block without
a rule that fits keeps its plain loops.

Read in this order: `block_structure` (the axes and accesses of a block), `rule` (the form of rules and their choice),
and `spatial` as the simplest rule. `tiles` and `contraction` keep tiles in registers; `inner_reduction` and `row_chain`
reduce along rows by `partial_results`, `outer_reduction` over outer axes. `packed_rows`, `panels`, `packed_product` and
`transformed_product` pack operands. `placement` (orders of loops, threads) and `block_work` (predicted work) are common
to them; `coefficients` holds the numbers that were fitted to measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias, TypeVar

from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.block_reductions import reduction_of
from ...analysis.domain import loops_around
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV
from ..schedule import Schedule
from .block_structure import Shape, is_plain, shape_of
from .contraction import ContractionPlan, decided_contraction, find_epilogue, plan_contraction, schedule_contraction
from .inner_reduction import schedule_inner_reduction
from .outer_reduction import (
    OuterReduction,
    decided_outer_reduction,
    outer_reduction_pays,
    plan_outer_reduction,
    schedule_outer_reduction,
)
from .packed_product import ProductPlan, decided_product, plan_product, product_pays, schedule_product
from .packed_rows import PackedRowsPlan, decided_rows, plan_packed_rows
from .panel_loops import schedule_panels
from .panels import PanelPlan, decided_panels, panels_pay, plan_panels
from .registered import user_rules
from .result_blocks import ResultBlocks, block_results, plan_result_blocks
from .row_chain import RowChain, decided_row_chain, plan_row_chain, row_chain_pays, schedule_row_chain
from .row_loops import schedule_packed_rows
from .rule import CHAIN, USER_RULE, PlannedRule, Refused, RefusedRuleError, Rule, first_fitting
from .spatial import schedule_spatial
from .steps import schedule_in_step
from .transformed_product import Transformed, decided_transform, plan_transformed_product, schedule_transformed_product
from .transpose import Transposition, decided_transposition, plan_transposition, schedule_transposition
from .turned_results import find_turning, turn_on_the_way

__all__ = ["RULES", "schedule_by_rule"]

Blocks = Collection[loop.BlockOp]
P = TypeVar("P")
Plan: TypeAlias = Callable[[Schedule, loop.BlockOp, CpuTargetAttr], "P | None"]


def schedule_by_rule(function: FuncOp, target: CpuTargetAttr, without: Collection[Refused] = ()) -> Schedule:
    """Schedule every block of `function` in place and return the schedule with its trace.

    Blocks whose loops are scheduled already stay as they are. Of blocks that share loops, only the loops that hold a
    single block are arranged (`steps`), unless all blocks are elementwise and share all loops: then they are scheduled
    as one. `without` are rules that are not tried for blocks. Raises RefusedRuleError where the engine refuses what a
    rule asks for.
    """
    sch = Schedule(function)
    done: set[loop.BlockOp] = set()

    def plan_chain(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> RowChain | None:
        chain = plan_row_chain(op, target)
        return None if chain is None or done.intersection(chain.blocks) else chain

    row_chain = PlannedRule("row_chain", plan_chain, _schedule_row_chain, decided_row_chain, row_chain_pays)
    if user := user_rules("cpu"):
        for op in blocks_in(function):
            if op not in done and _can_move(op):
                done.update(first_fitting(sch, op, target, user, without, decision=USER_RULE))
    blocks = blocks_in(function)
    for op in reversed(blocks):
        if op not in done:
            done.update(first_fitting(sch, op, target, (row_chain,), without, decision=CHAIN))
    for op in sorted(blocks, key=lambda b: reduction_of(b) is None):
        if op not in done and shape_of(op) is not None:
            done.update(first_fitting(sch, op, target, RULES if _can_move(op) else (_in_step,), without))
    return sch


def _schedule_row_chain(sch: Schedule, op: loop.BlockOp, chain: RowChain, target: CpuTargetAttr) -> Blocks:
    schedule_row_chain(sch, chain, target)
    return chain.blocks


def _plan_transposition(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Transposition | None:
    turned = plan_transposition(op, target)
    return turned if turned is not None and _nest(op) == [op] else None


def _schedule_transposition(sch: Schedule, op: loop.BlockOp, turned: Transposition, target: CpuTargetAttr) -> Blocks:
    schedule_transposition(sch, sch.get_block(op.label), turned, target)
    return {op}


def _plan_spatial(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Shape | None:
    shape = shape_of(op)
    return None if shape is None or shape.reduce else shape


def _schedule_spatial(sch: Schedule, op: loop.BlockOp, shape: Shape, target: CpuTargetAttr) -> Blocks:
    schedule_spatial(sch, sch.get_block(op.label), shape, target)
    return _nest(op)


def _schedule_product(sch: Schedule, op: loop.BlockOp, plan: ProductPlan, target: CpuTargetAttr) -> Blocks:
    return _with_epilogue(sch, op, plan, target, schedule_product)


def _schedule_transformed(sch: Schedule, op: loop.BlockOp, plan: Transformed, target: CpuTargetAttr) -> Blocks:
    turning = find_turning(sch, sch.get_block(plan.results.block.label), target)
    taken = schedule_transformed_product(sch, sch.get_block(op.label), plan, target)
    return taken | _turned(sch, turning)


def _schedule_packed_rows(sch: Schedule, op: loop.BlockOp, plan: PackedRowsPlan, target: CpuTargetAttr) -> Blocks:
    handle = sch.get_block(op.label)
    epilogue = find_epilogue(sch, handle)
    taken = {op} if epilogue is None else {op, sch.block(epilogue)}
    turning = find_turning(sch, epilogue or handle, target)
    taken |= {sch.block(copy) for copy in schedule_packed_rows(sch, handle, plan, target)}
    return taken | _turned(sch, turning)


def _turned(sch: Schedule, turning: tuple[BlockRV, Transposition] | None) -> set[loop.BlockOp]:
    """Return the block that takes results out of short rows, if it now stands in the loops that compute them."""
    if turning is None or not decide("turned", (False, True), True, block=turning[0]):
        return set()
    return {sch.block(turning[0])} if turn_on_the_way(sch, *turning) else set()


def _schedule_outer(sch: Schedule, op: loop.BlockOp, plan: OuterReduction, target: CpuTargetAttr) -> Blocks:
    return schedule_outer_reduction(sch, sch.get_block(op.label), plan, target)


def _schedule_panels(sch: Schedule, op: loop.BlockOp, plan: PanelPlan, target: CpuTargetAttr) -> Blocks:
    return _with_epilogue(sch, op, plan, target, schedule_panels)


def _schedule_contraction(sch: Schedule, op: loop.BlockOp, plan: ContractionPlan, target: CpuTargetAttr) -> Blocks:
    blocks = plan_result_blocks(op, plan, target)
    if blocks is not None:
        return _schedule_in_blocks(sch, sch.get_block(op.label), blocks, target)
    return _with_epilogue(sch, op, decided_contraction(plan, target), target, schedule_contraction)


def _plan_inner(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Shape | None:
    shape = shape_of(op)
    return None if shape is None or not shape.reduce or reduction_of(op) is None else shape


def _schedule_inner(sch: Schedule, op: loop.BlockOp, shape: Shape, target: CpuTargetAttr) -> Blocks:
    return schedule_inner_reduction(sch, sch.get_block(op.label), shape, target)


def _in_step(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Blocks | None:
    return schedule_in_step(sch, op, target)


def _of_block(plan: Callable[[loop.BlockOp, CpuTargetAttr], P | None]) -> Plan[P]:
    return lambda _, op, target: plan(op, target)


RULES: tuple[Rule[CpuTargetAttr], ...] = (
    PlannedRule("transposition", _plan_transposition, _schedule_transposition, decided_transposition),
    PlannedRule("spatial", _plan_spatial, _schedule_spatial),
    PlannedRule("product", _of_block(plan_product), _schedule_product, decided_product, product_pays),
    PlannedRule("transformed_product", _of_block(plan_transformed_product), _schedule_transformed, decided_transform),
    PlannedRule("packed_rows", _of_block(plan_packed_rows), _schedule_packed_rows, decided_rows),
    PlannedRule(
        "outer_reduction",
        _of_block(plan_outer_reduction),
        _schedule_outer,
        decided_outer_reduction,
        outer_reduction_pays,
    ),
    PlannedRule("panels", _of_block(plan_panels), _schedule_panels, decided_panels, panels_pay),
    PlannedRule("contraction", _of_block(plan_contraction), _schedule_contraction),
    PlannedRule("inner_reduction", _plan_inner, _schedule_inner),
)
"""For single blocks, from the most particular to the most general. Blocks that reduce come first, because they also
schedule the elementwise blocks that use their results."""


def _with_epilogue(
    sch: Schedule,
    op: loop.BlockOp,
    plan: P,
    target: CpuTargetAttr,
    schedule: Callable[[Schedule, BlockRV, P, CpuTargetAttr], None],
) -> Blocks:
    """Apply a plan to a block and its epilogue, the block that computes on the results in place."""
    handle = sch.get_block(op.label)
    epilogue = find_epilogue(sch, handle)
    taken = {op} if epilogue is None else {op, sch.block(epilogue)}
    schedule(sch, handle, plan, target)
    return taken


def _schedule_in_blocks(sch: Schedule, handle: BlockRV, blocks: ResultBlocks, target: CpuTargetAttr) -> Blocks:
    """Bring a contraction into blocks and schedule the new blocks; a rule that is refused there refuses the whole
    plan."""
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
    """Return whether the loops around a block can be arranged for it: they hold nothing else, or only elementwise
    blocks."""
    nest, loops = _nest(op), loops_around(op)
    if not all(map(is_plain, nest)):
        return False
    return nest == [op] or all("reduce" not in b.kinds and loops_around(b) == loops for b in nest)


def _nest(op: loop.BlockOp) -> list[loop.BlockOp]:
    """Return the blocks inside the outermost loop around a block."""
    loops = loops_around(op)
    return blocks_in(loops[0]) if loops else [op]
