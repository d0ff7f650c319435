"""Default schedules for GPUs: the first rule that fits the structure of a block binds all of its loops.

`RULES` lists the rules in the order in which they are tried; `schedule.rules.rule` defines a rule. A nest that matches
no rule runs on a single GPU thread. Read `grid_threads` first, then one rule, such as `spatial`.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.func import FuncOp

from ....analysis.access import blocks_in
from ....analysis.block_reductions import reduction_of
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...schedule import Schedule
from ..block_structure import never_runs
from ..registered import user_rules
from ..rule import CHAIN, USER_RULE, Refused, Rule, first_fitting
from .grid_threads import bind_rest
from .lines import schedule_lines
from .product import schedule_product
from .result_reduction import schedule_result_reduction
from .row_chain import schedule_row_chain
from .row_reduction import schedule_row_reduction
from .spatial import schedule_spatial
from .tensor_product import schedule_tensor_product, schedule_warpgroup_product
from .transpose import schedule_transposition

__all__ = ["RULES", "schedule_for_cuda"]

RULES: tuple[Rule[CudaTargetAttr], ...] = (
    schedule_warpgroup_product,
    schedule_tensor_product,
    schedule_product,
    schedule_row_reduction,
    schedule_result_reduction,
    schedule_transposition,
    schedule_spatial,
    schedule_lines,
)
"""For single blocks, from the most particular to the most general. Blocks that reduce come first, because they also
schedule the elementwise blocks that use their results."""

CHAIN_RULES: tuple[Rule[CudaTargetAttr], ...] = (schedule_row_chain,)
"""For a block together with its producers; tried before `RULES`, from the last block to the first."""


def schedule_for_cuda(function: FuncOp, target: CudaTargetAttr, without: Collection[Refused] = ()) -> Schedule:
    """Schedule every block of `function` in place and return the schedule with its trace.

    A function that computes nothing, or sums of nothing, is left to one thread. Blocks whose loops are bound already
    stay as they are. `without` are rules that are not tried for blocks. Raises RefusedRuleError where the engine
    refuses a primitive of a rule.
    """
    sch = Schedule(function)
    if any(map(never_runs, blocks_in(function))):
        bind_rest(sch)
        return sch
    done: set[loop.BlockOp] = set()
    if user := user_rules("cuda"):
        for op in blocks_in(function):
            if op not in done:
                done.update(first_fitting(sch, op, target, user, without, decision=USER_RULE))
    for op in reversed(blocks_in(function)):
        if op not in done:
            done.update(first_fitting(sch, op, target, CHAIN_RULES, without, decision=CHAIN))
    for op in sorted(blocks_in(function), key=lambda b: reduction_of(b) is None):
        if op not in done:
            done.update(first_fitting(sch, op, target, RULES, without))
    bind_rest(sch)
    return sch
