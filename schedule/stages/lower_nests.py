"""Nests of stages, consumers first: a stage moves into its attachment loop, and its loops are split, fused and
reordered there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ...analysis.domain import loops_around
from ...dialects import loop
from .log import At, Inline
from .lower_annotations import bind_threads, share_results
from .lower_structure import apply_relation
from .stage import Stage
from .stage_errors import NO_CONSUMER, NO_SUCH_LOOP, at_location, quoted, stage_error
from .staged_program import StagedProgram


def inline(stages: Sequence[Stage], program: StagedProgram) -> None:
    """Compute the stages that ask for it where they are read; producers first, so that chains collapse.

    A stage whose tensor is an argument is also stored there, in a separate loop nest.
    """
    engine = program.engine
    for stage in stages:
        if isinstance(stage.attachment, Inline) and stage in program.blocks:
            block, buffer = program.blocks[stage], program.buffer(stage)
            with program.blaming(stage.attachment.location):
                if not isinstance(buffer.owner, loop.AllocOp):
                    readers = engine.get_consumers(block)
                    engine.cache_write(block, buffer, loop.GLOBAL, readers)
                engine.compute_inline(block)
                del program.blocks[stage]


def build_nest(stage: Stage, program: StagedProgram) -> None:
    """Move a stage to its loop, and give it its loops; the stages that read it have theirs."""
    depth = 0
    if program.shares_memory:
        share_results(stage, program)
    if isinstance(stage.attachment, At):
        depth = _attach(stage, stage.attachment, program)
    for annotation in stage.annotations:
        if annotation.primitive == "rolling_buffer":
            with program.blaming(annotation.location):
                program.engine.rolling_buffer(program.blocks[stage], program.buffer(stage))
    program.find_loops(stage, depth)
    program.show_loops()
    for relation in stage.relations:
        apply_relation(relation, program.loops, program)
        program.show_loops()
    if program.shares_memory:
        bind_threads(stage, program)


def _attach(stage: Stage, attachment: At, program: StagedProgram) -> int:
    """Move a stage into a loop; returns how many loops are around it there."""
    axis, location = attachment.axis, attachment.location
    parent = axis.stage
    if axis not in program.loops:
        _fail_without_loop(stage, attachment, program)
    target = program.loops[axis]
    engine = program.engine
    outside = [
        reader.label
        for reader in engine.get_consumers(program.blocks[stage])
        if engine.loop(target) not in map(engine.loop, engine.get_loops(reader))
    ]
    if outside:
        stage_error(
            NO_CONSUMER,
            f"compute_at: {quoted(dict.fromkeys(outside))} reads {stage.name!r}, but does not run inside loop "
            f"{axis.name!r} of stage {parent.name!r}",
            location=location,
            help=f"compute the stages that read {stage.name!r} inside that loop as well, or choose a loop around them",
        )
    with program.blaming(location):
        engine.compute_at(program.blocks[stage], target, preserve_unit_loops=True)
    return len(loops_around(engine.loop(target))) + 1


def _fail_without_loop(stage: Stage, attachment: At, program: StagedProgram) -> NoReturn:
    axis, location = attachment.axis, attachment.location
    parent = axis.stage
    if parent not in program.blocks:
        how = "is computed inline" if isinstance(parent.attachment, Inline) else "is not among the lowered stages"
        stage_error(
            NO_CONSUMER,
            f"compute_at: stage {parent.name!r}, in which {stage.name!r} should be computed, {how} and has no loops",
            location=location,
        )
    if axis.gone is not None:
        stage_error(
            NO_SUCH_LOOP,
            f"compute_at: expected a loop of stage {parent.name!r} to compute {stage.name!r} in, but axis "
            f"{axis.name!r} {axis.gone}",
            location=location,
            help=f"the loops of stage {parent.name!r} are {quoted(a.name for a in parent.leaf_iter_vars)}",
        )
    stage_error(
        NO_CONSUMER,
        f"compute_at: stage {parent.name!r}, in which {stage.name!r} should be computed, does not read it, nor does "
        f"what is computed inside it{at_location(location)}",
        location=location,
    )
