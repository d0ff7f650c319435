"""Inverse of an access: the points of an iteration space that read a given element of a tensor.

A compute reads `A[f(i, k)]`. The points (i, k) with f(i, k) == a are found dimension by dimension: where f is linear in
an axis, the axis is solved for, with the conditions under which the solution is a point; the axes that are left are
summed over.

    A[i + k - 1], 0 <= i < 8, 0 <= k < 3    ->    i = a - k + 1 where 0 <= a - k + 1 < 8, for each k
    A[2 * i], 0 <= i < 4                    ->    i = a // 2 where a % 2 == 0 and a // 2 < 4
    A[e // 5, e % 5], e = 4 * i + j         ->    e = 5 * a0 + a1, i = e // 4, j = e % 4
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..dialects.index_expr import FloorDiv, Index, Mod, Symbol
from .expr import Axis, Expr
from .functions import all as all_of
from .index_forms import IndexForms, row_major
from .shapes import Size, same_size


@dataclass
class Points:
    """The axes that are solved for, as indices over the element and the other axes; and the conditions."""

    solved: dict[Axis, Index] = field(default_factory=dict[Axis, Index])
    conditions: list[Expr] = field(default_factory=list[Expr])
    late: list[Expr] = field(default_factory=list[Expr])
    """Conditions that read tensors at the point, or axes in expressions that are not affine: tested where the
    others hold."""


def points_reading(
    forms: IndexForms, indices: Sequence[Expr], element: Sequence[Axis], shape: Sequence[Size], axes: Sequence[Axis]
) -> Points:
    """Return the points of `axes` at which `indices` are those of `element`, axes over `shape`."""
    return _Solver(forms, axes).solve(indices, element, shape)


class _Solver:
    def __init__(self, forms: IndexForms, axes: Sequence[Axis]) -> None:
        self.forms = forms
        self.points = Points()
        self.open: dict[Symbol, Axis] = {forms.symbol(axis): axis for axis in axes}
        self.extents: dict[Symbol, Size] = {}

    def solve(self, indices: Sequence[Expr], element: Sequence[Axis], shape: Sequence[Size]) -> Points:
        lefts = [self.forms.simplified(self.forms.index(i)) for i in indices]
        rights = [Index.of(self.forms.symbol(a)) for a in element]
        self._fix_unit_axes()
        self.extents = {self.forms.symbol(a): size for a, size in zip(element, shape, strict=True)}
        equations = self._joined(lefts, rights, shape)
        left: list[tuple[Index, Index]] = []
        for f, a in equations:
            known = self._known(f)
            found = self._positional(known, a) or self._largest(known, a)
            for each in found:
                self._define(*each)
            if not found:
                left.append((f, a))
        for f, a in left:
            known = self._known(f)
            if self.forms.simplified(known - a) != Index.of(0):
                is_late = any(not isinstance(self.forms.meaning(v), Axis) for v in _symbols(known))
                condition = self.forms.expression(known) == self.forms.expression(a)
                (self.points.late if is_late else self.points.conditions).append(condition)
        for axis, value in self.points.solved.items():
            self.points.solved[axis] = self._known(value)
        return self.points

    def _fix_unit_axes(self) -> None:
        """Solve for the axes that have one point."""
        for symbol, axis in list(self.open.items()):
            if self._extent(symbol) == 1:
                del self.open[symbol]
                self.points.solved[axis] = Index.of(self._low(symbol))

    def _known(self, index: Index) -> Index:
        """Return an index with the axes that are solved for replaced."""
        mapping = {self.forms.symbol(axis): value for axis, value in self.points.solved.items()}
        previous = None
        while previous != index:
            previous, index = index, index.substitute(mapping)
        return self.forms.simplified(index)

    def _expression(self, index: Index) -> Expr:
        return self.forms.expression(self._known(index))

    # Equations

    def _joined(
        self, lefts: Sequence[Index], rights: Sequence[Index], shape: Sequence[Size]
    ) -> list[tuple[Index, Index]]:
        """Return one equation a dimension; neighbours that are quotient and remainder of one index are one equation of
        it."""
        equations: list[tuple[Index, Index]] = []
        position = 0
        while position < len(lefts):
            end = position
            while end < len(lefts) and not lefts[end].is_linear and isinstance(shape[end], int):
                end += 1
            found = None
            while end - position > 1 and found is None:
                sizes = [n for n in shape[position:end] if isinstance(n, int)]
                whole = self.forms.simplified(row_major(lefts[position:end], sizes))
                if whole.is_linear:
                    found = whole, row_major(rights[position:end], sizes)
                else:
                    end -= 1
            if found is None:
                found, end = (lefts[position], rights[position]), position + 1
            equations.append(found)
            position = end
        return equations

    def _terms(self, f: Index) -> list[tuple[Symbol, int]]:
        """Return the open axes that an index is linear in, and occur in no other part of it."""
        inside: set[Expr] = set()
        for atom, _ in f.terms:
            if isinstance(atom, (FloorDiv, Mod)):
                for v in _symbols(atom.numerator):
                    inside |= self.forms.axes_of(v)
            elif isinstance(atom, Symbol) and atom not in self.open:
                inside |= self.forms.axes_of(atom)
        return [(a, c) for a, c in f.terms if isinstance(a, Symbol) and a in self.open and self.open[a] not in inside]

    def _open_axes(self, f: Index) -> set[Symbol]:
        """Return the open axes that an index depends on, in one way or another."""
        axes = {axis for v in _symbols(f) for axis in self.forms.axes_of(v)}
        return {symbol for symbol, axis in self.open.items() if axis in axes}

    def _positional(self, f: Index, a: Index) -> list[tuple[Symbol, Index, Expr | None]]:
        """Return all axes of an index that counts in a mixed radix, so that each number of it is one point."""
        terms = sorted(self._terms(f), key=lambda term: -term[1])
        if len(terms) < 2 or {s for s, _ in terms} != self._open_axes(f) or terms[-1][1] < 1:
            return []
        extents = [self._extent(s) for s, _ in terms]
        reach = 0
        for (_, factor), extent in zip(reversed(terms), reversed(extents), strict=True):
            if extent is None or factor <= reach:
                return []
            reach += factor * (extent - 1)
        rest = a - f
        lows = Index.of(0)
        for symbol, factor in terms:
            rest = rest + Index.of(symbol) * factor
            lows = lows + Index.of(self._low(symbol)) * factor
        rest = rest - lows
        found: list[tuple[Symbol, Index, Expr | None]] = []
        for symbol, factor in terms:
            found.append((symbol, rest // factor + self._low(symbol), None))
            rest = rest % factor
        if terms[-1][1] > 1:
            symbol, value, _ = found[-1]
            found[-1] = symbol, value, self._expression(rest) == 0
        return found

    def _largest(self, f: Index, a: Index) -> list[tuple[Symbol, Index, Expr | None]]:
        """Return the axis with the most points."""
        terms = self._terms(f)
        if not terms:
            return []
        sizes = {s: math.inf if (n := self._extent(s)) is None else n for s, _ in terms}
        symbol, factor = max(terms, key=lambda term: (sizes[term[0]], abs(term[1]) == 1))
        rest = a - f + Index.of(symbol) * factor
        if factor < 0:
            rest, factor = -rest, -factor
        if factor == 1:
            return [(symbol, rest, None)]
        return [(symbol, rest // factor, self._expression(rest % factor) == 0)]

    def _define(self, symbol: Symbol, value: Index, condition: Expr | None) -> None:
        axis = self.open.pop(symbol)
        value = self._known(value)
        if condition is not None:
            self.points.conditions.append(condition)
        self.points.conditions += self._inside(axis, value)
        self.points.solved[axis] = value

    def _inside(self, axis: Axis, value: Index) -> list[Expr]:
        """Return the conditions on the value to be in the range of the axis, without those that are known to hold."""
        low, high = value.bounds(self.forms.ranges)
        expression = self.forms.expression(value)
        conditions: list[Expr] = []
        if not (isinstance(axis.low, int) and low is not None and low >= axis.low):
            conditions.append(expression >= axis.low)
        single = value.terms[0][0] if len(value.terms) == 1 and value.terms[0][1] == 1 else None
        size = self.extents.get(single) if isinstance(single, Symbol) and not value.constant else None
        if isinstance(axis.high, int) and high is not None and high < axis.high:
            return conditions
        if size is not None and same_size(size, axis.high):
            return conditions
        return [*conditions, expression < axis.high]

    def _extent(self, symbol: Symbol) -> int | None:
        low, high = self.forms.ranges.get(symbol, (None, None))
        return None if low is None or high is None else high - low + 1

    def _low(self, symbol: Symbol) -> int:
        low, _ = self.forms.ranges[symbol]
        assert low is not None
        return low


def _symbols(index: Index) -> list[Symbol]:
    return [v for v in index.variables if isinstance(v, Symbol)]


def conjunction(conditions: Sequence[Expr]) -> Expr | None:
    """Return all of the conditions; None where there are none."""
    return all_of(*conditions) if conditions else None
