"""The last writers of reads: exact dataflow between accesses whose instances have times.

The question is that of Feautrier, "Dataflow analysis of array and scalar references" (IJPP 1991). Writers are compared
with each other only where they write an element that one instance reads. The writers of a tiled and partitioned program
mostly write disjoint elements, each of them once. That is quick to prove, while isl's dataflow, which takes one level
of the times after the other, does not terminate for a dozen such writers of symbolic sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...dialects.index_expr import Index, Symbol
from .calculus import Calculus
from .relation import IntegerSet, Relation
from .system import lexicographically_before


@dataclass(frozen=True)
class TimedAccess:
    """The element that each instance of an access touches, and when."""

    variables: tuple[Symbol, ...]
    """The tuples that instances are."""
    elements: Relation
    """Instances to elements."""
    time: tuple[Index, ...]
    """Over the variables, compared lexicographically; missing entries at the end are 0.

    The time of a write orders its instances as their tuples are ordered: the variables stand in it in their order.
    """


@dataclass(frozen=True)
class LastWriters:
    """The statement instances that wrote the elements which an access reads."""

    writers: tuple[Relation, ...]
    """For each of the writes: instances of the read to the instance that wrote the element last before."""
    unwritten: IntegerSet
    """Instances of the read whose element no write has written before."""


def last_writers(read: TimedAccess, writes: Sequence[TimedAccess]) -> LastWriters:
    """Return the last writers of a read among writes, no two of which touch an element at the same time.

    A write at the time of the read is not before it. Raises Undecided.
    """
    calculus = read.elements.calculus
    lasts = [_last_of_one(read, write) for write in writes]
    domains = [last.domain().coalesce() for last in lasts]
    alive = [k for k, domain in enumerate(domains) if not domain.is_empty()]
    overwritten: dict[int, IntegerSet] = {}
    for position, k in enumerate(alive):
        for j in alive[position + 1 :]:
            if not (domains[k] & domains[j]).is_empty():
                for early, late in ((k, j), (j, k)):
                    lost = _overwritten(calculus, writes[early], lasts[early], writes[late], lasts[late])
                    overwritten[early] = overwritten[early] | lost if early in overwritten else lost
    unwritten = read.elements.domain()
    for k in alive:
        unwritten = (unwritten - domains[k]).coalesce()
        if k in overwritten:
            lasts[k] = lasts[k].on((domains[k] - overwritten[k]).coalesce())
    return LastWriters(tuple(lasts), unwritten)


def _last_of_one(read: TimedAccess, write: TimedAccess) -> Relation:
    """Relate instances of the read to the last instance of one write before it that touches the same element."""
    pairs = read.elements.then(write.elements.inverse())
    if pairs.is_empty():
        return pairs
    pairs = pairs & _before(read.elements.calculus, read, write)
    pairs = pairs.coalesce()
    return pairs if pairs.is_single_valued() else pairs.last().coalesce()


def _before(calculus: Calculus, late: TimedAccess, early: TimedAccess) -> Relation:
    """Relate instances of one access to those of another that come before."""
    twins = {v: Symbol(f"{v.name}'") for v in early.variables}
    length = max(len(late.time), len(early.time))
    first = [e.substitute(twins) for e in _padded(early.time, length)]
    systems = lexicographically_before(first, _padded(late.time, length))
    return calculus.relation(late.variables, [twins[v] for v in early.variables], systems)


def _padded(time: tuple[Index, ...], length: int) -> tuple[Index, ...]:
    return time + (Index.of(0),) * (length - len(time))


def _overwritten(
    calculus: Calculus, early: TimedAccess, first: Relation, late: TimedAccess, second: Relation
) -> IntegerSet:
    """Return instances of the read for which one write's last instance is before another write's last instance."""
    order = _before(calculus, late, early).inverse()
    return first.beside(second).into(order.graph()).domain().coalesce()
