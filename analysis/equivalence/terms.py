"""Terms of one of the two programs of a proof, the sources of the values that they read, and failed comparisons."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation

from ...dialects.index_expr import Index, Symbol
from ..integer_set import System
from ..integer_set.calculus import Calculus, Undecided
from ..integer_set.relation import IntegerSet, Relation
from ..polyhedral.expression_trees import Choice, Constant, Expression, IndexValue, ReadValue, undefined
from ..polyhedral.flow import Flow, Sources
from ..polyhedral.model import Cell, Model, Statement
from ..polyhedral.trees import INDEX_BITS


@dataclass(frozen=True)
class Contents:
    """The contents of memory from outside: of an argument when the function is called, or of constant data."""

    argument: int | None
    data: Attribute | None
    type: Attribute


@dataclass(frozen=True)
class AtEnd:
    """The contents of an output when the function returns."""

    output: int
    """The number of the argument."""


@dataclass(frozen=True, eq=False)
class Term:
    """The values of an expression at the instances of a statement; those of `Contents` and `AtEnd` are elements."""

    owner: Hashable
    """The key of the object that has the instances: a statement's number, an output or a cell."""
    expression: Expression | Contents | AtEnd
    variables: tuple[Symbol, ...]
    domain: IntegerSet
    """The instances at which the expression is evaluated."""
    op: Operation | None
    """The operation that it comes from, for messages."""
    is_normalized: bool = False
    """True once the equations of the algebra have been applied to the head."""

    @cached_property
    def key(self) -> tuple[Hashable, object]:
        """The same for terms that have the same value at each instance of both."""
        return (self.owner, self.expression)

    def part(self, expression: Expression) -> Term:
        """Return the term of an operand, or of the expression that this term was rewritten to."""
        return replace(self, expression=expression, is_normalized=False)


@dataclass(frozen=True)
class Failure:
    """Two heads that differ, or two multisets."""

    instances: Relation | None
    """At which pairs of instances of the terms compared; None where a widened claim failed outside of those asked."""
    left: Term
    right: Term
    """The heads."""
    reason: str | None = None
    """Why nothing follows from it, where nothing does."""


@dataclass(frozen=True)
class Step:
    """One case of a term that is not yet a head: the term that replaces it at some of its instances."""

    term: Term
    moves: Relation
    """Instances to those of `term` that have the value."""
    is_move: bool
    """True if a read was moved to its last writer, so that the instances are earlier ones."""


class RelationalModel:
    """A model with its sets and flow as relations of a calculus."""

    def __init__(self, model: Model, calculus: Calculus, begin: Callable[[], None] = lambda: None) -> None:
        """Prepare questions about a model. `begin` is called before each question, to give it a budget."""
        self.model = model
        self.begin = begin
        self.calculus = calculus
        self.flow = Flow(model, calculus)
        self._roots: dict[int, Term] = {}
        self._steps: dict[Hashable, tuple[Step, ...]] = {}
        self._covers: dict[Hashable, IntegerSet] = {}

    def output(self, argument: int) -> Term:
        """Return the elements of an argument when the function returns."""
        cell = self.model.arguments[argument]
        variables, box = _elements(cell)
        elements = self.calculus.set(variables, [box & self.model.context])
        return Term(("end", argument), AtEnd(argument), variables, elements, None)

    def root(self, statement: Statement) -> Term:
        """Return the term that a statement writes."""
        if statement.number not in self._roots:
            domain = self.flow.instances(statement)
            term = Term(statement.number, statement.value, statement.variables, domain, statement.op)
            self._roots[statement.number] = term
        return self._roots[statement.number]

    def steps(self, term: Term) -> tuple[Step, ...] | None:
        """Return the cases of a term that is a read or a choice; None for one that is a head."""
        if not isinstance(term.expression, (ReadValue, AtEnd, Choice)):
            return None
        if isinstance(term.expression, Choice):
            return tuple(self._cases(term, term.expression))
        if term.key not in self._steps:
            self._steps[term.key] = tuple(self._find_steps(term))
        return self._steps[term.key]

    def _cases(self, term: Term, choice: Choice) -> Iterator[Step]:
        for systems, chosen in choice.cases:
            inside = self.calculus.set(term.variables, systems)
            yield Step(replace(term, expression=chosen, domain=term.domain & inside), inside.identity(), False)

    def cover(self, term: Term, steps: tuple[Step, ...]) -> IntegerSet:
        """Return instances each of which is in one of a term's cases. Raises Undecided where flow leaves a gap in a
        read."""
        if not isinstance(term.expression, (ReadValue, AtEnd)):
            return _union_of_domains(steps)
        if term.key not in self._covers:
            read = self._reads(term)
            self.begin()
            if not read.is_subset(_union_of_domains(steps)):
                raise Undecided("an instance of a read has neither a writer nor a value from outside")
            self._covers[term.key] = read
        return self._covers[term.key]

    def _reads(self, term: Term) -> IntegerSet:
        """Return all instances at which a term reads."""
        if isinstance(term.expression, ReadValue):
            return self.flow.instances(self.model.reads[term.expression.read])
        return term.domain

    def _find_steps(self, term: Term) -> Iterator[Step]:
        self.begin()
        match term.expression:
            case ReadValue():
                read = self.model.reads[term.expression.read]
                yield from self._moved(self.flow.sources(read), read.cell)
            case AtEnd():
                cell = self.model.arguments[term.expression.output]
                yield from self._moved(self.flow.final(cell), cell)
            case _:
                raise AssertionError("a head has no writers")

    def _moved(self, sources: Sources, cell: Cell) -> Iterator[Step]:
        for source in sources.writers:
            yield Step(self.root(source.statement), source.instances, True)
        if not sources.initial.is_empty():
            yield Step(self.contents(cell), sources.initial, True)

    def is_passed_on(self, term: Term) -> bool:
        """Return whether a term is the value of a statement that only copies, in a circle of copies."""
        if not isinstance(term.owner, int) or term.owner not in self._circular_copies:
            return False
        return self.model.statements[term.owner].value is term.expression

    @cached_property
    def _circular_copies(self) -> frozenset[int]:
        """The statements that may copy, over other copies or at once, what they have written before."""
        reached = {
            s.number: {w for cell in self._copied(s.value) for w in self.model.writers(cell)}
            for s in self.model.statements
        }
        return frozenset(
            s.number for s in self.model.statements if s in _closure(reached[s.number], lambda w: reached[w.number])
        )

    def _copied(self, e: Expression) -> Iterator[Cell]:
        """Yield the cells whose elements an expression is without a change."""
        if isinstance(e, ReadValue):
            yield self.model.reads[e.read].cell
        elif isinstance(e, Choice):
            for _, case in e.cases:
                yield from self._copied(case)

    def contents(self, cell: Cell) -> Term:
        """Return the contents of a cell before anything has been written to it."""
        outside = cell.kind in ("argument", "constant")
        held = Contents(cell.argument, cell.data, cell.type) if outside else undefined(cell.type)
        variables, _ = _elements(cell)
        return Term(("contents", cell.number), held, variables, self.calculus.universe(len(variables)), cell.op)

    def integer(self, term: Term) -> Relation | None:
        """Relate instances to the integer that an index is; None where the term is no index."""
        match term.expression:
            case IndexValue():
                index = term.expression.index
            case Constant() if isinstance(term.expression.type, IndexType):
                index = Index.of(signed(term.expression.bits, INDEX_BITS))
            case _:
                return None
        return self.calculus.function(term.variables, [index], [System()])


def _union_of_domains(steps: tuple[Step, ...]) -> IntegerSet:
    covered = steps[0].moves.domain()
    for step in steps[1:]:
        covered = covered | step.moves.domain()
    return covered


def _closure(roots: Iterable[Statement], below: Callable[[Statement], Iterable[Statement]]) -> set[Statement]:
    """Return the roots and all statements below them."""
    found: set[Statement] = set()
    pending = list(roots)
    while pending:
        statement = pending.pop()
        if statement not in found:
            found.add(statement)
            pending += below(statement)
    return found


def _elements(cell: Cell) -> tuple[tuple[Symbol, ...], System]:
    """Return variables for an element of a cell, and the box of those that it has."""
    variables = tuple(Symbol(f"element {k}") for k in range(len(cell.shape)))
    return variables, System.box({v: (0, extent) for v, extent in zip(variables, cell.shape, strict=True)})


def signed(bits: int, width: int) -> int:
    """Return the number that bits of a width are in two's complement."""
    return bits - (1 << width) if bits >> (width - 1) else bits
