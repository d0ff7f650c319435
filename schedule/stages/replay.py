"""Carry out the calls of a lazy schedule on a function of loop IR, through the engine.

The order is fixed, so that the same calls give the same program in whatever order they were made: first the calls that
make stages, on fresh loops; then inlining; then each stage's position and loops, consumers first; then kinds and
annotations; the inits of reductions at the end. Loops that run once stay until then, because axes stand for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around
from ...dialects.loop import ForOp
from ...ir import editor as edit
from ...te.definition_order import Defined
from ..loop_rewriting import ARRANGED
from ..trace import Trace
from .axes import IterVar
from .lower_annotations import annotate
from .lower_inits import separate_init
from .lower_kernels import make_kernels
from .lower_nests import build_nest, inline
from .lower_structure import carry_out, in_fixed_order
from .schedule import Schedule
from .staged_program import Program


def apply(
    schedule: Schedule,
    func: FuncOp,
    labels: Mapping[Defined, str],
    observe: Callable[[IterVar, ForOp], None] | None = None,
) -> Trace:
    """Transform a function by the calls of `schedule`; returns the trace of the engine, which becomes `schedule.trace`.

    `observe` is called with each axis and the loop that it is, whenever an axis has become a loop.

    The function has one block for each compute that its outputs need, in fresh loops, labelled as `labels` tells.
    Raises TilewrightError at the user's line of a call that cannot be carried out.
    """
    program = Program(schedule, func, labels, observe)
    stages = list(schedule.stages)
    for record in in_fixed_order(schedule.structure, stages):
        carry_out(record, program)
    inline(stages, program)
    for stage in reversed(stages):
        if stage in program.blocks:
            build_nest(stage, program)
    make_kernels(stages, labels, program)
    annotate(stages, program)
    for stage in stages:
        if stage in program.blocks:
            separate_init(stage, program)
    program.engine.remove_unit_loops()
    if schedule.by_default:
        _mark_arranged(schedule, program)
    else:
        edit.change(func).attributes["tw.scheduled"] = UnitAttr()
    schedule.trace = program.engine.trace
    return schedule.trace


def _mark_arranged(schedule: Schedule, program: Program) -> None:
    """Exempt blocks that calls have arranged, and blocks that share loops with them, from default schedules."""
    for stage in schedule.arranged & program.blocks.keys():
        block = program.engine.block(program.blocks[stage])
        loops = loops_around(block)
        for each in blocks_in(loops[0]) if loops else [block]:
            edit.change(each).attributes[ARRANGED] = UnitAttr()
