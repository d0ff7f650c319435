"""cache_inplace: a copy of a buffer for a block that reads and writes it."""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_in
from ...analysis.domain import loops_around
from ...analysis.ranges import facts_at
from ...diagnostics.locations import name_of
from ...dialects import loop
from ..allocation import allocate, shape_before
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..forms import unsuitable
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import loop_name
from ..regions import defined_before, guard_around, nest_over, touched_spans
from .cache_read_write import check_written, copy_of_shape, redirect, whole_reduction
from .set_scope import check_scope

_NAME = "cache_inplace"


@register_primitive(BUFFERS)
def cache_inplace(sch: Engine, block: BlockRV, buffer: BufferLike, scope: str) -> tuple[BlockRV, BlockRV]:
    """Let a block that reads and writes a buffer work on a copy in another scope. Returns the two copying blocks.

    The first block copies a box around the accessed elements before the outermost loop around the block alone, the
    second one copies that box back behind it. TW0406 refuses loops around that do not run one iteration after the
    other, because boxes of several iterations may overlap.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.block "A" (%vi = spatial(%i) in 8) {
        %a = loop.load %A[%vi] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %A[%vi] : memref<8xf32>
      }
    }
    ```
    after `cache_inplace(A, "A", "local")`:
    ```mlir
    %A_local = loop.alloc : memref<8xf32, "local">
    loop.for %i = 0 to 8 {
      loop.block "A_read" (%vi = spatial(%i) in 8) {
        %0 = loop.load %A[%vi] : memref<8xf32>
        loop.store %0, %A_local[%vi] : memref<8xf32, "local">
      }
    }
    loop.for %i = 0 to 8 {
      loop.block "A" (%vi = spatial(%i) in 8) {
        %a = loop.load %A_local[%vi] : memref<8xf32, "local">
        %b = arith.addf %a, %a : f32
        loop.store %b, %A_local[%vi] : memref<8xf32, "local">
      }
    }
    loop.for %i = 0 to 8 {
      loop.block "A_write" (%vi = spatial(%i) in 8) {
        %1 = loop.load %A_local[%vi] : memref<8xf32, "local">
        loop.store %1, %A[%vi] : memref<8xf32>
      }
    }
    ```
    """
    op = sch.block(block)
    first, second = _cache(op, sch.buffer_of(_NAME, op, buffer, "read"), scope)
    return sch.handle_of(first), sch.handle_of(second)


def _cache(block: loop.BlockOp, buffer: SSAValue, scope: str) -> tuple[loop.BlockOp, loop.BlockOp]:
    check_scope(_NAME, scope, buffer)
    accesses = [a for a in accesses_in(block) if a.buffer is buffer]
    if not any(a.is_write for a in accesses) or all(a.is_write for a in accesses):
        unsuitable(_NAME, block, f"should read and write {name_of(buffer)}")
    if any(buffer not in a.op.operands for a in accesses):
        unsuitable(_NAME, block, f"should access {name_of(buffer)} directly, not by views")
    top = whole_reduction(_NAME, block, buffer)
    for around in loops_around(top):
        if around.kind.kind.data not in ("serial", "unrolled"):
            unsuitable(
                _NAME, block, f"stands in loop {loop_name(around)}, whose iterations run together and share a box"
            )
    body = top.parent
    assert body is not None
    shape = shape_before(buffer, top)
    region = touched_spans(accesses, shape, defined_before(body, top))
    if isinstance(buffer.owner, loop.AllocOp):
        check_written(_NAME, block, buffer, region, top)
    alloc = allocate(f"{buffer.name_hint or 'buffer'}_{scope}", buffer, shape, top, scope)
    for op in dict.fromkeys(a.op for a in accesses):
        redirect(op, buffer, alloc.res)
    stem = buffer.name_hint or "buffer"
    copies = (
        copy_of_shape(block, shape, buffer, alloc.res, f"{stem}_read"),
        copy_of_shape(block, shape, alloc.res, buffer, f"{stem}_write"),
    )
    where = guard_around(block, top)
    for copy, point in zip(copies, (InsertPoint.before(top), InsertPoint.after(top)), strict=True):
        nest_over(copy, region, point, facts_at(top), unit_loops=True, where=where)
    return copies
