"""Pass `reorder`: permutes the loops around blocks."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...ir.rewrites import may_rewrite
from ...schedule import Schedule
from ...schedule.handles import BlockRV, LoopRV
from ...schedule.rules.block_structure import shape_of
from ..framework.base import Level, Pass
from ..shared.scheduling import is_alone, loops_of_kind, schedules


@dataclass(frozen=True)
class ReorderPass(Pass):
    """Permute the loops around each block: those named by `order`, or reductions outside of the row of results.

    With `order` the loops with these variable names are permuted into that order. Without `order`, loops along
    contiguous dimensions of the results become innermost, so that neighbouring iterations access neighbouring elements.

    ```mlir
    loop.for %i = 0 to 64 { loop.for %j = 0 to 64 { loop.for %k = 0 to 64 { loop.block "C" …
    ```
    becomes
    ```mlir
    loop.for %i = 0 to 64 { loop.for %k = 0 to 64 { loop.for %j = 0 to 64 { loop.block "C" …
    ```
    An order that a dependence forbids is refused. Blocks that share loops with others are left alone.

    This is loop interchange.
    """

    name = "reorder"
    phase = 0
    levels = (Level.BLOCK,)
    reassociates = True

    order: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for schedule, blocks in schedules(op):
            for block in blocks:
                if is_alone(schedule, block):
                    wanted = _named(schedule, block, self.order) if self.order else _rows_innermost(schedule, block)
                    if len(wanted) > 1 and may_rewrite("reorder the loops of", schedule.block(block)):
                        schedule.reorder(*wanted)


def _named(schedule: Schedule, block: BlockRV, order: tuple[str, ...]) -> list[LoopRV]:
    """Return the loops around `block` by variable name, in the order given; empty where it does not have them all."""
    by_name = {handle.variable: handle for handle in schedule.get_loops(block)}
    return [by_name[name] for name in order] if all(name in by_name for name in order) else []


def _rows_innermost(schedule: Schedule, block: BlockRV) -> list[LoopRV]:
    op = schedule.block(block)
    shape = shape_of(op)
    row = None if shape is None else shape.row_axis()
    reduce = loops_of_kind(schedule, block, "reduce")
    if row is None or not reduce:
        return []
    binding = op.index_list("bindings")[row.position]
    spatial = loops_of_kind(schedule, block, "spatial")
    rows = [h for h in spatial if binding.coefficient(schedule.loop(h).induction_variable) == 1]
    return [*reduce, *rows]
