"""Mixed-radix reasoning: which loop variables two accesses must agree on to touch one element.

The difference of two indices is a sum of c * (i - i') over shared loop variables and a rest of bounded
width. Where the largest |c| exceeds the width of all the other terms, a difference of 0 forces i = i';
then the next largest, and so on, as the digits of a number are read. Quotients and remainders of a fused
variable count as variables; both together fix it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..dialects import loop
from ..dialects.index_expr import LANE, Atom, FloorDiv, Index, Mod, Range, Variable, variables_of
from .access import Access
from .domain import is_inside, loop_ranges


def forced_equal(first: Access, second: Access, band: Sequence[loop.ForOp]) -> frozenset[Variable]:
    """Return variables of `band`, nested loops around both accesses, that agree wherever the two touch one element.

    Variables defined outside the band are the same for both, all others differ.
    """
    if first.index is None or second.index is None:
        return frozenset()
    return _decode(zip(first.index, second.index, strict=True), band, first.ranges, second.ranges)


def determined(expressions: Sequence[Index], loops: Sequence[loop.ForOp], band: Sequence[loop.ForOp]) -> bool:
    """Return whether the values of the expressions determine the iteration of `band`, the innermost ones of nested
    `loops`."""
    ranges = loop_ranges(loops)
    equal = _decode(((e, e) for e in expressions), band, ranges, ranges)
    return all(op.induction_variable in equal for op in band)


def _decode(
    pairs: Iterable[tuple[Index, Index]],
    band: Sequence[loop.ForOp],
    first: Mapping[Variable, Range],
    second: Mapping[Variable, Range],
) -> frozenset[Variable]:
    decoder = _Decoder(band, first, second)
    equations = list(pairs)
    while any([decoder.read(e, f) for e, f in equations]) and not decoder.band <= decoder.equal:  # noqa: C419
        pass
    return decoder.band & frozenset(a for a in decoder.equal if not isinstance(a, (FloorDiv, Mod)))


def _is_single(range: Range | None) -> bool:
    return range is not None and range[0] is not None and range[0] == range[1]


class _Decoder:
    """The variables and expressions that are known to be equal in two instances."""

    def __init__(
        self, band: Sequence[loop.ForOp], first: Mapping[Variable, Range], second: Mapping[Variable, Range]
    ) -> None:
        self.scope = band[0]
        self.band = frozenset[Variable](op.induction_variable for op in band)
        self.first = first
        self.second = second
        self.equal: set[Atom] = {v for v in self.band if first.get(v) == second.get(v) and _is_single(first.get(v))}
        self._outside: dict[Variable, bool] = {}
        """Cached answers of `_is_outside`."""

    def read(self, e: Index, f: Index) -> bool:
        """Learn from `e` of the first instance being `f` of the second; whether anything was learnt."""
        digits, rest = self._difference(e, f)
        learnt = False
        while digits and rest is not None:
            digits.sort(key=lambda digit: abs(digit[1]))
            atom, c = digits.pop()
            below = [self._span(a, k) for a, k in digits]
            if None in below or abs(c) <= rest + sum(s for s in below if s is not None):
                break
            learnt |= self._learn(atom)
        return learnt

    def _difference(self, e: Index, f: Index) -> tuple[list[tuple[Atom, int]], int | None]:
        """Return the atoms of band variables that both share, and the largest absolute value of all else in `e - f`.

        The second is None where it is not bounded, or there are no such atoms.
        """
        digits: list[tuple[Atom, int]] = []
        common: list[tuple[Atom, int]] = []
        left: list[tuple[Atom, int]] = []
        right: list[tuple[Atom, int]] = []
        coefficients = dict(f.terms)
        for atom, c in e.terms:
            k = coefficients.pop(atom, 0)
            if self._is_fixed(atom):
                common.append((atom, c - k))
            elif c == k and self._is_of_band(atom):
                digits.append((atom, c))
            else:
                left.append((atom, c))
                right.append((atom, -k))
        for atom, k in coefficients.items():
            (common if self._is_fixed(atom) else right).append((atom, -k))
        if not digits:
            return digits, None
        bounds = [
            Index.sum(common, e.constant - f.constant).bounds(self.first),
            Index.sum(left).bounds(self.first),
            Index.sum(right).bounds(self.second),
        ]
        lows, highs = [lo for lo, _ in bounds], [hi for _, hi in bounds]
        if None in lows or None in highs:
            return digits, None
        return digits, max(abs(sum(n for n in ends if n is not None)) for ends in (lows, highs))

    def _is_fixed(self, atom: Atom) -> bool:
        """Return whether an atom has the same value in both instances."""
        return atom in self.equal or all(v in self.equal or self._is_outside(v) for v in variables_of(atom))

    def _is_outside(self, variable: Variable) -> bool:
        if (known := self._outside.get(variable)) is None:
            is_spread = variable is LANE or isinstance(variable, loop.Position)
            known = self._outside[variable] = not is_spread and not is_inside(variable, self.scope)
        return known

    def _is_of_band(self, atom: Atom) -> bool:
        return all(v in self.band or self._is_fixed(v) for v in variables_of(atom))

    def _span(self, atom: Atom, c: int) -> int | None:
        """Return the largest difference of two values of c * atom; None where it is unbounded."""
        lo, hi = Index.of_atom(atom).bounds(self.first)
        return None if lo is None or hi is None else (hi - lo) * abs(c)

    def _learn(self, atom: Atom) -> bool:
        if atom in self.equal:
            return False
        self.equal.add(atom)
        for known in list(self.equal):
            if isinstance(known, Mod):
                self._recombine(known)
        return True

    def _recombine(self, remainder: Mod) -> None:
        """Learn a from a mod c where a floordiv c is fixed: the two together are a."""
        whole = remainder.numerator
        quotient = whole // remainder.divisor
        if all(self._is_fixed(atom) for atom, _ in quotient.terms):
            if len(whole.terms) == 1:
                self._learn(whole.terms[0][0])
            else:
                self.read(whole, whole)
