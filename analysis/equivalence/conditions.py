"""The sizes that a proof is about, as a reader sees them: `n <= m, k < 8; or n = 0`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...dialects.index_expr import FloorDiv, Index, Symbol
from ..integer_set import System
from ..integer_set.relation import IntegerSet

CASES = 16
"""The number of cases up to which each is simplified as far as the others allow."""


def condition_of(sizes: IntegerSet, known: IntegerSet, names: Mapping[str, str]) -> str | None:
    """Return the condition by which `sizes` differ from the sizes `known`, both sets without dimensions; None without
    one.

    Cases are listed from the largest on: first those with the fewest equations, then those with the fewest conditions.
    `names` maps names of parameters to words.
    """
    if known.is_subset(sizes):
        return None
    cases = sizes.gist(known).coalesce().systems()
    if len(cases) <= CASES:
        cases = _without_repetition([_widest(case, sizes, known) for case in cases], known)
    ranked = sorted(cases, key=lambda case: (_equations(case, known), len(_conditions(case)), str(case)))
    return "; or ".join(_text(case, known, names) for case in ranked)


def _conditions(case: System) -> list[System]:
    """Return the conditions of a case, one by one."""
    return [System((e,)) for e in case.nonnegative] + [System((), (e,)) for e in case.zero]


def _joined(conditions: Sequence[System]) -> System:
    whole = System()
    for each in conditions:
        whole = whole & each
    return whole


def _widest(case: System, sizes: IntegerSet, known: IntegerSet) -> System:
    """Return the case without the conditions that no size beyond `sizes` is kept out by."""
    kept = _conditions(case)
    for each in list(kept):
        fewer = [other for other in kept if other is not each]
        if (_set(known, _joined(fewer)) & known).is_subset(sizes):
            kept = fewer
    return _joined(kept)


def _without_repetition(cases: list[System], known: IntegerSet) -> list[System]:
    """Return the cases without those that are a part of another one."""
    kept: list[System] = []
    sets = [_set(known, case) & known for case in cases]
    for k, case in enumerate(cases):
        larger = any(
            sets[k].is_subset(other) and (m < k or not other.is_subset(sets[k]))
            for m, other in enumerate(sets)
            if m != k
        )
        kept += [] if larger else [case]
    return kept


def _equations(case: System, known: IntegerSet) -> int:
    """Return the number of equations that hold in a case beyond those that are known."""
    return len(_zeros(_set(known, case) & known)) - len(_zeros(known))


def _zeros(sizes: IntegerSet) -> tuple[Index, ...]:
    hull = sizes.affine_hull().systems()
    return hull[0].zero if hull else ()


def _set(like: IntegerSet, system: System) -> IntegerSet:
    return like.calculus.set((), [system])


def _text(case: System, known: IntegerSet, names: Mapping[str, str]) -> str:
    """Return text such as `n <= m, k = 0`."""
    words = {v: Symbol(names.get(v.name, v.name)) for v in case.variables if isinstance(v, Symbol)}
    parts = [f"{left} = {right}" for left, right in (_sides(_remainder(e), words) for e in case.zero)]
    for e in case.nonnegative:
        left, right = _sides(e, words)
        is_equation = known.is_subset(_set(known, System((-e,))))
        parts.append(f"{left} = {right}" if is_equation else _inequality(e, words))
    return ", ".join(parts)


def _remainder(e: Index) -> Index:
    """Return an expression that is 0 where `e` is, with `n mod 4` for `n - n floordiv 4 * 4`."""
    for atom, c in e.terms:
        if isinstance(atom, FloorDiv) and abs(c) == atom.divisor:
            rest = e.without(atom) * (-1 if c > 0 else 1)
            if rest == atom.numerator:
                return rest % atom.divisor
    return e


def _inequality(e: Index, words: Mapping[Symbol, Symbol]) -> str:
    """Return `e >= 0` with the negative terms on the left."""
    if all(c > 0 for _, c in e.terms):
        return f"{Index.sum(e.terms).rename(words)} >= {-e.constant}"
    if e.constant == -1 and any(c > 0 for _, c in e.terms):
        left, right = _sides(e + 1, words)
        return f"{left} < {right}"
    left, right = _sides(e, words)
    return f"{left} <= {right}"


def _sides(e: Index, words: Mapping[Symbol, Symbol]) -> tuple[Index, Index]:
    """Return the two sides that are equal where `e` is 0: terms with negative factors, and the others with the
    constant."""
    left = Index.sum([(atom, -c) for atom, c in e.terms if c < 0])
    right = Index.sum([(atom, c) for atom, c in e.terms if c > 0], e.constant)
    if not left.terms:
        left, right = Index.sum(e.terms), Index.of(-e.constant)
    return left.rename(words), right.rename(words)
