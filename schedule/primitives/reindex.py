"""reindex: the elements that a block touches, in the order of its iteration variables."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_in
from ...analysis.domain import is_inside, resolve
from ...analysis.initialised import always_stores
from ...analysis.instances import runs_all_of
from ...analysis.integer_set import PROVED
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..allocation import allocate
from ..block_moves import exclusive_nest
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..forms import check_before_terms, check_index_variables, check_reads_of_results, unsuitable
from ..handles import BlockRV
from ..instance_guards import guard_instances
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import UNPROVED
from ..regions import guard_around, iteration_box, nest_over
from .cache_read_write import whole_reduction

_NAME = "reindex"


@register_primitive(BUFFERS)
def reindex(sch: Engine, block: BlockRV, buffer: BufferLike) -> BlockRV:
    """Let a block access a copy of a buffer, indexed by the block's iteration variables. Returns the copying block.

    Elements that the block reads are copied before it, as often as instances read them; elements that it writes are
    copied back after it. The dimensions of the copy are the iteration variables that index `buffer`, in the order of
    the block.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %k = 0 to 3 {
        loop.block "B" (%vi = spatial(%i) in 8, %vk = reduce(%k) in 3) {
          loop.init {
            loop.store %zero, %B[%vi] : memref<8xf32>
          }
          %a = loop.load %A[%vi + %vk] : memref<10xf32>
          %b = loop.load %B[%vi] : memref<8xf32>
          %s = arith.addf %b, %a : f32
          loop.store %s, %B[%vi] : memref<8xf32>
        }
      }
    }
    ```
    after `reindex(B, "A")`:
    ```mlir
    %A_reindex = loop.alloc : memref<8x3xf32>
    loop.for %i = 0 to 8 {
      loop.for %k = 0 to 3 {
        loop.block "A_reindex" (%vi = spatial(%i) in 8, %vk = spatial(%k) in 3) {
          %a = loop.load %A[%vi + %vk] : memref<10xf32>
          loop.store %a, %A_reindex[%vi, %vk] : memref<8x3xf32>
        }
      }
    }
    loop.for %i = 0 to 8 {
      loop.for %k = 0 to 3 {
        loop.block "B" (%vi = spatial(%i) in 8, %vk = reduce(%k) in 3) {
          loop.init {
            loop.store %zero, %B[%vi] : memref<8xf32>
          }
          %a = loop.load %A_reindex[%vi, %vk] : memref<8x3xf32>
          %b = loop.load %B[%vi] : memref<8xf32>
          %s = arith.addf %b, %a : f32
          loop.store %s, %B[%vi] : memref<8xf32>
        }
      }
    }
    ```
    """
    op = sch.block(block)
    copy, _ = reindexed(op, sch.buffer_of(_NAME, op, buffer, "read"), loop.GLOBAL, "reindex")
    return sch.handle_of(copy)


def reindexed(
    block: loop.BlockOp, buffer: SSAValue, scope: str, suffix: str | None = None
) -> tuple[loop.BlockOp, SSAValue]:
    """Return the copying block of `reindex`, and the copy, a buffer of the given scope."""
    found = [a for a in accesses_in(block) if a.buffer is buffer]
    ops = [a.op for a in found]
    accesses = [op for op in ops if isinstance(op, (loop.LoadOp, loop.StoreOp)) and op.buffer is buffer]
    if not ops or len(accesses) != len(ops):
        unsuitable(_NAME, block, f"should read or write {name_of(buffer)} by loads and stores")
    index = accesses[0].index
    if any(op.index != index for op in accesses):
        unsuitable(_NAME, block, f"should access {name_of(buffer)} at one index, but does at several")
    check_index_variables(_NAME, block, buffer, (*index, *accesses[0].conditions))
    is_write = any(isinstance(op, loop.StoreOp) for op in accesses)
    variables = [v for v in block.variables if any(v in e.values() for e in index)]
    top = whole_reduction(_NAME, block, buffer) if is_write else exclusive_nest(block)
    tests = _check_accesses(block, buffer, accesses, is_write)
    for access in found if not is_write else ():
        check_before_terms(_NAME, access, top)
    spans = _spans(block, variables, top, is_write)
    extents = {v: extent for v, _, _, extent in block.iteration()}
    shape = [extents[v] for v in variables]
    alloc = allocate(f"{buffer.name_hint or 'buffer'}_{suffix or scope}", buffer, shape, top, scope)
    copy = _copy(block, accesses[0], buffer, alloc.res, variables, shape)
    for op in accesses:
        _redirect(op, alloc.res, variables)
    nest_over(
        copy,
        spans,
        InsertPoint.after(top) if is_write else InsertPoint.before(top),
        facts_at(top),
        unit_loops=True,
        where=guard_around(block, top),
    )
    renamed: dict[SSAValue, Index] = {v: Index.of(copied) for v, copied in zip(variables, copy.variables, strict=True)}
    guard_instances(copy, [e.substitute(dict(renamed)) for e in tests])
    return copy, alloc.res


def _check_accesses(
    block: loop.BlockOp, buffer: SSAValue, accesses: Sequence[loop.LoadOp | loop.StoreOp], is_write: bool
) -> list[Index]:
    """Refuse accesses that one copy cannot serve. Returns the tests in the block under which it reads the buffer."""
    if is_write:
        written = [op for op in accesses if isinstance(op, loop.StoreOp)]
        check_reads_of_results(_NAME, block, written)
        if any(op.conditions for op in accesses) or not always_stores(block, written[0]):
            unsuitable(_NAME, block, f"should write {name_of(buffer)} without a guard")
        reduce = {v for v, kind, _, _ in block.iteration() if kind == "reduce"}
        if any(reduce.intersection(e.values()) for e in accesses[0].index):
            unsuitable(_NAME, block, f"writes {name_of(buffer)} by a reduce variable")
        return []
    first = accesses[0]
    assert isinstance(first, loop.LoadOp)
    tests = _tests_around(first, block)
    for op in accesses:
        assert isinstance(op, loop.LoadOp)
        is_same = op.conditions == first.conditions and op.otherwise is first.otherwise
        if not is_same or _tests_around(op, block) != tests:
            unsuitable(_NAME, block, f"should read {name_of(buffer)} under one guard")
    if first.otherwise is not None and block.is_ancestor(first.otherwise.owner):  # pyright: ignore
        unsuitable(_NAME, block, "computes the values for elements outside of the guard")
    used = {v for e in first.index for v in e.values()}
    guards = [v for e in (*first.conditions, *tests) for v in e.values()]
    if any(v not in used and (v in block.variables or is_inside(v, block)) for v in guards):
        unsuitable(_NAME, block, f"guards its read of {name_of(buffer)} by variables that do not index it")
    return tests


def _tests_around(op: Operation, block: loop.BlockOp) -> list[Index]:
    """Return the conditions in a block under which it runs an operation."""
    found: list[Index] = []
    while (parent := op.parent_op()) is not None and parent is not block:
        if isinstance(parent, loop.IfOp):
            is_then = op.parent_region() is parent.then_body
            if not is_then and len(parent.conditions) > 1:
                unsuitable(_NAME, block, "reads the buffer where one of several conditions fails")
            found += [resolve(e) if is_then else -resolve(e) - 1 for e in parent.conditions]
        op = parent
    return found


def _spans(
    block: loop.BlockOp, variables: Sequence[BlockArgument], top: Operation, is_write: bool
) -> list[tuple[Index, Index]]:
    """Return the spans of the variables, proved to be a box of which the block runs all."""
    box = dict(zip(block.variables, iteration_box(block, top), strict=True))
    spans = [box[v] for v in variables]
    targets = [(Index.of(v), lower, count) for v, (lower, count) in zip(variables, spans, strict=True)]
    extents = [n for v, _, _, n in block.iteration() if v in variables]
    if runs_all_of(block, targets, top, extents, without_terms=True, or_idle=not is_write) != PROVED:
        fail(
            UNPROVED,
            f"{_NAME}: cannot prove that block {block.label!r} runs all of a box of its iteration variables, so what "
            "it touches cannot be copied as one",
            op=block,
            help="reindex before the loops of the block are cut to parts of its domain",
        )
    return spans


def _copy(
    block: loop.BlockOp,
    access: loop.LoadOp | loop.StoreOp,
    buffer: SSAValue,
    reindexed: SSAValue,
    variables: Sequence[BlockArgument],
    shape: Sequence[Index],
) -> loop.BlockOp:
    body = Block(arg_types=[IndexType()] * len(variables))
    renamed: dict[SSAValue, Index] = {}
    for argument, variable in zip(body.args, variables, strict=True):
        edit.rename(argument, variable.name_hint)
        renamed[variable] = Index.of(argument)
    there = [e.substitute(renamed) for e in access.index]
    here = [Index.of(v) for v in body.args]
    if isinstance(access, loop.LoadOp):
        guard = [e.substitute(renamed) for e in access.conditions]
        load = loop.LoadOp(buffer, there, guard, access.otherwise)
        store = loop.StoreOp(load.res, reindexed, here)
    else:
        load = loop.LoadOp(reindexed, here)
        store = loop.StoreOp(load.res, buffer, there)
    edit.rename(load.res, access.res.name_hint if isinstance(access, loop.LoadOp) else None)
    edit.append(body, load, store)
    label = unique_label(function_of(block), reindexed.name_hint or "reindex")
    copy = loop.BlockOp(label, ["spatial"] * len(shape), [Index.of(0)] * len(shape), shape, (), Region(body))
    for op in (copy, load, store):
        op.location = block.location
    return copy


def _redirect(op: loop.LoadOp | loop.StoreOp, reindexed: SSAValue, variables: Sequence[BlockArgument]) -> None:
    index = [Index.of(v) for v in variables]
    if isinstance(op, loop.StoreOp):
        edit.change(op).operands[1] = reindexed
        op.set_index_lists(indices=index)
        return
    fresh = loop.LoadOp(reindexed, index)
    fresh.location = op.location
    edit.rename(fresh.res, op.res.name_hint)
    edit.replace(op, fresh)
