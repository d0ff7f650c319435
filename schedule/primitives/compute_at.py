"""compute_at: compute a buffer where it is consumed."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.access import Access
from ...analysis.domain import loops_around
from ...analysis.instances import runs_each_once, runs_whole_reduction
from ...analysis.integer_set import PROVED, Refuted
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ..forms import iteration_spans, private_buffer, readers, single_store, stored_positions, unsuitable
from ..order import change_of_inputs, common_places, hidden_input
from ..refusal import BAD_ARGUMENT, ILLEGAL, UNPROVED, loop_name, refuse_conflict
from ..regions import defined_before, nest_over, touched_spans
from ..rewriting import remove_emptied


def compute_at(block: loop.BlockOp, target: loop.ForOp, *, assert_legal: bool = False) -> list[loop.ForOp]:
    """Move a block into the body of a loop, computing in each iteration what the consumers there read.

    What they read is covered by a box of constant extents whose corner moves with the outer loops. The block gets a
    loop for each dimension of the box that is longer than one and for each reduce variable, and guards where the box
    may leave its domain. Its buffer moves into the loop too. Elements that several iterations read are computed in
    each.

    before:
    ```mlir
    %B = loop.alloc : memref<64xf32>
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    loop.for %jo = 0 to 16 {
      loop.for %ji = 0 to 4 {
        loop.block "C" (%vj = spatial(%jo * 4 + %ji) in 64) { … loop.load %B[%vj] … }
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
        loop.block "C" (%vj = spatial(%jo * 4 + %ji) in 64) { … loop.load %B[%vj] … }
      }
    }
    ```
    """
    store = single_store("compute_at", block)
    alloc = private_buffer("compute_at", block, store.buffer)
    consumers = readers(block, store.buffer)
    _check_place(block, target, consumers)
    positions = stored_positions("compute_at", store, block)
    _check_reduction(block, target)
    hidden = hidden_input(block, target)
    if hidden is not None:
        unsuitable("compute_at", block, f"uses {name_of(hidden)}, which is not known at loop {loop_name(target)}")
    conflict = change_of_inputs(block, target)
    if conflict is not None and not (assert_legal and conflict.unknown is not None):
        claim = f"computing at loop {loop_name(target)}"
        refuse_conflict("compute_at", claim, conflict, loops_around(conflict.source.op))
    anchor = _first_consumer(target, consumers)
    region = touched_spans(consumers, alloc.shape, defined_before(target.body.block, anchor))
    spans = iteration_spans(block, positions, region)
    emptied = block.parent
    block.detach()
    remove_emptied(emptied)
    loops = nest_over(block, spans, InsertPoint.before(anchor), facts_at(anchor))
    _move_allocation(alloc, loops[0] if loops else block)
    return loops


def _check_place(block: loop.BlockOp, target: loop.ForOp, consumers: list[Access]) -> None:
    if target.is_ancestor(block):
        fail(BAD_ARGUMENT, f"compute_at: block {block.label!r} is inside loop {loop_name(target)} already", op=block)
    if any(True for _ in loop.enclosing(target, loop.BlockOp)):
        fail(BAD_ARGUMENT, f"compute_at: loop {loop_name(target)} is inside a block", op=target)
    if target.kind == loop.VECTORIZED:
        fail(BAD_ARGUMENT, f"compute_at: loop {loop_name(target)} is vectorized and cannot hold other loops", op=target)
    if not consumers:
        unsuitable("compute_at", block, "has no consumer")
    for access in consumers:
        if not target.is_ancestor(access.op):
            who = f"block {access.block.label!r}" if access.block else "an operation"
            unsuitable(
                "compute_at",
                block,
                f"is read by {who} outside of loop {loop_name(target)}; all its consumers must be inside",
            )
    start, end = common_places(block, target)
    if not start.is_before_in_block(end):
        unsuitable("compute_at", block, f"should come before loop {loop_name(target)}")


def _check_reduction(block: loop.BlockOp, target: loop.ForOp) -> None:
    """The loops that are left behind run every reduction whole and once, as the loops in the new place will."""
    reduction = "reduce" in block.kinds
    if reduction and block.init is None:
        unsuitable("compute_at", block, "is a reduction without its init; compute_at comes before decompose_reduction")
    if not reduction:
        return
    own = [op for op in loops_around(block) if not op.is_ancestor(target)]
    for verdict, problem in (
        (runs_whole_reduction(block, own), "does not run all of its reduction inside the loops it would leave"),
        (runs_each_once(block, own), "runs instances of its reduction more than once"),
    ):
        if verdict != PROVED:
            code, certainly = (ILLEGAL, "") if isinstance(verdict, Refuted) else (UNPROVED, "possibly ")
            fail(code, f"compute_at: block {block.label!r} {certainly}{problem}", op=block)


def _first_consumer(target: loop.ForOp, consumers: list[Access]) -> Operation:
    """The first operation directly in the body of `target` that holds a consumer."""
    holders = [op for op in target.body.block.ops if any(op.is_ancestor(a.op) for a in consumers)]
    assert holders, f"expected a consumer of {name_of(consumers[0].buffer)} inside the loop"
    return holders[0]


def _move_allocation(alloc: loop.AllocOp, first: Operation) -> None:
    """Every access is inside the loop; only a view taken outside keeps the allocation there."""
    body = first.parent
    assert body is not None
    holder = body.parent_op()
    assert holder is not None
    if all(holder.is_ancestor(use.operation) for use in alloc.res.uses):
        alloc.detach()
        Rewriter.insert_op(alloc, InsertPoint.before(first))
