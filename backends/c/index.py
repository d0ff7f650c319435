"""Index expressions and guards as C, of the type int64_t."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.index_expr import LANE, FloorDiv, Index, Mod, Range
from .text import ADD, AND, MULTIPLY, PRIMARY, RELATION, UNARY, Expression

Ranges = Mapping[Any, Range]
Lookup = Callable[[SSAValue], "Index | Expression"]
"""What an SSA value stands for."""


class IndexWriter:
    """Writes index expressions. `ranges` tells which variables are never negative: their quotients are plain `/`."""

    def __init__(self, lookup: Lookup, ranges: Ranges) -> None:
        self._lookup = lookup
        self._ranges = ranges

    def resolve(self, e: Index) -> Index:
        """The expression with the values that stand for expressions replaced by those."""
        known = {v: found for v in e.values() if isinstance(found := self._lookup(v), Index)}
        return self.resolve(e.substitute(known)) if known else e

    def expression(self, e: Index) -> Expression:
        """The expression as C."""
        return self._sum(self.resolve(e).with_ranges(self._ranges))

    def holds(self, guard: Iterable[Index]) -> Expression | bool:
        """Whether all of the expressions are >= 0; a bool where that is known."""
        parts: list[Expression] = []
        for condition in guard:
            e = self.resolve(condition)
            low, high = e.bounds(self._ranges)
            if high is not None and high < 0:
                return False
            if low is None or low < 0:
                parts.append(self._condition(e.with_ranges(self._ranges)))
        if not parts:
            return True
        if len(parts) == 1:
            return parts[0]
        return Expression(" && ".join(p.at(AND + 1) for p in parts), AND, is_simple=False)

    def _condition(self, e: Index) -> Expression:
        """`e >= 0` with what is subtracted on the other side."""
        below = Index(tuple((a, -c) for a, c in e.terms if c < 0), 0)
        above = Index(tuple((a, c) for a, c in e.terms if c > 0), 0)
        k = e.constant
        if not below.terms:
            text = f"{self._sum(above)} >= {-k}"
        elif not above.terms:
            text = f"{self._sum(below)} < {k + 1}"
        elif k < 0:
            text = f"{self._sum(below + (-k - 1))} < {self._sum(above)}"
        else:
            text = f"{self._sum(below)} <= {self._sum(above + k)}"
        return Expression(text, RELATION, is_simple=False)

    def _sum(self, e: Index) -> Expression:
        terms = sorted(e.terms, key=lambda term: term[1] < 0)
        parts: list[str] = []
        for atom, coefficient in terms:
            factor = self._term(atom, abs(coefficient))
            if not parts:
                parts.append(f"-{factor.at(UNARY)}" if coefficient < 0 else factor.text)
            else:
                parts.append(f"{'-' if coefficient < 0 else '+'} {factor.at(MULTIPLY)}")
        if len(terms) == 1 and not e.constant and terms[0][1] > 0:
            return self._term(terms[0][0], terms[0][1])
        if not parts:
            return Expression(str(e.constant), PRIMARY if e.constant >= 0 else UNARY)
        if e.constant:
            parts.append(f"{'-' if e.constant < 0 else '+'} {abs(e.constant)}")
        return Expression(" ".join(parts), ADD, is_simple=False)

    def _term(self, atom: Any, coefficient: int) -> Expression:
        factor = self._atom(atom)
        if coefficient == 1:
            return factor
        return Expression(f"{factor.at(MULTIPLY + 1)} * {coefficient}", MULTIPLY, is_simple=False)

    def _atom(self, atom: Any) -> Expression:
        if atom is LANE:
            return Expression("lane")
        if isinstance(atom, (FloorDiv, Mod)):
            inner, least = self._sum(atom.numerator), atom.numerator.bounds(self._ranges)[0]
            if least is not None and least >= 0:
                sign = "/" if isinstance(atom, FloorDiv) else "%"
                return Expression(f"{inner.at(MULTIPLY)} {sign} {atom.divisor}", MULTIPLY, is_simple=False)
            name = "tw_floordiv" if isinstance(atom, FloorDiv) else "tw_mod"
            return Expression(f"{name}({inner}, {atom.divisor})", is_simple=False)
        if isinstance(atom, SSAValue):
            found = self._lookup(atom)
            assert isinstance(found, Expression)
            return found
        return Expression(atom.name)
