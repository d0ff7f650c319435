"""Ranges of integer values: intervals of the results of `arith` on integers and indices, from operands to results.

Integers are read as signed, so an `i64` that wraps around has its type's whole range; a truth value is 0 or 1. Values
from memory and values that loops carry have the range of their type. Divisions follow the language: a quotient or a
remainder by zero is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerAttr, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import Index
from ..traversal import operations
from .domain import resolve
from .ranges import RangeAnalysis

Interval: TypeAlias = "tuple[int, int]"
"""Inclusive bounds."""
Transfer: TypeAlias = Callable[..., "Interval | None"]
"""The interval of a result from those of the operands; None where nothing better than the type's range is known."""


def type_range(type: Attribute) -> Interval | None:
    """Return the range of an integer type, or of the lanes of a vector type; None for other types."""
    element = type.element_type if isinstance(type, VectorType) else type
    if isinstance(element, IndexType):
        return -(1 << 63), (1 << 63) - 1
    if not isinstance(element, IntegerType):
        return None
    bits = element.width.data
    if bits == 1 or element.signedness.data is Signedness.UNSIGNED:
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _unsigned_range(type: Attribute) -> Interval | None:
    limits = type_range(type)
    return None if limits is None else (0, limits[1] - limits[0])


def fits(interval: Interval | None, bits: int) -> bool:
    """Return whether all integers of an interval are representable as signed integers of `bits` bits."""
    return interval is not None and -(1 << (bits - 1)) <= interval[0] and interval[1] < 1 << (bits - 1)


class IntegerRanges:
    """Intervals of the integers of a function. Valid until the function changes."""

    def __init__(self, function: Operation) -> None:
        self._facts = RangeAnalysis()
        self._known: dict[SSAValue, Interval] = {}
        for op in operations(function):
            for result in op.results:
                self._learn(op, result)

    def __getitem__(self, value: SSAValue) -> Interval | None:
        """Return the interval of an integer; None for a value of another type."""
        found = self._known.get(value)
        if found is None and isinstance(value, BlockArgument):
            found = self._of_argument(value)
        return found or type_range(value.type)

    def _learn(self, op: Operation, result: SSAValue) -> None:
        limits = type_range(result.type)
        if limits is None:
            return
        found = self._of_expression(op) if isinstance(op, loop.ApplyOp) else self._of_operation(op)
        # An interval beyond the type's is that of a result that may wrap around.
        if found is not None and limits[0] <= found[0] and found[1] <= limits[1]:
            self._known[result] = found

    def _of_operation(self, op: Operation) -> Interval | None:
        if isinstance(op, arith.ConstantOp):
            return _of_constant(op)
        if _is_bit(op.results[0]):
            return None
        transfer = _TRANSFERS.get(type(op))
        operands = [i for v in op.operands if (i := self[v]) is not None]
        if transfer is None or len(operands) < len(op.operands):
            return None
        if isinstance(op, (arith.ExtSIOp, arith.IndexCastOp)) and _is_bit(op.input):
            transfer = _negate  # the one bit is the sign
        if isinstance(op, arith.ExtUIOp):
            return operands[0] if operands[0][0] >= 0 else _unsigned_range(op.input.type)
        return transfer(*operands)

    def _of_expression(self, op: loop.ApplyOp) -> Interval | None:
        e, facts = resolve(op.index), self._facts.at(op)
        computed = {v: self._known[v] for v in e.values() if v in self._known and v not in facts.ranges}
        ranges = {**facts.ranges, **computed}
        lo, hi = e.with_ranges(ranges).bounds(ranges)
        return None if lo is None or hi is None else (lo, max(lo, hi))

    def _of_argument(self, value: BlockArgument) -> Interval | None:
        if not isinstance(value.type, IndexType) or not isinstance(value.block.parent_op(), loop.ForOp):
            return None
        lo, hi = self._facts.inside(value.block).bounds(Index.of(value))
        if lo is None or hi is None:
            return None
        self._known[value] = lo, max(lo, hi)  # a loop that never runs has an empty range
        return self._known[value]


def _of_constant(op: arith.ConstantOp) -> Interval | None:
    match op.value:
        case IntegerAttr():
            numbers = [op.value.value.data]
        case DenseIntOrFPElementsAttr():
            numbers = [n for n in op.value.iter_values() if isinstance(n, int)]
        case _:
            numbers = []
    if _is_bit(op.result):
        numbers = [abs(n) for n in numbers]
    return (min(numbers), max(numbers)) if numbers else None


def _is_bit(value: SSAValue) -> bool:
    return type_range(value.type) == (0, 1)


# Transfer functions


def _corners(function: Callable[[int, int], int]) -> Transfer:
    """Return the transfer function of a function that rises or falls with each operand: its extremes are at the
    corners."""

    def transfer(a: Interval, b: Interval) -> Interval:
        values = [function(x, y) for x in a for y in b]
        return min(values), max(values)

    return transfer


def _same(a: Interval) -> Interval:
    return a


def _negate(a: Interval) -> Interval:
    return -a[1], -a[0]


def _union(condition: Interval, a: Interval, b: Interval) -> Interval:
    return min(a[0], b[0]), max(a[1], b[1])


def _absolute(a: Interval) -> Interval:
    least = 0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))
    return least, max(abs(a[0]), abs(a[1]))


def _quotient(round: Callable[[int, int], int]) -> Transfer:
    corners = _corners(round)

    def transfer(a: Interval, b: Interval) -> Interval | None:
        if b[0] > 0 or b[1] < 0:
            return corners(a, b)
        most = max(abs(a[0]), abs(a[1]))
        return -most, most

    return transfer


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: Interval, b: Interval) -> Interval:
    """Return the interval of the remainder of a division that is cut off towards zero: it has the sign of the
    dividend."""
    most = max(abs(b[0]), abs(b[1]), 1) - 1
    return max(min(a[0], 0), -most), min(max(a[1], 0), most)


def _nonnegative(transfer: Transfer) -> Transfer:
    """Return the transfer function of an unsigned operation, which is the signed one where no operand is negative."""
    return lambda a, b: transfer(a, b) if a[0] >= 0 and b[0] >= 0 else None


def _and(a: Interval, b: Interval) -> Interval | None:
    limits = [each[1] for each in (a, b) if each[0] >= 0]
    return (0, min(limits)) if limits else None


def _or(a: Interval, b: Interval) -> Interval | None:
    return (0, (1 << max(a[1], b[1]).bit_length()) - 1) if a[0] >= 0 and b[0] >= 0 else None


def _shift(function: Callable[[int, int], int]) -> Transfer:
    """Return the transfer function of a shift by less than 32 bits: no type that is asked about is narrower."""
    return lambda a, b: _corners(function)(a, b) if b[0] >= 0 and b[1] < 32 else None


_TRANSFERS: dict[type[Operation], Transfer] = {
    arith.AddiOp: lambda a, b: (a[0] + b[0], a[1] + b[1]),
    arith.SubiOp: lambda a, b: (a[0] - b[1], a[1] - b[0]),
    arith.MuliOp: _corners(lambda x, y: x * y),
    arith.MinSIOp: _corners(min),
    arith.MaxSIOp: _corners(max),
    arith.MinUIOp: _nonnegative(_corners(min)),
    arith.MaxUIOp: _nonnegative(_corners(max)),
    arith.DivSIOp: _quotient(_truncated),
    arith.FloorDivSIOp: _quotient(lambda x, y: x // y),
    arith.CeilDivSIOp: _quotient(lambda x, y: -(-x // y)),
    arith.DivUIOp: _nonnegative(_quotient(lambda x, y: x // y)),
    arith.CeilDivUIOp: _nonnegative(_quotient(lambda x, y: -(-x // y))),
    arith.RemSIOp: _remainder,
    arith.RemUIOp: _nonnegative(_remainder),
    arith.AndIOp: _and,
    arith.OrIOp: _or,
    arith.XOrIOp: _or,
    arith.ShLIOp: _shift(lambda x, y: x << y),
    arith.ShRSIOp: _shift(lambda x, y: x >> y),
    arith.SelectOp: _union,
    arith.ExtSIOp: _same,
    arith.ExtUIOp: _same,
    arith.TruncIOp: _same,
    arith.IndexCastOp: _same,
    vector.BroadcastOp: _same,
    math.AbsIOp: _absolute,
}
