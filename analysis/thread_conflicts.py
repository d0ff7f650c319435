"""Conflicts of two threads of a block: accesses to one element that a barrier has to separate.

The loops over threads stand around both accesses. Each loop between them and the accesses is run alike by all threads.
Some of these are at the same iteration for both accesses, and at most one is ahead for the second access. Loops inside
that one, or around one access only, may be at any iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from typing import Literal, NamedTuple

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import LANE, Index, Symbol, Variable
from .access import Access, in_one_view
from .dependence import Conflict
from .domain import is_inside, is_opaque, with_facts
from .integer_set import PROVED, Point, Refuted, System, Unknown, is_empty
from .products import product_relations
from .radix import forced_equal

Answer = Literal["never", "somewhere", "unknown"]


class Ahead(NamedTuple):
    """A loop that is at a later iteration for the second access: at the next one, or at any later one."""

    loop: loop.ForOp
    is_next: bool


def threads_meet(
    first: Access,
    second: Access,
    threads: Sequence[loop.ForOp],
    same: Sequence[loop.ForOp] = (),
    ahead: Ahead | None = None,
) -> Answer:
    """Decide whether different threads, iterations of the nested loops `threads`, access one element by these
    accesses."""
    conflict = conflict_of_threads(first, second, threads, same, ahead)
    return "never" if conflict is None else "somewhere" if conflict.unknown is None else "unknown"


def conflict_of_threads(
    first: Access,
    second: Access,
    threads: Sequence[loop.ForOp],
    same: Sequence[loop.ForOp] = (),
    ahead: Ahead | None = None,
    along: Sequence[loop.ForOp] | None = None,
) -> Conflict | None:
    """Return different threads, iterations of the nested loops `threads`, that touch one element by these accesses.

    They differ in one of the loops `along`, which are all of them unless given.
    """
    if first.buffer is not second.buffer or not (first.is_write or second.is_write):
        return None
    first, second = in_one_view(first, second)
    if first.index is None or second.index is None:
        return Conflict(first, second, "it is not known which elements are touched", {}, {})
    differing = threads if along is None else along
    if {op.induction_variable for op in differing} <= forced_equal(first, second, threads):
        return None
    pair = _Pair(first, second, threads[0])
    return _verdict(pair, pair.system() & pair.order(same, ahead), differing)


def conflict_of_iterations(first: Access, second: Access, op: loop.ForOp, outermost: loop.ForOp) -> Conflict | None:
    """Return different iterations of `op`, a loop inside `outermost` or that itself, that touch one element.

    All other loops inside `outermost` may be at any iteration.
    """
    first, second = in_one_view(first, second)
    if first.index is None or second.index is None:
        return Conflict(first, second, "it is not known which elements are touched", {}, {})
    if op.induction_variable in forced_equal(first, second, tuple(dict.fromkeys((outermost, op)))):
        return None
    pair = _Pair(first, second, outermost)
    return _verdict(pair, pair.system(), [op])


def _verdict(pair: _Pair, system: System, threads: Sequence[loop.ForOp]) -> Conflict | None:
    conflict: Conflict | None = None
    products = product_relations(pair.first, pair.second, pair.scope, pair.rename)
    for different, *relations in product(pair.different(threads), *products):
        verdict = is_empty(reduce(System.__and__, relations, system & different))
        if isinstance(verdict, Refuted) and pair.is_exact:
            return pair.conflict(verdict.point)
        if verdict != PROVED:
            reason = verdict.reason if isinstance(verdict, Unknown) else "an index or a condition depends on data"
            conflict = Conflict(pair.first, pair.second, reason, {}, {})
    return conflict


def is_same_work(inner: loop.ForOp, outer: loop.ForOp) -> bool:
    """Return whether a loop does the same work in each iteration of a loop around it, judged by loops and indices.

    The content of memory is not inspected, but indices and bounds that come from memory count as different.
    """
    between = [p for p in loop.enclosing(inner, (loop.ForOp, loop.IfOp)) if p is not outer and outer.is_ancestor(p)]
    used = [v for op in (*inner.walk(), *between) for v in op.operands if not is_inside(v, inner)]
    return not any(_varies(v, outer) for v in used)


def _varies(value: SSAValue, around: loop.ForOp) -> bool:
    """Return whether a value may differ between iterations of a loop."""
    if value is around.induction_variable:
        return True
    if not is_inside(value, around):
        return False
    owner = value.owner.parent_op() if isinstance(value, BlockArgument) else value.owner
    if isinstance(owner, loop.AllocOp):
        return False
    assert isinstance(owner, Operation)
    return isinstance(owner, loop.LoadOp) or any(_varies(v, around) for v in owner.operands)


class _Pair:
    """One instance of each of two accesses; the variables of the second one that are defined inside `scope` renamed."""

    def __init__(self, first: Access, second: Access, scope: Operation) -> None:
        self.first = first
        self.second = second
        self.scope = scope
        self.renamed: dict[Variable, Symbol] = {}

    def system(self) -> System:
        """Return the system in which both instances run and touch one element."""
        assert self.first.index is not None and self.second.index is not None
        first, second = with_facts(self.first.system), with_facts(self.second.system)
        renamed = System(tuple(map(self.rename, second.nonnegative)), tuple(map(self.rename, second.zero)))
        return (first & renamed).equating(zip(self.first.index, map(self.rename, self.second.index), strict=True))

    def order(self, same: Sequence[loop.ForOp], ahead: Ahead | None) -> System:
        variables = [Index.of(op.induction_variable) for op in same]
        system = System().equating((v, self.rename(v)) for v in variables)
        if ahead is None:
            return system
        here = Index.of(ahead.loop.induction_variable)
        after = self.rename(here)
        return system.equating([(after, here + 1)]) if ahead.is_next else system.where(after - here - 1)

    def different(self, threads: Sequence[loop.ForOp]) -> Iterator[System]:
        """Yield the systems in which the threads differ along some axis."""
        for op in threads:
            here = Index.of(op.induction_variable)
            there = self.rename(here)
            yield System().where(there - here - 1)
            yield System().where(here - there - 1)

    def conflict(self, point: Point) -> Conflict:
        """Return the two instances that a point of the system is."""
        first: Point = {v: n for v, n in point.items() if isinstance(v, loop.Position) or not isinstance(v, Symbol)}
        second = {**first, **{v: point[s] for v, s in self.renamed.items() if s in point}}
        return Conflict(self.first, self.second, None, first, second)

    @property
    def is_exact(self) -> bool:
        """Return whether each point of the system is a pair of instances."""
        values = [v for a in (self.first, self.second) for v in (*a.system.variables, *_index_variables(a))]
        return all(a.domain.is_exact for a in (self.first, self.second)) and not any(
            isinstance(v, SSAValue) and (is_opaque(v) or isinstance(v.owner, loop.DelinearizeOp)) for v in values
        )

    def rename(self, e: Index) -> Index:
        """Return an expression at the second instance."""
        for v in e.variables:
            if v in self.renamed or (isinstance(v, Symbol) and not isinstance(v, loop.Position)):
                continue
            if v is LANE or isinstance(v, loop.Position) or is_inside(v, self.scope):
                self.renamed[v] = Symbol(f"second {len(self.renamed)}")
        return e.substitute(self.renamed)


def _index_variables(access: Access) -> Iterator[Variable]:
    for e in access.index or ():
        yield from e.variables
