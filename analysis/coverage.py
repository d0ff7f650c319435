"""Proofs that an iteration of a loop reads only elements that it has written, so that a buffer is private to it.

A read is harmless where no other iteration writes its element, which mixed-radix reasoning decides, or where the
element was written earlier in the same iteration. For the second, an instance of the store is constructed for every
instance of the load: loops around both run the same iteration, loops that the written element does not depend on run
their first one, and the others are solved for, dimension by dimension. The conditions around the store must then follow
from those around the load. There is no search: an element without such a store counts as not written.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from xdsl.ir import Operation

from ..dialects.index_expr import LANE, Index, Symbol, Variable
from ..dialects.loop import ForOp, IfOp
from .access import Access
from .domain import is_inside, resolve
from .radix import forced_equal
from .ranges import Facts, RangeAnalysis

Unknowns: TypeAlias = "list[tuple[Symbol, int]]"


def is_private(scope: ForOp, accesses: Sequence[Access], ranges: RangeAnalysis) -> bool:
    """Return whether an iteration of `scope` reads only elements that it wrote before, or that no other iteration
    writes.

    `accesses` are all accesses of one buffer, each inside `scope`. False where this is not proved.
    """
    writes = [a for a in accesses if a.is_write]
    return all(
        all(scope.induction_variable in forced_equal(w, read, (scope,)) for w in writes)
        or any(_is_written_before(read, w, scope, ranges) for w in writes)
        for read in accesses
        if not read.is_write
    )


def _is_written_before(read: Access, write: Access, scope: ForOp, ranges: RangeAnalysis) -> bool:
    if read.index is None or write.index is None or not _precedes(write.op, read.op, scope):
        return False
    facts = ranges.at(read.op).where(*(resolve(e) for e in read.conditions))
    instance = _Instance(write, scope, facts)
    return instance.choose(read.op, write.index) and instance.solve(write.index, read.index) and instance.runs()


class _Instance:
    """The instance of a store, within one iteration of `scope`, that writes the element which an instance of a load
    reads.

    The variables of the store's loops inside `scope` are renamed to symbols; `values` are over the load's variables.
    """

    def __init__(self, write: Access, scope: ForOp, facts: Facts) -> None:
        self.write = write
        self.scope = scope
        self.facts = facts
        """The facts that hold at the load."""
        self.around = _ancestors(write.op, scope)
        self.renamed: dict[Variable, Index] = {}
        self.values: dict[Variable, Index] = {}
        self.bounds: dict[Symbol, tuple[Index, Index]] = {}
        """Lower and upper bounds of the unknowns at the store."""

    def choose(self, load: Operation, written: Sequence[Index]) -> bool:
        """Fix the iterations that the element does not decide; false where that is not possible."""
        shared = set(_ancestors(load, self.scope))
        used = {v for e in written for v in e.variables}
        for op in self.around:
            if isinstance(op, ForOp) and not self._choose(op, op in shared, op.induction_variable in used):
                return False
        for variable, extent in self.write.spread.items():
            if variable in used or variable is LANE:
                self.bounds[self._rename(variable)] = (Index.of(0), Index.of(extent))
        return True

    def _choose(self, op: ForOp, is_shared: bool, is_used: bool) -> bool:
        lowers, uppers = op.lowers, op.uppers
        if len(lowers) != 1 or len(uppers) != 1:
            return False
        variable = op.induction_variable
        lower, upper = self._known(lowers[0]), self._known(uppers[0])
        symbol = self._rename(variable)
        if is_used and not is_shared:
            self.bounds[symbol] = (lowers[0], uppers[0])
            return True
        if lower is None or upper is None:
            return False
        self.values[symbol] = value = Index.of(variable) if is_used else lower
        return self.facts.proves(value - lower) and self.facts.proves(upper - value - 1)

    def solve(self, written: Sequence[Index], wanted: Sequence[Index]) -> bool:
        """Find the iterations of the other loops at which the store writes the element `wanted`."""
        left = set(self.bounds)
        for e, target in zip((self._over_load(e) for e in written), wanted, strict=True):
            if e is None:
                return False
            unknowns: Unknowns = [(v, c) for v, c in e.terms if isinstance(v, Symbol)]
            rest = e - Index(tuple(unknowns), 0)
            if _symbols(rest) or not left.issuperset(v for v, _ in unknowns):
                return False
            left.difference_update(v for v, _ in unknowns)
            if not self._reaches(unknowns, target - rest):
                return False
            unit = next((v for v, c in unknowns if c == 1), None)
            if unit is not None:
                self.values[unit] = target - (e - unit)
        return not left

    def _reaches(self, unknowns: Unknowns, target: Index) -> bool:
        """Return whether the sum of the unknowns takes every value that `target` may have."""
        low, high, reach = Index.of(0), Index.of(0), 0
        for symbol, c in sorted(unknowns, key=lambda term: term[1]):
            lower, upper = (self._known(e) for e in self.bounds[symbol])
            if lower is None or upper is None:
                return False
            extent = upper - lower
            if not 0 < c <= reach + 1 or not (extent.is_constant or len(unknowns) == 1):
                return False
            reach += c * (extent.constant - 1)
            low, high = low + lower * c, high + (upper - 1) * c
        return self.facts.proves(target - low) and self.facts.proves(high - target)

    def runs(self) -> bool:
        """Return whether the conditions around the store hold at the instance that was found."""
        conditions = list(self.write.conditions)
        for op, child in pairwise((*self.around, self.write.op)):
            if isinstance(op, IfOp) and child.parent_region() is op.then_body:
                conditions += op.conditions
            elif not isinstance(op, ForOp):
                return False
        return all((known := self._known(e)) is not None and self.facts.proves(known) for e in conditions)

    def _rename(self, variable: Variable) -> Symbol:
        symbol = Symbol(f"store {len(self.renamed)}")
        self.renamed[variable] = Index.of(symbol)
        return symbol

    def _over_load(self, e: Index) -> Index | None:
        """Return `e` of the store's instance over the load's variables, and symbols that are not solved for.

        None where it depends on a value of the iteration that no loop defines.
        """
        e = resolve(e).substitute(self.renamed)
        if any(is_inside(v, self.scope) and v is not self.scope.induction_variable for v in e.variables):
            return None
        return e.substitute(self.values)

    def _known(self, e: Index) -> Index | None:
        """Return `e` of the store's instance over the load's variables; None where that is not known."""
        known = self._over_load(e)
        return known if known is not None and not _symbols(known) else None


def _symbols(e: Index) -> list[Symbol]:
    return [v for v in e.variables if isinstance(v, Symbol)]


def _precedes(first: Operation, second: Operation, scope: ForOp) -> bool:
    """Return whether `first` precedes `second` in the innermost block around both."""
    for one, other in zip((*_ancestors(first, scope), first), (*_ancestors(second, scope), second), strict=False):
        if one is not other:
            return one.parent is other.parent and one.is_before_in_block(other)
    return False


def _ancestors(op: Operation, scope: Operation) -> list[Operation]:
    """Return the ops around `op` inside `scope`, outermost first."""
    found: list[Operation] = []
    parent = op.parent_op()
    while parent is not None and parent is not scope:
        found.append(parent)
        parent = parent.parent_op()
    return found[::-1]
