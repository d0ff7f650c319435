"""prefetch: bring what a later iteration reads near."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...diagnostics import fail
from ...dialects import loop
from ..lookahead import lines_ahead
from ..places import statements_in
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name


def prefetch(buffer: SSAValue, target: loop.ForOp, offset: int) -> None:
    """Ask in each iteration of a loop for what the iteration `offset` later reads of a buffer.

    The pass `lower-prefetch` names the elements, when the loops are final. Other primitives treat the request as a
    statement of the loop, so it comes after them.

    before:
    ```mlir
    func.func @main(%A: memref<64x32xf32>, %B: memref<64x32xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.for %j = 0 to 32 {
          loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 32) {
            %a = loop.load %A[%vi, %vj] : memref<64x32xf32>
            loop.store %a, %B[%vi, %vj] : memref<64x32xf32>
          }
        }
      }
      func.return
    }
    ```
    after `prefetch("A", i, 2)`:
    ```mlir
    func.func @main(%A: memref<64x32xf32>, %B: memref<64x32xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.prefetch_ahead %A, 2 : memref<64x32xf32>
        loop.for %j = 0 to 32 {
          loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 32) {
            %a = loop.load %A[%vi, %vj] : memref<64x32xf32>
            loop.store %a, %B[%vi, %vj] : memref<64x32xf32>
          }
        }
      }
      func.return
    }
    ```
    """
    if offset < 1:
        fail(BAD_ARGUMENT, f"prefetch: expected an offset of at least 1, but got {offset}", op=target)
    if target.kind == loop.VECTORIZED or loop.scope_of(buffer.type) == loop.REGISTER:
        what = f"loop {loop_name(target)} is vectorized" if target.kind == loop.VECTORIZED else "registers are near"
        fail(BAD_ARGUMENT, f"prefetch: {what}", op=target)
    if isinstance(reason := lines_ahead(buffer, target, offset), str):
        fail(UNSUITABLE, f"prefetch: {reason}", op=target)
    op = loop.PrefetchAheadOp(buffer, offset)
    op.location = target.location
    Rewriter.insert_op(op, InsertPoint.before(statements_in(target)[0]))
