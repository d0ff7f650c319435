"""Pass `repeat-in-threads`: each thread computes a cheap value that the first thread would compute for all.

For example, the first thread combines the partial results of the warps of a block, while all others wait and then read
the result. If all threads combine the partial results, no barrier is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access, accesses_of
from ...analysis.domain import is_inside
from ...analysis.effects import is_pure
from ...analysis.thread_memory import parts_of_threads
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.replaced_scopes import remark_replaced_scope
from .privatize_shared_memory import axes_of, is_kernel, may_be_private

MOST_OPERATIONS = 48
"""Operations that each thread repeats, at most: the results of 16 warps combined are no more."""


@dataclass(frozen=True)
class RepeatInThreadsPass(Pass):
    """Let all threads compute a value that the first thread would pass to them in shared memory.

    ```mlir
    %r = loop.alloc : memref<1xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t < 1) {
        %p = loop.load %s[0] : memref<2xf32, "shared">
        %q = loop.load %s[1] : memref<2xf32, "shared">
        %x = arith.addf %p, %q : f32
        loop.store %x, %r[0] : memref<1xf32, "shared">
      }
    }
    loop.for %u = 0 to 64 kind thread<"threadIdx.x"> { %y = loop.load %r[0] : memref<1xf32, "shared"> … }
    // becomes
    %r = loop.alloc : memref<64x1xf32, "local">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      %p = loop.load %s[0] : memref<2xf32, "shared">
      %q = loop.load %s[1] : memref<2xf32, "shared">
      %x = arith.addf %p, %q : f32
      loop.store %x, %r[%t, 0] : memref<64x1xf32, "local">
    }
    loop.for %u = 0 to 64 kind thread<"threadIdx.x"> { %y = loop.load %r[%u, 0] : memref<64x1xf32, "local"> … }
    ```
    The statement only stores to that buffer, a few operations after loads that do not depend on the thread: from memory
    that all threads share, or from the first lane if the threads are one warp. A value that only the first thread reads
    is not repeated.

    Needs: loop level; the loops of a kernel over one axis have one extent.
    Grants: the dimensions in front of such a buffer are the thread; `compact-private` leaves them out.
    """

    name = "repeat-in-threads"
    phase = 1
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [nested for nested in operations(op) if is_kernel(nested)]:
            axes = axes_of(kernel)
            for alloc in [nested for nested in operations(kernel) if isinstance(nested, loop.AllocOp)]:
                if axes and may_be_private(alloc):
                    _repeat(alloc, axes)


def _repeat(alloc: loop.AllocOp, axes: dict[str, int]) -> None:
    accesses = accesses_of(alloc.res)
    statements = [_statement(access, axes) for access in accesses if access.is_write]
    found = [statement for statement in statements if statement is not None]
    if len(found) != len(statements) or len({statement.tags for statement in found}) != 1:
        return
    tags = found[0].tags
    loads = [access for access in accesses if not access.is_write]
    if any(s.outermost.is_ancestor(load.op) for s in found for load in loads) or all(_is_first(a, tags) for a in loads):
        return
    others = {tag: count for tag, count in axes.items() if tag not in tags}
    parts = parts_of_threads(accesses, alloc.res.type.get_shape(), others)
    around = [_variables(access, tags) for access in accesses]
    if parts is None or prod(parts.shape) != 1 or None in around:
        return
    if not may_rewrite("repeat in each thread", alloc):
        return
    remark_replaced_scope(alloc, "becomes memory of each thread", "all threads compute its few elements themselves")
    shape = [axes[tag] for tag in tags] + [*others.values(), *parts.shape]
    type = loop.buffer_type(shape, alloc.res.type.element_type, loop.LOCAL)
    repeated = loop.AllocOp(type, [], alloc.res.name_hint)
    edit.insert(repeated, InsertPoint.before(alloc), of=alloc)
    for access, variables, thread, index in zip(accesses, around, parts.threads, parts.indices, strict=True):
        access.set_index([*map(Index.of, variables or ()), *thread, *index])
    edit.replace_uses(alloc.res, repeated.res)
    edit.erase(alloc)
    for statement in found:
        statement.open_to_all()


@dataclass(frozen=True)
class _Statement:
    """A statement that the first thread along some axes executes for the others."""

    store: loop.StoreOp
    only: loop.IfOp
    loops: tuple[loop.ForOp, ...]
    """The loops over threads around it, outermost first."""
    tags: tuple[str, ...]
    """The axes along which it is the first."""

    @property
    def outermost(self) -> loop.ForOp:
        """The loop around it, and around nothing else, outside of which all those threads are one."""
        return next(op for op in self.loops if op.kind.tag.data in self.tags)

    def open_to_all(self) -> None:
        """Let the other threads do it too."""
        variables = [op.induction_variable for op in self.loops if op.kind.tag.data in self.tags]
        first: dict[SSAValue, Index] = {v: Index.of(0) for v in variables}
        left = [e for e in self.only.conditions if not any(v in first for v in e.values())]
        for op in self.only.then_body.walk():
            if isinstance(op, loop.IndexedOp) and op is not self.store:
                op.substitute_indices(first)
        ops: Sequence[Operation] = edit.detach_all(self.only.then_body.block)
        if left:
            narrower = loop.IfOp(left)
            narrower.location = self.only.location
            edit.append(narrower.then_body.block, *ops)
            ops = [narrower]
        edit.insert(ops, InsertPoint.before(self.only))
        edit.erase(self.only)


def _statement(access: Access, axes: dict[str, int]) -> _Statement | None:
    """Return the statement of a store, if all threads can execute it instead of the first one."""
    store, only = access.op, access.op.parent_op()
    if not isinstance(store, loop.StoreOp) or not isinstance(only, loop.IfOp) or only.else_body.blocks:
        return None
    loops = [op for op in access.domain.loops if loop.is_over_threads(op)]
    if not loops or only.parent_op() is not loops[-1] or sorted(op.kind.tag.data for op in loops) != sorted(axes):
        return None
    conditions = [access.domain.resolve(e) for e in only.conditions]
    first = {v: op.kind.tag.data for op in loops if -Index.of(v := op.induction_variable) in conditions}
    left = [e for e in conditions if e not in [-Index.of(v) for v in first]]
    if not first or any(v in first for e in (*left, *(access.index or ())) for v in e.values()):
        return None
    statement = _Statement(store, only, tuple(loops), tuple(tag for tag in axes if tag in first.values()))
    return statement if _is_alike(statement, axes) else None


def _is_alike(statement: _Statement, axes: dict[str, int]) -> bool:
    """Return whether all threads can execute a statement: few pure operations, which read memory that all of them
    share."""
    is_warp = statement.tags == (loop.LANE_AXIS,) and axes[loop.LANE_AXIS] == loop.LANES
    outermost = statement.outermost
    for op in operations(outermost):
        if op is outermost or op is statement.store or op is statement.only or op in statement.loops:
            continue
        if isinstance(op, loop.LoadOp):
            scope = loop.scope_of(op.buffer.type)
            if scope not in (loop.SHARED, loop.GLOBAL) and not (is_warp and scope == loop.WARP):
                return False
        elif not is_pure(op):
            return False
    inside = list(statement.only.then_body.block.ops)
    return len(inside) <= MOST_OPERATIONS and all(
        _is_of_all(v, statement, isinstance(op, loop.IndexedOp)) for op in inside for v in op.operands
    )


def _is_of_all(value: SSAValue, statement: _Statement, is_index: bool) -> bool:
    """Return whether all threads have a value; in an index the variables of `tags` are 0, as in the first thread."""
    if not is_inside(value, statement.outermost) or is_inside(value, statement.only):
        return True
    around = value.block.parent_op() if isinstance(value, BlockArgument) else None
    return around in statement.loops and (is_index or around.kind.tag.data not in statement.tags)  # pyright: ignore


def _is_first(access: Access, tags: Sequence[str]) -> bool:
    """Return whether only the first thread along these axes executes an access."""
    variables = _variables(access, tags)
    conditions = [access.domain.resolve(e) for p in loop.enclosing(access.op, loop.IfOp) for e in _conditions(p)]
    return variables is not None and all(-Index.of(v) in conditions for v in variables)


def _conditions(op: Operation) -> Iterator[Index]:
    assert isinstance(op, loop.IfOp)
    yield from op.conditions


def _variables(access: Access, tags: Sequence[str]) -> list[SSAValue] | None:
    """Return the variables of the loops over these axes around an access; None where there is not one of each."""
    found: dict[str, list[SSAValue]] = {tag: [] for tag in tags}
    for op in access.domain.loops:
        if op.kind.tag.data in found:
            found[op.kind.tag.data].append(op.induction_variable)
    return [loops[0] for loops in found.values()] if all(len(loops) == 1 for loops in found.values()) else None
