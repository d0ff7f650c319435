"""Pass `unsafe-select`: guards loads whose values a select discards, where they may fault.

`arith.select` computes both of its values. Almost no computation can fault: integer division by zero gives 0 in every
backend, floats have infinities and NaNs, intrinsics and pure functions of a library are defined for all operands. Only
memory accesses can fault. `te.if_then_else` guards the reads that it decides about; `te.Select` does not, and an arm
that is not chosen may read outside of its buffer, as in `te.Select(i < n, A[i], 0)` where A has n elements, or
`te.Select(k >= 0, A[k], 0)` where k was loaded.

The pass applies two rules. A load that may be out of bounds gets the condition as its guard. A load that is in bounds
loses a guard that is computed from data: it becomes an unconditional load and a select, which can be vectorized,
whereas such a guard cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, VectorType, i1
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.access import root_buffer, writes
from ....analysis.bounds import inside_conditions
from ....analysis.divergence import DIVISIONS
from ....analysis.effects import is_pure
from ....analysis.ranges import RangeAnalysis
from ....diagnostics.locations import name_of
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...shared.guards import Zeros
from .choices import Truths, differs_by_lane, fact_of, facts_of


@dataclass(frozen=True)
class UnsafeSelectPass(Pass):
    """Guard loads whose values a select discards, where they may fault, and drop computed guards of loads that cannot.

    ```mlir
    %c = loop.test (%i < 8) : i1
    %a = loop.load %A[%i] : memref<8xf32>
    %r = arith.select %c, %a, %one : f32
    // becomes, where %i can be 8 or more
    %r = loop.load %A[%i] where (%i < 8) else %one : memref<8xf32>
    ```
    and, where %i stays below 8,
    ```mlir
    %b = arith.cmpf ogt, %x, %zero : f32
    %0 = arith.extui %b : i1 to i64
    %t = arith.index_cast %0 : i64 to index
    %r = loop.load %A[%i] where (%t >= 1) else %one : memref<8xf32>
    // becomes
    %a = loop.load %A[%i] : memref<8xf32>
    %r = arith.select %b, %a, %one : f32
    ```
    Only loads that nothing but the select uses are guarded; others are executed in any case. If a guarded load is an
    operand of the select, it gives the other operand where its guard fails. A divisor that a select on the same
    condition keeps from zero is used directly.

    Needs: loop level.
    Grants: no load whose value a select discards is out of bounds, unless a remark says so.
    """

    name = "unsafe-select"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        choices, ranges = _Choices(), RangeAnalysis()
        for function in op.ops:
            selects = [n for n in operations(function) if isinstance(n, arith.SelectOp)]
            for nested in reversed(selects):  # the outer ones first
                choices.visit(nested, ranges)
        for nested in [n for n in operations(op) if isinstance(n, loop.LoadOp) and n.conditions]:
            _release(nested, ranges)


class _Choices:
    def __init__(self) -> None:
        self.truths = Truths()
        self.zeros = Zeros()

    def visit(self, choice: arith.SelectOp, ranges: RangeAnalysis) -> None:
        for position in (1, 2):
            exclusive = _exclusive_ops(choice, position)
            loads = [op for op in exclusive if isinstance(op, loop.LoadOp) and not _is_inside(op, ranges)]
            if loads:
                self._guard(choice, position, loads, exclusive)
            for op in exclusive:
                if isinstance(op, DIVISIONS):
                    _take_divisor(op, choice, position)
        for position in (1, 2):
            if self._merge(choice, position):
                return

    def _guard(
        self, choice: arith.SelectOp, position: int, loads: list[loop.LoadOp], exclusive: list[Operation]
    ) -> None:
        facts = facts_of(choice.cond, position == 1)
        is_vector = isinstance(choice.cond.type, VectorType)
        if differs_by_lane(facts) or (is_vector and any(load.lanes is None for load in loads)):
            _refuse(loads[0], "the condition is computed lane by lane")
            return
        is_known = _is_known_before(choice.cond, loads[0])
        if not is_known and not all(_sees_no_store(load, choice) for load in loads):
            _refuse(loads[0], "a store stands between it and the choice")
            return
        if not may_rewrite("guard what is chosen", choice):
            return
        conditions = self.truths.conditions(facts)
        if not is_known:
            _sink(exclusive, choice)
        for load in loads:
            otherwise = load.otherwise or self.zeros.before(load)
            _replace_load(load, [*load.conditions, *conditions], otherwise)

    def _merge(self, choice: arith.SelectOp, position: int) -> bool:
        """Let the guarded load that is one value of `choice` give the other where its guard fails."""
        load, other = choice.operands[position].owner, choice.operands[3 - position]
        if not isinstance(load, loop.LoadOp) or not load.conditions or load.parent is not choice.parent:
            return False
        if isinstance(other.owner, vector.BroadcastOp):
            other = other.owner.source
        facts = facts_of(choice.cond, position == 1)
        implied = all(fact_of(e) in facts for e in load.conditions)
        if not implied or isinstance(other.type, VectorType) or not load.res.has_one_use():
            return False
        if isinstance(choice.cond.type, VectorType) and load.lanes is None:
            return False
        if differs_by_lane(facts) or not _sees_no_store(load, choice):
            return False
        if not may_rewrite("merge a choice into a load", choice):
            return False
        merged = _load_like(load, self.truths.conditions(facts), other)
        merged.location = choice.location
        edit.rename(merged.res, choice.result.name_hint)
        edit.replace(choice, merged)
        edit.erase(load)
        return True


def _refuse(load: loop.LoadOp, reason: str) -> None:
    remark("TW0545", f"what is read of {name_of(load.buffer)} stays outside of the choice: {reason}", op=load)


# The operations that only one operand of a select uses


def _exclusive_ops(choice: arith.SelectOp, position: int) -> list[Operation]:
    """Return the operations of the choice's block that only compute its operand at `position`, in program order."""
    wanted, found = {choice.operands[position].owner}, dict[Operation, None]()
    op = choice.prev_op
    while op is not None and wanted:
        if op in wanted:
            wanted.discard(op)
            uses = [use for result in op.results for use in result.uses]
            is_exclusive = all(u.operation in found or (u.operation is choice and u.index == position) for u in uses)
            if is_exclusive and (is_pure(op) or isinstance(op, loop.LoadOp)):
                found[op] = None
                wanted |= {v.owner for v in op.operands if isinstance(v.owner, Operation)}
        op = op.prev_op
    return list(reversed(found))


def _is_inside(load: loop.LoadOp, ranges: RangeAnalysis, without: tuple[Index, ...] = ()) -> bool:
    """Return whether a load stays inside its buffer, by those of its conditions that are not among `without`."""
    conditions = inside_conditions(load)
    known = [e for e in load.conditions if e not in without]
    return conditions is not None and ranges.at(load).where(*known).proves_all(conditions)


def _is_known_before(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    if not isinstance(owner, Operation) or owner.parent is not op.parent:
        return True
    return owner.is_before_in_block(op)


def _sink(exclusive: list[Operation], choice: arith.SelectOp) -> None:
    """Move operations to right before `choice`."""
    for op in exclusive:
        edit.move(op, InsertPoint.before(choice))


def _sees_no_store(load: loop.LoadOp, user: Operation) -> bool:
    """Return whether no operation between a load and a later operation of its block writes the buffer that it reads."""
    buffer, between = root_buffer(load.buffer), load.next_op
    while between is not None and between is not user:
        if buffer in writes(between):
            return False
        between = between.next_op
    return True


def _take_divisor(op: Operation, choice: arith.SelectOp, position: int) -> None:
    """Replace `c ? x / (c ? y : 1) : z` by `c ? x / y : z`: the discarded operand may have any value."""
    divisor = op.operands[1].owner
    if not isinstance(divisor, arith.SelectOp):
        return
    implied = set(facts_of(divisor.cond, True)) <= {*facts_of(choice.cond, position == 1)}
    if implied and may_rewrite("take a divisor as it is", op):
        edit.change(op).operands[1] = divisor.lhs


# Loads


def _load_like(load: loop.LoadOp, conditions: tuple[Index, ...] | list[Index], otherwise: SSAValue) -> loop.LoadOp:
    made = loop.LoadOp(load.buffer, load.index, conditions, otherwise if conditions else None, load.lanes)
    edit.change(made).attributes = dict(load.attributes)
    made.location = load.location
    return made


def _replace_load(load: loop.LoadOp, conditions: list[Index], otherwise: SSAValue) -> loop.LoadOp:
    made = _load_like(load, conditions, otherwise)
    edit.rename(made.res, load.res.name_hint)
    edit.replace(load, made)
    return made


def _release(load: loop.LoadOp, ranges: RangeAnalysis) -> None:
    """Load under no condition that was computed nearby, and choose afterwards, where that is safe."""
    bits: dict[Index, tuple[SSAValue, bool]] = {}
    for e in load.conditions if load.lanes is None else ():
        fact = fact_of(e)
        if not isinstance(fact, Index) and _is_beside(fact[0], load):
            bits[e] = fact
    if not bits or _is_written_around(load) or not _is_inside(load, ranges, tuple(bits)):
        return
    if not may_rewrite("choose after reading", load):
        return
    assert load.otherwise is not None
    otherwise, hint = load.otherwise, load.res.name_hint
    plain = _load_like(load, [e for e in load.conditions if e not in bits], otherwise)
    made: list[Operation] = [plain]
    condition: SSAValue | None = None
    for bit, holds in bits.values():
        if not holds:
            true = arith.ConstantOp(IntegerAttr(1, i1))
            inverse = arith.XOrIOp(bit, true.result)
            made += [true, inverse]
            bit = inverse.result
        if condition is not None:
            both = arith.AndIOp(condition, bit)
            made.append(both)
            bit = both.result
        condition = bit
    assert condition is not None
    chosen = arith.SelectOp(condition, plain.res, otherwise)
    edit.rename(chosen.result, hint)
    for op in (*made, chosen):
        op.location = load.location
    edit.replace(load, [*made, chosen], [chosen.result])


def _is_written_around(load: loop.LoadOp) -> bool:
    """Return whether an iteration of a loop around may write the buffer that a load reads."""
    around = [*loop.enclosing(load, loop.ForOp)]
    return bool(around) and root_buffer(load.buffer) in writes(around[-1])


def _is_beside(value: SSAValue, op: Operation) -> bool:
    """Return whether `value` is computed in the block of `op`. A guard by a value from further out is cheap."""
    return isinstance(value.owner, Operation) and value.owner.parent is op.parent
