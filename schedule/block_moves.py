"""Motion of a block to a later position: the elements that it reads must not change in between."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ..analysis.access import Access, accesses_in, accesses_of
from ..analysis.dependence import Conflict, overlap, runs_before
from ..analysis.domain import is_inside, loops_around
from ..dialects import loop
from ..ir import editor as edit
from ..traversal import operations


def sibling_ancestors(first: Operation, second: Operation) -> tuple[Operation, Operation]:
    """Return the operations of the innermost common block that hold `first` and `second`."""
    ancestors: dict[Block | None, Operation] = {}
    current: Operation | None = first
    while current is not None:
        ancestors[current.parent] = current
        current = current.parent_op()
    other = second
    while other.parent not in ancestors:
        parent = other.parent_op()
        assert parent is not None, "expected operations of one function"
        other = parent
    return ancestors[other.parent], other


def values_used(op: Operation) -> list[SSAValue]:
    """Return the values defined outside of `op` that the operations inside it use, in order of first use."""
    used = (v for nested in operations(op) if nested is not op for v in nested.operands)
    return [v for v in dict.fromkeys(used) if not is_inside(v, op)]


def hidden_input(block: loop.BlockOp, destination: Operation) -> SSAValue | None:
    """Return a value that the block uses and that is not known at `destination`: it is defined in a loop left
    behind."""
    start, _ = sibling_ancestors(block, destination)
    extents = [v for *_, extent in block.iteration() for v in extent.values()]
    return next((v for v in (*values_used(block), *extents) if is_inside(v, start)), None)


def change_of_inputs(block: loop.BlockOp, destination: Operation) -> Conflict | None:
    """Return a write that would come before `block` reads the element once the block runs inside `destination`.

    Conservative where `destination` itself writes: the order inside it is not looked at.
    """
    start, end = sibling_ancestors(block, destination)
    for read in inputs_of(block):
        for write in accesses_of(read.buffer):
            if not write.is_write or write.block is block:
                continue
            holder = ancestor_in(start.parent, write.op)
            if holder is None or holder.is_before_in_block(start) or end.is_before_in_block(holder):
                continue
            if holder is start:
                conflict = runs_before(read, write, shared_loops(start, block, write.op))
            else:
                conflict = overlap(read, write, holder)
            if conflict is not None:
                return conflict
    return None


def inputs_of(block: loop.BlockOp) -> list[Access]:
    """Return the reads of buffers that the block does not write itself."""
    accesses = accesses_in(block)
    written = {a.buffer for a in accesses if a.is_write}
    return [a for a in accesses if not a.is_write and a.buffer not in written]


def ancestor_in(body: Block | None, op: Operation) -> Operation | None:
    """Return the operation directly in `body` that holds `op`."""
    current: Operation | None = op
    while current is not None and current.parent is not body:
        current = current.parent_op()
    return current


def shared_loops(start: Operation, first: Operation, second: Operation) -> list[loop.ForOp]:
    """Return the loops inside `start`, itself included, around both operations, outermost first."""
    around = set(loops_around(second))
    return [op for op in loops_around(first) if op in around and (op is start or start.is_ancestor(op))]


def exclusive_nest(top: Operation) -> Operation:
    """Return the outermost loop or conditional around an operation that holds no other effects, or the operation
    itself."""
    while isinstance(parent := top.parent_op(), (loop.ForOp, loop.IfOp)):
        bodies = [b for region in parent.regions for b in region.blocks]
        if any(op is not top and not is_side_effect_free(op) for b in bodies for op in b.ops):
            break
        top = parent
    return top


def bring_values(block: loop.BlockOp, destination: Operation) -> SSAValue | None:
    """Move the constants and sizes that the block uses, and the allocations of its results, before `destination`.

    Returns a value that cannot move, if there is one.
    """
    written = {a.buffer for a in accesses_in(block) if a.is_write}
    extents = [v for *_, extent in block.iteration() for v in extent.values()]
    for value in dict.fromkeys((*values_used(block), *extents)):
        owner = value.owner
        if isinstance(owner, Block):
            if owner.parent_op() is not None and is_inside(value, sibling_ancestors(destination, block)[1]):
                return value
            continue
        start, holder = sibling_ancestors(destination, owner)
        if holder is not start and holder.is_before_in_block(start):
            continue
        movable = value in written if isinstance(owner, loop.AllocOp) else is_side_effect_free(owner)
        if holder is not owner or owner.operands or not movable:
            return value
        edit.move(owner, InsertPoint.before(start))
    return None
