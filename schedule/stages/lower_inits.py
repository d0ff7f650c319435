"""Inits of reductions as separate nests before the outermost reduction loop, so that no condition stays inside."""

from __future__ import annotations

from ...analysis.domain import resolve
from ...diagnostics import TilewrightError
from ...dialects.loop import is_over_threads
from ..handles import LoopRV
from .stage import Stage
from .staged_program import Program


def separate_init(stage: Stage, program: Program) -> None:
    """Put the init of a reduction before its loops. Where that is not proved legal, it stays in their first iterations,
    which computes the same."""
    reduction = _reduction_loops(stage, program)
    if not reduction or any(is_over_threads(program.engine.loop(loop)) for loop in reduction):
        return  # the threads combine their results first
    try:
        program.engine.decompose_reduction(program.blocks[stage], reduction[0])
    except TilewrightError:
        return


def _reduction_loops(stage: Stage, program: Program) -> list[LoopRV]:
    """The loops over the terms; where a tensor intrinsic took some of them, those over its tiles."""
    if not any(a.primitive == "tensorize" for a in stage.annotations):
        return [program.loops[axis] for axis in stage.leaf_iter_vars if axis.kind == "reduce"]
    engine, block = program.engine, program.blocks[stage]
    rows = engine.block(block).iteration()
    reduced = {v for _, kind, e, _ in rows if kind == "reduce" for v in resolve(e).values()}
    return [loop for loop in engine.get_loops(block) if engine.loop(loop).induction_variable in reduced]
