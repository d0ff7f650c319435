"""Serial loops around loops over blocks and threads move into the kernel, since a GPU's host runs no loops.

    for i { for bx { for tx { … } } }    ->    for bx { for i { for tx { … } } }

So the steps of a scan run in one kernel. The engine proves that no block reads results of another block from an earlier
iteration. Without a proof the loops stay, which has the same meaning, but is refused for a GPU. Threads of one block
may read one another's results: barriers separate the iterations. Steps of a scan that are bound to threads alone run in
one block; the copies of a scan's inits are bound to threads, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...analysis.domain import loops_around
from ...diagnostics import TilewrightError
from ...dialects import loop
from ...te.definition_order import Defined
from ...te.recurrence import Scan
from ...traversal import operations
from ..loop_rewriting import only_op
from .axes import IterVar
from .stage import Stage
from .staged_program import StagedProgram, tag_of

COPY_THREADS = 256
"""The threads of a block that copies the first steps of a scan."""


def make_kernels(stages: Sequence[Stage], labels: Mapping[Defined, str], program: StagedProgram) -> None:
    """Move serial loops into the loops over blocks inside them, before these have their kinds."""
    tags = _tags(stages, program)
    if not tags:
        return
    steps = {scan: _loop_over_steps(scan, stages, program) for scan in labels if isinstance(scan, Scan)}
    for scan, over_steps in steps.items():
        if any(op in tags for op in operations(over_steps)):
            for k in range(len(scan.outputs)):
                _bind_copy(f"{labels[scan]}.v{k}" if len(scan.outputs) > 1 else labels[scan], program)
    for root in [op for op in program.engine.func.body.block.ops if isinstance(op, loop.ForOp)]:
        inside = [tags[op] for op in operations(root) if op in tags]
        if not inside or root in tags or root.kind != loop.SERIAL:
            continue
        if any(tag.startswith("blockIdx") for tag in inside):
            _move_inwards(root, tags, program)
        elif root in steps.values():
            program.engine.bind(program.engine.add_unit_loop(program.engine.handle_of(root)), "blockIdx.x")


def _tags(stages: Iterable[Stage], program: StagedProgram) -> dict[object, str]:
    """Return the axis of blocks or threads that each loop is to be bound to."""
    bound = ((a.axis, tag_of(a)) for s in stages if s in program.blocks for a in s.annotations if a.primitive == "bind")
    return {
        program.engine.loop(program.loops[axis]): tag
        for axis, tag in bound
        if axis is not None and tag.startswith(("blockIdx", "threadIdx"))
    }


def _loop_over_steps(scan: Scan, stages: Iterable[Stage], program: StagedProgram) -> loop.ForOp:
    step = next(stage for stage in stages if stage.op is scan.update[0].op)
    return loops_around(program.engine.block(program.blocks[step]))[0]


def _bind_copy(label: str, program: StagedProgram) -> None:
    """Let threads run over the last dimension of a scan's first steps."""
    engine = program.engine
    *outer, last = engine.get_loops(engine.get_block(label))
    block, thread = engine.split(last, [None, COPY_THREADS])
    engine.reorder(block, thread, *outer)
    engine.bind(block, "blockIdx.x")
    engine.bind(thread, "threadIdx.x")


def _move_inwards(root: loop.ForOp, tags: Mapping[object, str], program: StagedProgram) -> None:
    """Make the loops over blocks inside serial loops one nest around the serial loops, where that is legal."""
    around = [root]
    while isinstance(inner := only_op(around[-1]), loop.ForOp) and inner not in tags:
        around.append(inner)
    body = list(around[-1].body.block.ops)
    nests = [_blocks_of(op, tags) for op in body if isinstance(op, loop.ForOp)]
    wanted = [tags[op] for op in nests[0]] if nests else []
    if not wanted or len(nests) < len(body) or any([tags[op] for op in nest] != wanted for nest in nests):
        return
    try:
        merged = _outermost(nests[0], around[-1], program)
        for nest in nests[1:]:
            pairs = zip(merged, _outermost(nest, around[-1], program), strict=True)
            merged = [_merge(first, second, program) for first, second in pairs]
        program.engine.reorder(*map(program.engine.handle_of, (*merged, *around)))
    except TilewrightError:
        return


def _blocks_of(nest: loop.ForOp, tags: Mapping[object, str]) -> list[loop.ForOp]:
    """Return the loops over blocks of a nest, ordered by their axes."""
    found = [op for op in operations(nest) if isinstance(op, loop.ForOp) and tags.get(op, "").startswith("blockIdx")]
    return sorted(found, key=lambda op: tags[op])


def _outermost(blocks: Sequence[loop.ForOp], parent: loop.ForOp, program: StagedProgram) -> list[loop.ForOp]:
    """Move loops over blocks outside of the others of their nest in `parent`, in the order given."""
    deepest = max(blocks, key=lambda op: len(loops_around(op)))
    nest = [op for op in (*loops_around(deepest), deepest) if parent.is_ancestor(op) and op is not parent]
    program.engine.reorder(*map(program.engine.handle_of, (*blocks, *(op for op in nest if op not in blocks))))
    return list(blocks)


def _merge(first: loop.ForOp, second: loop.ForOp, program: StagedProgram) -> loop.ForOp:
    engine = program.engine
    axes: list[IterVar] = [a for a, handle in program.loops.items() if engine.loop(handle) in (first, second)]
    merged = engine.merge(engine.handle_of(first), engine.handle_of(second))
    for axis in axes:
        program.loops[axis] = merged
    return engine.loop(merged)
