"""Inlining of producers into the body of a compute that reads them.

Index expressions and guards compose by substitution. The guard of a read becomes a guard of every read in the inlined
producer. If the guard fails, a select discards the value that the producer computes; if the producer only moves data,
its reads get the `else` value of the inlined read instead, and no select is needed. Equal operations are emitted once.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i1
from xdsl.ir import Block, Operation, Region, SSAValue

from ....diagnostics.locations import fused_location, location_of
from ....dialects import loop, te
from ....dialects.index_expr import Index, Range
from ....ir import editor as edit
from ....te.scalar_operations import emit_constant

Guard: TypeAlias = "tuple[Index, ...]"

INTEGER_DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
)


def inline_into(compute: te.ComputeOp, producers: Collection[te.ComputeOp]) -> None:
    """Replace every read in `compute` of a result of `producers` by the producer's body."""
    old = compute.body.block
    new = Block(arg_types=[a.type for a in old.args])
    for before, after in zip(old.args, new.args, strict=True):
        edit.rename(after, before.name_hint)
    axes: dict[SSAValue, Index] = {before: Index.of(after) for before, after in zip(old.args, new.args, strict=True)}
    extents = zip(new.args, compute.index_list("extents"), strict=True)
    ranges: dict[SSAValue, Range] = {axis: (0, e.constant - 1 if e.is_constant else None) for axis, e in extents}
    values = _BodyWriter(new, producers, ranges).run(compute, _Scope(axes))
    end = compute.terminator.clone(dict(zip(compute.terminator.operands, values, strict=True)))
    edit.append(new, end)
    edit.replace_body(compute, Region(new))


@dataclass
class _Scope:
    """The state of one body while it is copied: the map from its values to the copies, and the guard under which they
    are used."""

    indices: dict[SSAValue, Index]
    guard: Guard = ()
    values: dict[SSAValue, SSAValue] = field(default_factory=dict)
    defaults: dict[te.ReadOp, SSAValue] = field(default_factory=dict)
    """Reads of the body -> the `else` values that they get instead of their present ones."""


_Request: TypeAlias = "tuple[te.ComputeOp, _Scope]"
"""A body whose values are needed before the copy of another body can continue."""

_Writing: TypeAlias = "Generator[_Request, list[SSAValue] | None, list[SSAValue]]"


class _BodyWriter:
    """Appends bodies to a block whose arguments have the inclusive `ranges`."""

    def __init__(self, block: Block, producers: Collection[te.ComputeOp], ranges: Mapping[SSAValue, Range]) -> None:
        self._block = block
        self._producers = producers
        self._ranges = ranges
        self._known: dict[object, SSAValue] = {}

    def run(self, compute: te.ComputeOp, scope: _Scope) -> list[SSAValue]:
        """Return the values that the body of `compute` ends with, its terminator's operands; anything where the scope's
        guard fails.

        Chains of producers may be long, so suspended bodies are kept on an explicit stack instead of recursion.
        """
        waiting = [self._write(compute, scope)]
        values: list[SSAValue] | None = None
        while waiting:
            try:
                producer, inner = waiting[-1].send(values)
            except StopIteration as end:
                values = end.value
                waiting.pop()
            else:
                waiting.append(self._write(producer, inner))
                values = None
        assert values is not None
        return values

    def _write(self, compute: te.ComputeOp, scope: _Scope) -> _Writing:
        for op in compute.body.block.ops:
            match op:
                case te.ReadOp() if op.tensor.owner in self._producers:
                    scope.values[op.res] = yield from self._inlined(op, scope)
                case te.ReadOp():
                    scope.values[op.res] = self._read(op, scope)
                case te.ApplyOp():
                    scope.indices[op.res] = op.index.substitute(scope.indices)
                case te.TestOp():
                    guard = self._guard(op.conditions, scope)
                    holds = emit_constant(self._emit, True, i1) if not guard else self._emit(te.TestOp(guard), op)
                    scope.values[op.res] = holds
                case loop.PrintOp():
                    self._print(op, scope)
                case te.YieldOp() | te.ReduceOp():
                    return [self._operand(v, scope) for v in op.operands]
                case _:
                    self._scalar(op, scope)
        raise AssertionError("a verified body has a terminator")

    def _indices(self, expressions: Sequence[Index], scope: _Scope) -> list[Index]:
        return [e.substitute(scope.indices).with_ranges(self._ranges) for e in expressions]

    def _guard(self, conditions: Sequence[Index], scope: _Scope) -> Guard:
        """Return the conditions, without those that always hold."""
        found = [(e, e.bounds(self._ranges)[0]) for e in self._indices(conditions, scope)]
        return tuple(e for e, low in found if low is None or low < 0)

    def _inlined(self, read: te.ReadOp, scope: _Scope) -> Generator[_Request, list[SSAValue] | None, SSAValue]:
        """Compute the producer's element that a read accesses."""
        producer = read.tensor.owner
        assert isinstance(producer, te.ComputeOp)
        result = producer.res.index(read.tensor)
        guard = self._guard(read.conditions, scope)
        inner = _Scope({}, _conjunction(scope.guard, guard))
        inner.indices.update(zip(producer.spatial_axes, self._indices(read.index, scope), strict=True))
        replaces = read.otherwise is None or not guard
        otherwise = None
        if not replaces:
            assert read.otherwise is not None
            otherwise = self._operand(read.otherwise, scope)
            moved = producer.terminator.values[result].owner
            if isinstance(moved, te.ReadOp) and (moved.otherwise is None or _same_constant(moved.otherwise, otherwise)):
                inner.defaults[moved] = otherwise
                replaces = True
        values = yield producer, inner
        assert values is not None
        if replaces or otherwise is None:
            return values[result]
        return self._emit(arith.SelectOp(self._emit(te.TestOp(guard)), values[result], otherwise), read)

    def _read(self, op: te.ReadOp, scope: _Scope) -> SSAValue:
        guard = _conjunction(scope.guard, self._guard(op.conditions, scope))
        indices = self._indices(op.index, scope)
        if not guard:
            return self._emit(te.ReadOp(op.tensor, indices), op)
        if op in scope.defaults:
            otherwise = scope.defaults[op]
        elif op.otherwise is not None:
            otherwise = self._operand(op.otherwise, scope)
        else:
            otherwise = emit_constant(self._emit, 0, op.res.type)
        return self._emit(te.ReadOp(op.tensor, indices, guard, otherwise), op)

    def _print(self, op: loop.PrintOp, scope: _Scope) -> None:
        guard = _conjunction(scope.guard, self._guard(op.conditions, scope))
        line = loop.PrintOp(op.message.data, self._indices(op.index, scope), self._operand(op.value, scope), guard)
        line.location = op.location
        edit.append(self._block, line)

    def _scalar(self, op: Operation, scope: _Scope) -> None:
        operands = [self._operand(v, scope) for v in op.operands]
        if isinstance(op, INTEGER_DIVISIONS) and scope.guard:
            operands[1] = self._safe_divisor(operands[1], scope.guard)
        results: Sequence[SSAValue]
        if isinstance(op, arith.SelectOp) and _is_true(operands[0]):
            results = operands[1:2]
        else:
            made = self._emit(op.clone(dict(zip(op.operands, operands, strict=True))), op).owner
            assert isinstance(made, Operation)
            results = made.results
        for before, after in zip(op.results, results, strict=True):
            scope.values[before] = after
            scope.indices[before] = Index.of(after)

    def _safe_divisor(self, divisor: SSAValue, guard: Guard) -> SSAValue:
        """Emit a divisor that is 1 where the guard fails, as the original may be 0 there."""
        if isinstance(divisor.owner, arith.ConstantOp):
            return divisor
        one = emit_constant(self._emit, 1, divisor.type)
        return self._emit(arith.SelectOp(self._emit(te.TestOp(guard)), divisor, one))

    def _operand(self, value: SSAValue, scope: _Scope) -> SSAValue:
        if value in scope.values:
            return scope.values[value]
        if value not in scope.indices:
            return value
        index = scope.indices[value]
        return index.single_value or self._emit(te.ApplyOp(index))

    def _emit(self, op: Operation, origin: Operation | None = None) -> SSAValue:
        """Append `op`, a copy of `origin`, unless an equal operation was appended, and return its only result."""
        key = (op.name, tuple(op.operands), tuple(op.properties.items()), tuple(op.result_types))
        known, location = self._known.get(key), None if origin is None else location_of(origin)
        if known is not None:
            edit.erase(op)
            if isinstance(known.owner, Operation) and location is not None:
                known.owner.location = fused_location(known.owner.location, location)
            return known
        if origin is not None:
            op.location = location or origin.location
            edit.rename(op.results[0], origin.results[0].name_hint)
        edit.append(self._block, op)
        self._known[key] = op.results[0]
        return op.results[0]


def _conjunction(outer: Guard, inner: Guard) -> Guard:
    """Return the conjunction of both guards; of two conditions that differ in the constant alone, the stronger one."""
    least: dict[Index, int] = {}
    for e in (*outer, *inner):
        variable = e - e.constant
        least[variable] = min(e.constant, least.get(variable, e.constant))
    return tuple(variable + constant for variable, constant in least.items())


def _same_constant(a: SSAValue, b: SSAValue) -> bool:
    x, y = a.owner, b.owner
    if not isinstance(x, arith.ConstantOp) or not isinstance(y, arith.ConstantOp):
        return False
    return x.value == y.value


def _is_true(value: SSAValue) -> bool:
    op = value.owner
    return isinstance(op, arith.ConstantOp) and op.value == IntegerAttr(1, i1)
