"""The questions asked of systems. Interval arithmetic first, the solver where it does not decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...dialects.index_expr import Atom, FloorDiv, Index, IndexLike, Mod, Range, Variable
from .solver import BUDGET, EMPTY, Unknown, find_point, find_uncovered, maximum
from .system import Point, System


@dataclass(frozen=True)
class Proved:
    """The claim holds at every point."""


PROVED = Proved()


@dataclass(frozen=True)
class Refuted:
    """The claim fails at `point`, which lies in the system asked about."""

    point: Point


Verdict: TypeAlias = "Proved | Refuted | Unknown"

NOTHING: Range = (0, -1)
"""The range of an expression over an empty domain."""


def is_empty(system: System, *, budget: int = BUDGET) -> Verdict:
    """Decide whether the system has no point; `Refuted` holds a point."""
    if _ranges_are_empty(system):
        return PROVED
    if system.is_box:
        return Refuted(_corner(system, Index.of(0)))
    rows, variables, _ = system.rows()
    answer = find_point(rows, budget)
    if answer is None:
        return PROVED
    if isinstance(answer, Unknown):
        return answer
    return Refuted(dict(zip(variables, answer, strict=True)))


def none_satisfiable(systems: Iterable[System], *, budget: int = BUDGET) -> Verdict:
    """Decide whether every one of the systems is empty, and so their union."""
    unknown: Unknown | None = None
    for system in systems:
        verdict = is_empty(system, budget=budget)
        if isinstance(verdict, Refuted):
            return verdict
        if isinstance(verdict, Unknown):
            unknown = verdict
    return unknown or PROVED


def implies(system: System, e: Index, *, budget: int = BUDGET) -> Verdict:
    """Decide whether `e >= 0` at every point."""
    lo, _ = e.with_ranges(system.ranges).bounds(system.ranges)
    if (lo is not None and lo >= 0) or _follows_from_one(system, e) or _ranges_are_empty(system):
        return PROVED
    if e.is_linear and lo is not None:
        corner = _corner(system, e)
        if system.is_box or (e.evaluate(corner) < 0 and system.contains(corner)):
            return Refuted(corner)
    return is_empty(system.where(-e - 1), budget=budget)


def implies_all(system: System, guard: Sequence[Index], *, budget: int = BUDGET) -> Verdict:
    """Decide whether every expression of `guard` is >= 0 at every point."""
    unknown: Unknown | None = None
    for e in guard:
        verdict = implies(system, e, budget=budget)
        if isinstance(verdict, Refuted):
            return verdict
        if isinstance(verdict, Unknown):
            unknown = verdict
    return unknown or PROVED


def covers(cover: System, target: System, variables: Sequence[Variable], *, budget: int = BUDGET) -> Verdict:
    """Decide whether `cover` has every point of `target`, both projected to `variables`."""
    return cover_together((cover,), target, variables, budget=budget)


def cover_together(
    covers: Iterable[System], target: System, variables: Sequence[Variable], *, budget: int = BUDGET
) -> Verdict:
    """Decide whether each point of `target` is in one of `covers`, all projected to `variables`."""
    rows = tuple(cover.projected_rows(variables) for cover in covers)
    answer = find_uncovered(target.projected_rows(variables), rows, budget)
    if answer is None:
        return PROVED
    return answer if isinstance(answer, Unknown) else Refuted(dict(zip(variables, answer, strict=True)))


def always_equal(system: System, left: IndexLike, right: IndexLike, *, budget: int = BUDGET) -> Verdict:
    """Decide whether two expressions are equal at every point."""
    difference = (Index.of(left) - right).with_ranges(system.ranges)
    if difference == Index.of(0) or difference in system.zero:
        return PROVED
    return implies_all(system, (difference, -difference), budget=budget)


def bounds(system: System, e: Index, *, budget: int = BUDGET) -> Range:
    """Return inclusive bounds of `e` over the points, None where unbounded.

    Where there is no point at all they are (0, -1), except for an `e` of one value, which has its value.
    The bounds are the tightest ones, unless the solver's budget is spent: then those of interval
    arithmetic.
    """
    if _ranges_are_empty(system):
        return NOTHING
    simple = e.with_ranges(system.ranges)
    lo, hi = simple.bounds(system.ranges)
    if (system.is_box and _uses_each_variable_once(simple)) or (lo is not None and lo == hi):
        return lo, hi
    rows, _, (up, down) = system.rows(simple, -simple)
    for sign, row in ((1, up), (-1, down)):
        if _is_reached(system, simple * -sign):
            continue
        top = maximum(rows, row, budget)
        if top == EMPTY:
            return NOTHING
        if isinstance(top, Unknown):
            continue
        end = sign * top if isinstance(top, int) else None
        lo, hi = (lo, end) if sign > 0 else (end, hi)
    return lo, hi


def _ranges_are_empty(system: System) -> bool:
    return any(lo is not None and hi is not None and lo > hi for lo, hi in system.ranges.values()) or any(
        e.is_constant and e.constant < 0 for e in system.nonnegative
    )


def _follows_from_one(system: System, e: Index) -> bool:
    """Return whether `e` is a constraint plus a constant >= 0, as most consequences with symbolic bounds are."""
    return any(known.constant <= e.constant and e.has_terms_of(known) for known in system.nonnegative)


def _corner(system: System, e: Index) -> Point:
    """Return the point of a box where a linear `e` is least, its other variables as near to 0 as the box allows."""
    point: Point = {}
    for variable in system.variables:
        lo, hi = system.ranges.get(variable, (None, None))
        nearest = max(lo, 0) if lo is not None else 0
        point[variable] = min(nearest, hi) if hi is not None else nearest
    for variable, c in e.terms:
        assert not isinstance(variable, (FloorDiv, Mod)), "expected a linear expression"
        lo, hi = system.ranges.get(variable, (None, None))
        end = lo if c > 0 else hi
        if end is not None:
            point[variable] = end
    return point


def _is_reached(system: System, e: Index) -> bool:
    """Return whether the least value that intervals give for a linear `e` is reached at a corner, the only point
    tried."""
    if not e.is_linear or any(end is None for v in e.variables for end in system.ranges.get(v, (None, None))):
        return False
    return system.contains(_corner(system, e))


def _uses_each_variable_once(e: Index) -> bool:
    """Return whether interval arithmetic is exact for `e` over a box: no variable occurs in two atoms."""
    if e.is_linear:
        return True
    seen = [v for atom, _ in e.terms for v in Index.of_atom(atom).variables]
    return len(seen) == len(set(seen)) and all(_has_exact_bounds(atom) for atom, _ in e.terms)


def _has_exact_bounds(atom: Atom) -> bool:
    if isinstance(atom, FloorDiv):
        return _uses_each_variable_once(atom.numerator)
    if isinstance(atom, Mod):
        # Steps of one reach both 0 and divisor - 1 where the range crosses a multiple of the divisor.
        terms = atom.numerator.terms
        return len(terms) == 1 and abs(terms[0][1]) == 1 and not isinstance(terms[0][0], (FloorDiv, Mod))
    return True
