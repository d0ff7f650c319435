"""Conflicting accesses of a block's threads that no barrier separates.

Threads execute loops and conditions together if these are equal for all threads. The search visits such loops and
conditions in order, and each loop body twice, the second time with the accesses of earlier iterations. A single
operation, and a loop or a condition that differs between threads, is one statement, which cannot contain a barrier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from xdsl.ir import Block, Operation
from xdsl.rewriter import InsertPoint

from ....analysis.access import Access, accesses_in, have_disjoint_views
from ....analysis.domain import is_inside
from ....analysis.ranges import facts_at
from ....analysis.thread_conflicts import Ahead, Answer, conflict_of_iterations, conflict_of_threads, threads_meet
from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.loop import (
    GLOBAL,
    LANE_AXIS,
    SERIAL,
    SHARED,
    UNROLLED,
    WARP,
    BarrierOp,
    ForOp,
    IfOp,
    depends_on_thread,
    family_of,
    is_over_threads,
    is_private,
    separates,
)
from ....ir import editor as edit
from ....traversal import operations
from .race_errors import fail_race, memory_of, remedy_for
from .thread_nests import Nest


class Unseparated(NamedTuple):
    """The operation before which a barrier is missing between two conflicting accesses, and the scope of the
    barrier."""

    before: Operation
    scope: str


class _Pending(NamedTuple):
    """An access that no barrier has followed yet."""

    access: Access
    behind: tuple[ForOp, ...] = ()
    """Loops in which the access belongs to an earlier iteration."""

    @property
    def scope(self) -> str:
        return _memory_of(self.access)


class Separation:
    """The accesses of a nest of threads. Barriers may be inserted and removed while the object is in use; the other
    operations must not change.

    `only` selects the memory to analyse: that of a warp, of a block, or of all threads.
    """

    def __init__(self, nest: Nest, only: str | None = None) -> None:
        self._nest = nest
        self._body = nest[-1].body.block
        self._accesses: dict[Operation, list[Access]] = {}
        for access in accesses_in(nest[0]):
            if only is not None and _memory_of(access) != only:
                continue
            if not is_private(access.buffer.type) and not is_inside(memory_of(access.buffer), nest[0]):
                self._accesses.setdefault(access.op, []).append(access)
        self._in_step: dict[Operation, bool] = {}
        self._answers: dict[tuple[int, int, Ahead | None], Answer] = {}
        self._found: Unseparated | None = None

    def first_conflict(self) -> Unseparated | None:
        """Return the first access, in the order in which the program runs, that needs a barrier before it."""
        self._found = None
        self._walk(self._body, [])
        return self._found

    def separate(self) -> None:
        """Insert the barriers that threads need. None of them can be left out."""
        inserted: list[BarrierOp] = []
        while (found := self.first_conflict()) is not None:
            barrier = BarrierOp(found.scope)
            edit.insert(barrier, InsertPoint.before(found.before), of=found.before)
            inserted.append(barrier)
        for barrier in inserted:
            self._remove_if_redundant(barrier)

    def _remove_if_redundant(self, barrier: BarrierOp) -> None:
        """Remove a barrier where one that was inserted later separates the same accesses."""
        after = barrier.next_op
        assert after is not None
        edit.detach(barrier)
        if self.first_conflict() is not None:
            edit.insert(barrier, InsertPoint.before(after))

    def check_warps(self) -> None:
        """Raise TW0665 where threads of different warps meet in memory of one."""
        warps = [op for op in self._nest if op.kind.tag.data != LANE_AXIS]
        accesses = [a for each in self._accesses.values() for a in each if _memory_of(a) == WARP]
        for first, second in combinations_with_replacement(accesses, 2):
            if first.buffer is not second.buffer or not (first.is_write or second.is_write):
                continue
            if any(conflict_of_iterations(first, second, op, self._nest[0]) is not None for op in warps):
                fail(
                    "TW0665",
                    f"expected different warps to access disjoint parts of {name_of(second.buffer)}, but another warp "
                    "accesses this part",
                    op=second.op,
                    help="compute it at a loop inside of those over threadIdx.y and threadIdx.z, or share it: "
                    'scope "shared"',
                )

    def check_statements(self) -> None:
        """Raise TW0537 where threads meet within one statement, TW0681 where that is not known."""
        self._check_statements(self._body)

    def _walk(self, block: Block, pending: list[_Pending]) -> list[_Pending]:
        """Return the accesses that are pending after a block; meaningless once a conflict is found."""
        for op in block.ops:
            if self._found is not None:
                break
            if isinstance(op, BarrierOp):
                pending = [p for p in pending if not separates(op, p.scope)]
            elif isinstance(op, IfOp) and self._is_in_step(op):
                branches = [self._walk(b, list(pending)) for region in op.regions for b in region.blocks]
                pending = _union(*branches, *([] if len(branches) > 1 else [pending]))
            elif isinstance(op, ForOp) and self._is_in_step(op):
                pending = self._walk_loop(op, pending)
            else:
                accesses = self._of(op)
                self._meet(accesses, pending)
                pending = [*pending, *map(_Pending, accesses)]
        return pending

    def _walk_loop(self, op: ForOp, pending: list[_Pending]) -> list[_Pending]:
        body = op.body.block
        after = self._walk(body, list(pending))
        if not op.kind.tag.data:
            self._walk(body, [_Pending(p.access, (*p.behind, op)) for p in after if op.is_ancestor(p.access.op)])
        return after if _runs(op) else _union(pending, after)

    def _meet(self, accesses: Sequence[Access], pending: Sequence[_Pending]) -> None:
        for access in accesses:
            for other in pending:
                if self._found is None and self._answer(other, access) != "never":
                    self._found = Unseparated(self._barrier_point(other, access.op), other.scope)

    def _answer(self, first: _Pending, second: Access) -> Answer:
        if first.access.buffer is not second.buffer or not (first.access.is_write or second.is_write):
            return "never"
        if have_disjoint_views(first.access, second):
            return "never"
        same, ahead = self._order(first, second)
        key = (id(first.access), id(second), ahead)
        if key not in self._answers:
            self._answers[key] = threads_meet(first.access, second, self._nest, same, ahead)
        return self._answers[key]

    def _order(self, first: _Pending, second: Access) -> tuple[list[ForOp], Ahead | None]:
        same: list[ForOp] = []
        for op in self._loops_around(second.op):
            if not op.is_ancestor(first.access.op):
                break
            if op in first.behind:
                return same, Ahead(op, self._waits(op.body.block, first.scope))
            same.append(op)
        return same, None

    def _barrier_point(self, first: _Pending, second: Operation) -> Operation:
        """Return the operation before which a barrier separates two accesses.

        It contains the second access and not the first, or is the one in the loop whose next iteration meets the
        first."""
        _, ahead = self._order(first, self._accesses[second][0])
        block = second.parent
        while block is not None:
            holder = block.parent_op()
            assert holder is not None
            is_common = holder is ahead.loop if ahead is not None else holder.is_ancestor(first.access.op)
            if is_common and (ahead is not None or block.find_ancestor_op_in_block(first.access.op) is not None):
                point = block.find_ancestor_op_in_block(second)
                assert point is not None
                return point
            block = holder.parent
        raise AssertionError("expected both accesses inside the nest")

    def _loops_around(self, op: Operation) -> list[ForOp]:
        """Return the loops around an operation that threads run in step, outermost first."""
        found: list[ForOp] = []
        parent = op.parent_op()
        while parent is not None and parent is not self._nest[-1]:
            if not self._is_in_step(parent):
                found.clear()
            elif isinstance(parent, ForOp):
                found.insert(0, parent)
            parent = parent.parent_op()
        return found

    def _is_in_step(self, op: Operation) -> bool:
        """Return whether all threads execute a loop or a conditional alike."""
        if op not in self._in_step:
            has_kind = isinstance(op, IfOp) or (
                isinstance(op, ForOp) and (op.kind in (SERIAL, UNROLLED) or bool(op.kind.tag.data))
            )
            is_same = has_kind and not is_over_threads(op) and not any(map(depends_on_thread, op.operands))
            self._in_step[op] = is_same
        return self._in_step[op]

    def _waits(self, block: Block, scope: str) -> bool:
        """Return whether each run of the block certainly passes a barrier for the scope."""
        return any(
            (isinstance(op, BarrierOp) and separates(op, scope))
            or (isinstance(op, ForOp) and self._is_in_step(op) and _runs(op) and self._waits(op.body.block, scope))
            for op in block.ops
        )

    def _of(self, op: Operation) -> list[Access]:
        return [access for nested in operations(op) for access in self._accesses.get(nested, ())]

    # Conflicts that no barrier can order

    def _check_statements(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, (ForOp, IfOp)) and self._is_in_step(op):
                for inner in (b for region in op.regions for b in region.blocks):
                    self._check_statements(inner)
            else:
                self._check_statement(self._of(op))

    def _check_statement(self, accesses: Sequence[Access]) -> None:
        for number, first in enumerate(accesses):
            for second in accesses[number:]:
                if self._answer(_Pending(first), second) != "never":
                    self._check_race(first, second)

    def _check_race(self, first: Access, second: Access) -> None:
        same, ahead = self._order(_Pending(first), second)
        conflict = conflict_of_threads(first, second, self._nest, same, ahead)
        assert conflict is not None
        if conflict.unknown is not None and first.op is second.op:
            return
        buffer = name_of(first.buffer)
        if first.op is second.op:
            expected = f"expected different threads to write disjoint elements of {buffer}"
            fail_race(conflict, expected, remedy_for(conflict, self._nest[-1]))
        fail_race(
            conflict,
            f"expected threads to meet in {buffer} outside of branches and of loops that differ between them",
            "a barrier cannot stand there, because not all threads reach it: end the condition or the loop between the "
            'two statements, and put T.tvm_storage_sync("shared") between them, or compute one of them in a separate '
            "nest of loops",
        )


def _memory_of(access: Access) -> str:
    family = family_of(access.buffer.type)
    return family if family in (WARP, SHARED) else GLOBAL


def _runs(op: ForOp) -> bool:
    """Return whether the loop certainly has an iteration."""
    if (trips := op.constant_trip_count) is not None:
        return trips > 0
    facts = facts_at(op)
    return all(facts.proves(upper - lower - 1) for lower in op.lowers for upper in op.uppers)


def _union(*lists: Iterable[_Pending]) -> list[_Pending]:
    return list({(id(p.access), p.behind): p for each in lists for p in each}.values())
