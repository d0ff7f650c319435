"""compute_root: compute a buffer before everything that reads it."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_of
from ...analysis.domain import is_inside, loops_around, loops_behind
from ...analysis.ranges import facts_at
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...traversal import operations
from ..block_moves import ancestor_in, inputs_of, values_used
from ..engine import Engine
from ..forms import (
    check_reads_of_results,
    check_whole_reduction,
    check_written_once,
    iteration_spans,
    joint_stores,
    private_buffer,
    readers,
    stored_elements,
    unsuitable,
)
from ..handles import BlockRV
from ..instance_guards import conditions_of_instances, guard_instances, unguarded
from ..loop_rewriting import function_of, remove_emptied
from ..primitive_declaration import MOTION, register_primitive
from ..regions import defined_before, nest_over

_NAME = "compute_root"


@register_primitive(MOTION)
def compute_root(sch: Engine, block: BlockRV) -> None:
    """Move a block out of the loops of other statements, into a separate loop nest before them.

    The nest computes all elements that the function reads of the block's results. The inputs of the block must be
    written before those loops. The loops of a reduction are in the order of its variables, so its terms may be combined
    in another order.

    before:
    ```mlir
    loop.for %jo = 0 to 16 {
      %B = loop.alloc : memref<64xf32>
      loop.for %i = 0 to 4 {
        loop.block "B" (%vi = spatial(%jo * 4 + %i) in 64) { … }
      }
      loop.for %ji = 0 to 4 {
        loop.block "C" (%vj = spatial(%jo * 4 + %ji) in 64) { … }
      }
    }
    ```
    after `compute_root(B)`:
    ```mlir
    %B = loop.alloc : memref<64xf32>
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    loop.for %jo = 0 to 16 {
      loop.for %ji = 0 to 4 {
        loop.block "C" (%vj = spatial(%jo * 4 + %ji) in 64) { … }
      }
    }
    ```
    """
    sch.note_algebra(reassociates=_compute_root(sch.block(block)))


def _compute_root(block: loop.BlockOp) -> bool:
    function = function_of(block)
    top = ancestor_in(function.body.block, block)
    assert top is not None
    if _is_alone(block, top):
        return False
    stores = joint_stores(_NAME, block)
    allocs = [private_buffer(_NAME, block, store.buffer) for store in stores]
    shape = allocs[0].shape
    if any(alloc.shape != shape for alloc in allocs):
        unsuitable(_NAME, block, "should have results of one shape")
    consumers = [access for store in stores for access in readers(block, store.buffer)]
    if not consumers:
        unsuitable(_NAME, block, "has no consumer")
    elements = stored_elements(_NAME, stores[0], block, shape)
    check_written_once(_NAME, block, stores[0])
    conditions = conditions_of_instances(block)
    with unguarded(block, conditions):
        permuted = check_whole_reduction(_NAME, block, _loops_of_reduction(block))
    check_reads_of_results(_NAME, block, stores)
    _check_inputs(block, allocs, [*conditions.values()], top)
    region = elements.region(consumers, defined_before(function.body.block, top))
    spans = iteration_spans(block, elements.positions, region)
    emptied = block.parent
    edit.detach(block)
    remove_emptied(emptied)
    for alloc in allocs:
        if top.is_ancestor(alloc):
            edit.move(alloc, InsertPoint.before(top))
    nest_over(block, spans, InsertPoint.before(top), facts_at(top), unit_loops=True)
    guard_instances(block, conditions.values())
    return permuted


def _is_alone(block: loop.BlockOp, top: Operation) -> bool:
    """Return whether the loops around a block hold nothing else that reads or writes memory."""
    return [
        op for op in operations(top) if isinstance(op, (loop.LoadOp, loop.StoreOp)) and not block.is_ancestor(op)
    ] == []


def _loops_of_reduction(block: loop.BlockOp) -> list[loop.ForOp]:
    """Return the loops from the outermost one behind a reduce variable inwards."""
    behind = [op for _, kind, binding, _ in block.iteration() if kind == "reduce" for op in loops_behind(binding)]
    around = loops_around(block)
    first = min((around.index(op) for op in behind), default=len(around))
    return list(around[first:])


def _check_inputs(block: loop.BlockOp, allocs: list[loop.AllocOp], guard: list[Index], top: Operation) -> None:
    """Refuse unless the values that the block and its guard use are known, and the buffers that it reads written,
    before `top`."""
    known = {*(alloc.res for alloc in allocs), *block.variables}
    expressions = [*guard, *(n for alloc in allocs for n in alloc.dynamic_sizes), *(n for *_, n in block.iteration())]
    for value in (*values_used(block), *(v for e in expressions for v in e.values())):
        if value not in known and is_inside(value, top):
            unsuitable(_NAME, block, f"uses {name_of(value)}, which is not known outside of the loops around it")
    for read in inputs_of(block):
        for write in accesses_of(read.buffer):
            if write.is_write and top.is_ancestor(write.op):
                who = f"block {write.block.label!r}" if write.block else "an operation"
                unsuitable(_NAME, block, f"reads {name_of(read.buffer)}, which {who} writes in the loops around it")
