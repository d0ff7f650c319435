"""cache_write and cache_read: an extra buffer between a block and a buffer that it writes or reads."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access, accesses_in, accesses_of
from ...analysis.domain import loops_around, loops_behind
from ...analysis.initialised import always_stores, element_symbols, is_written
from ...analysis.instances import runs_all_of
from ...analysis.integer_set import PROVED, Refuted
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..allocation import allocate, shape_before
from ..block_moves import ancestor_in, exclusive_nest, sibling_ancestors
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..forms import (
    Positions,
    check_always_stored,
    check_before_terms,
    check_index_variables,
    check_init_inside,
    check_reads_of_results,
    iteration_spans,
    joint_stores,
    positions_of,
    unsuitable,
)
from ..handles import BlockRV
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import ILLEGAL, UNPROVED
from ..regions import Span, defined_before, guard_around, iteration_box, nest_over, touched_spans
from .set_scope import check_scope


@register_primitive(BUFFERS)
def cache_write(
    sch: Engine, block: BlockRV, buffer: BufferLike, scope: str, consumer_blocks: Sequence[BlockRV] | None = None
) -> BlockRV:
    """Let a block write a new buffer of another scope, and copy that to the old buffer. Returns the copying block.

    The copy comes after the outermost loop around the block alone. Its iteration variables are the spatial variables of
    the block, with a loop for each. If the block has several results, all of them get new buffers. `consumer_blocks`
    read the new buffer instead of the old one; the block has to write all elements that they read.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 64, %vk = reduce(%k) in 64) {
          loop.init {
            loop.store %zero, %C[%vi] : memref<64xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
          %c = loop.load %C[%vi] : memref<64xf32>
          %s = arith.addf %c, %a : f32
          loop.store %s, %C[%vi] : memref<64xf32>
        }
      }
    }
    ```
    after `cache_write(C, "C", "register")`:
    ```mlir
    %C_register = loop.alloc : memref<64xf32, "register">
    loop.for %i = 0 to 64 {
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 64, %vk = reduce(%k) in 64) {
          loop.init {
            loop.store %zero, %C_register[%vi] : memref<64xf32, "register">
          }
          %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
          %c = loop.load %C_register[%vi] : memref<64xf32, "register">
          %s = arith.addf %c, %a : f32
          loop.store %s, %C_register[%vi] : memref<64xf32, "register">
        }
      }
    }
    loop.for %i = 0 to 64 {
      loop.block "C_write" (%vi = spatial(%i) in 64) {
        %0 = loop.load %C_register[%vi] : memref<64xf32, "register">
        loop.store %0, %C[%vi] : memref<64xf32>
      }
    }
    ```
    """
    op = sch.block(block)
    found = sch.buffer_of("cache_write", op, buffer, "write")
    return sch.handle_of(_cache_write(op, found, scope, [sch.block(consumer) for consumer in consumer_blocks or ()]))


def _cache_write(block: loop.BlockOp, buffer: SSAValue, scope: str, consumers: Sequence[loop.BlockOp]) -> loop.BlockOp:
    check_scope("cache_write", scope, buffer)
    stores = joint_stores("cache_write", block)
    if all(store.buffer is not buffer for store in stores):
        unsuitable("cache_write", block, f"does not write {name_of(buffer)}")
    results = [store.buffer for store in stores]
    accesses = {result: [a for a in accesses_of(result) if a.block is block] for result in results}
    for result, store in zip(results, stores, strict=True):
        check_index_variables("cache_write", block, result, store.index)
    check_reads_of_results("cache_write", block, stores)
    if len(stores) > 1:
        check_always_stored("cache_write", block, stores)
    store = stores[0]
    top = [whole_reduction("cache_write", block, result) for result in results][0]
    spans = _copied_spans(block, store, top)
    served = [access for consumer in consumers for access in _reads_after(consumer, block, buffer, top)]
    pairs: list[tuple[SSAValue, SSAValue]] = []
    shape = shape_before(store.buffer, top)  # of all results, which are written at the same elements
    for result in results:
        name = f"{result.name_hint or 'buffer'}_{scope}"
        alloc = allocate(name, result, shape, top, scope)
        pairs.append((alloc.res, result))
        for access in (*accesses[result], *(a for a in served if a.buffer is result)):
            redirect(access.op, result, alloc.res)
    new = {old: cache for cache, old in pairs}.get(buffer)
    for consumer in consumers if new is not None else ():
        nest = exclusive_nest(consumer)
        reads = [a for a in accesses_in(consumer) if a.buffer is new]
        assert new is not None and nest.parent is not None
        check_written(
            "cache_write", consumer, new, touched_spans(reads, shape, defined_before(nest.parent, nest)), nest
        )
    copy = _copy_of_store(block, store, pairs)
    where = guard_around(block, top)
    nest_over(copy, spans, InsertPoint.after(top), facts_at(top), unit_loops=True, where=where)
    return copy


def _reads_after(consumer: loop.BlockOp, block: loop.BlockOp, buffer: SSAValue, top: Operation) -> list[Access]:
    """Return the reads of a buffer in a block that comes after all its writers, the nest `top` of `block`."""
    reads = _reads_of("cache_write", consumer, buffer)
    holder = ancestor_in(top.parent, consumer)
    if holder is None or holder is top or not top.is_before_in_block(holder):
        unsuitable("cache_write", consumer, f"does not come after the loops of block {block.label!r}")
    if any(access.is_write and access.block is not block for access in accesses_of(buffer)):
        unsuitable(
            "cache_write", consumer, f"reads elements that others than block {block.label!r} write to {name_of(buffer)}"
        )
    return reads


@register_primitive(BUFFERS)
def cache_read(
    sch: Engine,
    block: BlockRV,
    buffer: BufferLike,
    scope: str,
    consumer_blocks: Sequence[BlockRV] | None = None,
    *,
    assert_legal: bool = False,
) -> BlockRV:
    """Copy the elements of a buffer that a block reads to a new buffer of another scope. Returns the copying block.

    The copy comes before the outermost loop around the block alone. It has one iteration variable per dimension and
    covers a box around the elements that are read; all of them must have been written. `consumer_blocks` read the copy
    too: then it comes before the first of them, inside the innermost loop around all of them.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    }
    ```
    after `cache_read(B, "A", "local")`:
    ```mlir
    %A_local = loop.alloc : memref<64xf32, "local">
    loop.for %i = 0 to 64 {
      loop.block "A_read" (%vi = spatial(%i) in 64) {
        %0 = loop.load %A[%vi] : memref<64xf32>
        loop.store %0, %A_local[%vi] : memref<64xf32, "local">
      }
    }
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A_local[%vi] : memref<64xf32, "local">
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    }
    ```
    """
    op = sch.block(block)
    found = sch.buffer_of("cache_read", op, buffer, "read")
    others = [sch.block(consumer) for consumer in consumer_blocks or ()]
    return sch.handle_of(_cache_read(op, found, scope, others, assert_legal=assert_legal))


def _cache_read(
    block: loop.BlockOp,
    buffer: SSAValue,
    scope: str,
    consumers: Sequence[loop.BlockOp] = (),
    *,
    assert_legal: bool = False,
) -> loop.BlockOp:
    check_scope("cache_read", scope, buffer)
    served = list(dict.fromkeys((block, *consumers)))
    reads = [a for consumer in served for a in _reads_of("cache_read", consumer, buffer)]
    top = _first_of(served)
    for access in reads:
        check_before_terms("cache_read", access, top)
    _check_unwritten(block, served, buffer, top)
    body = top.parent
    assert body is not None
    if not assert_legal and isinstance(buffer.owner, loop.AllocOp):
        check_written(
            "cache_read", block, buffer, touched_spans(reads, buffer.owner.shape, defined_before(body, top)), top
        )
    shape = shape_before(buffer, top)
    region = touched_spans(reads, shape, defined_before(body, top))
    alloc = allocate(f"{buffer.name_hint or 'buffer'}_{scope}", buffer, shape, top, scope)
    for access in reads:
        redirect(access.op, buffer, alloc.res)
    copy = copy_of_shape(block, shape, buffer, alloc.res, f"{buffer.name_hint or 'buffer'}_read")
    nest_over(copy, region, InsertPoint.before(top), facts_at(top), unit_loops=True)
    return copy


def _reads_of(primitive: str, block: loop.BlockOp, buffer: SSAValue) -> list[Access]:
    """Return the accesses of a buffer in a block that only reads it."""
    reads = [a for a in accesses_in(block) if a.buffer is buffer]
    if not reads:
        unsuitable(primitive, block, f"does not read {name_of(buffer)}")
    if any(a.is_write or not _is_direct(a, buffer) for a in reads):
        unsuitable(primitive, block, f"should read {name_of(buffer)} directly and not write it")
    return reads


def _first_of(blocks: Sequence[loop.BlockOp]) -> Operation:
    """Return the operation before which a copy for all the blocks stands: the first block, or the loops around it."""
    if len(blocks) == 1:
        return exclusive_nest(blocks[0])
    top: Operation = blocks[0]
    for other in blocks[1:]:
        first, second = sibling_ancestors(top, other)
        top = first if first.is_before_in_block(second) else second
    return top


def _check_unwritten(block: loop.BlockOp, served: Sequence[loop.BlockOp], buffer: SSAValue, top: Operation) -> None:
    """Refuse where the buffer is written between the copy and the last reader of the copy."""
    holders = [ancestor_in(top.parent, consumer) for consumer in served]
    for access in accesses_of(buffer):
        holder = ancestor_in(top.parent, access.op) if access.is_write else None
        if holder is None or holder.is_before_in_block(top):
            continue
        if any(holder is p or (p is not None and holder.is_before_in_block(p)) for p in holders):
            who = f"block {access.block.label!r}" if access.block else "code outside of blocks"
            unsuitable(
                "cache_read", block, f"shares {name_of(buffer)} with {who}, which writes it before the copy was read"
            )


def check_written(
    primitive: str, block: loop.BlockOp, buffer: SSAValue, region: Sequence[Span], top: Operation
) -> None:
    """Refuse unless every element of the copied box has been written."""
    verdict = is_written(buffer, region, top)
    name = name_of(buffer)
    if isinstance(verdict, Refuted):
        element = ", ".join(str(verdict.point.get(e, "?")) for e in element_symbols(len(region)))
        fail(
            ILLEGAL,
            f"{primitive}: the box of {name} that block {block.label!r} reads is not all written",
            op=block,
            notes=[f"nothing writes {name}[{element}], which the copy would read"],
            help=_assert_help(primitive, "where the block itself does not read it"),
        )
    if verdict != PROVED:
        fail(
            UNPROVED,
            f"{primitive}: cannot prove that all of {name} is written before block {block.label!r} reads it",
            op=block,
            help=_assert_help(primitive, "where you know that it is"),
        )


def _assert_help(primitive: str, where: str) -> str | None:
    return f"{where}, pass assert_legal=True" if primitive == "cache_read" else None


def whole_reduction(primitive: str, block: loop.BlockOp, buffer: SSAValue) -> Operation:
    """Return the outermost loop around a block alone, or around its whole reduction where other code is in that."""
    top: Operation = exclusive_nest(block)
    reduce = [b for _, kind, b, _ in block.iteration() if kind == "reduce"]
    for op in frozenset[loop.ForOp]().union(*map(loops_behind, reduce)):
        if op.is_ancestor(top):
            top = exclusive_nest(op)
    if any(a.block is not block and top.is_ancestor(a.op) for a in accesses_of(buffer)):
        unsuitable(primitive, block, f"shares {name_of(buffer)} with code inside the loops of its reduction")
    check_init_inside(primitive, block, [op for op in loops_around(block) if op is top or top.is_ancestor(op)])
    return top


def _ends(store: loop.StoreOp, block: loop.BlockOp, positions: Positions) -> list[Index]:
    """Return one past the last index stored at, in each dimension."""
    extents = [e + 1 for e in store.index]
    for variable, _, _, extent in block.iteration():
        if variable in positions:
            dimension, shift = positions[variable]
            extents[dimension] = extent + shift
    return extents


def _copied_spans(block: loop.BlockOp, store: loop.StoreOp, top: Operation) -> list[Span]:
    """Return the spans of the spatial variables in the current iteration of the loops around `top`.

    It is proved that all of that box is written: of the elements, or of the variables where these lie in a layout.
    """
    body = top.parent
    assert body is not None
    kinds = dict(zip(block.variables, block.kinds, strict=True))
    positions = positions_of(store, block)
    if isinstance(positions, Index):
        box = [(v, *span) for v, span in zip(block.variables, iteration_box(block, top), strict=True)]
        box = [(v, lower, count) for v, lower, count in box if kinds[v] == "spatial"]
        targets = [(Index.of(v), lower, count) for v, lower, count in box]
        limits = [extent for v, _, _, extent in block.iteration() if kinds[v] == "spatial"]
        spans = [(lower, count) for _, lower, count in box]
    else:
        writes = [a for a in accesses_in(block) if a.is_write and a.buffer is store.buffer]  # the init too
        region = touched_spans(writes, _ends(store, block, positions), defined_before(body, top))
        all_spans = zip(block.variables, iteration_spans(block, positions, region), strict=True)
        spans = [span for v, span in all_spans if kinds[v] == "spatial"]
        if not spans:  # the copy runs once, so an empty region has to be one of an element, which is not written
            region = [(lower, Index.of(1) if count == Index.of(0) else count) for lower, count in region]
        targets = [(e, lower, count) for e, (lower, count) in zip(store.index, region, strict=True)]
        limits = ()
    at = None if always_stores(block, store) else store
    if runs_all_of(block, targets, top, limits, at=at) != PROVED:
        fail(
            UNPROVED,
            f"cache_write: cannot prove that block {block.label!r} writes all of a box in each iteration of the loops "
            "around it, so its result cannot be copied as one",
            op=block,
        )
    return spans


def redirect(op: Operation, old: SSAValue, new: SSAValue) -> None:
    for position, operand in enumerate(op.operands):
        if operand is old:
            edit.change(op).operands[position] = new


def _is_direct(access: Access, buffer: SSAValue) -> bool:
    return isinstance(access.op, loop.LoadOp) and access.op.buffer is buffer


def _copy_of_store(
    block: loop.BlockOp, store: loop.StoreOp, pairs: Sequence[tuple[SSAValue, SSAValue]]
) -> loop.BlockOp:
    """Return a block that copies the elements that `store` writes, over the spatial variables of `block`."""
    rows = [row for row in block.iteration() if row[1] == "spatial"]
    body = Block(arg_types=[IndexType()] * len(rows))
    renamed: dict[SSAValue, Index] = {}
    for argument, (variable, _, _, _) in zip(body.args, rows, strict=True):
        edit.rename(argument, variable.name_hint)
        renamed[variable] = Index.of(argument)
    index = [e.substitute(renamed) for e in store.index]
    return _copy(block, f"{block.label}_write", body, [extent for *_, extent in rows], pairs, index)


def copy_of_shape(
    block: loop.BlockOp, shape: Sequence[Index], source: SSAValue, target: SSAValue, label: str
) -> loop.BlockOp:
    """Return a block that copies a buffer of that shape, element by element."""
    body = Block(arg_types=[IndexType()] * len(shape))
    for dimension, argument in enumerate(body.args):
        edit.rename(argument, f"v{'ijklmn'[dimension] if dimension < 6 else f'd{dimension}'}")
    index = [Index.of(v) for v in body.args]
    return _copy(block, label, body, shape, [(source, target)], index)


def _copy(
    block: loop.BlockOp,
    label: str,
    body: Block,
    extents: Sequence[Index],
    pairs: Sequence[tuple[SSAValue, SSAValue]],
    index: Sequence[Index],
) -> loop.BlockOp:
    """Return a block that copies an element of each source to its target."""
    for source, target in pairs:
        load = loop.LoadOp(source, index)
        edit.append(body, load, loop.StoreOp(load.res, target, index))
    zeros = [Index.of(0)] * len(extents)
    label = unique_label(function_of(block), label)
    copy = loop.BlockOp(label, ["spatial"] * len(extents), zeros, extents, (), Region(body))
    for op in (copy, *body.ops):
        op.location = block.location
    return copy
