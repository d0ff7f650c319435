"""Nests in which one loop has to run in order: scans along an axis, updates in place.

    for lines (blockIdx.x, threadIdx.x):
      for steps: result[step] = … result[step - 1] …

The loops without dependences move outside and are shared among threads; each thread runs along a line.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....analysis.access import blocks_in
from ....analysis.dependence import carried
from ....analysis.domain import loops_around
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.target import CudaTargetAttr
from ...loop_rewriting import only_op
from ...schedule import Schedule
from .grid_threads import bind_flat, is_free


def schedule_lines(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Give each line a thread."""
    nest = _perfect_nest(op)
    if not is_free(op) or not nest or any(each.kind != loop.SERIAL or each.iter_args for each in nest):
        return None
    free = [each for each in nest if len(each.lowers) == len(each.uppers) == 1 and carried(each) is None]
    if not free:
        return None
    taken = blocks_in(nest[0])
    handles = sch.get_loops(sch.get_block(op.label))[: len(nest)]
    lines = [handle for handle, each in zip(handles, nest, strict=True) if each in free]
    steps = [handle for handle in handles if handle not in lines]
    if steps:
        sch.reorder(*lines, *steps)
    _, threads = bind_flat(sch, lines, target)
    remark(
        "TW0646",
        lambda: f"{len(steps)} loops of block '{op.label}' run in order, each in a thread, {threads} to a block",
        op=op,
        kind="analysis",
    )
    return taken


def _perfect_nest(op: loop.BlockOp) -> list[loop.ForOp]:
    """Return the loops around a block from the outermost, as far as each holds nothing but the next."""
    loops = loops_around(op)
    nest = list(loops[:1])
    for inner in loops[1:]:
        if only_op(nest[-1]) is not inner:
            break
        nest.append(inner)
    return nest
