"""Pass `insert-barriers`: the threads of a block run at once, and wait where they need what others did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.access import Access, accesses_in
from ...analysis.thread_conflicts import iterations_meet
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects.loop import GLOBAL, AllocOp, AsyncWaitOp, BarrierOp, ForOp, enclosing, scope_of
from ...traversal import operations
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite
from .separation import Separation, Unseparated
from .thread_nests import Nest, blocks_of_threads, memory_of, merge_threads, merged_nest, thread_loops


@dataclass(frozen=True)
class InsertBarriersPass(Pass):
    """Make the threads of each block one nest of loops, with barriers where one thread needs what another one did.

    ```mlir
    loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
      %s = loop.alloc : memref<8xf32, "shared">
      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> { … loop.store %v, %s[%t] : memref<8xf32, "shared"> }
      loop.for %u = 0 to 8 kind thread<"threadIdx.x"> { %w = loop.load %s[7 - %u] : memref<8xf32, "shared"> … }
    }
    // becomes
    loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
      %s = loop.alloc : memref<8xf32, "shared">
      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
        … loop.store %v, %s[%t] : memref<8xf32, "shared">
        loop.barrier <"shared">
        %w = loop.load %s[7 - %t] : memref<8xf32, "shared"> …
      }
    }
    ```
    Two accesses are apart where the integer sets prove that different threads never touch one element by them, at the
    iterations of the loops around them between which no barrier stands. None of the barriers can be left out, taking
    every branch as possible. Where threads would race and no barrier can stand, the program is refused (TW0537), and
    where a block writes elements of a temporary that another one reads.

    Needs: loop level; loops over threads that carry no dependence but through buffers that each iteration fills itself.
    Grants: the threads of a block are one nest of loops without a race, outermost in the block but for its shared
    buffers; from here on its iterations run at once.
    """

    name = "insert-barriers"
    phase = 2
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [nested for nested in operations(op) if isinstance(nested, FuncOp)]:
            for ops in list(blocks_of_threads(function)):
                _synchronise(ops)
            for nested in operations(function):
                if isinstance(nested, ForOp) and nested.kind.tag.data and not any(_bound_around(nested)):
                    _check_blocks(nested)


def _bound_around(op: Operation) -> Iterator[ForOp]:
    """The loops around an operation that are bound to blocks or threads."""
    return (p for p in enclosing(op, ForOp) if isinstance(p, ForOp) and p.kind.tag.data)


def _check_blocks(nest: ForOp) -> None:
    """Raise TW0537 where blocks write elements of a temporary that others read: no barrier is between blocks."""
    by_buffer: dict[SSAValue, list[Access]] = {}
    for access in accesses_in(nest):
        owner = memory_of(access.buffer).owner
        if isinstance(owner, AllocOp) and scope_of(access.buffer.type) == GLOBAL and not nest.is_ancestor(owner):
            by_buffer.setdefault(access.buffer, []).append(access)
    for buffer, accesses in by_buffer.items():
        writes = [access for access in accesses if access.is_write]
        reads = [access for access in accesses if not access.is_write]
        for write, read in product(writes, reads):
            blocks = [p for p in (nest, *_bound_around(write.op)) if p.kind.tag.data.startswith("blockIdx")]
            if any(iterations_meet(write, read, block, nest) == "somewhere" for block in dict.fromkeys(blocks)):
                fail(
                    "TW0537",
                    f"expected each block to write elements of its own of {name_of(buffer)}, but others read them",
                    op=write.op,
                    help='compute the stage in loops of its own, or give it the scope "shared"',
                )


def _synchronise(ops: Sequence[Operation]) -> None:
    nest = merged_nest(ops)
    is_merged = nest is not None
    if nest is None:
        # Half of the barriers are worse than none, so a block is one rewrite.
        if not may_rewrite("insert barriers", thread_loops(ops)[0]):
            return
        nest = merge_threads(ops)
    separation = Separation(nest)
    separation.check_warps()
    separation.check_statements()
    _let_others_see_copies(nest)
    inserted: list[BarrierOp] = []
    while (found := separation.first_conflict()) is not None:
        if is_merged and not inserted and not may_rewrite("insert barriers", nest[0]):
            return
        inserted.append(_insert(found))
    for barrier in inserted:
        _remove_if_redundant(barrier, separation)


def _let_others_see_copies(nest: Nest) -> None:
    """A barrier behind each place where threads wait for their asynchronous copies."""
    for wait in [op for op in operations(nest[-1]) if isinstance(op, AsyncWaitOp)]:
        if not isinstance(wait.next_op, BarrierOp):
            barrier = BarrierOp()
            barrier.location = wait.location
            Rewriter.insert_op(barrier, InsertPoint.after(wait))


def _insert(found: Unseparated) -> BarrierOp:
    barrier = BarrierOp(found.scope)
    barrier.location = found.before.location
    Rewriter.insert_op(barrier, InsertPoint.before(found.before))
    return barrier


def _remove_if_redundant(barrier: BarrierOp, separation: Separation) -> None:
    """A barrier that was inserted later may separate what an earlier one does."""
    after = barrier.next_op
    assert after is not None
    barrier.detach()
    if separation.first_conflict() is not None:
        Rewriter.insert_op(barrier, InsertPoint.before(after))
