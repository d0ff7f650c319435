"""Dataflow of a model: the last writers of each element that is read, or that an output holds at the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...dialects.index_expr import Index, Symbol
from ..integer_set.calculus import Calculus, Undecided
from ..integer_set.dataflow import TimedAccess, last_writers
from ..integer_set.relation import IntegerSet, Relation
from ..integer_set.system import System
from .guard_systems import both
from .model import Cell, Model, Read, Statement


@dataclass(frozen=True)
class Source:
    """A statement that wrote a value that is read, and the relation from the read's instances to those of the write."""

    statement: Statement
    instances: Relation
    """From instances of the read to instances of the statement."""


@dataclass(frozen=True)
class Sources:
    """All sources of the values of a read."""

    writers: tuple[Source, ...]
    initial: Relation
    """From instances of the read to their element, where no statement has written the element before: it holds its
    initial content, which is the caller's, a constant's data, or an unspecified value."""


class Flow:
    """The last writers in a model, each computed on first use and kept as long as the calculus keeps its context.

    The parameters of the calculus hold those of the model.
    """

    def __init__(self, model: Model, calculus: Calculus) -> None:
        self.model = model
        self.calculus = calculus
        self._sources: dict[Read | Cell, Sources] = {}
        self._accesses: dict[Statement | Read, TimedAccess] = {}
        self._elements: dict[Statement | Read, Relation] = {}
        self._context = calculus.context

    def instances(self, access: Statement | Read) -> IntegerSet:
        """Return the instances of a statement, or those at which it makes a read, for sizes that the context allows."""
        return self.elements(access).domain()

    def elements(self, access: Statement | Read) -> Relation:
        """Relate the instances of a statement or a read to the element that it touches."""
        self._forget_old_context()
        if access not in self._elements:
            domain = both(access.domain, (self.model.context,))
            self._elements[access] = self.calculus.function(access.variables, access.element, domain)
        return self._elements[access]

    def timed(self, access: Statement | Read) -> TimedAccess:
        """Return an access as `last_writers` takes it, in which each run of an allocation makes other elements.

        So the loops around an allocation need not be compared: they are in one iteration for a read and its writers.
        """
        self._forget_old_context()
        if access not in self._accesses:
            cell = access.cell
            element = (*map(Index.of, cell.around), *access.element)
            domain = both(access.domain, (self.model.context,))
            elements = self.calculus.function(access.variables, element, domain)
            assert access.time[: len(cell.made_at)] == cell.made_at
            time = access.time[len(cell.made_at) :]
            self._accesses[access] = TimedAccess(access.variables, elements, time)
        return self._accesses[access]

    def sources(self, read: Read) -> Sources:
        """Return the sources of a read's values. Raises Undecided."""
        return self._found(read, read.cell, lambda: self.timed(read))

    def final(self, cell: Cell) -> Sources:
        """Return the sources of the final content of an argument; elements stand for instances. Raises Undecided."""
        return self._found(cell, cell, lambda: self._at_end(cell))

    def _found(self, key: Read | Cell, cell: Cell, access: Callable[[], TimedAccess]) -> Sources:
        self._forget_old_context()
        if key not in self._sources:
            read = access()
            writers = self.model.writers(cell)
            flow = last_writers(read, [self.timed(w) for w in writers])
            pairs = zip(writers, flow.writers, strict=True)
            found = tuple(Source(w, instances) for w, instances in pairs if not instances.is_empty())
            if any(source.statement.is_overlay for source in found):
                raise Undecided(f"bytes of {cell.name} are read as elements of another type than was written")
            touched = self.elements(key) if isinstance(key, Read) else read.elements
            self._sources[key] = Sources(found, touched.on(flow.unwritten))
        return self._sources[key]

    def _at_end(self, cell: Cell) -> TimedAccess:
        variables = tuple(Symbol(f"element {d}") for d in range(len(cell.shape)))
        box = System.box({v: (0, n) for v, n in zip(variables, cell.shape, strict=True)})
        elements = self.calculus.function(variables, [Index.of(v) for v in variables], [box & self.model.context])
        return TimedAccess(variables, elements, self.model.end)

    def _forget_old_context(self) -> None:
        if self._context is not self.calculus.context:
            self._sources.clear()
            self._accesses.clear()
            self._elements.clear()
            self._context = self.calculus.context
