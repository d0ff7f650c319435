"""Pass `partition-blocks`: splits an axis into ranges in which the selections of a block are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ...analysis.access import blocks_in
from ...analysis.domain import loops_around
from ...analysis.ranges import Facts, facts_at
from ...diagnostics.locations import location_of, set_missing_locations
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import Index
from ...dialects.indexed_op import IndexedOp
from ...dialects.target import CpuTargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ..framework.base import Level, Pass
from ..shared.scheduling import SCHEDULED

_FEW = 3
"""Up to so many ranges a block with short rows stays whole: vectors over it take several loads each, ranges of rows
shorter than a vector take scalars."""


@dataclass(frozen=True)
class PartitionBlocksPass(Pass):
    """Compute a tensor that is selected from several others range by range, each from its source alone.

    ```mlir
    loop.for %i = 0 to 12 {
      loop.block "concat" (%vi = spatial(%i) in 12) {
        %0 = loop.load %b[%vi - 8] where (%vi >= 8) else %zero : memref<4xf32>
        %1 = loop.load %a[%vi] where (%vi < 8) else %0 : memref<8xf32>
        loop.store %1, %r[%vi] : memref<12xf32>
      }
    }
    // becomes
    loop.for %i = 0 to 8 {
      loop.block "concat" (%vi = spatial(%i) in 8) { %1 = loop.load %a[%vi] … loop.store %1, %r[%vi] … }
    }
    loop.for %i = 0 to 4 {
      loop.block "concat_1" (%vi = spatial(%i) in 4) { %1 = loop.load %b[%vi] … loop.store %1, %r[%vi + 8] … }
    }
    ```
    A concatenation of n tensors becomes n copies, each of which is vectorized. The size of the code grows linearly with
    n, because each range contains only the loads that it needs. A block is partitioned along the axis with the most
    borders, if every range needs fewer loads than the whole block. Slices and padding of symbolic sizes are partitioned
    too, because masked loads behind the end of a buffer take a hundred times as long as others, even if no lane loads.
    Short rows of few tensors stay whole, and so do functions with reductions, whose rules schedule several blocks
    together.

    Needs blocks in serial nests, and a CPU as target: a kernel of a GPU selects by thread.
    Grants nothing that later passes rely on.
    """

    name = "partition-blocks"
    phase = 0
    levels = (Level.BLOCK,)
    opt_level = 2
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None:
            return
        for function in op.ops:
            if isinstance(function, FuncOp) and SCHEDULED not in function.attributes:
                blocks = blocks_in(function)
                if any("reduce" in block.kinds for block in blocks):
                    continue
                labels = {block.label for block in blocks}
                for block in blocks:
                    _partition(block, labels, target.core)


def _partition(block: loop.BlockOp, labels: set[str], target: CpuTargetAttr) -> None:
    nest = _nest_of(block)
    if nest is None or not _is_plain(block):
        return
    axes = [axis for n in range(len(nest)) if (axis := _axis_of(block, n)) is not None]
    axis = max(axes, key=lambda axis: len(axis.cuts), default=None)
    if axis is None or not _pays(block, axis, target) or not may_rewrite("partition", block):
        return
    ranges = [_Range(block, axis, k) for k in range(len(axis.cuts) + 1)]
    loads, taken = _loads(block), [len(each.loads()) for each in ranges]
    if any(count >= loads for count in taken) and not (axis.is_open and sum(taken) <= loads):
        return
    remark(
        "TW0220",
        lambda: f"block {block.label} is partitioned: {len(ranges)} ranges read what each of them is selected from",
        op=block,
        kind="passed",
    )
    for n, each in enumerate(ranges):
        made = each.nest(nest, block.label if n == 0 else _free_label(block.label, labels))
        set_missing_locations(made, location_of(block) or made.location)
        edit.insert(made, InsertPoint.before(nest[0]))
    edit.erase(nest[0])


def _free_label(label: str, labels: set[str]) -> str:
    number = 1
    while f"{label}_{number}" in labels:
        number += 1
    labels.add(f"{label}_{number}")
    return f"{label}_{number}"


def _nest_of(block: loop.BlockOp) -> list[loop.ForOp] | None:
    """Return the serial loops of the iteration variables of a block, if each has one and the block stands alone."""
    count = len(block.variables)
    nest = list(loops_around(block))[-count:] if count else []
    if len(nest) != count or not count or block.conditions:
        return None
    inside: Operation = block
    for each, (_, _, binding, extent) in zip(reversed(nest), reversed([*block.iteration()]), strict=True):
        alone = inside.parent is each.body.block and len(each.body.block.ops) == 1
        whole = each.lowers == (Index.of(0),) and each.uppers == (extent,)
        if not alone or not whole or each.kind != loop.SERIAL or each.iter_args:
            return None
        if binding != Index.of(each.induction_variable):
            return None
        inside = each
    return nest


def _is_plain(block: loop.BlockOp) -> bool:
    """Return whether a block stores one value, without a condition, computed without effects from other buffers."""
    *before, last = block.body.block.ops
    if not isinstance(last, loop.StoreOp) or last.conditions:
        return False
    for op in before:
        if op.regions or not (isinstance(op, loop.LoadOp) or op.has_trait(Pure)):
            return False
    return all(op.buffer is not last.buffer for op in before if isinstance(op, loop.LoadOp))


def _loads(block: loop.BlockOp) -> int:
    return sum(isinstance(op, loop.LoadOp) for op in block.body.block.ops)


@dataclass(frozen=True)
class _Axis:
    """An axis of a block, and where conditions cut it."""

    position: int
    cuts: tuple[Index, ...]
    """In ascending order, all within the axis."""
    sides: Mapping[Index, tuple[int, bool]]
    """Condition -> the number of its cut, and whether it holds behind the cut instead of before it."""
    is_open: bool = False
    """The one cut is an open size, along the outermost axis."""
    may_exceed: bool = False
    """The cut may lie behind the end of the axis."""

    def holds(self, condition: Index, number: int) -> bool | None:
        """Return whether a condition holds between the cuts `number` - 1 and `number`; None if that is not known."""
        if condition not in self.sides:
            return None
        cut, behind = self.sides[condition]
        return (number > cut) == behind


def _axis_of(block: loop.BlockOp, position: int) -> _Axis | None:
    """Return the cuts of an axis; None where there are none, or they have no order that is known."""
    variable = block.variables[position]
    extent = block.index_list("extents")[position]
    found: dict[Index, tuple[Index, bool]] = {}
    for op in block.body.block.ops:
        for condition in op.conditions if isinstance(op, (loop.LoadOp, loop.TestOp)) else ():
            sign = condition.coefficient(variable)
            cut = variable - condition if sign == 1 else condition + variable + 1
            if sign in (1, -1) and not set(cut.variables) & {*block.variables}:
                found[condition] = Index.of(cut), sign == 1
    facts, wanted = facts_at(block), {cut for cut, _ in found.values()}
    cuts = _ascending(wanted, extent, facts)
    is_open = position == 0 and len(wanted) == 1 and not any(cut.is_constant or cut == extent for cut in wanted)
    may_exceed = not cuts and is_open and all(facts.proves(cut) for cut in wanted)
    cuts = list(wanted) if may_exceed else cuts
    if not cuts:
        return None
    numbers = {cut: number for number, cut in enumerate(cuts)}
    sides = {condition: (numbers[cut], behind) for condition, (cut, behind) in found.items() if cut in numbers}
    return _Axis(position, tuple(cuts), sides, is_open, may_exceed)


def _ascending(cuts: set[Index], extent: Index, facts: Facts) -> list[Index] | None:
    """Return cuts within an axis in ascending order; None where the order is not known."""
    inside = [cut for cut in cuts if not (cut.is_constant and cut.constant <= 0) and cut != extent]
    if all(cut.is_constant for cut in inside):
        return sorted(
            (c for c in inside if not (extent - c).is_constant or c.constant < extent.constant), key=_constant
        )
    ordered: list[Index] = []
    for cut in inside:
        slot = next((n for n, other in enumerate(ordered) if facts.proves(other - cut)), len(ordered))
        ordered.insert(slot, cut)
    steps = zip([Index.of(0), *ordered], [*ordered, extent], strict=True)
    return ordered if all(facts.proves(after - before) for before, after in steps) else None


def _constant(cut: Index) -> int:
    return cut.constant


def _pays(block: loop.BlockOp, axis: _Axis, target: CpuTargetAttr) -> bool:
    """Return whether rows are long enough, or the ranges many."""
    extents = block.index_list("extents")
    if len(axis.cuts) >= _FEW or all(e == Index.of(1) for e in extents[: axis.position]):
        return True
    within = [e.constant if e.is_constant else target.vector_bits for e in extents[axis.position :]]
    store = block.body.block.last_op
    assert isinstance(store, loop.StoreOp)
    bits = numpy_dtype(store.value.type).itemsize * 8
    return prod(within) >= target.lanes(bits) * (len(axis.cuts) + 1)


class _Range:
    """One range of an axis, and the operations of the block that compute its values."""

    def __init__(self, block: loop.BlockOp, axis: _Axis, number: int) -> None:
        self.block, self.axis, self.number = block, axis, number
        self.start = axis.cuts[number - 1] if number else Index.of(0)
        ends = [*axis.cuts, block.index_list("extents")[axis.position]]
        self.extent = ends[number] - self.start
        store = block.body.block.last_op
        assert isinstance(store, loop.StoreOp)
        self.store = store

    def loads(self) -> list[loop.LoadOp]:
        """Return the loads that the range takes."""
        return [op for op in self._needed() if isinstance(op, loop.LoadOp)]

    def nest(self, nest: Sequence[loop.ForOp], label: str) -> loop.ForOp:
        """Build loops over the range, around a block with the label."""
        position, old = self.axis.position, self.block
        extents = list(old.index_list("extents"))
        extents[position] = self.extent
        loops = [
            loop.ForOp(0, extent, name_hint=each.induction_variable.name_hint)
            for extent, each in zip(extents, nest, strict=True)
        ]
        hints = [variable.name_hint or "v" for variable in old.variables]
        variables = [each.induction_variable for each in loops]
        within = old.index_list("extents")[0] - 1 - Index.of(variables[0])
        guard = [within] if self.axis.may_exceed and self.number == 0 else []
        new = loop.BlockOp(label, old.kinds, variables, extents, guard, name_hints=hints)
        edit.change(new).attributes |= old.attributes
        new.location = old.location
        self._fill(new)
        inner: Operation = new
        for each in reversed(loops):
            edit.append(each.body.block, inner)
            inner = each
        return loops[0]

    def _needed(self) -> list[Operation]:
        """Return the operations that the stored value takes, in the block's order, the store last."""
        needed: set[Operation] = set()
        waiting = [self.store.value]
        while waiting:
            op = self._chosen(waiting.pop()).owner
            if isinstance(op, Operation) and op.parent is self.block.body.block and op not in needed:
                needed.add(op)
                waiting += self._operands(op)
        return [op for op in self.block.body.block.ops if op in needed or op is self.store]

    def _chosen(self, value: SSAValue) -> SSAValue:
        """Return the value that `value` is in the range."""
        while True:
            match value.owner:
                case loop.LoadOp() as load if load.otherwise is not None and self._fails(load.conditions):
                    value = load.otherwise
                case arith.SelectOp() as select if isinstance(test := select.cond.owner, loop.TestOp):
                    if self._fails(test.conditions):
                        value = select.rhs
                    elif not self._left(test.conditions):
                        value = select.lhs
                    else:
                        return value
                case _:
                    return value

    def _operands(self, op: Operation) -> Sequence[SSAValue]:
        if not isinstance(op, (loop.LoadOp, loop.TestOp)):
            return op.operands
        left = self._left(op.conditions)
        asked = [v for e in (*left, *(op.index if isinstance(op, loop.LoadOp) else ())) for v in e.values()]
        if isinstance(op, loop.LoadOp) and op.otherwise is not None and left:
            asked.append(op.otherwise)
        return asked

    def _fails(self, conditions: Sequence[Index]) -> bool:
        return any(self._holds(condition) is False for condition in conditions)

    def _left(self, conditions: Sequence[Index]) -> list[Index]:
        """Return the conditions that may hold or not in the range."""
        return [condition for condition in conditions if self._holds(condition) is None]

    def _holds(self, condition: Index) -> bool | None:
        """Return whether a condition holds in the range; None where that is not known. The condition of the branch
        beside a conjunction asks for the outcome of the conjunction."""
        known = self.axis.holds(condition, self.number)
        if known is None and (outcome := self._outcome(condition)) is not None:
            known = outcome.constant >= 0
        return known

    def _outcome(self, condition: Index) -> Index | None:
        """Return a condition as a number, where the one value that it depends on is the outcome of a test that is
        known."""
        value = condition.variables[0] if len(condition.variables) == 1 else None
        if not isinstance(value, SSAValue):
            return None
        test = value.owner
        while isinstance(test, (arith.IndexCastOp, arith.ExtUIOp)):
            test = test.operands[0].owner
        if not isinstance(test, loop.TestOp):
            return None
        if self._fails(test.conditions):
            return condition.substitute({value: Index.of(0)})
        return None if self._left(test.conditions) else condition.substitute({value: Index.of(1)})

    def _fill(self, new: loop.BlockOp) -> None:
        values: dict[SSAValue, SSAValue] = dict(zip(self.block.variables, new.variables, strict=True))
        indices = {old: Index.of(variable) for old, variable in values.items()}
        moved = self.block.variables[self.axis.position]
        indices[moved] = indices[moved] + self.start
        for op in self._needed():
            copy = self._copy(op, values)
            edit.append(new.body.block, copy)
            if isinstance(copy, IndexedOp):
                copy.substitute_indices(indices)
            for before, after in zip(op.results, copy.results, strict=True):
                edit.rename(after, before.name_hint)
                values[before] = after
                indices[before] = Index.of(after)

    def _copy(self, op: Operation, values: Mapping[SSAValue, SSAValue]) -> Operation:
        def new(value: SSAValue) -> SSAValue:
            chosen = self._chosen(value)
            return values.get(chosen, chosen)

        match op:
            case loop.LoadOp():
                left = self._left(op.conditions)
                otherwise = new(op.otherwise) if op.otherwise is not None and left else None
                copy: Operation = loop.LoadOp(op.buffer, op.index, left, otherwise)
            case loop.TestOp():
                copy = self._test(op)
            case loop.StoreOp():
                copy = loop.StoreOp(new(op.value), op.buffer, op.index)
            case IndexedOp():
                copy = op.clone()
            case _:
                copy = op.clone({value: new(value) for value in op.operands})
        copy.location = op.location
        if not isinstance(op, (loop.TestOp,)):
            edit.change(copy).attributes |= op.attributes
        return copy

    def _test(self, op: loop.TestOp) -> Operation:
        left = self._left(op.conditions)
        if self._fails(op.conditions) or not left:
            return arith.ConstantOp(BoolAttr.from_bool(not self._fails(op.conditions)), IntegerType(1))
        return loop.TestOp(left)
