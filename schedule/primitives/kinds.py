"""set_kind: how the iterations of a loop are executed."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...analysis.access import Access, accesses_of
from ...analysis.coverage import is_private
from ...analysis.dependence import Conflict, carried
from ...analysis.domain import resolve
from ...analysis.ranges import RangeAnalysis
from ...analysis.reduction import reduction_of
from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name, refuse_conflict

_ACTIVITY = {
    "parallel": "parallelizing",
    "vectorized": "vectorizing",
    "vthread": "interleaving",
    "thread": "binding",
}
_COUNTED = ("vectorized", "unrolled", "vthread")


def set_kind(
    op: loop.ForOp, kind: loop.LoopKindAttr, *, assert_legal: bool = False, primitive: str = "set_kind"
) -> None:
    """Run the iterations of a loop in parallel, as lanes of a vector, unrolled, by threads, or one after the other.

    But for unrolled and serial, no iteration may touch an element that another one writes: a loop that carries a
    reduction is refused; rfactor gives its iterations results of their own. Threads of a block may share a reduction,
    and shared buffers that each iteration of their loop fills before it reads them. Vectorized, unrolled and vthread
    loops need a constant number of iterations.

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
    after `set_kind(i, "parallel")`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 kind parallel {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `parallel(i)`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 kind parallel {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `vectorize(i)`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 kind vectorized {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `unroll(i)`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 kind unrolled {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
    name = kind.kind.data
    if kind == op.kind:
        return
    if op.iter_args and name not in ("serial", "unrolled"):
        fail(UNSUITABLE, f"{primitive}: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    if name in _COUNTED and op.constant_trip_count is None:
        fail(
            BAD_ARGUMENT,
            f"{primitive}: a loop that is {name} needs a constant number of iterations, but that of loop "
            f"{loop_name(op)} is symbolic",
            op=op,
            help="split it by a constant factor first",
        )
    if name in _ACTIVITY:
        conflict = carried(op, _ThreadsShare(op)) if kind.tag.data.startswith("threadIdx") else carried(op)
        if conflict is not None and not (assert_legal and conflict.unknown is not None):
            claim = f"{_ACTIVITY[name]} loop {loop_name(op)}"
            refuse_conflict(primitive, claim, conflict, (op,), help=_remedy(op, conflict))
    edit.change(op).kind = kind


class _ThreadsShare:
    """Which conflicts between iterations of a loop its threads settle.

    `lower-cross-thread-reduction` combines what they add to one result, `insert-barriers` lets them fill a shared
    buffer together.
    """

    def __init__(self, op: loop.ForOp) -> None:
        self._op = op
        self._private: dict[SSAValue, bool] = {}

    def __call__(self, source: Access, sink: Access) -> bool:
        return _is_update(source, sink, self._op) or self._is_private(source.buffer)

    def _is_private(self, buffer: SSAValue) -> bool:
        if loop.scope_of(buffer.type) != loop.SHARED:
            return False
        if buffer not in self._private:
            accesses = accesses_of(buffer)
            inside = all(self._op.is_ancestor(access.op) for access in accesses)
            self._private[buffer] = inside and is_private(self._op, accesses, RangeAnalysis())
        return self._private[buffer]


def _is_update(source: Access, sink: Access, op: loop.ForOp) -> bool:
    """Whether both belong to one reduction, init included, that the loop runs over."""
    block = source.block
    if block is None or block is not sink.block or (reduction := reduction_of(block)) is None:
        return False
    reduced = {v for _, kind, e, _ in block.iteration() if kind == "reduce" for v in resolve(e).values()}
    results = {a.buffer for a in reduction.accumulators}
    return op.induction_variable in reduced and {source.buffer, sink.buffer} <= results


def _remedy(op: loop.ForOp, conflict: Conflict) -> str | None:
    """What to do instead, where the iterations meet in the result of a reduction."""
    block = conflict.source.block
    if block is None or block is not conflict.sink.block:
        return None
    bindings = [(kind, binding.values()) for _, kind, binding, _ in block.iteration()]
    if not any(kind == "reduce" and op.induction_variable in values for kind, values in bindings):
        return None
    return f"loop {loop_name(op)} runs over a reduction: rfactor it first, or choose a loop over the result"
