"""Proofs that no parallel loop carries a flow, output or anti dependence, so that its iterations may run at once.

The proof: each element that an iteration writes is accessed by that iteration alone. Memory that an iteration allocates
is private to the iteration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...dialects.index_expr import Index, Symbol
from ..integer_set.calculus import Calculus
from ..integer_set.relation import IntegerSet, Relation, Sample
from ..integer_set.system import System
from .guard_systems import both
from .model import Cell, Model, ParallelLoop, Read, Statement


@dataclass(frozen=True)
class Race:
    """Two iterations of a parallel loop that touch one element, which one of them at least writes."""

    loop: ParallelLoop
    cell: Cell
    sizes: dict[Symbol, int]
    """The parameters there."""
    around: tuple[int, ...]
    """The variables of the loops around the parallel loop."""
    iterations: tuple[tuple[int, ...], tuple[int, ...]]
    """The values of the parallel loop's variables."""
    element: tuple[int, ...]


def race_in(model: Model, parallel: ParallelLoop, calculus: Calculus, accepted: IntegerSet) -> Race | None:
    """Return a race between iterations of a parallel loop of the model, at sizes of the set `accepted`; None: there is
    none.

    The parameters of the calculus hold those of the model. Raises Undecided.
    """
    for cell, pairs in _racing(model, parallel, calculus):
        if (sample := pairs.where(accepted).sample()) is not None:
            return _race(model, parallel, cell, sample)
    return None


def racing_pairs(model: Model, parallel: ParallelLoop, calculus: Calculus) -> Iterator[Relation]:
    """Yield the pairs of iterations that race, for sizes that the model's context allows. Raises Undecided."""
    for _, pairs in _racing(model, parallel, calculus):
        yield pairs


def _racing(model: Model, parallel: ParallelLoop, calculus: Calculus) -> Iterator[tuple[Cell, Relation]]:
    """Yield by cell the relation of an iteration of the loops around and an element to two iterations that touch it,
    one of which writes."""
    twins = [Symbol(f"{v.name}'") for v in parallel.variables]
    both_ways = [
        System().where(sign * (Index.of(v) - Index.of(twin)) - 1)
        for v, twin in zip(parallel.variables, twins, strict=True)
        for sign in (1, -1)
    ]
    different = calculus.set((*parallel.variables, *twins), both_ways)
    for cell, accesses in _shared(model, parallel):
        elements = [Symbol(f"element {d}") for d in range(len(accesses[0].element))]
        kinds: dict[_Kind, Relation] = {}
        for access in accesses:
            kind, touching = _kind(access), _touching(model, parallel, access, elements, calculus)
            kinds[kind] = kinds[kind] | touching if kind in kinds else touching
        for first, second in (("write", "write"), ("write", "read"), ("overlay", "write"), ("overlay", "read")):
            if first in kinds and second in kinds:
                yield cell, kinds[first].beside(kinds[second]).into(different)


_Kind: TypeAlias = Literal["read", "write", "overlay"]


def _kind(access: Read | Statement) -> _Kind:
    """Return the kind of an access. An overlay, which is a write of another cell, meets no other overlay: the writes
    behind them are compared."""
    if isinstance(access, Read):
        return "read"
    return "overlay" if access.is_overlay else "write"


def _race(model: Model, parallel: ParallelLoop, cell: Cell, sample: Sample) -> Race:
    """Return the race of a sample, which holds the loops around and an element, then two iterations."""
    outer, inner = len(parallel.around), len(parallel.variables)
    point, iterations = sample.point[: -2 * inner], sample.point[-2 * inner :]
    around, element = point[:outer], point[outer:]
    first, second = (model.iteration(parallel.variables, part) for part in (iterations[:inner], iterations[inner:]))
    return Race(parallel, cell, sample.parameters, model.iteration(parallel.around, around), (first, second), element)


def _shared(model: Model, parallel: ParallelLoop) -> Iterator[tuple[Cell, list[Read | Statement]]]:
    """Yield the accesses inside a loop by cell, but for cells that are made inside."""
    by_cell: dict[Cell, list[Read | Statement]] = {}
    for access in (*model.statements, *model.reads):
        if _begins(access.time, parallel.time) and not _begins(access.cell.made_at, parallel.time):
            by_cell.setdefault(access.cell, []).append(access)
    yield from by_cell.items()


def _begins(time: tuple[Index, ...], start: tuple[Index, ...]) -> bool:
    return time[: len(start)] == start


def _touching(
    model: Model, parallel: ParallelLoop, access: Read | Statement, elements: Sequence[Symbol], calculus: Calculus
) -> Relation:
    """Relate an iteration of the loops around and an element to the iterations of the parallel loop that touch it."""
    equal = list(zip(elements, access.element, strict=True))
    domain = [system.equating(equal) for system in both(access.domain, (model.context,))]
    return calculus.relation((*parallel.around, *elements), parallel.variables, domain).coalesce()
