"""Index expressions and guards as Python, of the type int64."""

from __future__ import annotations

from collections.abc import Iterable

from ....dialects.index_expr import LANE, FloorDiv, Index, Mod
from ...written.index import IndexWriter
from ...written.text import ADD, MULTIPLY, SHIFT, UNARY, Expression, call
from .arithmetic import WORDS
from .text import BIT_AND

WORD = 1 << 32


class PythonIndexWriter(IndexWriter):
    """Writes index expressions. Operands of comparisons and divisions are uint32 where their ranges prove that they
    fit."""

    words = WORDS

    def known(self, guard: Iterable[Index]) -> bool | None:
        """Return True if all expressions are >= 0 in all lanes, False if one is negative in all, None if neither is
        known."""
        bounds = [self.resolve(e).bounds(self.ranges) for e in guard]
        if any(high is not None and high < 0 for _, high in bounds):
            return False
        return True if all(low is not None and low >= 0 for low, _ in bounds) else None

    def holds_at_once(self, guard: Iterable[Index]) -> Expression | bool:
        """Return `holds`, of which all conditions are evaluated: that takes no branches."""
        return self.all_hold(guard, "&", BIT_AND)

    def is_uniform(self, guard: Iterable[Index], lanes: int) -> bool:
        """Return whether each expression is >= 0 in all of `lanes` lanes or in none, counted from a multiple of
        `lanes`."""
        return all(self._is_uniform(self.resolve(e), lanes) for e in guard)

    def _is_uniform(self, e: Index, lanes: int) -> bool:
        step, first = e.coefficient(LANE), e.without(LANE)
        if LANE in first.variables:
            return False
        rest = (first % lanes).with_ranges(self.ranges)
        turning = {1: 0, -1: lanes - 1}.get(step)
        return not step or (rest.is_constant and rest.constant == turning)

    def side(self, e: Index) -> str:
        return self._narrowed(e, self.sum(e)).at(ADD)

    def _narrowed(self, e: Index, text: Expression) -> Expression:
        low, high = e.bounds(self.ranges)
        is_word = low is not None and high is not None and low >= 0 and high < WORD
        return call("uint32", text) if is_word and not e.is_constant else text

    def division(self, atom: FloorDiv | Mod) -> Expression:
        """Return a quotient or remainder: Python rounds down as the IR does. A power of two is a shift or a mask, of
        negative numbers too."""
        inner, divisor = self.sum(atom.numerator), atom.divisor
        if divisor & (divisor - 1) == 0:
            if isinstance(atom, FloorDiv):
                return Expression(f"{inner.at(ADD)} >> {divisor.bit_length() - 1}", SHIFT, is_simple=False)
            return Expression(f"{inner.at(ADD)} & {divisor - 1}", BIT_AND, is_simple=False)
        sign = "//" if isinstance(atom, FloorDiv) else "%"
        narrowed = self._narrowed(atom.numerator, inner)
        if narrowed is inner:
            return Expression(f"{inner.at(UNARY)} {sign} {divisor}", MULTIPLY, is_simple=False)
        return Expression(f"int64({narrowed} {sign} uint32({divisor}))", is_simple=False)
