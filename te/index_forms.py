"""Conversion of index expressions to the normal form of the IR (`Index`) and back: axes and sizes become symbols.

A subexpression that is not affine, such as an index that is read from a tensor, becomes a symbol too; the axes that it
depends on are recorded.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects.index_expr import FloorDiv, Index, Mod, Range, Symbol
from .expr import Axis, Binary, Cast, Const, Expr, Unary, Var, const, walk
from .shapes import Size

_WIDE = ("index", "int64", "int32")


class IndexForms:
    """The symbols of axes, sizes and other index expressions."""

    def __init__(self) -> None:
        self._symbols: dict[Expr, Symbol] = {}
        self._meanings: dict[Symbol, Expr] = {}
        self.ranges: dict[Symbol, Range] = {}

    def symbol(self, expr: Expr) -> Symbol:
        """Return the symbol that stands for an expression as a whole."""
        if expr not in self._symbols:
            name = expr.name if isinstance(expr, (Axis, Var)) else "value"
            symbol = self._symbols[expr] = Symbol(f"{name} {len(self._symbols)}")
            self._meanings[symbol] = expr
            if isinstance(expr, Axis) and isinstance(expr.low, int):
                self.ranges[symbol] = (expr.low, expr.high - 1 if isinstance(expr.high, int) else None)
            elif isinstance(expr, Var) and expr.dtype == "index":
                self.ranges[symbol] = (0, None)
        return self._symbols[expr]

    def axes_of(self, symbol: Symbol) -> set[Expr]:
        """Return the axes that a symbol depends on; the symbol of an axis depends on this axis."""
        return {node for node in walk(self._meanings[symbol]) if isinstance(node, Axis)}

    def meaning(self, symbol: Symbol) -> Expr:
        return self._meanings[symbol]

    def index(self, expr: Size) -> Index:
        """Return the normal form of an index expression."""
        match expr:
            case int():
                return Index.of(expr)
            case Const():
                return Index.of(int(expr.value))
            case Unary(op="neg") if expr.dtype in _WIDE:
                return -self.index(expr.operand)
            case Cast() if expr.dtype in _WIDE and expr.operand.dtype in _WIDE:
                return self.index(expr.operand)
            case Binary() if expr.dtype in _WIDE:
                found = _combined(expr.op, self.index(expr.lhs), self.index(expr.rhs))
                return Index.of(self.symbol(expr)) if found is None else found
            case _:
                return Index.of(self.symbol(expr))

    def simplified(self, index: Index) -> Index:
        """Return an equal index, by the ranges of axes."""
        return index.with_ranges(self.ranges)

    def expression(self, index: Index) -> Expr:
        """Return the expression of a normal form."""
        total: Expr | None = None
        for atom, factor in sorted(index.terms, key=lambda term: term[1] < 0):
            match atom:
                case FloorDiv():
                    term = self.expression(atom.numerator) // atom.divisor
                case Mod():
                    term = self.expression(atom.numerator) % atom.divisor
                case _:
                    assert isinstance(atom, Symbol)
                    term = self._meanings[atom]
            if total is None:
                total = term if factor == 1 else term * factor
            else:
                scaled = term if abs(factor) == 1 else term * abs(factor)
                total = total + scaled if factor > 0 else total - scaled
        if total is None:
            return const(index.constant, "index")
        if not index.constant:
            return total
        return total + index.constant if index.constant > 0 else total - -index.constant


def _combined(op: str, a: Index, b: Index) -> Index | None:
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul" if b.is_constant:
            return a * b.constant
        case "mul" if a.is_constant:
            return b * a.constant
        case "floordiv" if b.is_constant and b.constant > 0:
            return a // b.constant
        case "floormod" if b.is_constant and b.constant > 0:
            return a % b.constant
        case "ceildiv" if b.is_constant and b.constant > 0:
            return a.ceildiv(b.constant)
        case _:
            return None


def row_major(indices: Sequence[Index], sizes: Sequence[int]) -> Index:
    """Return the number of an element in the order of a dense tensor."""
    total = Index.of(0)
    for index, size in zip(indices, sizes, strict=True):
        total = total * size + index
    return total
