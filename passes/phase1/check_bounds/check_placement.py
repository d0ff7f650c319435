"""The insertion point of the check of an index: the outermost legal one, so that loops over the index run it rarely.

The *slice* of an access consists of the operations that compute its index, with the conditionals around the access and
those loops around it on which the index depends. A check in front of a loop is a copy of the slice from that loop
inwards, followed by an assertion. So the check tests exactly the indices that the program would use. A check in front
of a loop is legal if nothing inside of the loop writes memory that the slice loads, and if no load or division of the
slice follows an assertion inside of the loop.

There are three cases, of which `CheckPoint.of` takes the first that applies:

- The index depends on no loop, or only on outer loops, such as the number of a row: the check stands in front of the
  outermost loop on which the index does not depend. That loop then copies the row without a branch.
- The index depends on the innermost loop, and an outer loop repeats the same indices: a nest of checks stands in front
  of the outer loop.
- The index depends on the innermost loop: a loop of checks stands in front of the innermost loop. The loop of checks
  computes one truth value of all iterations, which can be vectorized. Only if it is false does a second loop search the
  iteration that fails.

Otherwise the check stands in front of the access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.access import root_buffer, writes
from ....analysis.effects import is_pure, is_speculatable
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ...shared.guards import Zeros
from ...shared.loops import certainly_runs

FEW = 4
"""Iterations of a loop that uses the same indices each time: for fewer a nest of checks in front of it does not pay."""

Values = dict[SSAValue, SSAValue]
"""Values -> their copies."""


@dataclass(frozen=True)
class Demand:
    """A condition that has to hold at an access, and the message if it does not."""

    guard: tuple[Index, ...]
    """The access is made where all are >= 0."""
    conditions: tuple[Index, ...]
    """Expressions that have to be >= 0 then."""
    message: str
    message_values: tuple[Index, ...]
    """The values of the message."""

    def copied(self, values: Mapping[SSAValue, SSAValue], firsts: Mapping[SSAValue, Index]) -> Demand:
        """Return the demand in a copy; the message reports the first iteration of loops that are not copied."""

        def here(e: Index) -> Index:
            return copied(e, values)

        message_values = tuple(here(e.substitute(firsts)) for e in self.message_values)
        return Demand(tuple(map(here, self.guard)), tuple(map(here, self.conditions)), self.message, message_values)

    def operations(self) -> list[Operation]:
        """Return an assertion, behind the guard."""
        check = loop.AssertOp(self.conditions, self.message, self.message_values)
        return [loop.IfOp(self.guard, Region(Block([check])))] if self.guard else [check]


def copied(e: Index, values: Mapping[SSAValue, SSAValue]) -> Index:
    """Return an expression over the values of a copy."""
    return e.substitute({v: Index.of(values[v]) for v in e.values() if v in values})


@dataclass(frozen=True)
class Level:
    """A loop or a conditional around an access."""

    op: loop.ForOp | loop.IfOp
    block: Block
    """The block of `op` that contains the access."""

    @property
    def conditions(self) -> tuple[Index, ...] | None:
        """The conditions that hold inside of a conditional; None where they are no conjunction."""
        assert isinstance(self.op, loop.IfOp)
        if self.block is self.op.then_body.block:
            return self.op.conditions
        return (-self.op.conditions[0] - 1,) if len(self.op.conditions) == 1 else None


def levels_around(op: Operation) -> tuple[Level, ...] | None:
    """Return the loops and conditionals around an operation, outermost first; None where something else is among
    them."""
    found: list[Level] = []
    block = op.parent
    while block is not None and isinstance(parent := block.parent_op(), (loop.ForOp, loop.IfOp)):
        found.append(Level(parent, block))
        block = parent.parent
    parent = None if block is None else block.parent_op()
    return tuple(reversed(found)) if parent is not None and parent.name == "func.func" else None


@dataclass(frozen=True)
class Slice:
    """The operations that compute the demands of an access, from some level down."""

    first: int
    """The outermost level that is copied."""
    ops: frozenset[Operation]
    loops: frozenset[int]
    """The levels that are loops on which the demands depend."""


class Slicer:
    """Computes the slices of accesses.

    `pinned` are loads with a check directly in front of them. `stated_before` gives the assertions of the program that
    hold where an operation is executed: they may be the only reason why a load is inside of its buffer or a divisor is
    not 0.
    """

    def __init__(self, stated_before: Callable[[Operation], Iterable[loop.AssertOp]]) -> None:
        self.pinned: set[Operation] = set()
        self._stated_before = stated_before
        self._writes: dict[Operation, tuple[SSAValue, ...]] = {}

    def of(self, levels: Sequence[Level], demands: Sequence[Demand], first: int) -> Slice | None:
        """Return the slice from level `first` down; None where a copy of it might compute something else."""
        cut = levels[first:]
        if any(isinstance(each.op, loop.ForOp) and each.op.kind.tag.data for each in cut):
            return None
        blocks = {each.block: k for k, each in enumerate(cut, first)}
        waiting = [v for d in demands for e in (*d.guard, *d.conditions) for v in e.values()]
        ops, loops, seen = set[Operation](), set[int](), set[SSAValue]()
        for k, each in enumerate(cut, first):
            deciding = _deciding_values(each)
            if deciding is None:
                return None
            waiting += deciding
            if isinstance(each.op, loop.ForOp) and len(each.op.lowers) > 1:
                loops.add(k)  # where it begins is no expression
        while waiting:
            value = waiting.pop()
            if value in seen:
                continue
            seen.add(value)
            block = _block_of(value)
            level = blocks.get(block)
            if level is None:
                if levels[first].op.is_ancestor(block):
                    return None
            elif isinstance(owner := value.owner, Operation):
                if not self._may_copy(owner, levels[first].op):
                    return None
                ops.add(owner)
                waiting += owner.operands
            else:
                inner = levels[level].op
                if not isinstance(inner, loop.ForOp) or value is not inner.induction_variable:
                    return None
                loops.add(level)
                waiting += [v for e in (*inner.lowers, *inner.uppers) for v in e.values()]
        return Slice(first, frozenset(ops), frozenset(loops))

    def _may_copy(self, op: Operation, front: Operation) -> bool:
        if not is_speculatable(op) and any(map(front.is_ancestor, self._stated_before(op))):
            return False
        if not isinstance(op, loop.LoadOp):
            return is_pure(op)
        if op in self.pinned:
            return False
        if front not in self._writes:
            self._writes[front] = writes(front)
        return root_buffer(op.buffer) not in self._writes[front]


def _deciding_values(level: Level) -> list[SSAValue] | None:
    """Return the values that decide whether the operations inside of a level run at all."""
    if isinstance(level.op, loop.IfOp):
        conditions = level.conditions
        return None if conditions is None else [v for e in conditions for v in e.values()]
    if certainly_runs(level.op):
        return []
    return [v for e in (*level.op.lowers, *level.op.uppers) for v in e.values()]


def _block_of(value: SSAValue) -> Block:
    block = value.owner.parent if isinstance(value.owner, Operation) else value.owner
    assert isinstance(block, Block)
    return block


@dataclass(frozen=True)
class CheckPoint:
    """The insertion point of a check: in front of a level, or, if there is no slice, in front of the access."""

    slice: Slice | None
    reduced: int | None = None
    """The innermost loop, where the check first computes one truth value of all its iterations."""

    @staticmethod
    def of(slicer: Slicer, levels: Sequence[Level], demands: Sequence[Demand]) -> CheckPoint:
        """Choose the insertion point of the checks of an access."""
        loops = [k for k, level in enumerate(levels) if isinstance(level.op, loop.ForOp)]
        for first in loops:  # outer loops on which it does not depend
            found = slicer.of(levels, demands, first)
            if found is not None and not found.loops:
                return CheckPoint(found)
        if not loops:
            return CheckPoint(None)
        innermost = levels[loops[-1]].op
        assert isinstance(innermost, loop.ForOp)
        if innermost.kind == loop.PARALLEL or innermost.iter_args:
            return CheckPoint(None)
        for first in loops[:-1]:
            found = slicer.of(levels, demands, first)
            if found is not None and first not in found.loops and _repeats(levels[first].op):
                return _reduced(found, levels, loops[-1])
        found = slicer.of(levels, demands, loops[-1])
        return CheckPoint(None) if found is None else _reduced(found, levels, loops[-1])


def _reduced(slice: Slice, levels: Sequence[Level], k: int) -> CheckPoint:
    """Return the insertion point of a slice whose innermost loop is level `k`, if inner conditions need not guard
    it."""
    is_conditional = k + 1 < len(levels)
    may_compute = all(isinstance(op, loop.LoadOp) or is_speculatable(op) for op in slice.ops)
    return CheckPoint(slice, k) if may_compute or not is_conditional else CheckPoint(None)


def _repeats(op: Operation) -> bool:
    assert isinstance(op, loop.ForOp)
    trips = op.constant_trip_count
    return trips is None or trips >= FEW


class CheckWriter:
    """Writes the checks of one access."""

    def __init__(
        self, access: Operation, levels: Sequence[Level], demands: Sequence[Demand], zeros: Zeros, location: object
    ) -> None:
        self.access = access
        self.levels = levels
        self.demands = demands
        self.zeros = zeros
        self.location = location

    def write(self, point: CheckPoint) -> None:
        """Insert the checks at their insertion points."""
        if point.slice is None:
            made, front = [op for demand in self.demands for op in demand.operations()], self.access
        else:
            front = self.levels[point.slice.first].op
            made = self._level(point.slice, point.reduced, point.slice.first, {}, {})
        for op in made:
            for nested in op.walk():
                nested.location = self.location  # pyright: ignore[reportAttributeAccessIssue]
        edit.insert(made, InsertPoint.before(front))

    def _level(
        self, slice: Slice, reduced: int | None, k: int, values: Values, firsts: dict[SSAValue, Index]
    ) -> list[Operation]:
        """Copy level `k` and the operations inside of it."""
        if k == len(self.levels):
            return [op for demand in self.demands for op in demand.copied(values, firsts).operations()]
        op = self.levels[k].op
        if isinstance(op, loop.IfOp):
            conditions = [copied(e, values) for e in self.levels[k].conditions or ()]
            inner = self._inside(slice, reduced, k, values, firsts)
            return [loop.IfOp(conditions, Region(Block(inner)))]
        if k not in slice.loops:
            firsts = {**firsts, op.induction_variable: op.lowers[0].substitute(firsts)}
            inner = self._inside(slice, reduced, k, values, firsts)
            runs = [] if certainly_runs(op) else [upper - lower - 1 for lower in op.lowers for upper in op.uppers]
            return [loop.IfOp([copied(e, values) for e in runs], Region(Block(inner)))] if runs else inner
        if k == reduced:
            return self._reduction(slice, op, k, values, firsts)
        return [self._loop(slice, reduced, op, k, values, firsts)]

    def _inside(
        self, slice: Slice, reduced: int | None, k: int, values: Values, firsts: dict[SSAValue, Index]
    ) -> list[Operation]:
        copies = [op.clone(values) for op in self._sliced(slice, k)]
        return [*copies, *self._level(slice, reduced, k + 1, values, firsts)]

    def _sliced(self, slice: Slice, k: int) -> list[Operation]:
        """Return the operations of the slice in the block of level `k`."""
        return [op for op in self.levels[k].block.ops if op in slice.ops]

    def _loop(
        self,
        slice: Slice,
        reduced: int | None,
        op: loop.ForOp,
        k: int,
        values: Values,
        firsts: dict[SSAValue, Index],
    ) -> loop.ForOp:
        made = _like(op, values)
        inside = {**values, op.induction_variable: made.induction_variable}
        edit.append(made.body.block, *self._inside(slice, reduced, k, inside, firsts))
        return made

    # Whether all iterations of a loop are right

    def _reduction(
        self, slice: Slice, op: loop.ForOp, k: int, values: Values, firsts: dict[SSAValue, Index]
    ) -> list[Operation]:
        true = arith.ConstantOp(IntegerAttr(1, i1))
        made = _like(op, values, [true.result])
        inside = {**values, op.induction_variable: made.induction_variable}
        body, holds = made.body.block, made.body.block.args[1]
        guard: list[Index] = []
        for level in range(k, len(self.levels)):
            if level > k:
                guard += [copied(e, inside) for e in self.levels[level].conditions or ()]
            edit.append(body, *[self._guarded(op, guard, inside) for op in self._sliced(slice, level)])
        for demand in self.demands:
            here = demand.copied(inside, firsts)
            test = loop.TestOp(here.conditions)
            edit.append(body, test)
            holds = _add(body, arith.AndIOp(holds, self._where(body, (*guard, *here.guard), test.res, true.result)))
        edit.append(body, loop.YieldOp(holds))
        wide = arith.ExtUIOp(made.res[0], i64)
        number = arith.IndexCastOp(wide.result, IndexType())
        reporting = self._loop(slice, None, op, k, dict(values), firsts)
        fails = loop.IfOp([-Index.of(number.result)], Region(Block([reporting])))
        return [true, made, wide, number, fails]

    def _guarded(self, op: Operation, guard: Sequence[Index], values: Values) -> Operation:
        """Copy `op` so that it runs whether the guard holds or not, and touches no memory where it does not."""
        if not guard or not isinstance(op, loop.LoadOp):
            return op.clone(values)
        index, conditions = ([copied(e, values) for e in each] for each in (op.index, op.conditions))
        otherwise = self.zeros.before(op) if op.otherwise is None else values.get(op.otherwise, op.otherwise)
        buffer = values.get(op.buffer, op.buffer)
        made = loop.LoadOp(buffer, index, [*conditions, *guard], otherwise, op.lanes)
        values[op.res] = made.res
        return made

    @staticmethod
    def _where(body: Block, guard: Sequence[Index], holds: SSAValue, true: SSAValue) -> SSAValue:
        if not guard:
            return holds
        test = loop.TestOp(guard)
        edit.append(body, test)
        return _add(body, arith.SelectOp(test.res, holds, true))


def _like(op: loop.ForOp, values: Mapping[SSAValue, SSAValue], carried: Sequence[SSAValue] = ()) -> loop.ForOp:
    """Return a serial loop with the bounds of another."""
    lowers, uppers = ([copied(e, values) for e in bounds] for bounds in (op.lowers, op.uppers))
    return loop.ForOp(lowers, uppers, iter_args=carried, name_hint=op.induction_variable.name_hint)


def _add(body: Block, op: Operation) -> SSAValue:
    edit.append(body, op)
    return op.results[0]
