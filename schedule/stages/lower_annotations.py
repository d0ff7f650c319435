"""Kinds of loops and memory of buffers, applied once all loops are in place."""

from __future__ import annotations

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import SSAValue

from ...analysis.domain import loops_around
from ...dialects import loop
from ...te.tensor import Placeholder
from .log import Annotation, At
from .stage import Stage
from .stage_errors import BAD_THREAD, stage_error
from .staged_program import StagedProgram, fills_together, is_over_block

ORDER = (
    "set_scope",
    "storage_align",
    "storage_swizzle",
    "double_buffer",
    "pragma",
    "unroll",
    "vectorize",
    "parallel",
    "bind",
    "prefetch",
)
"""The order of annotations, independent of the order in which they were recorded: prefetching adds statements to loops.
Rolling buffers are applied earlier, with the positions of stages; tensorize removes loops, so it comes after."""


def annotate(stages: list[Stage], program: StagedProgram) -> None:
    """Apply the annotations of all stages."""
    present = [stage for stage in stages if stage in program.blocks]
    rows = [(stage, a) for stage in present for a in stage.annotations if a.primitive in ORDER]
    rows.sort(key=lambda row: _rank(*row))
    for stage, annotation in rows:
        if program.shares_memory and (is_over_block(annotation) or _is_shared(stage, annotation)):
            continue
        if annotation.primitive == "bind":
            _check_threads(stage, annotation, program)
        _apply(stage, annotation, program)
    for stage in present:
        _choose_scope(stage, program)
    for stage in present:
        for annotation in stage.annotations:
            if annotation.primitive == "tensorize":
                _tensorize(stage, annotation, program)


def share_results(stage: Stage, program: StagedProgram) -> None:
    """Put the results of a stage into shared memory before its nest moves into the loops of threads."""
    for annotation in stage.annotations:
        if _is_shared(stage, annotation):
            _apply(stage, annotation, program)
    if fills_together(stage) and isinstance(stage.attachment, At):
        buffer = program.buffer(stage)
        if isinstance(buffer.owner, loop.AllocOp):
            _set_scope(program, buffer, loop.SHARED, stage.attachment.location)


def bind_threads(stage: Stage, program: StagedProgram) -> None:
    """Bind the loops of a stage to the threads of a block before shared stages move into them."""
    for annotation in sorted(filter(is_over_block, stage.annotations), key=lambda a: _rank(stage, a)):
        _check_threads(stage, annotation, program)
        _apply(stage, annotation, program)


def _is_shared(stage: Stage, annotation: Annotation) -> bool:
    return (
        annotation.primitive == "set_scope"
        and annotation.arguments == (loop.SHARED,)
        and isinstance(stage.attachment, At)
    )


def _rank(stage: Stage, annotation: Annotation) -> tuple[int, int, tuple[str, ...]]:
    """Return a key that is independent of the order of the calls; rows of different stages stay in the stages'
    order."""
    arguments = tuple(str(a) for a in annotation.arguments)
    return ORDER.index(annotation.primitive), stage.position(annotation.axis), arguments


def _apply(stage: Stage, annotation: Annotation, program: StagedProgram) -> None:
    engine, block, arguments = program.engine, program.blocks[stage], annotation.arguments
    loops = [program.loops[annotation.axis]] if annotation.axis is not None else []
    with program.blaming(annotation.location):
        match annotation.primitive:
            case "set_scope":
                for number in range(stage.op.num_outputs):
                    engine.set_scope(program.buffer(stage, number), *arguments)
            case "storage_align":
                for number in range(stage.op.num_outputs):
                    engine.storage_align(block, program.buffer(stage, number), *arguments)
            case "storage_swizzle" | "double_buffer":
                for number in range(stage.op.num_outputs):
                    getattr(engine, annotation.primitive)(block, program.buffer(stage, number))
            case "prefetch":
                source, index, offset = arguments
                engine.prefetch(program.buffer(source, index, annotation.location), loops[0], offset)
            case primitive:
                getattr(engine, primitive)(*loops, *arguments)


def _tensorize(stage: Stage, annotation: Annotation, program: StagedProgram) -> None:
    assert annotation.axis is not None
    with program.blaming(annotation.location):
        loop = program.loops[annotation.axis]
        program.blocks[stage] = program.engine.tensorize(loop, *annotation.arguments)


def _check_threads(stage: Stage, annotation: Annotation, program: StagedProgram) -> None:
    """Refuse a thread axis with an extent that differs from the iterations of its loop."""
    axis, threads = annotation.axis, annotation.arguments[0]
    assert axis is not None
    stated = getattr(threads, "extent", None)
    count = program.engine.loop(program.loops[axis]).constant_trip_count
    if stated is not None and stated != count:
        had = "a symbolic number of" if count is None else count
        stage_error(
            BAD_THREAD,
            f"bind: axis {axis.name!r} of stage {stage.name!r} has {had} iterations, but {threads} has {stated}",
            location=annotation.location,
            help=f"split the axis by {stated}, or leave the extent of the thread axis out",
        )


def _choose_scope(stage: Stage, program: StagedProgram) -> None:
    """Choose the scope of a stage: private to a thread inside loops of threads, shared by a block inside loops of
    blocks.

    A stage that threads compute together is in shared memory already. If only some of the surrounding threads compute
    it, each group of these threads shares a separate part.
    """
    if fills_together(stage):
        return
    if not isinstance(stage.attachment, At) or stage.scope is not None or isinstance(stage.op, Placeholder):
        return
    around = loops_around(program.engine.block(program.blocks[stage]))
    loops = {program.engine.loop(program.loops[a]) for a in stage.leaf_iter_vars}
    tags = {op.kind.tag.data.partition(".")[0] for op in around if op not in loops}
    is_private = "threadIdx" in tags and not any(map(is_over_block, stage.annotations))
    scope = loop.LOCAL if is_private else loop.SHARED if tags & {"blockIdx", "threadIdx"} else None
    for number in range(stage.op.num_outputs if scope is not None else 0):
        buffer = program.buffer(stage, number)
        if scope is not None and isinstance(buffer.owner, loop.AllocOp):
            _set_scope(program, buffer, scope, stage.attachment.location)


def _set_scope(program: StagedProgram, buffer: SSAValue, scope: str, location: LocationAttr) -> None:
    with program.blaming(location):
        program.engine.set_scope(buffer, scope)
