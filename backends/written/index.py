"""Index expressions and guards as text over 64-bit integers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from xdsl.ir import SSAValue

from ...dialects.index_expr import FloorDiv, Index, Mod, Range
from .arithmetic import Words
from .text import ADD, AND, MULTIPLY, PRIMARY, UNARY, Expression, binary, joined

Lookup = Callable[[SSAValue], "Index | Expression"]
"""A function from an SSA value to its text."""


class IndexWriter(ABC):
    """Writes index expressions. `ranges` bounds the variables where the expression is evaluated."""

    words: ClassVar[Words]

    def __init__(self, lookup: Lookup, ranges: Mapping[Any, Range]) -> None:
        self._lookup = lookup
        self.ranges = ranges

    @abstractmethod
    def division(self, atom: FloorDiv | Mod) -> Expression:
        """Return a quotient that is rounded down, or its remainder."""

    def side(self, e: Index) -> str:
        """Return a side of a comparison."""
        return self.sum(e).at(ADD)

    def product(self, extent: Index, stride: Expression) -> Expression:
        """Return the stride of a dimension whose next inner dimension has the extent and stride `extent` and
        `stride`."""
        return binary("*", MULTIPLY, self.expression(extent), stride)

    def resolve(self, e: Index) -> Index:
        """Return the expression with each value that is defined by an index expression replaced by that expression."""
        known = {v: found for v in e.values() if isinstance(found := self._lookup(v), Index)}
        return self.resolve(e.substitute(known)) if known else e

    def expression(self, e: Index) -> Expression:
        """Return the expression as an integer."""
        return self.sum(self.resolve(e).with_ranges(self.ranges))

    def holds(self, guard: Iterable[Index]) -> Expression | bool:
        """Return the condition that all expressions are >= 0; a bool where it is known."""
        return self.all_hold(guard, self.words.conjunction, AND)

    def all_hold(self, guard: Iterable[Index], operator: str, level: int) -> Expression | bool:
        """Return `holds`, with conditions that an operator joins."""
        parts: list[Expression] = []
        for condition in guard:
            e = self.resolve(condition)
            low, high = e.bounds(self.ranges)
            if high is not None and high < 0:
                return False
            if low is None or low < 0:
                parts.append(self._condition(e.with_ranges(self.ranges)))
        return joined(operator, level, parts) if parts else True

    def sum(self, e: Index) -> Expression:
        """Return an expression whose values are resolved."""
        terms = sorted(e.terms, key=lambda term: term[1] < 0)
        if len(terms) == 1 and not e.constant and terms[0][1] > 0:
            return self._term(*terms[0])
        if not terms:
            return Expression(str(e.constant), PRIMARY if e.constant >= 0 else UNARY)
        parts: list[str] = []
        for atom, coefficient in terms:
            factor = self._term(atom, abs(coefficient))
            if not parts:
                parts.append(f"-{factor.at(UNARY)}" if coefficient < 0 else factor.at(ADD))
            else:
                parts.append(f"{'-' if coefficient < 0 else '+'} {factor.at(MULTIPLY)}")
        if e.constant:
            parts.append(f"{'-' if e.constant < 0 else '+'} {abs(e.constant)}")
        return Expression(" ".join(parts), ADD, is_simple=False)

    def atom(self, atom: Any) -> Expression:
        """Return the text of an atom of an index expression."""
        if isinstance(atom, (FloorDiv, Mod)):
            return self.division(atom)
        if isinstance(atom, SSAValue):
            found = self._lookup(atom)
            assert isinstance(found, Expression)
            return found
        return Expression(atom.name)

    def _condition(self, e: Index) -> Expression:
        """Return `e >= 0` with the terms of negative coefficients on the right side."""
        below = Index(tuple((a, -c) for a, c in e.terms if c < 0), 0)
        above = Index(tuple((a, c) for a, c in e.terms if c > 0), 0)
        k = e.constant
        if not below.terms:
            text = f"{self.side(above)} >= {-k}"
        elif not above.terms:
            text = f"{self.side(below)} < {k + 1}"
        elif k < 0:
            text = f"{self.side(below + (-k - 1))} < {self.side(above)}"
        else:
            text = f"{self.side(below)} <= {self.side(above + k)}"
        return Expression(text, self.words.relation, is_simple=False)

    def _term(self, atom: Any, coefficient: int) -> Expression:
        factor = self.atom(atom)
        if coefficient == 1:
            return factor
        return Expression(f"{factor.at(MULTIPLY + 1)} * {coefficient}", MULTIPLY, is_simple=False)
