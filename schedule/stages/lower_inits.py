"""Inits of reductions as nests of their own before the outermost reduction loop, so that no condition stays inside."""

from __future__ import annotations

from ...diagnostics import TilewrightError
from ...dialects.loop import is_over_threads
from .program import Program
from .stage import Stage


def separate_init(stage: Stage, program: Program) -> None:
    """Put the init of a reduction before its loops; where that cannot be proved right, it stays in their first
    iterations, which is right, too."""
    if not stage.op.reduce_axis or any(a.primitive == "tensorize" for a in stage.annotations):
        return
    reduction = [axis for axis in stage.leaf_iter_vars if axis.kind == "reduce"]
    if program.engine.block(program.blocks[stage]).init is None:
        return
    if any(is_over_threads(program.engine.loop(program.loops[axis])) for axis in reduction):
        return  # the threads combine their results first
    try:
        program.engine.decompose_reduction(program.blocks[stage], program.loops[reduction[0]])
    except TilewrightError:
        return
