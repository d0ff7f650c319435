"""Piecewise affine index values, and truth values that are decided by conditions on indices.

A minimum is one of its operands, a truncating division one quotient or the negative of another, a selected index one of
two. Each is a value with disjoint cases: an expression, and the system in which it holds.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i1, i64
from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.upstream.undefined import is_upstream
from .guard_systems import EVERYWHERE, Decided, conjunction, difference, disjunction, holds
from .model import Union
from .sizes import Sizes

Cases = list[tuple[Index, Union]]
"""Expressions, each with where it is the value."""

_COMPUTED = (
    *(arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp),
    *(arith.DivSIOp, arith.RemSIOp, arith.DivUIOp, arith.RemUIOp),
)


def cases_of(op: Operation, sizes: Sizes, is_nonnegative: Callable[[Index], bool]) -> Cases | None:
    """Return the cases of the index that an operation gives; None where it gives none, or one that is data."""
    if len(op.results) != 1 or op.results[0].type not in (IndexType(), i64):
        return None
    if isinstance(op, arith.SelectOp):
        return _selected(op, sizes)
    if isinstance(op, arith.ExtUIOp):
        return _extended(op, sizes)
    if not isinstance(op, _COMPUTED):
        return None
    a, b = sizes.value(op.lhs), sizes.value(op.rhs)
    if a is None or b is None:
        return None
    match op:
        case arith.MinSIOp():
            return [(a, holds([b - a])), (b, holds([a - b - 1]))]
        case arith.MaxSIOp():
            return [(a, holds([a - b])), (b, holds([b - a - 1]))]
        case arith.MinUIOp():
            return [(a, _compared(7, a, b)), (b, _compared(8, a, b))]
        case arith.MaxUIOp():
            return [(a, _compared(9, a, b)), (b, _compared(6, a, b))]
        case _ if b == Index.of(0) and is_upstream(op):
            return [(Index.of(0), EVERYWHERE)]  # the builder obliges the divisor
        case _ if not b.is_constant or b.constant == 0:
            return None
        case arith.DivUIOp() | arith.RemUIOp():
            if b.constant < 0 or not is_nonnegative(a):
                return None
            return [(a // b.constant if isinstance(op, arith.DivUIOp) else a % b.constant, EVERYWHERE)]
        case arith.DivSIOp():
            n = b.constant
            positive, negative = (a // n, -(-a // n)) if n > 0 else (-(a // -n), -a // -n)
            return [(positive, holds([a])), (negative, holds([-a - 1]))]
        case _:
            n = abs(b.constant)
            return [(a % n, holds([a])), (-(-a % n), holds([-a - 1]))]


def _extended(op: arith.ExtUIOp, sizes: Sizes) -> Cases | None:
    """Return the cases of an extended narrow integer, which is negative where its first bit is set."""
    a, type_ = sizes.value(op.input), op.input.type
    if a is None or not isinstance(type_, IntegerType):
        return None
    return [(a, holds([a])), (a + (1 << type_.width.data), holds([-a - 1]))]


def _selected(op: arith.SelectOp, sizes: Sizes) -> Cases | None:
    condition = truth(op.cond, sizes.index_or_none)
    one, other = sizes.value(op.lhs), sizes.value(op.rhs)
    if condition is None or one is None or other is None:
        return None
    return [(one, condition.holds), (other, condition.fails)]


def truth(value: SSAValue, index: Callable[[Index], Index | None]) -> Decided | None:
    """Return the systems in which a truth value holds and fails; None where that is data.

    `index` gives an expression over symbols, or None where one of its values is data.
    """
    if value.type != i1:
        return None
    op = value.owner
    match op:
        case loop.TestOp():
            conditions = [index(e) for e in op.conditions]
            return None if None in conditions else Decided.of([e for e in conditions if e is not None])
        case arith.ConstantOp(value=IntegerAttr() as number):
            return Decided.of([Index.of(-1 if number.value.data == 0 else 0)])
        case arith.CmpiOp() if isinstance(op.lhs.type, IndexType):
            a, b = index(Index.of(op.lhs)), index(Index.of(op.rhs))
            predicate = op.predicate.value.data
            if a is None or b is None:
                return None
            return Decided(_compared(predicate, a, b), _compared(_INVERSE[predicate], a, b))
        case arith.AndIOp() | arith.OrIOp() | arith.XOrIOp():
            return combined(op, truth(op.lhs, index), truth(op.rhs, index))
        case _:
            return None


def combined(
    op: arith.AndIOp | arith.OrIOp | arith.XOrIOp, first: Decided | None, second: Decided | None
) -> Decided | None:
    """Return the result of an operation on two truth values; None where one is data, or for more systems than are
    kept."""
    if first is None or second is None:
        return None
    match op:
        case arith.AndIOp():
            return conjunction(first, second)
        case arith.OrIOp():
            return disjunction(first, second)
        case _:
            return difference(first, second)


_INVERSE = {0: 1, 1: 0, 2: 5, 5: 2, 3: 4, 4: 3, 6: 9, 9: 6, 7: 8, 8: 7}
"""Each predicate of a comparison, and the one that holds where it fails."""


def _compared(predicate: int, a: Index, b: Index) -> Union:
    """Return the systems in which a comparison of arith holds."""
    signed = {
        0: [[a - b, b - a]],
        1: [[a - b - 1], [b - a - 1]],
        2: [[b - a - 1]],
        3: [[b - a]],
        4: [[a - b - 1]],
        5: [[a - b]],
    }
    if predicate in signed:
        return tuple(system for conditions in signed[predicate] for system in holds(conditions))
    # Of two numbers of one sign the unsigned order is the signed one; of others the negative one is the larger.
    less = predicate in (6, 7)
    low, high = (a, b) if less else (b, a)
    difference = high - low - (1 if predicate in (6, 8) else 0)
    return (
        *holds([low, high, difference]),
        *holds([-low - 1, -high - 1, difference]),
        *holds([low, -high - 1]),
    )


def condition_of(e: Index) -> SSAValue | None:
    """Return the truth value that an expression `number - 1` is >= 0 for, of a number that it was extended to."""
    if len(e.terms) != 1 or e.constant != -1 or e.terms[0][1] != 1:
        return None
    atom = e.terms[0][0]
    cast = atom.owner if isinstance(atom, SSAValue) else None
    if not isinstance(cast, arith.IndexCastOp):
        return None
    extended = cast.input.owner
    is_truth = isinstance(extended, arith.ExtUIOp) and extended.input.type == i1
    return extended.input if is_truth and isinstance(extended, arith.ExtUIOp) else None


def truth_of(e: Index, index: Callable[[Index], Index | None]) -> Decided | None:
    """Return the systems in which an expression of a truth value is >= 0, as of `truth`; None for other expressions."""
    condition = condition_of(e)
    return None if condition is None else truth(condition, index)
