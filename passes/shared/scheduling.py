"""Access to schedules for passes that call primitives of the scheduling engine."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...dialects import loop
from ...ir import editor as edit
from ...schedule import Schedule
from ...schedule.handles import BlockRV, LoopRV

SCHEDULED = "tw.scheduled"
"""The attribute of a function whose loops a schedule has arranged: default schedules leave it alone."""


def schedules(module: ModuleOp) -> Iterator[tuple[Schedule, list[BlockRV]]]:
    """Yield a schedule and the blocks, in program order, of every function that has blocks; the function is marked."""
    for function in list(module.ops):
        if not isinstance(function, FuncOp) or not function.body.blocks:
            continue
        labels = [block.label for block in blocks_in(function)]
        if labels:
            schedule = Schedule(function)
            yield schedule, [schedule.get_block(label) for label in labels]
            edit.change(function).attributes[SCHEDULED] = UnitAttr()


def loops_of_kind(schedule: Schedule, block: BlockRV, kind: str) -> list[LoopRV]:
    """Return the serial loops around a block that drive iteration variables of that kind only, outermost first."""
    op = schedule.block(block)
    kinds: dict[object, set[str]] = {}
    for _, iteration_kind, binding, _ in op.iteration():
        for value in binding.values():
            kinds.setdefault(value, set()).add(iteration_kind)
    handles = schedule.get_loops(block)
    return [
        handle
        for handle in handles
        if kinds.get(schedule.loop(handle).induction_variable) == {kind} and schedule.loop(handle).kind == loop.SERIAL
    ]


def is_alone(schedule: Schedule, block: BlockRV) -> bool:
    """Return whether the loops around a block contain no other block, so that they can be permuted."""
    loops = schedule.get_loops(block)
    return not loops or blocks_in(schedule.loop(loops[0])) == [schedule.block(block)]
