"""Index expressions and guards as Python, of the type int64."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from xdsl.ir import SSAValue

from ....dialects.index_expr import LANE, FloorDiv, Index, Mod, Range
from .text import ADD, BIT_AND, MULTIPLY, PRIMARY, RELATION, SHIFT, UNARY, Expression, call, joined

Lookup = Callable[[SSAValue], "Index | Expression"]
"""What an SSA value stands for."""
WORD = 1 << 32


class IndexWriter:
    """Writes index expressions. `ranges` tells what variables can be, where the expression is evaluated."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self.ranges: Mapping[Any, Range] = {}

    def resolve(self, e: Index) -> Index:
        """The expression with the values that stand for expressions replaced by those."""
        known = {v: found for v in e.values() if isinstance(found := self._lookup(v), Index)}
        return self.resolve(e.substitute(known)) if known else e

    def expression(self, e: Index) -> Expression:
        """The expression as an int64."""
        return self._sum(self.resolve(e).with_ranges(self.ranges))

    def word(self, e: Index) -> Expression:
        """The expression as an operand of a comparison or division: a uint32 where the ranges prove it one."""
        e = self.resolve(e).with_ranges(self.ranges)
        return self._narrowed(e, self._sum(e))

    def known(self, guard: Iterable[Index]) -> bool | None:
        """Whether all of the expressions are >= 0, in all lanes or in none; None where that is not known."""
        bounds = [self.resolve(e).bounds(self.ranges) for e in guard]
        if any(high is not None and high < 0 for _, high in bounds):
            return False
        return True if all(low is not None and low >= 0 for low, _ in bounds) else None

    def holds(self, guard: Iterable[Index], *, at_once: bool = False) -> Expression | bool:
        """Whether all of the expressions are >= 0; a bool where that is known. `at_once` evaluates all of them, which
        takes no branches."""
        parts: list[Expression] = []
        for condition in guard:
            e = self.resolve(condition)
            low, high = e.bounds(self.ranges)
            if high is not None and high < 0:
                return False
            if low is None or low < 0:
                parts.append(self._condition(e.with_ranges(self.ranges)))
        return joined("&" if at_once else "and", parts) if parts else True

    def is_uniform(self, guard: Iterable[Index], lanes: int) -> bool:
        """Whether each expression is >= 0 in all of as many lanes or in none, counted from a multiple of them."""
        return all(self._is_uniform(self.resolve(e), lanes) for e in guard)

    def _is_uniform(self, e: Index, lanes: int) -> bool:
        step, first = e.coefficient(LANE), e.without(LANE)
        if LANE in first.variables:
            return False
        rest = (first % lanes).with_ranges(self.ranges)
        turning = {1: 0, -1: lanes - 1}.get(step)
        return not step or (rest.is_constant and rest.constant == turning)

    def _condition(self, e: Index) -> Expression:
        """`e >= 0` with what is subtracted on the other side."""
        below = Index(tuple((a, -c) for a, c in e.terms if c < 0), 0)
        above = Index(tuple((a, c) for a, c in e.terms if c > 0), 0)
        k = e.constant
        if not below.terms:
            text = f"{self._side(above)} >= {-k}"
        elif not above.terms:
            text = f"{self._side(below)} < {k + 1}"
        elif k < 0:
            text = f"{self._side(below + (-k - 1))} < {self._side(above)}"
        else:
            text = f"{self._side(below)} <= {self._side(above + k)}"
        return Expression(text, RELATION, is_simple=False)

    def _side(self, e: Index) -> str:
        return self._narrowed(e, self._sum(e)).at(ADD)

    def _narrowed(self, e: Index, text: Expression) -> Expression:
        low, high = e.bounds(self.ranges)
        is_word = low is not None and high is not None and low >= 0 and high < WORD
        return call("uint32", text) if is_word and not e.is_constant else text

    def _sum(self, e: Index) -> Expression:
        terms = sorted(e.terms, key=lambda term: term[1] < 0)
        parts: list[str] = []
        for atom, coefficient in terms:
            factor = self._term(atom, abs(coefficient))
            if not parts:
                parts.append(f"-{factor.at(UNARY)}" if coefficient < 0 else factor.at(ADD))
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
        if isinstance(atom, (FloorDiv, Mod)):
            return self._division(atom)
        if isinstance(atom, SSAValue):
            found = self._lookup(atom)
            assert isinstance(found, Expression)
            return found
        return Expression(atom.name)

    def _division(self, atom: FloorDiv | Mod) -> Expression:
        """Python rounds down as the IR does. A power of two is a shift or a mask, of negative numbers too."""
        inner, divisor = self._sum(atom.numerator), atom.divisor
        if divisor & (divisor - 1) == 0:
            if isinstance(atom, FloorDiv):
                return Expression(f"{inner.at(ADD)} >> {divisor.bit_length() - 1}", SHIFT, is_simple=False)
            return Expression(f"{inner.at(ADD)} & {divisor - 1}", BIT_AND, is_simple=False)
        sign = "//" if isinstance(atom, FloorDiv) else "%"
        narrowed = self._narrowed(atom.numerator, inner)
        if narrowed is inner:
            return Expression(f"{inner.at(UNARY)} {sign} {divisor}", MULTIPLY, is_simple=False)
        return Expression(f"int64({narrowed} {sign} uint32({divisor}))", is_simple=False)
