"""Chains of accumulations, such as sums, as multisets of terms in closed form.

A statement `C[e] = f(C[e], t)` adds the term t. The value of an element is then the multiset of all terms that were
added since the last other write of the element, together with the value of that write. The instances that added them
are given by a formula, so that no transitive closure is taken:

    terms of i  =  { j : j writes the element that i writes, j is not after i, and not before its last other write }

The formula holds where each of these statements reads the value that its write replaces: no write of the element lies
between its read and its write, which is checked. Terms that are chains themselves are expanded, so that a sum of
partial sums has the terms of the whole sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...dialects.index_expr import Index, Symbol
from ..integer_set import lexicographically_before
from ..integer_set.dataflow import last_writers
from ..integer_set.relation import Relation
from ..polyhedral.expression_trees import Apply, Constant, Expression, ReadValue, may_overflow, without_flags
from ..polyhedral.model import Read, Statement
from .head_rewriting import Rewriting
from .terms import Contents, RelationalModel, Term

DEPTH = 8
"""The greatest nesting of chains that are expanded."""

Head: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class Part:
    """Terms of one expression."""

    term: Term
    members: Relation
    """Results to the instances of `term` that are added to them, each of them once."""


@dataclass(frozen=True)
class Update:
    """A statement that adds to the element that it writes."""

    statement: Statement
    read: Read
    """The element to which the term is added."""
    added: tuple[Expression, ...]


class Chains:
    """The chains of one program."""

    def __init__(self, program: RelationalModel, rewriting: Rewriting) -> None:
        self.program = program
        self.rewriting = rewriting
        self._updates: dict[tuple[int, Head], Update | None] = {}

    def parts(self, term: Term, head: Head, members: Relation) -> list[Part]:
        """Return the terms of a value as one of an operation, for the results that `members` relates to its
        instances."""
        return list(self._expanded(term, members, head, DEPTH))

    def _operated(self, term: Term, members: Relation, head: Head, depth: int) -> Iterator[Part]:
        """Yield the terms of a value that the operation gives."""
        assert isinstance(term.expression, Apply)
        statement = self._statement(term)
        chain = None if statement is None else self._chain(statement, head)
        if statement is None or chain is None or depth == 0:
            for operand in term.expression.operands:
                yield from self._expanded(term.part(operand), members, head, depth)
            return
        form = list(self._closed_form(statement, chain))
        if not all(self._counts_once(members, moves) for _, moves in form):
            yield Part(term, members)
            return
        for below, moves in form:
            yield from self._expanded(below, members.then(moves), head, depth - 1)

    def _expanded(self, term: Term, members: Relation, head: Head, depth: int) -> Iterator[Part]:
        """Yield the terms that an operand stands for: the terms of its chain, or the operand itself."""
        if members.is_empty():
            return
        e = term.expression
        if isinstance(e, Constant) and self.rewriting.algebra.is_identity(str(head[0]), e.type, e.bits):
            return
        if isinstance(e, Apply) and self.rewriting.steps(term) is None and self._is_of(e, head):
            yield from self._operated(term, members, head, depth)
            return
        steps = self.rewriting.steps(term)
        if steps is None:
            yield Part(term, members)
            return
        for step in steps:
            if self._leads_to(step.term, head, depth) and self._counts_once(members, step.moves):
                yield from self._expanded(step.term, members.then(step.moves), head, depth)
            elif not (inside := members.into(step.moves.domain())).is_empty():
                yield Part(term, inside)

    def _leads_to(self, term: Term, head: Head, depth: int) -> bool:
        """Return whether a term is a chain of the operation, a constant, or a choice between such terms."""
        if isinstance(term.expression, Constant):
            return True
        if isinstance(term.expression, Contents):
            return False
        steps = self.rewriting.steps(term)
        if steps is None:
            return isinstance(term.expression, Apply) and self._is_of(term.expression, head)
        return depth > 0 and any(self._leads_to(step.term, head, depth - 1) for step in steps)

    @staticmethod
    def _counts_once(members: Relation, moves: Relation) -> bool:
        """Return whether no result reaches an instance of the lower term through two instances of the upper term."""
        return members.is_single_valued() or moves.on(members.range()).is_injective()

    def _is_of(self, e: Apply, head: Head) -> bool:
        """Return whether an operation is of the chain."""
        return head_of(e) == head or (self.rewriting.drops_flags and head_of(without_flags(e)) == head)

    # Closed form

    def _statement(self, term: Term) -> Statement | None:
        """Return the statement that writes a term as its value."""
        if not isinstance(term.owner, int):
            return None
        statement = self.program.model.statements[term.owner]
        return statement if self._value(statement) is term.expression else None

    def _value(self, statement: Statement) -> Expression:
        return self.rewriting.plain(statement.value)

    def is_update(self, term: Term) -> bool:
        """Return whether a term is the value of a statement that updates the element which it writes."""
        if not isinstance(term.expression, Apply) or (statement := self._statement(term)) is None:
            return False
        return self._update(statement, head_of(term.expression)) is not None

    def _chain(self, statement: Statement, head: Head) -> tuple[list[Update], list[Statement]] | None:
        """Return the statements that add to the cell of `statement`, and those that write it otherwise; None where
        `statement` adds nothing."""
        if self._update(statement, head) is None:
            return None
        updates: list[Update] = []
        others: list[Statement] = []
        for writer in self.program.model.writers(statement.cell):
            update = self._update(writer, head)
            if update is None:
                others.append(writer)
            else:
                updates.append(update)
        return updates, others

    def _update(self, statement: Statement, head: Head) -> Update | None:
        key = (statement.number, head)
        if key not in self._updates:
            self._updates[key] = self._find_update(statement, head)
        return self._updates[key]

    def _find_update(self, statement: Statement, head: Head) -> Update | None:
        value = self._value(statement)
        if not isinstance(value, Apply) or not self._is_of(value, head):
            return None
        leaves = list(self._leaves(value, head))
        accumulators = [k for k, leaf in enumerate(leaves) if self._reads_written_element(leaf, statement)]
        if len(accumulators) != 1:
            return None
        leaf = leaves.pop(accumulators[0])
        assert isinstance(leaf, ReadValue)
        read = self.program.model.reads[leaf.read]
        return Update(statement, read, tuple(leaves)) if self._is_adjacent(statement, read) else None

    def _leaves(self, e: Expression, head: Head) -> Iterator[Expression]:
        if isinstance(e, Apply) and self._is_of(e, head):
            for operand in e.operands:
                yield from self._leaves(self.rewriting.plain(operand), head)
        else:
            yield e

    def _reads_written_element(self, leaf: Expression, statement: Statement) -> bool:
        if not isinstance(leaf, ReadValue):
            return False
        read = self.program.model.reads[leaf.read]
        return read.cell is statement.cell and read.element == statement.element

    def _is_adjacent(self, statement: Statement, read: Read) -> bool:
        """Return whether no other write of the element lies between a statement's read and its write."""
        flow = self.program.flow
        for writer in self.program.model.writers(statement.cell):
            same = flow.timed(read).elements.then(flow.timed(writer).elements.inverse())
            between = (same & self._earlier(statement, writer)) - self._earlier(read, writer)
            if not between.is_empty():
                return False
        return True

    def _closed_form(
        self, statement: Statement, chain: tuple[Sequence[Update], Sequence[Statement]]
    ) -> Iterator[tuple[Term, Relation]]:
        """Yield the terms whose multiset makes the value of a statement, each with the relation of its instances to
        theirs."""
        flow = self.program.flow
        updates, others = chain
        written = flow.timed(statement).elements
        last = last_writers(flow.timed(statement), [flow.timed(other) for other in others])
        for update in updates:
            members = written.then(flow.timed(update.statement).elements.inverse())
            members = members - self._earlier(update.statement, statement).inverse()
            for other, moves in zip(others, last.writers, strict=True):
                members = members - moves.then(self._earlier(other, update.statement))
            for e in update.added:
                yield self.program.root(update.statement).part(e), members
        for other, moves in zip(others, last.writers, strict=True):
            if not moves.is_empty():
                yield self.program.root(other), moves
        if not last.unwritten.is_empty():
            yield self.program.contents(statement.cell), flow.elements(statement).on(last.unwritten)

    def _earlier(self, access: Statement | Read, other: Statement | Read) -> Relation:
        """Relate instances of an access to those of the other one that are before them."""
        renamed = {v: Index.of(Symbol(f"{v.name} (other)")) for v in other.variables}
        length = max(len(access.time), len(other.time))
        first, second = (
            (*time, *(Index.of(0),) * (length - len(time)))
            for time in (access.time, tuple(e.substitute(renamed) for e in other.time))
        )
        outputs = [Symbol(f"{v.name} (other)") for v in other.variables]
        systems = lexicographically_before(second, first)
        return self.program.calculus.relation(access.variables, outputs, systems)


def head_of(e: Apply) -> Head:
    """Return the name, properties and type that the operations of one chain share."""
    return (e.name, e.properties, e.type)


def heads_of(before: Apply) -> list[Head]:
    """Return the chains that an operation of the program before may be of: with its flags, and without.

    In another order a sum may overflow that did not, so a chain in any order is one without flags for overflow.
    """
    return list(dict.fromkeys(head_of(e) for e in (before, without_flags(before)) if not may_overflow(e)))
