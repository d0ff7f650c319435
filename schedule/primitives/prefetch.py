"""prefetch: bring what a later iteration reads near."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..lookahead import lines_ahead
from ..places import statements_in
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name


def prefetch(
    buffer: SSAValue, target: loop.ForOp, offset: int, within: loop.ForOp | None = None, cache: int = 1
) -> None:
    """Ask in each iteration of a loop for what the iteration `offset` later reads of a buffer.

    With `within`, a loop inside that one, the request is shared out among its iterations instead of coming all at once:
    each asks for what its like reads `offset` iterations of the outer loop later, and loops in between that read the
    same again and again ask for a part each. Lines come into the first cache, or no nearer than the second one (`cache`
    2): where they would drive out what is read until then.

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
    if cache not in loop.CACHES:
        fail(BAD_ARGUMENT, f"prefetch: expected cache 1 or 2, but got {cache}", op=target)
    place = within or target
    if place.kind == loop.VECTORIZED or loop.scope_of(buffer.type) == loop.REGISTER:
        what = f"loop {loop_name(place)} is vectorized" if place.kind == loop.VECTORIZED else "registers are near"
        fail(BAD_ARGUMENT, f"prefetch: {what}", op=place)
    if within is not None and (within is target or not target.is_ancestor(within)):
        message = f"prefetch: loop {loop_name(within)} is not inside loop {loop_name(target)}"
        fail(BAD_ARGUMENT, message, op=within)
    if isinstance(reason := lines_ahead(buffer, target, offset, within), str):
        fail(UNSUITABLE, f"prefetch: {reason}", op=target)
    op = loop.PrefetchAheadOp(buffer, offset, None if within is None else target.induction_variable, cache)
    edit.insert(op, InsertPoint.before(statements_in(place)[0]), of=target)
