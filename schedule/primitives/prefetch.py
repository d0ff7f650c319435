"""prefetch: requests of the cache lines that a later iteration reads."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..lookahead import lines_ahead
from ..loop_positions import statements_in
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name


@register_primitive(LOOPS)
def prefetch(
    sch: Engine, buffer: str | SSAValue, loop: LoopRV, offset: int, within: LoopRV | None = None, cache: int = 1
) -> None:
    """Prefetch in each iteration of a loop the elements of a buffer that the iteration `offset` later reads.

    `within`, a loop inside, distributes the prefetches over its iterations: each iteration requests the elements that
    the same iteration reads `offset` iterations of the outer loop later. Loops in between that read the same elements
    repeatedly request a part in each iteration. `cache` is the cache level that receives the lines, 1 or 2; 2 spares
    the data in the first-level cache.

    The pass `lower-prefetch` computes the addresses when the loops are final. Other primitives treat the request as a
    statement of the loop, so `prefetch` comes after them.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %j = 0 to 32 {
        loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 32) { … }
      }
    }
    ```
    after `prefetch("A", i, 2)`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.prefetch_ahead %A, 2 : memref<64x32xf32>
      loop.for %j = 0 to 32 {
        loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 32) { … }
      }
    }
    ```
    """
    inner = None if within is None else sch.loop(within)
    _prefetch(sch.buffer(buffer), sch.loop(loop), offset, inner, cache)


def _prefetch(
    buffer: SSAValue, target: loop.ForOp, offset: int, within: loop.ForOp | None = None, cache: int = 1
) -> None:
    if offset < 1:
        fail(BAD_ARGUMENT, f"prefetch: expected an offset of at least 1, but got {offset}", op=target)
    if cache not in loop.CACHES:
        fail(BAD_ARGUMENT, f"prefetch: expected cache 1 or 2, but got {cache}", op=target)
    inner = within or target
    if inner.kind == loop.VECTORIZED or loop.scope_of(buffer.type) == loop.REGISTER:
        what = f"loop {loop_name(inner)} is vectorized" if inner.kind == loop.VECTORIZED else "registers are near"
        fail(BAD_ARGUMENT, f"prefetch: {what}", op=inner)
    if within is not None and (within is target or not target.is_ancestor(within)):
        message = f"prefetch: loop {loop_name(within)} is not inside loop {loop_name(target)}"
        fail(BAD_ARGUMENT, message, op=within)
    if isinstance(reason := lines_ahead(buffer, target, offset, within), str):
        fail(UNSUITABLE, f"prefetch: {reason}", op=target)
    op = loop.PrefetchAheadOp(buffer, offset, None if within is None else target.induction_variable, cache)
    edit.insert(op, InsertPoint.before(statements_in(inner)[0]), of=target)
