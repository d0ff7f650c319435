"""Facts about index values at an op: the ranges of variables, and the conditions that hold.

Facts come from the loops, blocks and `loop.if`s around the op. Most questions are decided by interval arithmetic over
the ranges in microseconds; the others by the constraints themselves, with the exact integer sets. A range that is empty
belongs to code that never runs, where every answer is right.

`facts_at` and `ranges_at` answer for one op. A pass that asks at many ops keeps one `RangeAnalysis`, which remembers
the facts of each region until the IR around it changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from xdsl.dialects.arith import MuliOp
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from ..dialects.index_expr import LANE, Index, Range, Symbol, Variable, intersection
from ..dialects.indexed_op import IndexedOp
from ..dialects.loop import ApplyOp, BlockOp, CallExternOp, DelinearizeOp, DimOp, ForOp, IfOp, LoadOp, StoreOp, TestOp
from .domain import product_of, resolve

UNBOUNDED: Range = (None, None)


@dataclass(frozen=True)
class Facts:
    """Inclusive ranges of variables, and of floordivs and mods that conditions bound; expressions known to be >= 0."""

    ranges: Mapping[Any, Range]
    nonnegative: tuple[Index, ...] = ()

    def where(self, *conditions: Index) -> Facts:
        """Return these facts with the further ones that every condition is >= 0."""
        if not conditions:
            return self
        ranges = dict(self.ranges)
        for e in conditions:
            _narrow(ranges, e)
        return Facts(ranges, (*self.nonnegative, *conditions))

    def bounds(self, e: Index) -> Range:
        """Return inclusive bounds of `e` by interval arithmetic."""
        e = resolve(e)
        ranges = self._with_definitions(e)
        return e.with_ranges(ranges).bounds(ranges)

    def simplify(self, e: Index) -> Index:
        """Return an equal expression with fewer floordivs and mods."""
        return e.with_ranges(self.ranges)

    def proves(self, e: Index, *, exact: bool = True) -> bool:
        """Return whether `e >= 0` is proved; `exact` uses the integer sets where intervals do not decide."""
        e = resolve(e)
        ranges = self._with_definitions(e)
        e = e.with_ranges(ranges)
        lo, _ = e.bounds(ranges)
        if (lo is not None and lo >= 0) or any(_is_constant_above(e, known) for known in self.nonnegative):
            return True
        defined = _definition_constraints(e)
        if any(_is_constant_above(e, known) for known in defined):
            return True
        if not exact or not self._constrained.intersection(e.variables):
            return False
        from .integer_set import PROVED, System, implies

        return implies(System((*self.nonnegative, *defined)), e) == PROVED

    def proves_all(self, guard: Sequence[Index], *, exact: bool = True) -> bool:
        return all(self.proves(e, exact=exact) for e in guard)

    def _with_definitions(self, e: Index) -> Mapping[Any, Range]:
        defined = {v: r for v in e.values() if v not in self.ranges and (r := self._defined_range(v)) != UNBOUNDED}
        return {**self.ranges, **defined} if defined else self.ranges

    def _defined_range(self, value: SSAValue) -> Range:
        match value.owner:
            case DimOp():
                return 0, None
            case DelinearizeOp() as op:
                assert isinstance(value, OpResult)
                _, hi = op.sizes[value.index].bounds(self.ranges)
                return 0, None if hi is None else hi - 1
            case MuliOp() if (product := product_of(value)) is not None:
                low, _ = product.counts
                return (0, None) if low is not None and low >= 0 else UNBOUNDED
            case _:
                return UNBOUNDED

    @cached_property
    def _constrained(self) -> frozenset[Variable]:
        return frozenset(v for known in self.nonnegative for v in known.variables)


class RangeAnalysis:
    """Facts by region, each computed once. Valid until loops, blocks or guards change."""

    def __init__(self) -> None:
        self._facts: dict[Block, Facts] = {}
        self._lane_facts: dict[tuple[Block | None, int], Facts] = {}

    def at(self, op: Operation) -> Facts:
        """Return the facts that hold when `op` runs, without its guard; lanes and positions in boxes have ranges."""
        if not isinstance(op, IndexedOp):
            return self._inside(op.parent)
        if isinstance(op, CallExternOp):
            facts = self._inside(op.parent)
            return Facts({**facts.ranges, **{v: (0, n - 1) for v, n in op.positions.items()}}, facts.nonnegative)
        lanes = _lanes(op)
        return self._inside(op.parent) if lanes is None else self._with_lane(op.parent, lanes)

    def inside(self, block: Block) -> Facts:
        """Return the facts that hold for every op of `block`."""
        return self._inside(block)

    def _with_lane(self, block: Block | None, lanes: int) -> Facts:
        if (block, lanes) not in self._lane_facts:
            lane = Index.of(LANE)
            self._lane_facts[block, lanes] = self._inside(block).where(lane, lanes - 1 - lane)
        return self._lane_facts[block, lanes]

    def _inside(self, block: Block | None) -> Facts:
        if block is None:
            return Facts({})
        if block not in self._facts:
            parent, region = block.parent_op(), block.parent
            outer = self._inside(parent.parent) if parent is not None else Facts({})
            self._facts[block] = outer.where(*(resolve(e) for e in _entry_conditions(parent, region)))
        return self._facts[block]


def facts_at(op: Operation) -> Facts:
    """Return the facts that hold when `op` runs."""
    return RangeAnalysis().at(op)


def ranges_at(op: Operation) -> Mapping[Any, Range]:
    """Return inclusive ranges of the variables around `op`, narrowed by the `loop.if`s; None is unbounded."""
    return facts_at(op).ranges


def proves(where: Operation | Facts | Mapping[Variable, Range], e: Index) -> bool:
    """Return whether `e >= 0` is proved at an op, under facts, or for variables of these ranges."""
    if isinstance(where, Operation):
        where = facts_at(where)
    return (where if isinstance(where, Facts) else Facts(where)).proves(e)


def _lanes(op: Operation) -> int | None:
    """Return the number of lanes for which an operation evaluates its index expressions; None without a vector."""
    match op:
        case LoadOp() | StoreOp():
            return op.lanes
        case ApplyOp() | TestOp():
            type = op.res.type
            return type.get_shape()[0] if isinstance(type, VectorType) else None
        case _:
            return None


def _entry_conditions(op: Operation | None, region: Region | None) -> tuple[Index, ...]:
    """Return expressions >= 0 that hold in `region` because `op` runs it."""
    match op:
        case ForOp():
            i = Index.of(op.induction_variable)
            return (*(i - lower for lower in op.lowers), *(upper - i - 1 for upper in op.uppers))
        case BlockOp():
            variables = ((Index.of(v), extent) for v, _, _, extent in op.iteration())
            return (*(e for v, extent in variables for e in (v, extent - v - 1)), *op.conditions)
        case IfOp() if region is op.then_body:
            return op.conditions
        case IfOp() if len(op.conditions) == 1:
            return (-op.conditions[0] - 1,)
        case _:
            return ()


def _definition_constraints(e: Index) -> tuple[Index, ...]:
    constraints: list[Index] = []
    for value in resolve(e).values():
        match value.owner:
            case DimOp():
                constraints.append(Index.of(value))
            case DelinearizeOp() as op:
                assert isinstance(value, OpResult)
                constraints += [Index.of(value), op.sizes[value.index] - value - 1]
            case MuliOp() if (product := product_of(value)) is not None:
                constraints += product.facts()
            case _:
                pass
    return tuple(constraints)


def _is_constant_above(e: Index, known: Index) -> bool:
    """Return whether `e` is `known` plus a constant >= 0."""
    return known.constant <= e.constant and e.has_terms_of(known)


def _narrow(ranges: dict[Any, Range], e: Index) -> None:
    """Tighten the range of each atom of `e` by `e >= 0`, with the others at the ends of their ranges."""
    for atom, c in e.terms:
        if isinstance(atom, Symbol):
            continue
        hi = e.constant if len(e.terms) == 1 else e.without(atom).bounds(ranges)[1]
        if hi is None:
            continue
        before = Index.of_atom(atom).bounds(ranges)
        after = intersection(before, (-(hi // c), None) if c > 0 else (None, hi // -c))
        if after != before:
            ranges[atom] = after
