"""prefetch: bring what a later iteration reads near."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.access import accesses_in
from ...analysis.bounds import extents_of
from ...analysis.domain import is_inside
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ..places import statements_in
from ..refusal import BAD_ARGUMENT, UNSUITABLE, loop_name
from ..regions import defined_before, touched_spans

LINE = 64
"""Bytes of a cache line."""


def prefetch(buffer: SSAValue, target: loop.ForOp, offset: int) -> None:
    """Ask in each iteration of a loop for what the iteration `offset` later reads of a buffer.

    One element of each cache line is named, in the box that holds what is read. Nothing is computed; lines beyond the
    buffer are harmless. Other primitives treat the request as a statement of the loop, so it comes after them.

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
        loop.for %line = 0 to 2 {
          loop.prefetch %A[%i + 2, %line * 16] : memref<64x32xf32>
        }
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
    reads = [a for a in accesses_in(target) if a.buffer is buffer and not a.is_write]
    shape = [n for n in extents_of(buffer) if n is not None]
    rank = len(extents_of(buffer))
    if (
        not reads
        or is_inside(buffer, target)
        or len(shape) < rank
        or any(a.index is None or len(a.index) != rank for a in reads)
    ):
        fail(UNSUITABLE, f"prefetch: loop {loop_name(target)} reads no known part of {name_of(buffer)}", op=target)
    first = statements_in(target)[0]
    spans = touched_spans(reads, shape, defined_before(target.body.block, first))
    variable = target.induction_variable
    if not any(variable in offset_.variables for offset_, _ in spans):
        message = (
            f"prefetch: what is read of {name_of(buffer)} is the same in all iterations of loop {loop_name(target)}"
        )
        fail(UNSUITABLE, message, op=target)
    loops: list[Operation] = []
    index: list[Index] = []
    for dimension, (start, count) in enumerate(spans):
        ahead = start.substitute({variable: Index.of(variable) + offset})
        step = _elements_a_line(buffer) if dimension == rank - 1 else 1
        lines = count.ceildiv(step)
        if lines == Index.of(1):
            index.append(ahead)
            continue
        op = loop.ForOp(0, lines, name_hint="line" if dimension == rank - 1 else f"ahead{dimension}")
        loops.append(op)
        index.append(ahead + Index.of(op.induction_variable) * step)
    nested: list[Operation] = [*loops, loop.PrefetchOp(buffer, index)]
    for outer, inner in zip(loops, nested[1:], strict=True):
        outer.regions[0].block.add_op(inner)
    for op in nested:
        op.location = target.location
    Rewriter.insert_op(nested[0], InsertPoint.before(first))


def _elements_a_line(buffer: SSAValue) -> int:
    assert isinstance(buffer.type, MemRefType)
    width = getattr(buffer.type.element_type, "bitwidth", 64)
    return max(1, LINE * 8 // width)
