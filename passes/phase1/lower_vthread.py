"""Pass `lower-vthread`: interleaves the virtual threads of a thread, statement by statement."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.domain import is_inside
from ...analysis.effects import is_pure
from ...analysis.thread_parts import has_parts, uniform_buffers, writes_only
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

Group = list[Operation]
_BY_ELEMENT = (loop.LoadOp, loop.StoreOp, loop.PrefetchOp)


@dataclass(frozen=True)
class LowerVthreadPass(Pass):
    """Move loops of kind vthread inside loops and conditions that do not depend on the thread, and make them serial.

    ```mlir
    loop.for %v = 0 to 2 kind vthread {
      %acc = loop.alloc : memref<4xf32>
      loop.for %k = 0 to 64 {
        loop.store %x, %acc[%k mod 4] : memref<4xf32>
      }
    }
    // becomes
    %acc = loop.alloc : memref<8xf32>
    loop.for %k = 0 to 64 {
      loop.for %v = 0 to 2 kind unrolled {
        loop.store %x, %acc[%k mod 4 + %v * 4] : memref<8xf32>
      }
    }
    ```
    No iteration accesses an element that another one writes, so any order is legal. Each virtual thread gets a part of
    the buffers that are allocated inside. A buffer that all threads fill alike stays one buffer, which the first thread
    fills. Statements that pass SSA values to one another, or use views of buffers, stay together in one loop over the
    threads.

    Code is replicated for each thread in loops of fewer threads than `unroll_below`, and in loops that index registers:
    these loops become unrolled. Other threads are interleaved by a serial loop.

    Needs: loop level, before `plan-arena`, which lets threads share memory, and a constant number of threads; any other
    is an error.
    Grants: no loop of kind vthread is left.
    """

    name = "lower-vthread"
    phase = 1
    levels = (Level.LOOP,)

    unroll_below: int = 16

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        marked = [n for n in operations(op) if isinstance(n, loop.ForOp) and n.kind.kind.data == "vthread"]
        for threads in reversed(marked):  # the inner ones first
            if threads.constant_bounds is None or threads.iter_args:
                fail(
                    "TW0501",
                    f"loop {name_of(threads.induction_variable)} is of kind vthread, but its number of threads is no "
                    "constant",
                    op=threads,
                    help="split it by a constant",
                )
            if not may_rewrite("interleave", threads, is_needed=True):
                continue
            edit.change(threads).kind = loop.SERIAL
            uniform = uniform_buffers(threads)
            _expand_allocations(threads, uniform)
            for innermost in _push(threads, uniform):
                if len(_range(innermost)) < self.unroll_below or _chooses_registers(innermost):
                    edit.change(innermost).kind = loop.UNROLLED


def _range(threads: loop.ForOp) -> range:
    bounds = threads.constant_bounds
    assert bounds is not None
    return range(*bounds)


def _expand_allocations(threads: loop.ForOp, uniform: Set[SSAValue]) -> None:
    """Give each thread a part of the buffers that are allocated directly inside, and allocate them before the threads.

    Buffers in which threads already have separate parts stay as they are, and so do buffers that hold the same for all
    threads.
    """
    thread = threads.induction_variable - Index.of(_range(threads).start)
    for alloc in [op for op in threads.body.block.ops if isinstance(op, loop.AllocOp)]:
        users = [use.operation for use in alloc.res.uses]
        if not all(isinstance(user, _BY_ELEMENT) for user in users):
            continue
        if any(is_inside(v, threads) for n in alloc.dynamic_sizes for v in n.values()):
            continue
        if alloc.res in uniform or has_parts(alloc, threads):
            edit.move(alloc, InsertPoint.before(threads))
            continue
        shape = list(alloc.res.type.get_shape())
        count = len(_range(threads))
        is_flat = len(shape) == 1 and not alloc.dynamic_sizes
        wide = [shape[0] * count] if is_flat else [count, *shape]
        type = loop.buffer_type(wide, alloc.res.type.element_type, loop.scope_of(alloc.res.type))
        fresh = loop.AllocOp(type, alloc.dynamic_sizes, alloc.res.name_hint)
        edit.change(fresh).attributes |= alloc.attributes
        fresh.location = alloc.location
        for user in users:
            assert isinstance(user, _BY_ELEMENT)
            index = [user.index[0] + thread * shape[0]] if is_flat else [thread, *user.index]
            edit.change(user).operands[1 if isinstance(user, loop.StoreOp) else 0] = fresh.res
            user.set_index_lists(indices=index)
        edit.insert(fresh, InsertPoint.before(threads))
        edit.erase(alloc)


def _push(threads: loop.ForOp, uniform: Set[SSAValue]) -> list[loop.ForOp]:
    """Distribute the loop over the statements inside; returns the loops over threads that there are then."""
    groups = _groups(threads)
    if groups is None or (len(groups) == 1 and not _holds_threads(groups[0], threads)):
        return [threads]
    found: list[loop.ForOp] = []
    shared = _shared_values(threads)
    for group in groups:
        # The first thread executes statements that are the same for all threads.
        uppers = [threads.lowers[0] + 1] if writes_only(group, uniform) else threads.uppers
        part = loop.ForOp(threads.lowers, uppers, name_hint=threads.induction_variable.name_hint)
        edit.insert(part, InsertPoint.before(threads), of=threads)
        for op in group:
            edit.detach(op)
        _with_values(part, group, shared, threads.induction_variable)
        holder = group[0]
        if len(group) == 1 and isinstance(holder, (loop.ForOp, loop.IfOp)) and _is_shared(holder, part):
            found += _push_into(holder, part, uniform)
        else:
            found.append(part)
    for op in reversed(shared):
        edit.erase(op)
    edit.erase(threads)
    return found


def _groups(threads: loop.ForOp) -> list[Group] | None:
    """Return the statements that run thread by thread, those in a row together; None where values go between them.

    Computations of values belong to no group: each group gets copies.
    """
    groups: list[Group] = []
    is_open = False
    values = set(_shared_values(threads))
    for op in threads.body.block.ops:
        if op in values:
            continue
        stands_alone = isinstance(op, (loop.ForOp, loop.IfOp))
        if stands_alone or not is_open:
            groups.append([])
        groups[-1].append(op)
        is_open = not stands_alone
    home = {op: k for k, group in enumerate(groups) for op in group}
    for op, k in home.items():
        for user in (use.operation for result in op.results for use in result.uses):
            statement = _statement_of(user, threads)
            if statement not in home or home[statement] != k:
                return None
    return groups


def _shared_values(threads: loop.ForOp) -> list[Operation]:
    """Return the computations in the body that depend only on the thread, so that every statement can get a copy."""
    found: dict[Operation, None] = {}
    for op in threads.body.block.ops:
        inside = [v.owner for v in op.operands if is_inside(v, threads) and v is not threads.induction_variable]
        if is_pure(op) and all(owner in found for owner in inside):
            found[op] = None
    return list(found)


def _statement_of(op: Operation, threads: loop.ForOp) -> Operation:
    """Return the operation directly in the body of `threads` that holds `op`."""
    while (parent := op.parent_op()) is not None and parent is not threads:
        op = parent
    return op


def _holds_threads(group: Group, threads: loop.ForOp) -> bool:
    """Return whether a group is one loop or conditional that all threads execute alike."""
    return len(group) == 1 and isinstance(group[0], (loop.ForOp, loop.IfOp)) and _is_shared(group[0], threads)


def _is_shared(op: loop.ForOp | loop.IfOp, threads: loop.ForOp) -> bool:
    """Return whether the bounds or conditions of `op` are the same for all threads, and it has no results.

    A vectorized loop is not: lanes stay innermost.
    """
    if isinstance(op, loop.ForOp) and op.kind == loop.VECTORIZED:
        return False
    return not op.results and not any(is_inside(v, threads) for v in op.operands)


def _with_values(part: loop.ForOp, group: Group, shared: Sequence[Operation], thread: SSAValue) -> None:
    """Fill a loop with copies of the computations and with the group, over the variable of that loop."""
    mapping: dict[SSAValue, SSAValue] = {thread: part.induction_variable}
    body = part.body.block
    copies = [op.clone(mapping) for op in shared]
    edit.append(body, *copies, *group)
    for op in group:
        for nested in op.walk():
            for position, operand in enumerate(nested.operands):
                if operand in mapping:
                    edit.change(nested).operands[position] = mapping[operand]
    for copy in reversed(copies):
        if all(result.first_use is None for result in copy.results):
            edit.erase(copy)


def _push_into(holder: loop.ForOp | loop.IfOp, part: loop.ForOp, uniform: Set[SSAValue]) -> list[loop.ForOp]:
    """Turn threads around `holder` into `holder` around threads, in each of its regions."""
    values = [op for op in part.body.block.ops if op is not holder]
    edit.move(holder, InsertPoint.before(part))
    found: list[loop.ForOp] = []
    for region in holder.regions:
        if not region.blocks:
            continue
        inner = loop.ForOp(part.lowers, part.uppers, name_hint=part.induction_variable.name_hint)
        inner.location = part.location
        statements = edit.detach_all(region.block)
        edit.append(region.block, inner)
        _with_values(inner, statements, values, part.induction_variable)
        _expand_allocations(inner, uniform)
        found += _push(inner, uniform)
    for op in reversed(values):
        edit.erase(op)
    edit.erase(part)
    return found


def _chooses_registers(threads: loop.ForOp) -> bool:
    """Return whether an index into registers contains the thread, so that the loop over threads has to be unrolled."""
    accesses = (op for op in threads.walk() if isinstance(op, (loop.LoadOp, loop.StoreOp)))
    return any(
        loop.scope_of(op.buffer.type) == loop.REGISTER
        and any(threads.induction_variable in e.variables for e in op.index)
        for op in accesses
    )
