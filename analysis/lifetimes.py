"""Lifetimes of the buffers of a kernel, from which it follows whether two buffers may share memory.

A lifetime is an interval of operations of one block, as in `plan-arena`: an access nested in an operation counts as
an access by that operation. Two buffers are compared in the innermost block around both of their allocations; a buffer
that is allocated deeper is live there while the operation around its allocation runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import loop
from ..traversal import operations
from .access import Access, accesses_in
from .dependence import runs_before
from .radix import forced_equal

_THREAD = "thread"
_IN_ORDER = (loop.SERIAL, loop.UNROLLED, loop.VECTORIZED)


def frame_of(alloc: loop.AllocOp) -> Operation | None:
    """Return the function or the loop whose iterations run at once, innermost, that has the buffer for itself."""
    op = alloc.parent_op()
    while isinstance(op, (loop.IfOp, loop.WhileOp, loop.ForOp)) and not (
        isinstance(op, loop.ForOp) and op.kind not in _IN_ORDER
    ):
        op = op.parent_op()
    return op


class Lifetimes:
    """The lifetimes of buffers, while the program stays as it is."""

    def __init__(self) -> None:
        self._homes: dict[loop.AllocOp, Block | None] = {}
        self._positions: dict[Block, dict[Operation, int]] = {}

    def home(self, alloc: loop.AllocOp) -> Block | None:
        """Return the block in which a buffer's lifetime is counted: the block of its allocation.

        For shared memory it is the body of the innermost loop over threads. None where other memory is used inside a
        loop over threads, each of which may have a private part.
        """
        if alloc not in self._homes:
            self._homes[alloc] = _home(alloc)
        return self._homes[alloc]

    def may_share(self, first: loop.AllocOp, second: loop.AllocOp) -> bool:
        """Return whether two buffers that have home blocks can share memory, each in its lifetime."""
        ours, theirs = _blocks_around(self.home(first)), _blocks_around(self.home(second))
        shared = [block for block in ours if block in theirs]
        inner = [blocks[len(shared)].parent_op() for blocks in (ours, theirs) if len(blocks) > len(shared)]
        if len(inner) == 2 and inner[0] is inner[1]:
            return True  # two sides of a conditional
        block = shared[-1]
        (a, start, end), (b, birth, _) = sorted(
            ((alloc, *self._steps(alloc, block)) for alloc in (first, second)), key=lambda life: life[1:]
        )
        if loop.scope_of(a.res.type) == loop.SHARED and block is not a.parent and a.parent in shared:
            # Within the loop over threads these are at different operations at one time, but for barriers.
            return end < birth and any(isinstance(op, loop.BarrierOp) for op in list(block.ops)[end + 1 : birth])
        if start <= end < birth:
            return True
        return end == birth and _dies_at_birth(a.res, b.res, list(block.ops)[end])

    def _steps(self, alloc: loop.AllocOp, block: Block) -> tuple[int, int]:
        """Return the first and the last operation of `block` while which the buffer is used, by their positions."""
        if block not in self._positions:
            self._positions[block] = {op: k for k, op in enumerate(block.ops)}
        home = self.home(alloc)
        assert home is not None
        inside = [use.operation for use in alloc.res.uses] if home is block else [home.parent_op()]
        holders = [block.find_ancestor_op_in_block(op) for op in inside if op is not None]
        positions = [self._positions[block][holder] for holder in holders if holder is not None]
        return min(positions), max(positions)


def _home(alloc: loop.AllocOp) -> Block | None:
    home = alloc.parent
    assert home is not None
    users = [use.operation for use in alloc.res.uses]
    scope = loop.scope_of(alloc.res.type)
    if scope == loop.SHARED:
        while (around := _threads_around(home, users)) is not None:
            home = around.body.block
        return home
    is_of_host = scope == loop.GLOBAL and isinstance(frame_of(alloc), FuncOp)
    return home if is_of_host or not any(_is_in_threads(user, home) for user in users) else None


def _threads_around(block: Block, users: Sequence[Operation]) -> loop.ForOp | None:
    """Return the operation of `block` that has all users inside, where it is a loop over threads."""
    holders = {block.find_ancestor_op_in_block(user) for user in users}
    holder = holders.pop() if len(holders) == 1 else None
    return holder if isinstance(holder, loop.ForOp) and holder.kind.kind.data == _THREAD else None


def _is_in_threads(op: Operation, block: Block) -> bool:
    """Return whether a loop over threads stands between `block` and an operation inside of it."""
    parent = op.parent_op()
    while op.parent is not block and parent is not None:
        if isinstance(parent, loop.ForOp) and parent.kind.kind.data == _THREAD:
            return True
        op, parent = parent, parent.parent_op()
    return False


def _blocks_around(block: Block | None) -> list[Block]:
    """Return `block` and the blocks around it, outermost first."""
    found: list[Block] = []
    while block is not None:
        found.append(block)
        parent = block.parent_op()
        block = parent.parent if parent is not None else None
    return found[::-1]


def _dies_at_birth(old: SSAValue, new: SSAValue, op: Operation) -> bool:
    """Return whether `op` reads each element of `old` before it writes that of `new`, so that it can work in place."""
    if any(isinstance(n, loop.ForOp) and n.kind.kind.data == _THREAD for n in operations(op)):
        return False
    accesses = accesses_in(op)
    before = [a for a in accesses if a.buffer is old]
    after = [a for a in accesses if a.buffer is new and a.is_write]
    return all(_is_before(a, b, op) for a in before for b in after)


def _is_before(old: Access, new: Access, scope: Operation) -> bool:
    """Return whether every access to an element of `old` comes before the write to the same element of `new`."""
    if old.op is new.op:
        return False
    loops = [p for p in (scope, *_inside(scope, old.op)) if isinstance(p, loop.ForOp) and p.is_ancestor(new.op)]
    at_once = [p for p in loops if p.kind not in _IN_ORDER]
    if at_once and not forced_equal(new, old, loops).issuperset(p.induction_variable for p in at_once):
        return False
    return runs_before(new, old, loops) is None


def _inside(scope: Operation, op: Operation) -> list[Operation]:
    """Return the operations around `op` inside `scope`, outermost first."""
    found: list[Operation] = []
    parent = op.parent_op()
    while op is not scope and parent is not None and parent is not scope:
        found.append(parent)
        parent = parent.parent_op()
    return found[::-1]
