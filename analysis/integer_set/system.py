"""A conjunction of quasi-affine constraints on integer variables, and its encoding as integer matrices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ...dialects.index_expr import Atom, FloorDiv, Index, IndexLike, Mod, Range, Variable
from .solver import Rows

Point: TypeAlias = dict[Variable, int]


@dataclass(frozen=True)
class System:
    """The integer points where every expression of `nonnegative` is >= 0 and every one of `zero` is 0."""

    nonnegative: tuple[Index, ...] = ()
    zero: tuple[Index, ...] = ()

    @staticmethod
    def box(extents: Mapping[Variable, tuple[IndexLike, IndexLike]]) -> System:
        """Return the system `lower <= variable < upper` for every variable."""
        constraints: list[Index] = []
        for variable, (lower, upper) in extents.items():
            constraints.append(Index.of(variable) - lower)
            constraints.append(Index.of(upper) - variable - 1)
        return System(tuple(constraints))

    def where(self, *nonnegative: Index) -> System:
        """Return this system with the condition that every expression is >= 0."""
        return System(self.nonnegative + nonnegative, self.zero) if nonnegative else self

    def equating(self, pairs: Iterable[tuple[IndexLike, IndexLike]]) -> System:
        """Return this system with the equation `left == right` for every pair."""
        return System(self.nonnegative, self.zero + tuple(Index.of(left) - right for left, right in pairs))

    def __and__(self, other: System) -> System:
        return System(self.nonnegative + other.nonnegative, self.zero + other.zero)

    def substitute(self, mapping: Mapping[Variable, IndexLike]) -> System:
        return System(
            tuple(e.substitute(mapping) for e in self.nonnegative),
            tuple(e.substitute(mapping) for e in self.zero),
        )

    def contains(self, point: Mapping[Variable, int]) -> bool:
        return all(e.evaluate(point) >= 0 for e in self.nonnegative) and all(e.evaluate(point) == 0 for e in self.zero)

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The variables in order of first use."""
        found: dict[Variable, None] = {}
        for e in (*self.nonnegative, *self.zero):
            found.update(dict.fromkeys(e.variables))
        return tuple(found)

    @cached_property
    def ranges(self) -> dict[Atom, Range]:
        """Inclusive ranges of variables, floordivs and mods from the constraints on one of them alone."""
        result: dict[Atom, Range] = {}
        for e in self.nonnegative:
            _narrow(result, e)
        for e in self.zero:
            _narrow(result, e)
            _narrow(result, -e)
        return result

    @cached_property
    def is_box(self) -> bool:
        """Return whether each constraint is on one variable alone, so that the ranges are exact."""
        return not self.zero and all(len(e.terms) <= 1 and e.is_linear for e in self.nonnegative)

    def rows(self, *extra: Index) -> tuple[Rows, tuple[Variable, ...], tuple[tuple[int, ...], ...]]:
        """Return the system as matrices, the variables of its columns, and the rows of the `extra` expressions."""
        return _Encoder(self, extra).encode()

    def projected_rows(self, variables: Sequence[Variable]) -> Rows:
        """Return the system as matrices over `variables` alone: the others are there for some value."""
        rows, columns, _ = _Encoder(self, (), tuple(variables)).encode()
        return Rows(len(variables), rows.existentials + len(columns) - len(variables), rows.zero, rows.nonnegative)


def _narrow(ranges: dict[Atom, Range], e: Index) -> None:
    if len(e.terms) != 1:
        return
    atom, c = e.terms[0]
    lo, hi = ranges.get(atom, (None, None))
    if c > 0:
        bound = -(e.constant // c)
        lo = bound if lo is None else max(lo, bound)
    else:
        bound = e.constant // -c
        hi = bound if hi is None else min(hi, bound)
    ranges[atom] = (lo, hi)


class _Encoder:
    """Rows over the variables, then a quotient for each (numerator, divisor), then the constant."""

    def __init__(self, system: System, extra: tuple[Index, ...], leading: tuple[Variable, ...] = ()) -> None:
        self.system = system
        self.extra = extra
        columns: dict[Variable, None] = dict.fromkeys((*leading, *system.variables))
        for e in extra:
            columns.update(dict.fromkeys(e.variables))
        self.variables = tuple(columns)
        self.columns = {v: k for k, v in enumerate(self.variables)}
        self.quotients: dict[tuple[Index, int], int] = {}
        self.definitions: list[dict[int, int]] = []

    def encode(self) -> tuple[Rows, tuple[Variable, ...], tuple[tuple[int, ...], ...]]:
        zero = [self._sparse(e) for e in self.system.zero]
        nonnegative = [self._sparse(e) for e in self.system.nonnegative]
        extra = [self._sparse(e) for e in self.extra]
        count = len(self.variables) + len(self.quotients)

        def dense(row: dict[int, int]) -> tuple[int, ...]:
            values = [0] * (count + 1)  # rows are long, and nearly all of a row is zero
            for column, coefficient in row.items():
                values[column] = coefficient
            return tuple(values)

        rows = Rows(
            len(self.variables),
            len(self.quotients),
            tuple(map(dense, zero)),
            tuple(map(dense, nonnegative + self.definitions)),
        )
        return rows, self.variables, tuple(map(dense, extra))

    def _sparse(self, e: Index) -> dict[int, int]:
        """Return the row of an expression: column to coefficient; column -1 is the constant."""
        row = {-1: e.constant}
        for atom, c in e.terms:
            if isinstance(atom, FloorDiv):
                q = self._quotient(atom.numerator, atom.divisor)
                row[q] = row.get(q, 0) + c
            elif isinstance(atom, Mod):
                q = self._quotient(atom.numerator, atom.divisor)
                row[q] = row.get(q, 0) - c * atom.divisor
                for column, k in self._sparse(atom.numerator).items():
                    row[column] = row.get(column, 0) + c * k
            else:
                column = self.columns[atom]
                row[column] = row.get(column, 0) + c
        return row

    def _quotient(self, numerator: Index, divisor: int) -> int:
        """Return the column of q where divisor*q <= numerator <= divisor*q + divisor - 1."""
        key = (numerator, divisor)
        if key not in self.quotients:
            row = self._sparse(numerator)
            q = len(self.variables) + len(self.quotients)
            self.quotients[key] = q
            below = {**row, q: row.get(q, 0) - divisor}
            above = {column: -c for column, c in below.items()}
            above[-1] = above.get(-1, 0) + divisor - 1
            self.definitions += [below, above]
        return self.quotients[key]


def lexicographically_before(first: Sequence[Index], second: Sequence[Index]) -> tuple[System, ...]:
    """Return one system for each position at which `first` may be the lesser, equal before it.

    `first < second` holds where one of the systems does. Positions where the two are the same expression
    are skipped.
    """
    systems: list[System] = []
    equal = System()
    for a, b in zip(first, second, strict=True):
        difference = b - a
        if difference.is_constant:
            if difference.constant > 0:
                systems.append(equal)
            if difference.constant != 0:
                break
            continue
        systems.append(equal.where(difference - 1))
        equal = System(equal.nonnegative, (*equal.zero, difference))
    return tuple(systems)
