"""bind: the iterations of a loop as the threads of an axis."""

from __future__ import annotations

from ...analysis.thread_conflicts import is_same_work
from ...diagnostics import fail
from ...diagnostics.suggestions import did_you_mean
from ...dialects import loop
from ...dialects.loop.kinds import THREAD_TAGS
from ...traversal import operations
from ..refusal import BAD_THREAD, loop_name
from .kinds import set_kind

VTHREADS = ("vthread", *(f"vthread.{axis}" for axis in "xyz"))


def bind(op: loop.ForOp, tag: str, *, assert_legal: bool = False) -> None:
    """Run each iteration of a loop by a thread of an axis of the grid, or by a virtual thread.

    No iteration may touch an element that another one writes. An axis is bound once around a statement, unless the
    inner loop does the same in each iteration of the outer one, as where the threads of a block fill a shared buffer
    together. Loops of virtual threads have a constant number of iterations; `lower-vthread` replicates their statements
    within one thread.

    before:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `bind(i, "threadIdx.x")`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
    if tag in VTHREADS:
        set_kind(op, loop.LoopKindAttr.of("vthread"), assert_legal=assert_legal, primitive="bind")
        return
    if tag not in THREAD_TAGS:
        known = [*THREAD_TAGS, "vthread"]
        fail(
            BAD_THREAD,
            f"bind: expected a thread axis of {', '.join(known)}, but got {tag!r}{did_you_mean(tag, known)}",
            op=op,
        )
    inside = (nested for nested in operations(op) if isinstance(nested, loop.ForOp) and nested is not op)
    for other in (*loop.enclosing(op, loop.ForOp), *inside):
        if isinstance(other, loop.ForOp) and other.kind.tag.data == tag and not _are_same_threads(op, other):
            message = f"bind: loop {loop_name(op)} and loop {loop_name(other)} around or inside it cannot both be {tag}"
            fail(BAD_THREAD, message, op=op, help="bind one of them to another axis, or fuse the two first")
    set_kind(op, loop.LoopKindAttr.of("thread", tag), assert_legal=assert_legal, primitive="bind")


def _are_same_threads(op: loop.ForOp, other: loop.ForOp) -> bool:
    """Whether the threads of a block can run one loop inside the other together."""
    if not loop.is_over_threads(other):
        return False
    outer, inner = (other, op) if other.is_ancestor(op) else (op, other)
    return is_same_work(inner, outer)
