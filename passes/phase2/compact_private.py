"""Pass `compact-private`: shrinks a private buffer to the part that one thread accesses.

Threads that fetch a tile together keep the prefetched elements in a private buffer while they compute with the previous
tile. Until `insert-barriers` merges the loops over threads into one nest, each of these loops visits the whole buffer.
Afterwards each thread accesses only its part, and the buffer shrinks to that part.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_of
from ...analysis.integer_set import Span
from ...analysis.ranges import RangeAnalysis
from ...analysis.touched_region import LiveBlock, touched_spans, unguarded_ranges
from ...dialects import loop
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class CompactPrivatePass(Pass):
    """Shrink local buffers inside loops over threads to the elements that one thread accesses.

    ```mlir
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      %a = loop.alloc : memref<128xf32, "local">
      loop.for %i = 0 to 4 { … loop.store %x, %a[%t * 4 + %i] : memref<128xf32, "local"> }
      loop.for %i = 0 to 4 { %y = loop.load %a[%t * 4 + %i] : memref<128xf32, "local"> … }
    }
    // becomes
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      %a = loop.alloc : memref<4xf32, "local">
      loop.for %i = 0 to 4 { … loop.store %x, %a[%i] : memref<4xf32, "local"> }
      loop.for %i = 0 to 4 { %y = loop.load %a[%i] : memref<4xf32, "local"> … }
    }
    ```
    Each dimension shrinks to the smallest range that contains all accessed indices, at an offset that is fixed while
    the buffer lives. Buffers with other uses than loads and stores stay.

    Needs: loop level; the threads of a block are one nest (`insert-barriers`).
    Grants: where possible, only constants and variables of loops inside the threads index such buffers, so that they
    can be registers.
    """

    name = "compact-private"
    phase = 2
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ranges = RangeAnalysis()
        for alloc in [nested for nested in operations(op) if isinstance(nested, loop.AllocOp)]:
            if _is_of_thread(alloc) and alloc.res.first_use is not None and may_rewrite("compact", alloc):
                _compact(alloc, ranges)


def _is_of_thread(alloc: loop.AllocOp) -> bool:
    """Return whether a buffer is private to a thread, and loads and stores alone use it."""
    if loop.scope_of(alloc.res.type) != loop.LOCAL or not alloc.res.type.has_static_shape():
        return False
    if not all(isinstance(use.operation, (loop.LoadOp, loop.StoreOp)) for use in alloc.res.uses):
        return False
    around = loop.enclosing(alloc, loop.ForOp)
    return any(isinstance(op, loop.ForOp) and op.kind.tag.data.startswith("threadIdx") for op in around)


def _compact(alloc: loop.AllocOp, ranges: RangeAnalysis) -> None:
    assert alloc.parent is not None
    accesses = accesses_of(alloc.res)
    spans = touched_spans(alloc, accesses, LiveBlock(alloc.parent, False), ranges, with_tails=False)
    if not any(isinstance(span, Span) for span in spans):
        return
    shape = [n if span is None else span.extent for n, span in zip(alloc.res.type.get_shape(), spans, strict=True)]
    offsets = [0 if span is None else span.offset for span in spans]
    for access in accesses:
        assert access.index is not None
        known = unguarded_ranges(access.op)
        access.set_index([(e - o).with_ranges(known) for e, o in zip(access.index, offsets, strict=True)])
    type_ = loop.buffer_type(shape, alloc.res.type.element_type, loop.LOCAL)
    smaller = loop.AllocOp(type_, [], alloc.res.name_hint)
    edit.change(smaller).attributes |= alloc.attributes
    edit.insert(smaller, InsertPoint.before(alloc), of=alloc)
    edit.replace_uses(alloc.res, smaller.res)
    edit.erase(alloc)
