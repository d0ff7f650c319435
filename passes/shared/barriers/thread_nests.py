"""Blocks of threads as one nest: all statements of a block inside one loop for each axis of its threads.

A schedule leaves several loops over one axis in a block. Loops of successive statements are adjacent. Loops are nested
if the threads of a consumer compute shared data together. All these loops are over the same threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.access import Access, accesses_in, accesses_of
from ....analysis.coverage import is_private as is_filled_by_each
from ....analysis.domain import is_inside
from ....analysis.effects import is_pure
from ....analysis.exact_coverage import stores_cover_reads
from ....analysis.ranges import RangeAnalysis
from ....analysis.thread_conflicts import conflict_of_iterations, conflict_of_threads, is_same_work
from ....analysis.thread_parts import uniform_buffers
from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.index_expr import Index
from ....dialects.loop import (
    AllocOp,
    ApplyOp,
    ForOp,
    IfOp,
    IndexedOp,
    enclosing,
    is_of_threads,
    is_over_threads,
    is_private,
)
from ....ir import editor as edit
from ....traversal import operations
from ..replaced_scopes import remark_replaced_scope
from .race_errors import fail_race, memory_of

Nest = tuple[ForOp, ...]
"""The loops over the threads of a block, outermost first: each holds nothing but the next, the last one all else."""


def blocks_of_threads(function: FuncOp) -> Iterator[list[Operation]]:
    """Yield, for each block of threads, the operations that it is made of, which stand in a row."""
    seen: set[Operation] = set()
    for op in operations(function):
        if not is_over_threads(op) or _is_in_threads(op):
            continue
        around = next(filter(_is_over_blocks, enclosing(op, ForOp)), None)
        if around is None or any(_is_over_blocks(nested) for nested in around.walk() if nested is not around):
            yield [op]
        elif around not in seen:
            seen.add(around)
            yield list(around.regions[0].block.ops)


def thread_loops(ops: Sequence[Operation]) -> list[ForOp]:
    """Return the loops over threads in a block, outer ones first."""
    return [n for op in ops for n in op.walk() if isinstance(n, ForOp) and is_over_threads(n)]


def merged_nest(ops: Sequence[Operation]) -> Nest | None:
    """Return the nest of loops over threads that the operations of a block are, if they are one."""
    first = next((op for op in ops if is_over_threads(op)), None)
    if first is None or not all(op is first or _may_stand_before(op) for op in ops):
        return None
    nest: list[ForOp] = []
    op: Operation | None = first
    while isinstance(op, ForOp) and is_over_threads(op) and not op.iter_args:
        nest.append(op)
        op = op.body.block.first_op if op.body.block.first_op is op.body.block.last_op else None
    inside = [n for op in nest[-1].body.block.ops for n in op.walk()]
    if any(is_over_threads(n) or (isinstance(n, AllocOp) and is_of_threads(n.res.type)) for n in inside):
        return None
    return tuple(nest) if len({op.kind.tag.data for op in nest}) == len(nest) else None


def merge_threads(ops: Sequence[Operation]) -> Nest:
    """Make one nest of the loops over threads in a block.

    Buffers that the block shares stay in front of the nest. Statements outside of the loops over an axis are executed
    by the first thread along the axis, or by all threads if they write only private memory. Raises TW0536 where an axis
    has several extents, TW0537 where threads race, TW0681 where that is not known.
    """
    loops = thread_loops(ops)
    _check_loops(loops)
    for op in (n for each in ops for n in each.walk()):
        if isinstance(op, AllocOp) and is_of_threads(op.res.type):
            _check_copies(op)
    handovers = _handovers(ops)
    nest = _wrap(ops, loops)
    variables = {op.kind.tag.data: op.induction_variable for op in nest}
    alone = _leave_to_first_thread(nest[-1].body.block, variables, frozenset())
    for op in nest:
        if op.kind.tag.data in alone:
            _have_one_thread(op, nest[0])
    for op in loops:
        _take_iteration_of_thread(op, nest)
    for each in handovers:
        along = [op for op in nest if op.kind.tag.data in each.tags]
        if (conflict := conflict_of_threads(each.write, each.read, nest, along=along)) is not None:
            expected = f"expected memory of one thread in {name_of(each.write.buffer)}"
            fail_race(conflict, expected, 'give it the scope "shared"')
    return nest


def _is_in_threads(op: Operation) -> bool:
    return any(map(is_over_threads, enclosing(op, ForOp)))


def _is_over_blocks(op: Operation) -> bool:
    return isinstance(op, ForOp) and op.kind.tag.data.startswith("blockIdx")


def _may_stand_before(op: Operation) -> bool:
    """Return whether an operation of a block may stay before the loops over its threads."""
    return is_pure(op) or (isinstance(op, AllocOp) and not _is_private(op.res))


def _is_private(buffer: SSAValue) -> bool:
    return is_private(buffer.type)


# Requirements on the loops


def _check_loops(loops: Sequence[ForOp]) -> None:
    for op in loops:
        if op.iter_args:
            fail("TW0536", "expected loops over threads to carry no values from one to the next", op=op)
        if op.lowers != (Index.of(0),) or len(op.uppers) != 1:
            fail("TW0536", f"expected the loop over {op.kind.tag.data} to run from 0 to one extent", op=op)
        for outer in enclosing(op, ForOp):
            if isinstance(outer, ForOp) and outer.kind == op.kind and outer in loops:
                _check_same_threads(op, outer)


def _check_same_threads(inner: ForOp, outer: ForOp) -> None:
    """Check that each thread of the outer loop would run the inner one alike, so that they can share the work."""
    tag = inner.kind.tag.data
    if not is_same_work(inner, outer):
        message = f"expected loops over {tag} inside one another to be the same threads, but the inner loop's work"
        fail("TW0537", f"{message} depends on the iteration of the outer loop", op=inner)
    _check_private(inner, outer)
    ranges = RangeAnalysis()
    for buffer in dict.fromkeys(a.buffer for a in accesses_in(inner) if a.is_write):
        if is_inside(memory_of(buffer), outer):
            continue
        accesses = accesses_of(buffer)
        is_filled = is_filled_by_each(outer, accesses, ranges) or stores_cover_reads(outer, accesses)
        if not all(outer.is_ancestor(a.op) for a in accesses) or not is_filled:
            message = f"expected a loop over {tag} inside another one to fill what is read there afterwards"
            fail("TW0537", f"{message}, but {name_of(buffer)} is read before or elsewhere", op=inner)


def _check_private(inner: ForOp, outer: ForOp) -> None:
    """Check that the elements of memory private to an outer iteration that the inner loop reads are the same in all
    outer iterations, unless loops over the same axis have written them."""
    tag = inner.kind.tag.data
    buffers = dict.fromkeys(a.buffer for a in accesses_in(inner) if _is_private(a.buffer) and not a.is_write)
    outer_buffers = [v for v in buffers if is_inside(memory_of(v), outer) and not is_inside(memory_of(v), inner)]
    others = [v for v in outer_buffers if any(a.is_write and tag not in _tags_inside(a) for a in accesses_of(v))]
    varying = [v for v in others if memory_of(v) not in uniform_buffers(outer)]
    if varying:
        fail(
            "TW0537",
            f"expected loops over {tag} inside one another to be the same threads, but the inner loop reads "
            f"{name_of(varying[0])}, which is private to an iteration of the outer loop",
            op=inner,
            help="compute the buffer outside of both loops, or do not bind the inner loop",
        )


def _check_copies(alloc: AllocOp) -> None:
    """Check that threads may share a buffer of which each iteration of their loops has a copy.

    What an iteration writes by itself, not in a loop over the same threads again, no other one may touch.
    """
    around = [op for op in enclosing(alloc, ForOp) if isinstance(op, ForOp) and is_over_threads(op)]
    if not around:
        return
    order = {op: number for number, op in enumerate(around[-1].walk())}
    accesses = sorted(accesses_of(alloc.res), key=lambda access: order[access.op])
    for write in (access for access in accesses if access.is_write):
        inner = [p for p in enclosing(write.op, ForOp) if isinstance(p, ForOp) and not p.is_ancestor(alloc)]
        for op in around:
            if any(p.kind == op.kind for p in inner):
                continue
            found = (conflict_of_iterations(write, other, op, around[-1]) for other in accesses)
            if (conflict := next((c for c in found if c is not None), None)) is not None:
                expected = f"expected different threads to write disjoint elements of {name_of(write.buffer)}"
                fail_race(conflict, expected, "bind a loop of this statement to the threads")


@dataclass(frozen=True)
class _Handover:
    """A write by threads to memory that is private to a thread after the merge, and a read of that memory."""

    write: Access
    read: Access
    tags: frozenset[str]
    """The axes along which a loop inside of the allocation's block stands around the write: others all threads do."""


def _handovers(ops: Sequence[Operation]) -> list[_Handover]:
    accesses = [a for op in ops for a in accesses_in(op) if _is_private(a.buffer)]
    writes = [(a, tags) for a in accesses if a.is_write and (tags := _tags_inside(a))]
    return [
        _Handover(write, read, tags)
        for write, tags in writes
        for read in accesses
        if not read.is_write and read.buffer is write.buffer
    ]


def _tags_inside(access: Access) -> frozenset[str]:
    """Return the axes of the loops over threads around an access that the memory is allocated outside of."""
    memory = memory_of(access.buffer)
    around = (op for op in enclosing(access.op, ForOp) if isinstance(op, ForOp) and is_over_threads(op))
    return frozenset(op.kind.tag.data for op in around if not is_inside(memory, op))


# Merging


def _wrap(ops: Sequence[Operation], loops: Sequence[ForOp]) -> Nest:
    """Wrap the operations of the block in a nest of loops over threads."""
    kept: list[Operation] = []
    for op in ops:
        defined_later = [v for v in op.operands if any(v.owner is other for other in ops if other not in kept)]
        if _may_stand_before(op) and not defined_later:
            kept.append(op)
    moved = [op for op in ops if op not in kept]
    point = InsertPoint.after(kept[-1]) if kept else InsertPoint.before(moved[0])
    shared = [n for op in moved for n in op.walk() if isinstance(n, AllocOp) and is_of_threads(n.res.type)]
    nest = [
        ForOp(0, upper, kind=like.kind, name_hint=like.induction_variable.name_hint) for like, upper in _axes(loops)
    ]
    for op in [*shared, *nest]:
        if any(is_inside(v, other) or v.owner is other for v in op.operands for other in moved):
            what = "the size of a shared buffer" if isinstance(op, AllocOp) else "how many threads there are"
            fail("TW0536", f"expected {what} to be known before the threads start", op=op)
    for op in shared:
        edit.detach(op)
    for outer, inner in zip(nest, nest[1:], strict=False):
        edit.append(outer.body.block, inner)
    for op in nest:
        op.location = loops[0].location
    edit.insert([*shared, nest[0]], point)
    for op in moved:
        if op.parent is not None:
            edit.append(nest[-1].body.block, edit.detach(op))
    return tuple(nest)


def _axes(loops: Sequence[ForOp]) -> Iterator[tuple[ForOp, Index]]:
    """Yield, for each axis, a loop over it and the number of threads along it: the largest extent of the loops."""
    by_tag: dict[str, list[ForOp]] = {}
    for op in loops:
        by_tag.setdefault(op.kind.tag.data, []).append(op)
    for tag, same in by_tag.items():
        extents = list(dict.fromkeys(op.uppers[0] for op in same))
        if len(extents) > 1 and not all(e.is_constant for e in extents):
            listing = " and ".join(str(e) for e in extents[:2])
            fail("TW0536", f"expected one extent for all loops over {tag} of a block, but got {listing}", op=same[1])
        yield same[0], max(extents, key=lambda e: e.constant)


def _take_iteration_of_thread(op: ForOp, nest: Nest) -> None:
    """Replace a loop over threads inside the nest by the iteration of the thread that runs it."""
    around = next(n for n in nest if n.kind == op.kind)
    thread, old = around.induction_variable, op.induction_variable
    ops = edit.detach_all(op.body.block)
    if op.uppers[0] != around.uppers[0]:
        only = IfOp([op.uppers[0] - old - 1])
        only.location = op.location
        edit.append(only.then_body.block, *ops)
        ops = [only]
    edit.insert(ops, InsertPoint.before(op))
    for user in [use.operation for use in old.uses]:
        if isinstance(user, IndexedOp):
            user.substitute_indices({old: Index.of(thread)})
    edit.replace_uses(old, thread)
    edit.erase(op)


def _leave_to_first_thread(
    block: Block, variables: Mapping[str, BlockArgument], present: frozenset[str]
) -> frozenset[str]:
    """Put statements that stand outside of the loops over some axes under the condition of being first along those.

    Returns the axes along which there is such a statement.
    """
    missing = frozenset(variables) - present
    first = [-Index.of(v) for tag, v in variables.items() if tag in missing]
    alone: frozenset[str] = frozenset()
    for op in list(block.ops):
        if isinstance(op, ForOp) and is_over_threads(op):
            alone |= _leave_to_first_thread(op.body.block, variables, present | {op.kind.tag.data})
        elif any(map(is_over_threads, op.walk())) or (op.regions and _writes_outer_private(op)):
            for inner in (b for region in op.regions for b in region.blocks):
                alone |= _leave_to_first_thread(inner, variables, present)
        elif first and any(a.is_write and not _is_repeated(a.buffer) for a in accesses_in(op)):
            alone |= missing
            guarded = IfOp(first)
            edit.insert(guarded, InsertPoint.before(op), of=op)
            edit.append(guarded.then_body.block, edit.detach(op))
            _remark_filled_alone(op, missing)
    return alone


def _remark_filled_alone(op: Operation, tags: frozenset[str]) -> None:
    """Emit a remark for each shared buffer that a statement of the first thread writes."""
    owners = dict.fromkeys(memory_of(a.buffer).owner for a in accesses_in(op) if a.is_write)
    for alloc in owners:
        if isinstance(alloc, AllocOp) and is_of_threads(alloc.res.type):
            reason = f"no loop around the statement is bound to {' or '.join(sorted(tags))}"
            remark_replaced_scope(alloc, "is filled by one thread", reason, op)


def _is_repeated(buffer: SSAValue) -> bool:
    """Return whether each thread has a private copy of a buffer: it is private and allocated inside the kernel."""
    owner = memory_of(buffer).owner
    return _is_private(buffer) and isinstance(owner, Operation) and any(map(_is_bound, enclosing(owner, ForOp)))


def _is_bound(op: Operation) -> bool:
    return isinstance(op, ForOp) and bool(op.kind.tag.data)


def _have_one_thread(op: ForOp, nest: ForOp) -> None:
    """Let a loop over threads have an iteration where its extent is zero: statements beside it run then, too."""
    extent = op.uppers[0]
    if extent.is_constant:
        op.set_index_lists(lower=op.lowers, upper=[Index.of(max(extent.constant, 1))])
        return
    least, known = arith.ConstantOp(IntegerAttr(1, IndexType())), ApplyOp(extent)
    at_least_one = arith.MaxSIOp(known.res, least.result)
    for made in (least, known, at_least_one):
        made.location = op.location
    edit.insert([least, known, at_least_one], InsertPoint.before(nest))
    op.set_index_lists(lower=op.lowers, upper=[Index.of(at_least_one.result)])


def _writes_outer_private(op: Operation) -> bool:
    """Return whether an operation has results, or writes a private buffer that is allocated outside of it."""
    return bool(op.results) or any(
        a.is_write and _is_private(a.buffer) and not is_inside(a.buffer, op) for a in accesses_in(op)
    )
