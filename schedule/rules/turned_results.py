"""Transposition of blocked results while they are in the caches, instead of in a separate pass over memory.

    for blocks, pixels (as `packed_rows` arranges them):
      blocked[block, pixel, position] = sum over the reduction, for a run of pixels
      for tiles of the run (as `transpose` arranges them): result[block, position, pixel] = epilogue(blocked …)

A run is a tile of pixels if the tile nearly fills vectors, otherwise one or more whole rows.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType

from ...analysis.access import accesses_of, writes
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import is_plain
from .coefficients import TURNED_MOST_WASTE
from .transpose import Transposition, arrange_tiles, plan_transposition


def find_turning(sch: Schedule, block: BlockRV, target: CpuTargetAttr) -> tuple[BlockRV, Transposition] | None:
    """Return the one block that reads the blocked results of `block` across their rows, and its plan.

    `block` is a reduction without an epilogue, or the epilogue.
    """
    op = sch.block(block)
    results = writes(op)
    if len(results) != 1 or not isinstance(results[0].owner, loop.AllocOp):
        return None
    readers = {a.block for a in accesses_of(results[0]) if a.block is not op}
    reader = readers.pop() if len(readers) == 1 else None
    plan = None if reader is None or not is_plain(reader) else plan_transposition(reader, target)
    if reader is None or plan is None or plan.operand.op.buffer is not results[0]:
        return None
    return sch.get_block(reader.label), plan


def turn_on_the_way(sch: Schedule, block: BlockRV, plan: Transposition) -> bool:
    """Move `block`, which transposes results, into the loops that compute them; False where no such loop computes a
    run."""
    (writer,) = (b for b in sch.get_producers(block) if plan.operand.op.buffer in writes(sch.block(b)))
    around = _around_runs(sch, writer, plan)
    if not around:
        return False
    sch.reverse_compute_at(block, around[-1])
    arrange_tiles(sch, block, plan, len(around))
    if _is_copy_from_memory(sch.block(writer)):
        sch.compute_inline(writer)
    return True


def _around_runs(sch: Schedule, writer: BlockRV, plan: Transposition) -> list[LoopRV]:
    """Return the loops around the writing of a run, outermost first."""
    op = sch.block(writer)
    dimension = list(plan.operand.op.index).index(Index.of(plan.along.variable))
    moving = _store(op).index[dimension].variables
    driving = {v for variable, _, binding, _ in op.iteration() if variable in moving for v in binding.values()}
    most = TURNED_MOST_WASTE * _waste(plan.along.extent, plan.lanes)
    around, run = list(sch.get_loops(writer)), 1
    while around:
        inner = sch.loop(around.pop())
        if inner.induction_variable in driving:
            run = min(run * (inner.constant_trip_count or 1), plan.along.extent)
        if around and sch.loop(around[-1]).kind in (loop.SERIAL, loop.PARALLEL) and _waste(run, plan.lanes) <= most:
            break
    return around


def _waste(run: int, lanes: int) -> float:
    """Return the elements of vectors for each element of a run."""
    return -(-run // lanes) * lanes / run


def _is_copy_from_memory(writer: loop.BlockOp) -> bool:
    """Return whether a block copies elements from memory unchanged."""
    value = _store(writer).value.owner
    if not isinstance(value, loop.LoadOp) or value.conditions or not isinstance(value.buffer.type, MemRefType):
        return False
    return loop.scope_of(value.buffer.type) != loop.REGISTER


def _store(writer: loop.BlockOp) -> loop.StoreOp:
    (store,) = (op for op in writer.body.block.ops if isinstance(op, loop.StoreOp))
    return store
