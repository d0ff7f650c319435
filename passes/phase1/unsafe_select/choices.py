"""Conversion of i1 values to the affine conditions of guards, and back.

A guard is made of index expressions. A truth value that was computed in another way enters it as an index that is 0 or
1: `%t >= 1` where it holds, `0 >= %t` where it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, VectorType, i1, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....dialects.index_expr import Index
from ....ir import editor as edit

Fact: TypeAlias = "Index | tuple[SSAValue, bool]"
"""An expression that is >= 0, or a truth value that holds or does not."""


def facts_of(condition: SSAValue, holds: bool) -> tuple[Fact, ...]:
    """Return the facts whose conjunction is equivalent to `condition`, or to its negation where `holds` is false."""
    match condition.owner:
        case loop.TestOp() as test if holds:
            return test.conditions
        case loop.TestOp() as test if len(test.conditions) == 1:
            return (-test.conditions[0] - 1,)
        case arith.AndIOp() as both if holds:
            return tuple(dict.fromkeys((*facts_of(both.lhs, True), *facts_of(both.rhs, True))))
        case arith.OrIOp() as either if not holds:
            return tuple(dict.fromkeys((*facts_of(either.lhs, False), *facts_of(either.rhs, False))))
        case arith.XOrIOp() as inverse if _is_true(inverse.rhs):
            return facts_of(inverse.lhs, not holds)
        case _:
            return ((condition, holds),)


def fact_of(e: Index) -> Fact:
    """Return the fact that the condition `e` >= 0 of a guard states."""
    values = e.values()
    if len(values) == 1 and (bit := _bit_of(values[0])) is not None:
        if e == Index.of(values[0]) - 1:
            return bit, True
        if e == -Index.of(values[0]):
            return bit, False
    return e


def differs_by_lane(facts: Sequence[Fact]) -> bool:
    """Return whether a truth value among the facts differs by lane, so that no guard can contain it."""
    return any(not isinstance(fact, Index) and isinstance(fact[0].type, VectorType) for fact in facts)


class Truths:
    """Values of type i1 as indices 0 and 1, each created once, at the definition of the value."""

    def __init__(self) -> None:
        self._made: dict[SSAValue, SSAValue] = {}

    def conditions(self, facts: Sequence[Fact]) -> tuple[Index, ...]:
        """Return the facts, none of them computed lane by lane, as conditions of a guard."""
        return tuple(fact if isinstance(fact, Index) else self._condition(*fact) for fact in facts)

    def _condition(self, bit: SSAValue, holds: bool) -> Index:
        index = Index.of(self._index(bit))
        return index - 1 if holds else -index

    def _index(self, bit: SSAValue) -> SSAValue:
        if bit not in self._made:
            wide = arith.ExtUIOp(bit, i64)
            index = arith.IndexCastOp(wide.result, IndexType())
            owner = bit.owner
            if isinstance(owner, Operation):
                wide.location = index.location = owner.location
                edit.insert([wide, index], InsertPoint.after(owner))
            else:
                edit.insert([wide, index], InsertPoint.at_start(owner))
            self._made[bit] = index.result
        return self._made[bit]


def _bit_of(value: SSAValue) -> SSAValue | None:
    """Return the truth value that an index of 0 or 1 was made of."""
    cast = value.owner
    if not isinstance(cast, arith.IndexCastOp):
        return None
    wide = cast.input.owner
    return wide.input if isinstance(wide, arith.ExtUIOp) and wide.input.type == i1 else None


def _is_true(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr) and owner.value.value.data != 0
