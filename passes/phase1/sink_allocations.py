"""Pass `sink-allocations`: moves allocations inward to their accesses and shrinks them to the accessed region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access, accesses_of
from ...analysis.coverage import is_private
from ...analysis.domain import is_inside
from ...analysis.ranges import RangeAnalysis
from ...analysis.touched_region import LiveBlock, touched_spans, unguarded_ranges
from ...dialects.index_expr import Index
from ...dialects.loop import (
    GLOBAL,
    LOCAL,
    PARALLEL,
    REGISTER,
    SHARED,
    VECTORIZED,
    AllocOp,
    ApplyOp,
    CallExternOp,
    DimOp,
    ForOp,
    IfOp,
    LoadOp,
    StoreOp,
    buffer_type,
    byte_size,
    enclosing,
    scope_of,
)
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class SinkAllocationsPass(Pass):
    """Move each allocation to the innermost region around its accesses and shrink it to the part that one run accesses.

    ```mlir
    %acc = loop.alloc : memref<64x64xf32, "register">
    loop.for %i = 0 to 16 {
      loop.for %ii = 0 to 4 kind unrolled { loop.store %z, %acc[%i * 4 + %ii, 0] : memref<64x64xf32, "register"> }
      …
    }
    // becomes
    loop.for %i = 0 to 16 {
      %acc = loop.alloc : memref<4x1xf32, "register">
      loop.for %ii = 0 to 4 kind unrolled { loop.store %z, %acc[%ii, 0] : memref<4x1xf32, "register"> }
      …
    }
    ```
    An allocation enters a loop if no iteration reads an element that another one wrote; between parallel iterations
    this cannot happen in a defined program. It does not enter vectorized loops; a buffer that is allocated inside one
    gets an element for each lane. Each dimension shrinks to the smallest constant extent, at an offset that outer
    variables determine. A dimension without such an extent keeps its size, with a remark. The region includes small
    tails: elements that would be accessed without the guards. A global buffer inside a parallel loop becomes local if
    it has at most `stack_bytes`. A shared buffer holds the elements that all threads of a block access; it may stand
    inside the loops over threads if each iteration writes all elements that it reads.

    Needs: loop level.
    Grants: buffers in registers and on the stack are private to the iterations of parallel loops, and their sizes are
    those of the regions that these iterations access.
    """

    name = "sink-allocations"
    phase = 1
    levels = (Level.LOOP,)

    stack_bytes: int = 65_536
    """The largest buffer in bytes that a parallel iteration has on its stack."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ranges = RangeAnalysis()
        for alloc in [nested for nested in operations(op) if isinstance(nested, AllocOp)]:
            uses = alloc.res.uses
            if all(isinstance(use.operation, (LoadOp, StoreOp, CallExternOp, DimOp)) for use in uses) and may_rewrite(
                "sink the allocation", alloc
            ):
                _plan(alloc, ranges, self.stack_bytes)


def _plan(alloc: AllocOp, ranges: RangeAnalysis, stack_bytes: int) -> None:
    accesses = accesses_of(alloc.res)
    if not accesses:
        if alloc.res.first_use is None:
            edit.erase(alloc)
        return
    innermost = _innermost_block(alloc, accesses, ranges)
    _replace_dims(alloc)
    shape = _compact(alloc, accesses, innermost, ranges)
    type = _type_of(shape, alloc.res.type)
    size = byte_size(type)
    if scope_of(type) == GLOBAL and size is not None and size <= stack_bytes and _is_in_parallel_loop(innermost):
        type = buffer_type(type.get_shape(), type.element_type, LOCAL)
    sunk = _replace(alloc, type, [n for n in shape if not n.is_constant], _first_op(innermost, accesses))
    for op in list(enclosing(sunk, ForOp)):
        if isinstance(op, ForOp) and op.kind == VECTORIZED:
            sunk = _one_for_each_lane(sunk, op)


def _type_of(shape: Sequence[Index], like: MemRefType) -> MemRefType:
    extents = [n.constant if n.is_constant else DYNAMIC_INDEX for n in shape]
    return buffer_type(extents, like.element_type, scope_of(like))


def _innermost_block(alloc: AllocOp, accesses: Sequence[Access], ranges: RangeAnalysis) -> Block:
    """Return the innermost block around all accesses whose runs are independent of one another."""
    assert alloc.parent is not None
    innermost = alloc.parent
    chains = [_blocks_between(access.op, innermost) for access in accesses]
    for blocks in zip(*chains, strict=False):
        parent = blocks[0].parent_op()
        if any(block is not blocks[0] for block in blocks):
            break
        if isinstance(parent, ForOp):
            if not _may_enter(parent, accesses, ranges):
                break
        elif not isinstance(parent, IfOp):
            break
        innermost = blocks[0]
    return innermost


def _may_enter(op: ForOp, accesses: Sequence[Access], ranges: RangeAnalysis) -> bool:
    kind = op.kind.kind.data
    if kind == "vectorized":
        return False
    return kind == "parallel" or is_private(op, accesses, ranges)


def _blocks_between(op: Operation, outer: Block) -> list[Block]:
    """Return the blocks around `op` inside `outer`, outermost first."""
    found: list[Block] = []
    block = op.parent
    while block is not None and block is not outer:
        found.append(block)
        parent = block.parent_op()
        block = parent.parent if parent is not None else None
    return found[::-1]


def _first_op(innermost: Block, accesses: Sequence[Access]) -> Operation:
    """Return the first op of `innermost` that has an access in it.

    They are found from one another, as those of a buffer stand near one another in a long function.
    """
    left = {innermost.find_ancestor_op_in_block(access.op) for access in accesses}
    walking = {op: op for op in left if op is not None}
    while len(left) > 1:
        for op in list(walking):
            if op not in left:
                del walking[op]  # another one reached it, and the operations behind it are walked from there
            elif (following := walking[op].next_op) is None:
                del walking[op]
            else:
                walking[op] = following
                left.discard(following)
    (first,) = left
    assert first is not None
    return first


def _is_in_parallel_loop(block: Block) -> bool:
    parent = block.parent_op()
    return isinstance(parent, ForOp) and (
        parent.kind == PARALLEL or any(isinstance(op, ForOp) and op.kind == PARALLEL for op in enclosing(parent, ForOp))
    )


def _replace_dims(alloc: AllocOp) -> None:
    for op in [use.operation for use in alloc.res.uses]:
        if isinstance(op, DimOp):
            size = ApplyOp(alloc.shape[op.dimension.value.data])
            size.location = op.location
            edit.replace(op, size)


def _compact(alloc: AllocOp, accesses: Sequence[Access], innermost: Block, ranges: RangeAnalysis) -> list[Index]:
    """Rewrite the accesses to the region that one run of `innermost` accesses, and return its extents."""
    with_tails = innermost is not alloc.parent or scope_of(alloc.res.type) == REGISTER
    home = LiveBlock(innermost, scope_of(alloc.res.type) == SHARED)
    spans = touched_spans(alloc, accesses, home, ranges, with_tails=with_tails)
    extents = [n if span is None else Index.of(span.extent) for n, span in zip(alloc.shape, spans, strict=True)]
    offsets = [Index.of(0) if span is None else span.offset for span in spans]
    if any(span is not None for span in spans):
        for access in accesses:
            assert access.index is not None
            known = unguarded_ranges(access.op)
            access.set_index([(e - o).with_ranges(known) for e, o in zip(access.index, offsets, strict=True)])
    return extents


def _replace(alloc: AllocOp, type: MemRefType, sizes: Sequence[Index], before: Operation) -> AllocOp:
    moved = AllocOp(type, sizes, alloc.res.name_hint)
    edit.change(moved).attributes |= alloc.attributes
    edit.insert(moved, InsertPoint.before(before), of=alloc)
    edit.replace_uses(alloc.res, moved.res)
    edit.erase(alloc)
    return moved


def _one_for_each_lane(alloc: AllocOp, op: ForOp) -> AllocOp:
    """Replace a buffer inside a vectorized loop by one before it that has the lanes side by side."""
    trips = op.constant_trip_count
    if trips is None or any(is_inside(v, op) for n in alloc.shape for v in n.values()):
        return alloc
    lane = Index.of(op.induction_variable) - op.lowers[0]
    for access in [use.operation for use in alloc.res.uses]:
        assert isinstance(access, (LoadOp, StoreOp))
        access.set_index_lists(indices=[*access.index, lane])
    return _replace(alloc, _type_of([*alloc.shape, Index.of(trips)], alloc.res.type), alloc.dynamic_sizes, op)
