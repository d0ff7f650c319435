"""Index expressions and guards as C, of the type int64_t."""

from __future__ import annotations

from typing import Any

from ...dialects.index_expr import LANE, FloorDiv, Index, Mod
from ..written.index import IndexWriter
from ..written.text import MULTIPLY, Expression, binary, call
from .arithmetic import WORDS


class CIndexWriter(IndexWriter):
    """Writes index expressions. Quotients of what is never negative are plain `/`."""

    words = WORDS

    def division(self, atom: FloorDiv | Mod) -> Expression:
        inner, divisor = self.sum(atom.numerator), Expression(str(atom.divisor))
        least = atom.numerator.bounds(self.ranges)[0]
        if least is not None and least >= 0:
            return binary("/" if isinstance(atom, FloorDiv) else "%", MULTIPLY, inner, divisor)
        return call("tw_floordiv" if isinstance(atom, FloorDiv) else "tw_mod", inner, divisor)

    def product(self, extent: Index, stride: Expression) -> Expression:
        """Constants stand last."""
        if extent.is_constant:
            return binary("*", MULTIPLY, stride, self.expression(extent))
        return super().product(extent, stride)

    def atom(self, atom: Any) -> Expression:
        return Expression("lane") if atom is LANE else super().atom(atom)
