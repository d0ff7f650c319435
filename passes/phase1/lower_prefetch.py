"""Pass `lower-prefetch`: prefetches of the elements that a later iteration of a loop reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics.remarks import remark
from ...dialects.index_expr import Index
from ...dialects.loop import ForOp, PrefetchAheadOp, PrefetchOp, enclosing
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...schedule.lookahead import Lines, idle_loops, lines_ahead
from ...traversal import operations
from ..framework.base import Level, Pass


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
    Lines beyond the buffer are harmless. A request is removed, with a remark, if it is not known which elements the
    loop reads.

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
            named = _named(request)
            if isinstance(named, str):
                remark("TW0548", f"nothing is prefetched: {named}", op=request)
            else:
                edit.insert(named, InsertPoint.before(request))
            edit.erase(request)


def _named(request: PrefetchAheadOp) -> Operation | str:
    """Return the operation that prefetches the elements of a request, or the reason why they are not known."""
    around = [op for op in enclosing(request, ForOp) if isinstance(op, ForOp)]
    if not around:
        return "no loop is around the request"
    at, ahead = around[0], request.ahead.value.data
    if request.of is None:
        lines = lines_ahead(request.buffer, at, ahead)
        return lines if isinstance(lines, str) else _nest(request.buffer, lines, request)
    target = next((op for op in around if op.induction_variable is request.of), None)
    if target is None:
        return "the loop whose iterations are meant is not around the request"
    lines = lines_ahead(request.buffer, target, ahead, at)
    return lines if isinstance(lines, str) else _share(request.buffer, lines, idle_loops(lines, target, at), request)


def _share(buffer: SSAValue, lines: Sequence[Lines], idle: Sequence[ForOp], request: PrefetchAheadOp) -> Operation:
    """Prefetch the part of the lines that an iteration of the `idle` loops asks for; all, where a number is unknown or
    0.

    Lines and iterations are numbered; where there are more iterations than lines they begin again.
    """
    counts = [count.constant for _, count, _ in lines if count.is_constant]
    if len(counts) < len(lines) or 0 in counts:
        return _nest(buffer, lines, request)
    number, iterations = Index.of(0), 1
    for op in idle:
        trips = op.constant_trip_count or 1
        number, iterations = number * trips + Index.of(op.induction_variable), iterations * trips
    part = -(-prod(counts) // iterations)
    loop = ForOp(0, part, name_hint="line")
    if part > 1:
        number = number * part + Index.of(loop.induction_variable)
    index: list[Index] = []
    below = prod(counts)
    rest = number % below if part * iterations > below else number
    for (start, _, step), count in zip(lines, counts, strict=True):
        below //= count
        index.append(start if count == 1 else start + rest // below * step)
        rest = rest if count == 1 else rest % below
    prefetch = PrefetchOp(buffer, index, request.cache)
    prefetch.location = loop.location = request.location
    if part == 1:
        return prefetch
    edit.append(loop.body.block, prefetch)
    return loop


def _nest(buffer: SSAValue, lines: Sequence[Lines], request: PrefetchAheadOp) -> Operation:
    """Build loops over the lines around the prefetch of one of them."""
    loops: list[ForOp] = []
    index: list[Index] = []
    for dimension, (start, count, step) in enumerate(lines):
        if count == Index.of(1):
            index.append(start)
            continue
        hint = "line" if dimension == len(lines) - 1 else f"ahead{dimension}"
        loops.append(ForOp(0, count, name_hint=hint))
        index.append(start + Index.of(loops[-1].induction_variable) * step)
    nested: list[Operation] = [*loops, PrefetchOp(buffer, index, request.cache)]
    for outer, inner in zip(loops, nested[1:], strict=True):
        edit.append(outer.body.block, inner)
    for op in nested:
        op.location = request.location
    return nested[0]
