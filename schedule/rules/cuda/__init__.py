"""Default schedules for GPUs: for each block the first rule that its structure fits, and no loop left unbound.

A rule is a function of a schedule, a block and the target. It looks at the block's axes and accesses, never at
operators or names; where they fit, it schedules the block, and those that go along with it, and returns all of these;
where they do not, it returns None and has changed nothing. `RULES` is the list to read. What no rule takes is run by
one thread.

A rule whose primitives the engine refuses leaves a function half scheduled. `schedule_for_cuda` then raises
`RefusedRuleError`, and the caller starts over on a fresh copy without that rule for that block.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.func import FuncOp

from ....analysis.access import blocks_in
from ....analysis.reduction import reduction_of
from ....diagnostics import TilewrightError
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...schedule import Schedule
from .lines import schedule_lines
from .product import schedule_product
from .result_reduction import schedule_result_reduction
from .row_chain import schedule_row_chain
from .row_reduction import schedule_row_reduction
from .rule import Refused, RefusedRuleError, Rule
from .single_thread import bind_rest
from .spatial import schedule_spatial
from .tensor_product import schedule_tensor_product
from .transpose import schedule_transposition

__all__ = ["RULES", "RefusedRuleError", "schedule_for_cuda"]

RULES: tuple[Rule, ...] = (
    schedule_tensor_product,
    schedule_product,
    schedule_row_reduction,
    schedule_result_reduction,
    schedule_transposition,
    schedule_spatial,
    schedule_lines,
)
"""For single blocks, from the most particular to the most general. Blocks that reduce come first, because they take
the elementwise blocks along that use their results."""

CHAIN_RULES: tuple[Rule, ...] = (schedule_row_chain,)
"""For a block and those that compute what it reads; tried before, from the last block to the first."""


def schedule_for_cuda(function: FuncOp, target: CudaTargetAttr, without: Collection[Refused] = ()) -> Schedule:
    """Schedule every block of `function` in place and return the schedule with its trace.

    Blocks whose loops somebody has bound already stay as they are. `without` are rules that are not tried for blocks.
    Raises RefusedRuleError where the engine refuses what a rule asks for.
    """
    sch = Schedule(function)
    done: set[loop.BlockOp] = set()
    for op in reversed(blocks_in(function)):
        if op not in done:
            done.update(_schedule_block(sch, op, target, without, CHAIN_RULES))
    for op in sorted(blocks_in(function), key=lambda b: reduction_of(b) is None):
        if op not in done:
            done.update(_schedule_block(sch, op, target, without, RULES))
    bind_rest(sch)
    return sch


def _schedule_block(
    sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr, without: Collection[Refused], rules: Sequence[Rule]
) -> Sequence[loop.BlockOp]:
    """Apply the first rule that fits; the blocks that it took care of."""
    for rule in rules:
        refused = Refused(op.label, rule.__name__)
        if refused in without:
            continue
        try:
            taken = rule(sch, op, target)
        except TilewrightError as error:
            raise RefusedRuleError(refused, error) from error
        if taken is not None:
            return taken
    return ()
