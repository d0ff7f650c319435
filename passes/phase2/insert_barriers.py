"""Pass `insert-barriers`: the threads of a block run at once, and wait where they need what others did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.loop import BarrierOp
from ...traversal import operations
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite
from .separation import Separation, Unseparated
from .thread_nests import blocks_of_threads, merge_threads, merged_nest, thread_loops


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
    every branch as possible. Where threads would race and no barrier can stand, the program is refused (TW0537).

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
    inserted: list[BarrierOp] = []
    while (found := separation.first_conflict()) is not None:
        if is_merged and not inserted and not may_rewrite("insert barriers", nest[0]):
            return
        inserted.append(_insert(found))
    for barrier in inserted:
        _remove_if_redundant(barrier, separation)


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
