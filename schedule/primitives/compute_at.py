"""compute_at: compute a buffer where it is consumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access
from ...analysis.domain import loops_around
from ...analysis.instances import runs_all_of
from ...analysis.integer_set import PROVED
from ...analysis.ranges import facts_at
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index, Variable
from ...ir import editor as edit
from ..block_moves import ancestor_in, hidden_input, sibling_ancestors
from ..consumer_order import change_before_consumers
from ..engine import Engine
from ..forms import (
    check_before_terms,
    check_reads_of_results,
    check_whole_reduction,
    check_written_once,
    iteration_spans,
    joint_stores,
    only_writer,
    private_buffer,
    readers,
    stored_elements,
    stored_positions,
    unsuitable,
)
from ..handles import BlockRV, LoopRV
from ..instance_guards import conditions_of_instances, guard_instances, unguarded
from ..loop_positions import check_target, insertion_point
from ..loop_rewriting import remove_emptied
from ..primitive_declaration import MOTION, register_primitive
from ..refusal import loop_name, refuse_conflict
from ..regions import defined_before, nest_over
from .compute_inline import compute_inline


@register_primitive(MOTION)
def compute_at(
    sch: Engine,
    block: BlockRV,
    loop: LoopRV,
    preserve_unit_loops: bool = False,
    index: int = -1,
    *,
    assert_legal: bool = False,
) -> None:
    """Move a block into a loop. Each iteration computes the elements that its consumers in the loop read.

    The elements that the consumers read are covered by a box of constant extents whose corner depends on the outer
    loops. The block gets a loop for each reduce variable and for each dimension of the box that is longer than 1 (every
    dimension with `preserve_unit_loops`), and guards where the box may leave the domain. Its buffer moves into the
    loop. Elements that several iterations read are computed several times. For a buffer in shared memory, the box
    covers the reads of all threads of the block. A buffer that the function returns stays in place, and then the
    consumers must read all of it.

    `index` is the position among the statements of the loop: -1 is right before the first consumer, -2 is the earliest
    position. The loops of a reduction are in the order of its variables, so its terms may be combined in another order.

    before:
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
    after `compute_at(B, jo)`:
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
    """
    if (mark := sch.mark_of(loop)) is not None:
        return compute_inline(sch, block) if mark == "inline" else None
    permuted = _compute_at(
        sch.block(block),
        sch.loop(loop),
        preserve_unit_loops=preserve_unit_loops,
        index=index,
        assert_legal=assert_legal,
    )
    sch.note_algebra(reassociates=permuted)


def _compute_at(
    block: loop.BlockOp,
    target: loop.ForOp,
    *,
    preserve_unit_loops: bool = False,
    index: int = -1,
    assert_legal: bool = False,
) -> bool:
    stores = joint_stores("compute_at", block)
    check_written_once("compute_at", block, stores[0])
    shapes = [_shape(block, store) for store in stores]
    if any(shape != shapes[0] for shape in shapes):
        unsuitable("compute_at", block, "should have results of one shape")
    shape = shapes[0]
    elements = stored_elements("compute_at", stores[0], block, shape)
    consumers = [access for store in stores for access in readers(block, store.buffer)]
    for store in stores:
        _check_buffer(block, store.buffer, shape)
    _check_consumers(block, target, consumers)
    conditions = conditions_of_instances(block)
    with unguarded(block, conditions):
        permuted = check_whole_reduction(
            "compute_at", block, [op for op in loops_around(block) if not op.is_ancestor(target)]
        )
    check_reads_of_results("compute_at", block, stores)
    hidden = hidden_input(block, target)
    if hidden is not None:
        unsuitable("compute_at", block, f"uses {name_of(hidden)}, which is not known at loop {loop_name(target)}")
    point = insertion_point("compute_at", target, index, [], [a.op for a in consumers])
    anchor = point.insert_before
    assert anchor is not None, "expected an insertion point before the consumers"
    conflict = change_before_consumers(block, consumers, target, anchor)
    if conflict is not None and not (assert_legal and conflict.unknown is not None):
        claim = f"computing at loop {loop_name(target)}"
        source, sink = loops_around(conflict.source.op), loops_around(conflict.sink.op)
        refuse_conflict("compute_at", claim, conflict, source, sink)
    region = elements.region(consumers, _known_to_all(stores, defined_before(target.body.block, anchor)))
    spans = iteration_spans(block, elements.positions, region)
    emptied = block.parent
    edit.detach(block)
    remove_emptied(emptied)
    loops = nest_over(block, spans, point, facts_at(anchor), unit_loops=preserve_unit_loops)
    guard_instances(block, conditions.values())
    for store in stores:
        if isinstance(store.buffer.owner, loop.AllocOp):
            _move_allocation(store.buffer.owner, loops[0] if loops else block)
    return permuted


def _known_to_all(stores: Sequence[loop.StoreOp], known: Callable[[Variable], bool]) -> Callable[[Variable], bool]:
    """Return a predicate for variables that the corner of a box may depend on: known at that point, and equal for all
    threads that share a buffer."""
    if not any(loop.scope_of(store.buffer.type) == loop.SHARED for store in stores):
        return known
    return lambda v: known(v) and not (isinstance(v, SSAValue) and loop.depends_on_thread(v))


def _shape(block: loop.BlockOp, store: loop.StoreOp) -> Sequence[Index]:
    """Return the extents of an allocation, else of the part of a buffer that the block writes."""
    if isinstance(store.buffer.owner, loop.AllocOp):
        return store.buffer.owner.shape
    positions = stored_positions("compute_at", store, block)
    shape = [e + 1 for e in store.index]
    for variable, _, _, extent in block.iteration():
        if variable in positions:
            dimension, shift = positions[variable]
            shape[dimension] = extent + shift
    return shape


def _check_buffer(block: loop.BlockOp, buffer: SSAValue, shape: Sequence[Index]) -> None:
    """Refuse unless the block alone writes the buffer, and its writes at the new position cover all reads."""
    if isinstance(buffer.owner, loop.AllocOp):
        private_buffer("compute_at", block, buffer)
        return
    only_writer("compute_at", block, buffer)
    if not any(_reads_all(access, shape) for access in readers(block, buffer)):
        unsuitable(
            "compute_at",
            block,
            f"is an output block: {name_of(buffer)} is seen outside of the function, and no consumer is proved to read "
            "all of it",
        )


def _reads_all(access: Access, shape: Sequence[Index]) -> bool:
    if access.block is None or not isinstance(access.op, loop.LoadOp) or access.op.conditions:
        return False
    if access.op.parent is not access.block.body.block:
        return False
    targets = [(e, Index.of(0), n) for e, n in zip(access.op.index, shape, strict=True)]
    return runs_all_of(access.block, targets, None, without_terms=False) == PROVED


def _check_consumers(block: loop.BlockOp, target: loop.ForOp, consumers: list[Access]) -> None:
    check_target("compute_at", block, target)
    if not consumers:
        unsuitable("compute_at", block, "has no consumer")
    for access in consumers:
        if not target.is_ancestor(access.op):
            who = f"block {access.block.label!r}" if access.block else "an operation"
            unsuitable(
                "compute_at",
                block,
                f"is read by {who} outside of loop {loop_name(target)}, but compute_at requires all the consumers "
                "inside",
            )
        check_before_terms("compute_at", access, target)
    start, end = sibling_ancestors(block, target)
    if not start.is_before_in_block(end):
        unsuitable("compute_at", block, f"should come before loop {loop_name(target)}")


def _move_allocation(alloc: loop.AllocOp, first: Operation) -> None:
    """Move an allocation into the loop, which holds every access; a view taken outside keeps the allocation there."""
    body = first.parent
    assert body is not None
    holder = body.parent_op()
    assert holder is not None
    users = [use.operation for use in alloc.res.uses]
    if all(holder.is_ancestor(user) for user in users):
        holders = [ancestor for ancestor in (ancestor_in(body, user) for user in users) if ancestor is not None]
        earliest = next(op for op in body.ops if op is first or op in holders)
        edit.move(alloc, InsertPoint.before(earliest))
