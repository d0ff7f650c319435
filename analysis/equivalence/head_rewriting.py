"""Rewrites of the head of a term, its outermost operation, by the equations of an algebra.

    fma(a, b, c) == a * b + c       where the step contracts; there too
    -a * b == -(a * b), a + -b == a - b, -a + b == b - a
    x + y == x  where y is 0        by Axiom.ADD_ZERO
    x * y == 0  where x or y is 0   by Axiom.MULTIPLY_ZERO

An operand is known to be 0 by the cases that it splits into, never by the values of inputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from ...dialects.upstream.undefined import SHIFTS, TO_INTEGERS
from ..integer_set.relation import IntegerSet
from ..polyhedral.expression_trees import (
    Apply,
    Constant,
    Expression,
    ReadValue,
    Undefined,
    apply,
    constant,
    flags_of,
    walk,
)
from .algebra import Algebra, Axiom
from .equations import Equations
from .terms import RelationalModel, Step, Term

FUSED = "math.fma"
NEGATION = "arith.negf"
SELECT = "arith.select"
BRANCHES = 8
"""The number of copies and conditions that a branch is followed through."""


class Rewriting:
    """The cases of one program's terms under an algebra."""

    def __init__(
        self, program: RelationalModel, algebra: Algebra, *, drops_flags: bool, memory_is_poison: bool = False
    ) -> None:
        """Prepare the rewriting of the terms of a program. `drops_flags`: of an operation with flags the value without
        them may be taken, as of the program before. `memory_is_poison`: memory that nobody has written is read as
        poison; else as some number."""
        self.program = program
        self.drops_flags = drops_flags
        self.algebra = algebra
        self.memory_is_poison = memory_is_poison
        self._equations = Equations(of_source=drops_flags, may_be_poison=self._may_be_poison)
        self._zeros: dict[object, IntegerSet | None] = {}
        self._poisoned: dict[object, IntegerSet | None] = {}

    def steps(self, term: Term) -> tuple[Step, ...] | None:
        """Return the cases that a term has its value from; None for a head that no equation changes."""
        e = term.expression
        if not isinstance(e, Apply):
            return self.program.steps(term)
        if (plain := self.plain(e)) is not e:
            return (Step(term.part(plain), term.domain.identity(), False),)
        if term.is_normalized or (flags_of(e) and not self.drops_flags):
            return None
        if e.name == "arith.addf" and self.algebra.holds(Axiom.ADD_ZERO):
            return self._without_zeros(term, e)
        if e.name == "arith.mulf" and self.algebra.holds(Axiom.MULTIPLY_ZERO):
            return self._zero_products(term, e)
        return None

    def simplified(self, term: Term) -> Term:
        """Return a term of the same values, or of ones that the program before may have, to which no equation
        applies."""
        if not isinstance(term.expression, Apply):
            return term
        simple = self._equations.simplified(term.expression)
        return term if simple is term.expression else term.part(simple)

    # Branches on data

    def branch(self, term: Term, which: int) -> tuple[Step, ...] | None:
        """Return the cases of operand 1 or 2 of a `select`, whose condition is known there: a `select` of the same
        condition below takes the same operand. None where there is none below."""
        e = term.expression
        assert isinstance(e, Apply) and e.name == SELECT
        condition = self._origin(term.part(e.operands[0]))
        if condition is None:
            return None
        below = term.part(e.operands[which])
        steps = list(self._in_branch(condition, Step(below, below.domain.identity(), False), which, BRANCHES))
        return None if [step.term.key for step in steps] == [below.key] else tuple(steps)

    def _in_branch(self, condition: Step, step: Step, which: int, depth: int) -> Iterator[Step]:
        """Yield the cases of a step, seen from where the condition is known."""
        e = step.term.expression
        if isinstance(e, Apply) and e.name == SELECT and depth:
            other = self._origin(step.term.part(e.operands[0]))
            if other is not None and other.term.key == condition.term.key:
                moves = step.moves.then(other.moves)
                if step.moves.domain().is_subset(moves.domain()) and moves.is_subset(condition.moves):
                    taken = replace(step, term=step.term.part(e.operands[which]))
                    yield from self._in_branch(condition, taken, which, depth - 1)
                    return
        below = self.program.steps(step.term) if isinstance(e, ReadValue) and depth else None
        if below is None:
            yield step
            return
        for each in below:
            moves = step.moves.then(each.moves)
            if not moves.is_empty():
                yield from self._in_branch(condition, Step(each.term, moves, True), which, depth - 1)

    def _origin(self, term: Term) -> Step | None:
        """Return the statement that wrote a condition, if it was one alone."""
        steps = self.program.steps(term) if isinstance(term.expression, ReadValue) else None
        if steps is None:
            return Step(term, term.domain.identity(), False)
        return steps[0] if len(steps) == 1 else None

    # Poison

    def poisoned(self, term: Term) -> IntegerSet:
        """Return instances at which a term is poison for certain. Of a recurrence none are found beyond its first
        turn."""
        if term.key not in self._poisoned:
            self._poisoned[term.key] = None
            self._poisoned[term.key] = self._find_poisoned(term)
        found = self._poisoned[term.key]
        return _nowhere(term) if found is None else found & term.domain

    def _find_poisoned(self, term: Term) -> IntegerSet:
        match term.expression:
            case Undefined(is_poison=is_poison):
                return term.domain if is_poison or self.memory_is_poison else _nowhere(term)
            case Apply(name=name, operands=operands):
                parts = [self.poisoned(term.part(operand)) for operand in operands]
                if name == SELECT:
                    return parts[0] | (parts[1] & parts[2])
                found = _nowhere(term)
                for part in parts if name.startswith(("arith.", "math.")) else ():
                    found = found | part
                return found
            case _:
                found = _nowhere(term)
                for step in self.program.steps(term) or ():
                    found = found | step.moves.into(self.poisoned(step.term)).domain()
                return found

    def unspecified(self, term: Term) -> IntegerSet:
        """Return instances at which a term is poison, or the content of memory that nobody has written."""
        if isinstance(term.expression, Undefined):
            return term.domain
        if isinstance(term.expression, Apply):
            return self.poisoned(term)
        found = _nowhere(term)
        for step in self.program.steps(term) or () if isinstance(term.expression, ReadValue) else ():
            found = found | step.moves.into(self.unspecified(step.term)).domain()
        return found

    def _may_be_poison(self, e: Expression) -> bool:
        """Return whether an expression has an operation that may give poison, or reads a cell that may hold some."""
        return self._gives_poison(e, self._cells_of_poison)

    def _gives_poison(self, e: Expression, cells: set[int]) -> bool:
        for x in walk(e):
            match x:
                case ReadValue() if self.program.model.reads[x.read].cell.number in cells:
                    return True
                case Undefined(is_poison=is_poison) if is_poison or self.memory_is_poison:
                    return True
                case Apply() if flags_of(x) or x.name in SHIFTS | TO_INTEGERS:
                    return True
                case _:
                    pass
        return False

    @cached_property
    def _cells_of_poison(self) -> set[int]:
        """The numbers of the cells that may hold poison. Arguments hold none when the function is called."""
        found: set[int] = set()
        while True:
            writers = (s for s in self.program.model.statements if s.cell.number not in found)
            new = {s.cell.number for s in writers if self._gives_poison(s.value, found)}
            if not new:
                return found
            found |= new

    @cached_property
    def has_poison(self) -> bool:
        """True where some value is poison for certain."""
        values = [e for statement in self.program.model.statements for e in walk(statement.value)]
        return any(isinstance(e, Undefined) and (e.is_poison or self.memory_is_poison) for e in values)

    def plain(self, e: Expression) -> Expression:
        """Return an expression whose head is no fused multiply-add, and no sum with a negation, where the step
        contracts."""
        if not isinstance(e, Apply) or not self.algebra.contracts:
            return e
        return difference(expanded(e) if e.name == FUSED else e)

    def _without_zeros(self, term: Term, e: Apply) -> tuple[Step, ...] | None:
        """Return the cases of a sum: the other operand where one is 0."""
        first, second = (self.zeros(term.part(operand)) for operand in e.operands)
        parts = ((e.operands[0], second), (e.operands[1], first - second))
        steps = [_on(term.part(operand), where) for operand, where in parts if not where.is_empty()]
        return self._with_rest(term, steps, first | second)

    def _zero_products(self, term: Term, e: Apply) -> tuple[Step, ...] | None:
        """Return the cases of a product: 0 where an operand is 0."""
        first, second = (self.zeros(term.part(operand)) for operand in e.operands)
        zero = first | second
        steps = [] if zero.is_empty() else [_on(term.part(constant(e.type, 0)), zero)]
        return self._with_rest(term, steps, zero)

    def _with_rest(self, term: Term, steps: list[Step], changed: IntegerSet) -> tuple[Step, ...] | None:
        if not steps:
            return None
        rest = (term.domain - changed).coalesce()
        return (*steps, _on(replace(term, is_normalized=True), rest))

    def zeros(self, term: Term) -> IntegerSet:
        """Return instances at which a term is 0 for certain. Of a recurrence none are found beyond its first turn."""
        if term.key not in self._zeros:
            self._zeros[term.key] = None
            self._zeros[term.key] = self._find_zeros(term)
        found = self._zeros[term.key]
        return _nowhere(term) if found is None else found & term.domain

    def _find_zeros(self, term: Term) -> IntegerSet:
        e = term.expression
        if isinstance(e, Constant):
            return term.domain if e.bits == 0 else _nowhere(term)
        found = _nowhere(term)
        if isinstance(e, Apply):
            if e.name == "arith.mulf" and self.algebra.holds(Axiom.MULTIPLY_ZERO):
                for operand in e.operands:
                    found = found | self.zeros(term.part(operand))
            return found
        for step in self.program.steps(term) or ():
            found = found | step.moves.into(self.zeros(step.term)).domain()
        return found


def expanded(e: Apply) -> Apply:
    """Return a fused multiply-add as a product and a sum; of one negated factor the product is negated, which is
    exact."""
    a, b, c = e.operands
    factors = [x.operands[0] if _is_negation(x) and isinstance(x, Apply) else x for x in (a, b)]
    product: Expression = apply("arith.mulf", e.properties, e.type, factors)
    if _is_negation(a) != _is_negation(b):
        product = apply(NEGATION, e.properties, e.type, [product])
    return apply("arith.addf", e.properties, e.type, [product, c])


def difference(e: Apply) -> Apply:
    """Return a sum with one negated operand as a difference, which is exact."""
    if e.name != "arith.addf":
        return e
    first, second = e.operands
    if isinstance(second, Apply) and _is_negation(second):
        return apply("arith.subf", e.properties, e.type, [first, second.operands[0]])
    if isinstance(first, Apply) and _is_negation(first):
        return apply("arith.subf", e.properties, e.type, [second, first.operands[0]])
    return e


def _nowhere(term: Term) -> IntegerSet:
    return term.domain - term.domain


def _is_negation(e: Expression) -> bool:
    return isinstance(e, Apply) and e.name == NEGATION


def _on(term: Term, where: IntegerSet) -> Step:
    return Step(replace(term, domain=term.domain & where), where.identity(), False)
