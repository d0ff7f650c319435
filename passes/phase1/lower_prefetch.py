"""Pass `lower-prefetch`: which elements to bring near for later iterations of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...diagnostics.remarks import remark
from ...dialects.index_expr import Index
from ...dialects.loop import ForOp, PrefetchAheadOp, PrefetchOp, enclosing
from ...schedule.lookahead import Lines, lines_ahead
from ...traversal import operations
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite


@dataclass(frozen=True)
class LowerPrefetchPass(Pass):
    """Name one element of each cache line that a later iteration reads, in the box that holds all of it.

    ```mlir
    loop.for %i = 0 to 64 {
      loop.prefetch_ahead %A, 2 : memref<64x32xf32>
      loop.for %j = 0 to 32 {
        %a = loop.load %A[%i, %j] : memref<64x32xf32>
        …
    // becomes
    loop.for %i = 0 to 64 {
      loop.for %line = 0 to 2 {
        loop.prefetch %A[%i + 2, %line * 16] : memref<64x32xf32>
      }
      loop.for %j = 0 to 32 {
        %a = loop.load %A[%i, %j] : memref<64x32xf32>
        …
    ```
    Lines beyond the buffer are harmless. Where it is not known what the loop reads the request goes, with a remark.

    Needs: block or loop level.
    Grants: no `loop.prefetch_ahead`.
    """

    name = "lower-prefetch"
    phase = 1
    levels = (Level.BLOCK, Level.LOOP)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for request in [nested for nested in operations(op) if isinstance(nested, PrefetchAheadOp)]:
            if not may_rewrite("name elements", request):
                continue
            target = next(enclosing(request, ForOp), None)
            if isinstance(target, ForOp):
                lines = lines_ahead(request.buffer, target, request.ahead.value.data)
            else:
                lines = "no loop is around the request"
            if isinstance(lines, str):
                remark("TW0548", f"nothing is prefetched: {lines}", op=request)
            else:
                Rewriter.insert_op(_nest(request.buffer, lines, request), InsertPoint.before(request))
            Rewriter.erase_op(request)


def _nest(buffer: SSAValue, lines: Sequence[Lines], request: PrefetchAheadOp) -> Operation:
    """Loops over the lines around the prefetch of one of them."""
    loops: list[ForOp] = []
    index: list[Index] = []
    for dimension, (start, count, step) in enumerate(lines):
        if count == Index.of(1):
            index.append(start)
            continue
        hint = "line" if dimension == len(lines) - 1 else f"ahead{dimension}"
        loops.append(ForOp(0, count, name_hint=hint))
        index.append(start + Index.of(loops[-1].induction_variable) * step)
    nested: list[Operation] = [*loops, PrefetchOp(buffer, index)]
    for outer, inner in zip(loops, nested[1:], strict=True):
        outer.body.block.add_op(inner)
    for op in nested:
        op.location = request.location
    return nested[0]
