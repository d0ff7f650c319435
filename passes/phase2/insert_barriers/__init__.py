"""Pass `insert-barriers`: makes the threads of a block concurrent, with barriers between dependent accesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ....dialects.loop import AsyncWaitOp, BarrierOp, ForOp, enclosing
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...shared.barriers.separation import Separation
from ...shared.barriers.thread_nests import Nest, blocks_of_threads, merge_threads, merged_nest, thread_loops
from .thread_races import check_iterations


@dataclass(frozen=True)
class InsertBarriersPass(Pass):
    """Merge the threads of each block into one nest of loops, with barriers between conflicting accesses of threads.

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
    Two accesses need no barrier if the integer sets prove that different threads never touch one element by them, in
    iterations of the loops around that no barrier separates. No barrier is redundant if every branch is taken to be
    possible. The program is refused if iterations of one loop over blocks or threads depend on one another, or if
    threads would race where no barrier can stand (TW0537; TW0681 if that is not known).

    Needs: loop level; `privatize-global-memory`, so that iterations of loops over blocks and threads share no buffer
    that one of them allocates.
    Grants: the threads of a block are one nest of loops without a race, outermost in the block but for its shared
    buffers; from here on its iterations run at once.
    """

    name = "insert-barriers"
    phase = 2
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [nested for nested in operations(op) if isinstance(nested, FuncOp)]:
            for kernel in _kernels(function):
                check_iterations(kernel)
            for ops in list(blocks_of_threads(function)):
                _synchronise(ops)


def _kernels(function: FuncOp) -> list[ForOp]:
    """Return the outermost loops over blocks or threads."""
    bound = [op for op in operations(function) if isinstance(op, ForOp) and op.kind.tag.data]
    return [op for op in bound if not any(p in bound for p in enclosing(op, ForOp))]


def _synchronise(ops: Sequence[Operation]) -> None:
    nest = merged_nest(ops)
    is_merged = nest is not None
    runs_in_turns = is_merged and not any(isinstance(op, BarrierOp) for each in ops for op in operations(each))
    if nest is None:
        # Half of the barriers are worse than none, so a block is one rewrite.
        if not may_rewrite("insert barriers", thread_loops(ops)[0]):
            return
        nest = merge_threads(ops)
    separation = Separation(nest)
    separation.check_warps()
    if runs_in_turns:  # its iterations are independent: `check_iterations`
        _let_others_see_copies(nest)
        return
    separation.check_statements()
    _let_others_see_copies(nest)
    if separation.first_conflict() is None:
        return
    if not is_merged or may_rewrite("insert barriers", nest[0]):
        separation.separate()


def _let_others_see_copies(nest: Nest) -> None:
    """Insert a barrier behind each operation at which threads wait for their asynchronous copies."""
    for wait in [op for op in operations(nest[-1]) if isinstance(op, AsyncWaitOp)]:
        if not isinstance(wait.next_op, BarrierOp):
            barrier = BarrierOp()
            edit.insert(barrier, InsertPoint.after(wait), of=wait)
