"""Replay of a lazy schedule: its calls are executed on a function of loop IR, through the engine.

The order is fixed, so that the program does not depend on the order of the calls: first the calls that create stages,
on fresh loops; then inlining; then each stage's position and loops, consumers first; then kinds and annotations; the
inits of reductions at the end. Loops of one iteration stay until then, because axes refer to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around, resolve
from ...diagnostics import TilewrightError
from ...dialects.loop import ForOp, is_over_threads
from ...ir import editor as edit
from ...te.definition_order import Defined
from ..handles import LoopRV
from ..loop_rewriting import ARRANGED
from ..trace import Trace
from .axes import IterVar
from .lower_annotations import annotate
from .lower_kernels import make_kernels
from .lower_nests import build_nest, inline
from .lower_structure import carry_out, in_fixed_order
from .schedule import LazySchedule
from .stage import Stage
from .staged_program import StagedProgram


def apply(
    schedule: LazySchedule,
    func: FuncOp,
    labels: Mapping[Defined, str],
    observe: Callable[[IterVar, ForOp], None] | None = None,
) -> Trace:
    """Transform a function by the calls of `schedule`; returns the trace of the engine, which becomes `schedule.trace`.

    `observe` is called with each axis and the loop that it is, whenever an axis has become a loop.

    The function has one block for each compute that its outputs need, in fresh loops, labelled by `labels`.
    Raises TilewrightError at the user's line of a call that cannot be carried out.
    """
    program = StagedProgram(schedule, func, labels, observe)
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
            _separate_init(stage, program)
    program.engine.remove_unit_loops()
    if schedule.by_default:
        _mark_arranged(schedule, program)
    else:
        edit.change(func).attributes["tw.scheduled"] = UnitAttr()
    schedule.trace = program.engine.trace
    return schedule.trace


def _separate_init(stage: Stage, program: StagedProgram) -> None:
    """Move the init of a reduction before its loops. If that is not proved legal, the init stays in their first
    iterations, which computes the same."""
    reduction = _reduction_loops(stage, program)
    if not reduction or any(is_over_threads(program.engine.loop(loop)) for loop in reduction):
        return  # the threads combine their results first
    try:
        program.engine.decompose_reduction(program.blocks[stage], reduction[0])
    except TilewrightError:
        return


def _reduction_loops(stage: Stage, program: StagedProgram) -> list[LoopRV]:
    """Return the loops over the terms; where a tensor intrinsic took some of them, those over its tiles."""
    if not any(a.primitive == "tensorize" for a in stage.annotations):
        return [program.loops[axis] for axis in stage.leaf_iter_vars if axis.kind == "reduce"]
    engine, block = program.engine, program.blocks[stage]
    rows = engine.block(block).iteration()
    reduced = {v for _, kind, e, _ in rows if kind == "reduce" for v in resolve(e).values()}
    return [loop for loop in engine.get_loops(block) if engine.loop(loop).induction_variable in reduced]


def _mark_arranged(schedule: LazySchedule, program: StagedProgram) -> None:
    """Exempt blocks that calls have arranged, and blocks that share loops with them, from default schedules."""
    for stage in schedule.arranged & program.blocks.keys():
        block = program.engine.block(program.blocks[stage])
        loops = loops_around(block)
        for each in blocks_in(loops[0]) if loops else [block]:
            edit.change(each).attributes[ARRANGED] = UnitAttr()
