"""Conversion of counting loops of `scf.while` to `scf.for`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from .control import Emit, emitter
from .indices import constant_of, index_of

_LESS = {"slt": ("slt", "sgt"), "sle": ("sle", "sge")}
"""The predicates by which a counter on the left, and one on the right, is below a bound, or not above it."""


@dataclass(frozen=True)
class Count:
    """The counter of a loop."""

    position: int
    """Of the counter among the arguments of the condition's region."""
    upper: SSAValue
    includes_upper: bool
    step: int


def for_instead_of_while(module: ModuleOp) -> None:
    """Replace each `scf.while` that counts up to a bound by a `scf.for`.

    ```mlir
    %r = scf.while (%i = %c0) : (index) -> index {
      %c = arith.cmpi slt, %i, %n : index
      scf.condition(%c) %i : index
    } do {
    ^bb0(%j: index):
      memref.store %x, %A[%j] : memref<?xf32>
      %k = arith.addi %j, %c1 : index
      scf.yield %k : index
    }
    ```
    becomes
    ```mlir
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %A[%j] : memref<?xf32>
    }
    ```
    A loop counts whose condition compares one argument with a value from outside of the loop and computes nothing else,
    and whose body adds a positive constant to that argument. Integers other than indices wrap around, so they count in
    steps of 1 to a bound that they do not include.
    """
    for op in [op for op in operations(module) if isinstance(op, scf.WhileOp)]:
        count = count_of(op)
        if count is not None and may_rewrite("counting loop", op, is_needed=True):
            _Replacement(op, count).make()


def count_of(op: scf.WhileOp) -> Count | None:
    """Return the counter of a loop; None where it does not count."""
    before, after = op.before_region.block, op.after_region.block
    compare, condition, *others = before.ops
    last = after.last_op
    if others or not isinstance(compare, arith.CmpiOp) or not isinstance(condition, scf.ConditionOp):
        return None
    if condition.condition is not compare.result or compare.result in condition.args:
        return None
    if not isinstance(last, scf.YieldOp):
        return None
    for includes_upper, words in enumerate(_LESS.values()):
        for counter, upper, word in ((compare.lhs, compare.rhs, words[0]), (compare.rhs, compare.lhs, words[1])):
            if word != _predicate(compare) or counter not in before.args or _is_inside(upper, op):
                continue
            position = before.args.index(counter)
            counters = [a for a, v in zip(after.args, condition.args, strict=True) if v is counter]
            step = _step(last.operands[position], counters, counter.type)
            is_index = isinstance(counter.type, IndexType)
            if step is not None and (is_index or (step == 1 and not includes_upper)):
                return Count(position, upper, bool(includes_upper), step)
    return None


def _predicate(op: arith.CmpiOp) -> str:
    return arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data]


def _is_inside(value: SSAValue, op: Operation) -> bool:
    """Return whether a value belongs to the regions of an operation."""
    return op.is_ancestor(value.owner)


def _step(following: SSAValue, counters: Sequence[SSAValue], type: Attribute) -> int | None:
    """Return the positive constant that is added to one of the counters."""
    for counter in counters:
        if isinstance(type, IndexType):
            difference = index_of(following) - Index.of(counter)
            step = difference.constant if difference.is_constant else None
        else:
            step = _added(following, counter)
        if step is not None and step > 0:
            return step
    return None


def _added(value: SSAValue, to: SSAValue) -> int | None:
    """Return the constant that a sum adds to an integer."""
    op = value.owner
    if not isinstance(op, arith.AddiOp) or to not in op.operands:
        return None
    other = op.rhs if op.lhs is to else op.lhs
    return constant_of(other)


class _Replacement:
    """The replacement of one loop by a `scf.for`."""

    def __init__(self, op: scf.WhileOp, count: Count) -> None:
        self.op = op
        self.count = count
        self.emit: Emit = emitter(InsertPoint.before(op), op)
        condition = op.before_region.block.last_op
        assert isinstance(condition, scf.ConditionOp)
        self.passed = list(condition.args)
        """The values that the body and the results of the loop have."""

    def make(self) -> None:
        op, position = self.op, self.count.position
        arguments, kept = op.before_region.block.args, [k for k in range(len(op.arguments)) if k != position]
        lower, upper = op.arguments[position], self._upper()
        body = Block(arg_types=[lower.type, *(arguments[k].type for k in kept)])
        new = scf.ForOp(lower, upper, self._constant(self.count.step), [op.arguments[k] for k in kept], Region(body))
        edit.insert(new, InsertPoint.before(op), of=op)
        carried: list[SSAValue] = [arguments[position], *(arguments[k] for k in kept)]
        self._take_body(body, dict(zip(carried, body.args, strict=True)), kept)
        results: dict[SSAValue, SSAValue] = dict(zip(carried[1:], new.res, strict=True))
        if any(value is carried[0] and result.uses for value, result in zip(self.passed, op.res, strict=True)):
            results[carried[0]] = self._last(lower, upper)
        else:
            results[carried[0]] = lower
        edit.replace(op, [], [results.get(value, value) for value in self.passed])

    def _take_body(self, body: Block, inside: dict[SSAValue, SSAValue], kept: list[int]) -> None:
        """Move the operations of the loop, which yield no counter."""
        old = self.op.after_region.block
        for argument, value in zip(list(old.args), self.passed, strict=True):
            edit.rename(inside.get(value, value), argument.name_hint)
            edit.replace_uses(argument, inside.get(value, value))
        edit.move(list(old.ops), InsertPoint.at_end(body))
        last = body.last_op
        assert last is not None
        following = last.operands[self.count.position]
        edit.change(last).operands = [last.operands[k] for k in kept]
        if not following.uses and isinstance(following.owner, Operation):
            edit.erase(following.owner)

    def _constant(self, number: int) -> SSAValue:
        type_ = self.op.arguments[self.count.position].type
        assert isinstance(type_, (IndexType, IntegerType))
        return self.emit(arith.ConstantOp(IntegerAttr(number, type_)))

    def _upper(self) -> SSAValue:
        """Return the least number that the counter does not reach."""
        upper = self.count.upper
        return self.emit(arith.AddiOp(upper, self._constant(1))) if self.count.includes_upper else upper

    def _last(self, lower: SSAValue, upper: SSAValue) -> SSAValue:
        """Return the counter behind the last iteration."""
        if self.count.step == 1:
            return self.emit(arith.MaxSIOp(lower, upper))
        distance = self.emit(arith.MaxSIOp(self.emit(arith.SubiOp(upper, lower)), self._constant(0)))
        step = self._constant(self.count.step)
        trips = self.emit(arith.CeilDivSIOp(distance, step))
        return self.emit(arith.AddiOp(lower, self.emit(arith.MuliOp(trips, step))))
