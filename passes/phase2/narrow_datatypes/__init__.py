"""Pass `narrow-datatypes`: computes on 32 bits with 64-bit integers whose values fit.

A vector register holds twice as many 32-bit integers, and machines have vector operations for them that they lack for
64 bits: products, divisions by constants, conversions to floats. Operations that use each other's results are narrowed
together or not at all, so that casts remain at their edges only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp, VectorType, i32, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ....analysis.divergence import is_nonzero_constant
from ....analysis.integer_ranges import IntegerRanges, fits
from ....dialects import loop
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.base import Level, Pass
from ...shared.unused import erase_unused
from .narrow_values import NarrowValues, is_linear

BITS = 32

_DIVISIONS = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)
_ROUNDED_DIVISIONS = (arith.FloorDivSIOp, arith.CeilDivSIOp, arith.CeilDivUIOp)
_FREE = (arith.IndexCastOp, arith.TruncIOp, vector.BroadcastOp)
_SAME_TYPE = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp),
    *(arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp, math.AbsIOp),
    *(arith.SelectOp, vector.BroadcastOp, *_DIVISIONS, *_ROUNDED_DIVISIONS),
)
"""Operations whose result has the type of their integer operands, but for a broadcast."""
_UNSIGNED = (arith.DivUIOp, arith.RemUIOp, arith.CeilDivUIOp, arith.ShRUIOp, arith.UIToFPOp)
"""Operations that mean another number by the sign bit, where there is one."""
_READING = (arith.CmpiOp, arith.SIToFPOp, arith.UIToFPOp)
"""Operations whose result type is independent of the type of the operands."""
_CANDIDATES = frozenset((*_SAME_TYPE, *_READING, arith.IndexCastOp, arith.TruncIOp))


@dataclass(frozen=True)
class NarrowDatatypesPass(Pass):
    """Compute with integers of 32 bits where all values that occur fit and it saves more than the casts cost.

    ```mlir
    loop.for %j = 0 to 12 {
      %v = loop.apply (%j * 8 + lane) : vector<8xindex>
      %q = arith.floordivsi %v, %seven : vector<8xindex>
      %c = arith.index_cast %q : vector<8xindex> to vector<8xi64>
      %f = arith.sitofp %c : vector<8xi64> to vector<8xf32>
      …
    // becomes
    loop.for %j = 0 to 12 {
      %0 = loop.apply (%j * 8) : index
      %1 = arith.index_cast %0 : index to i32
      %2 = vector.broadcast %1 : i32 to vector<8xi32>
      %v = arith.addi %2, %lanes : vector<8xi32>
      %q = arith.floordivsi %v, %seven_1 : vector<8xi32>
      %f = arith.sitofp %q : vector<8xi32> to vector<8xf32>
      …
    ```
    Ranges of loop variables, constants and the types of widened values prove that values fit. Arithmetic that may wrap
    around at 64 bits is left alone, as are values from memory and values that loops carry. Among scalars only divisions
    are narrowed.

    Needs: loop level.
    Grants: nothing that later passes rely on.
    """

    name = "narrow-datatypes"
    phase = 2
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = False
        for function in op.ops:
            if isinstance(function, FuncOp) and any(_is_candidate(n) for n in operations(function)):
                changed |= _narrow_function(function)
        if changed:
            erase_unused(op)


def is_wide(type: Attribute) -> bool:
    """Return whether integers of this type, or lanes of a vector of it, have 64 bits."""
    element = type.element_type if isinstance(type, VectorType) else type
    return element == i64 or isinstance(element, IndexType)


def _narrow_function(function: FuncOp) -> bool:
    """Narrow the groups of operations that profit; return whether there were any."""
    changed = False
    ranges = IntegerRanges(function)
    members = {op: None for op in operations(function) if _is_narrowable(op, ranges)}
    for group in _groups(members):
        if _saving(group, members) > 0 and may_rewrite("narrow", group[0]):
            _narrow(group)
            changed = True
    return changed


def _is_candidate(op: Operation) -> bool:
    """Return whether `op` computes with wide integers and exists for narrow ones."""
    return type(op) in _CANDIDATES and any(is_wide(v.type) for v in op.operands)


def _is_narrowable(op: Operation, ranges: IntegerRanges) -> bool:
    """Return whether `op` computes the same on integers of 32 bits."""
    if not _is_candidate(op):
        return False
    intervals = [ranges[v] for v in _wide_operands(op)]
    if not all(fits(i, BITS) for i in intervals):
        return False
    if isinstance(op, _UNSIGNED) and any(i is not None and i[0] < 0 for i in intervals):
        return False
    return all(fits(ranges[r], BITS) for r in op.results if is_wide(r.type))


def _wide_operands(op: Operation) -> list[SSAValue]:
    return [v for v in op.operands if is_wide(v.type)]


def _groups(members: Iterable[Operation]) -> Iterator[Sequence[Operation]]:
    """Yield the groups of operations that hang together by the wide values that one computes and another uses, in
    program order."""
    leader: dict[Operation, Operation] = {op: op for op in members}

    def find(op: Operation) -> Operation:
        while leader[op] is not op:
            leader[op] = op = leader[leader[op]]
        return op

    for op in leader:
        for value in _wide_operands(op):
            if value.owner in leader:
                leader[find(op)] = find(value.owner)  # pyright: ignore[reportArgumentType]
    groups: dict[Operation, list[Operation]] = {}
    for op in leader:
        groups.setdefault(find(op), []).append(op)
    yield from groups.values()


# The gain, in halves of an instruction on a vector


def _saving(group: Sequence[Operation], members: dict[Operation, None]) -> int:
    edges = {v for op in group for v in _wide_operands(op) if v.owner not in members}
    widened = [r for op in group for r in op.results if is_wide(r.type) and _leaves(r, members)]
    casts = sum(_cost_of_narrowing(v) for v in edges) + sum(2 if _is_vector(r) else 1 for r in widened)
    return sum(map(_gain, group)) - casts


def _leaves(value: SSAValue, members: dict[Operation, None]) -> bool:
    return any(use.operation not in members for use in value.uses)


def _gain(op: Operation) -> int:
    divides = isinstance(op, (*_DIVISIONS, *_ROUNDED_DIVISIONS))
    if not any(_is_vector(v) for v in op.operands):
        return 0 if not divides else 1 if is_nonzero_constant(op.operands[1]) else 4
    if divides:
        return 16
    if isinstance(op, (arith.MuliOp, arith.SIToFPOp, arith.UIToFPOp)):
        return 4
    return 0 if isinstance(op, _FREE) else 2


def _cost_of_narrowing(value: SSAValue) -> int:
    """Return the cost of narrowing a value from outside: no cost for the low half of a scalar register, nor for
    a value that was widened from the narrow type."""
    if not _is_vector(value) or isinstance(value.owner, (arith.ConstantOp, arith.ExtSIOp, arith.ExtUIOp)):
        return 0
    return 0 if isinstance(value.owner, loop.ApplyOp) and is_linear(value.owner) else 2


def _is_vector(value: SSAValue) -> bool:
    return isinstance(value.type, VectorType)


# Rewriting


def _narrow(group: Sequence[Operation]) -> None:
    """Replace the operations of a group by narrow ones."""
    values = NarrowValues()
    for op in group:
        _narrow_op(op, values)
    inside = set(group)
    for op in group:
        for result in op.results:
            outer = [use for use in result.uses if use.operation not in inside]
            if outer:
                widened = values.widened(result)
                for use in outer:
                    edit.change(use.operation).operands[use.index] = widened
    for op in reversed(group):
        edit.erase(op)


def _narrow_op(op: Operation, values: NarrowValues) -> None:
    """Make the narrow form of `op` in front of it."""
    operands = [values.of(v) if is_wide(v.type) else v for v in op.operands]
    result = op.results[0]
    if isinstance(op, (arith.IndexCastOp, arith.TruncIOp)):
        element = result.type.element_type if isinstance(result.type, VectorType) else result.type
        if is_wide(result.type) or element == i32:
            values.set(result, operands[0])
            return
        assert isinstance(element, IntegerType)
        made: Operation = arith.TruncIOp(operands[0], result.type)  # pyright: ignore[reportArgumentType]
    else:
        type_ = values.type_of(result.type) if is_wide(result.type) else result.type
        made = type(op).create(operands=operands, result_types=[type_], properties=op.properties)
        edit.change(made).attributes = dict(op.attributes)
    values.insert_before(op, made)
    values.set(result, made.results[0])
