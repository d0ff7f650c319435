"""Quasi-affine integer expressions over SSA values, in normal form.

Every index, bound and guard of the te and loop dialects is an `Index`. An operation stores it as an `AffineMap` in an
attribute plus `index` operands; a rewrite works on `Index` objects, where substitution and simplification are
direct, and converts at the edges (`index_maps.py`). The normal form is

    constant + sum(coefficient * atom)

where an atom is an SSA value, the vector lane, `x floordiv c` or `x mod c` with c > 0. Its equations, each applied when
an expression is built:

    (c*a + r) floordiv c        == a + r floordiv c
    (g*a + k) floordiv (g*c)    == (a + k floordiv g) floordiv c
    (a floordiv b + k) floordiv c == (a + b*k) floordiv (b*c)
    (c*a + r) mod c             == r mod c
    (g*a + g*k) mod (g*c)       == g*((a + k) mod c)
    (a mod (b*c)) mod c         == a mod c
    k*(a mod c) + k*c*(a floordiv c) == k*a

Terms keep the order of their first use, larger coefficients first, so that printing and parsing give the same
expression back; equality does not depend on the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, TypeAlias

from xdsl.ir import SSAValue


class Lane:
    """The position within a vector: 0 for its first element. `LANE` is its only instance."""

    def __repr__(self) -> str:
        return "lane"


LANE = Lane()


@dataclass(frozen=True)
class Symbol:
    """A variable identified by its name alone. Analyses use it for a second copy of a loop; it never occurs in an
    op."""

    name: str


@dataclass(frozen=True)
class FloorDiv:
    """`numerator floordiv divisor`, rounding towards minus infinity; divisor > 1."""

    numerator: Index
    divisor: int


@dataclass(frozen=True)
class Mod:
    """`numerator mod divisor`, in [0, divisor); divisor > 1."""

    numerator: Index
    divisor: int


Atom: TypeAlias = "SSAValue | Lane | Symbol | FloorDiv | Mod"
Variable: TypeAlias = "SSAValue | Lane | Symbol"
Range: TypeAlias = "tuple[int | None, int | None]"
"""Inclusive bounds; None is unbounded."""
IndexLike: TypeAlias = "Index | SSAValue | Lane | Symbol | int"


class Index:
    """A quasi-affine expression in normal form. Build with `Index.of` and arithmetic, never directly.

    Immutable by convention only: compilation creates hundreds of thousands of expressions, and a frozen dataclass takes
    three times as long to create.
    """

    __slots__ = ("_hash", "_values", "_variables", "constant", "terms")

    def __init__(self, terms: tuple[tuple[Atom, int], ...], constant: int) -> None:
        self.terms = terms
        self.constant = constant
        self._hash: int | None = None
        self._variables: tuple[Variable, ...] | None = None
        self._values: tuple[SSAValue, ...] | None = None

    @staticmethod
    def of(value: IndexLike) -> Index:
        if isinstance(value, Index):
            return value
        if isinstance(value, int):
            return Index((), int(value))
        return Index(((value, 1),), 0)

    @staticmethod
    def of_atom(atom: Atom) -> Index:
        return Index(((atom, 1),), 0)

    @staticmethod
    def sum(terms: Sequence[tuple[Atom, int]], constant: int = 0) -> Index:
        """Return constant + sum(coefficient * atom), where an atom may stand in several terms."""
        return _linear(terms, constant) if terms else Index((), constant)

    # Comparison ignores the order of terms.

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Index) and self.constant == other.constant and self.has_terms_of(other)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((frozenset(self.terms), self.constant))
        return self._hash

    # Arithmetic

    def __add__(self, other: IndexLike) -> Index:
        if not isinstance(other, Index):
            other = Index.of(other)
        if not other.terms:
            return Index(self.terms, self.constant + other.constant) if other.constant else self
        if not self.terms:
            return Index(other.terms, self.constant + other.constant) if self.constant else other
        return _linear(self.terms + other.terms, self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: IndexLike) -> Index:
        if not isinstance(other, Index):
            other = Index.of(other)
        if not other.terms:
            return Index(self.terms, self.constant - other.constant) if other.constant else self
        return self + other * -1

    def __rsub__(self, other: IndexLike) -> Index:
        return Index.of(other) - self

    def __mul__(self, factor: int) -> Index:
        if factor == 1:
            return self
        if factor == 0:
            return Index((), 0)
        return Index(tuple([(atom, c * factor) for atom, c in self.terms]), self.constant * factor)

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Index:
        _check_divisor(divisor)
        if divisor == 1:
            return self
        whole = tuple((a, c // divisor) for a, c in self.terms if c % divisor == 0)
        rest = Index(tuple((a, c) for a, c in self.terms if c % divisor), self.constant % divisor)
        return _linear((*whole, *_floordiv_rest(rest, divisor).terms), self.constant // divisor)

    def __mod__(self, divisor: int) -> Index:
        _check_divisor(divisor)
        if divisor == 1:
            return Index((), 0)
        rest = Index(tuple((a, c) for a, c in self.terms if c % divisor), self.constant % divisor)
        return _mod_rest(rest, divisor)

    def ceildiv(self, divisor: int) -> Index:
        return (self + (divisor - 1)) // divisor

    # Queries

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def single_value(self) -> SSAValue | None:
        """The SSA value that the expression is, where it is nothing else."""
        if self.constant or len(self.terms) != 1 or self.terms[0][1] != 1:
            return None
        atom = self.terms[0][0]
        return atom if isinstance(atom, SSAValue) else None

    def coefficient(self, atom: Atom) -> int:
        """Return the coefficient of `atom` outside any floordiv or mod; 0 where it is absent."""
        return next((c for a, c in self.terms if a == atom), 0)

    def without(self, atom: Atom) -> Index:
        """Return the expression less the term of `atom`."""
        return Index(tuple([term for term in self.terms if term[0] is not atom]), self.constant)

    def has_terms_of(self, other: Index) -> bool:
        """Return whether the two expressions differ in their constants at most."""
        if len(self.terms) != len(other.terms):
            return False
        return self.terms == other.terms or frozenset(self.terms) == frozenset(other.terms)

    def values(self) -> tuple[SSAValue, ...]:
        """Return the SSA values used, inside floordiv and mod too, in order of first use."""
        if self._values is None:
            self._values = tuple([v for v in self.variables if not isinstance(v, (Lane, Symbol))])
        return self._values

    @property
    def uses_lane(self) -> bool:
        return LANE in self.variables

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The SSA values, symbols and LANE used, inside floordiv and mod too, in order of first use."""
        if self._variables is None:
            self._variables = _variables_in(self.terms)
        return self._variables

    @property
    def is_linear(self) -> bool:
        """Return whether the expression has no floordiv and no mod."""
        for atom, _ in self.terms:  # noqa: SIM110 (asked of every expression: a generator takes three times as long)
            if isinstance(atom, (FloorDiv, Mod)):
                return False
        return True

    # Rewriting and evaluation

    def substitute(self, mapping: Mapping[Any, IndexLike]) -> Index:
        """Replace SSA values (or LANE) by expressions, all at once."""
        if not mapping or mapping.keys().isdisjoint(self.variables):
            return self
        terms: list[tuple[Atom, int]] = []
        constant = self.constant
        for atom, c in self.terms:
            part = _substitute_atom(atom, mapping)
            terms += [(a, k * c) for a, k in part.terms]
            constant += part.constant * c
        return _linear(terms, constant)

    def rename(self, names: Mapping[Any, Variable]) -> Index:
        """Replace variables by others, distinct ones by distinct ones: the normal form stays as it is."""
        return Index(tuple([(_rename_atom(atom, names), c) for atom, c in self.terms]), self.constant)

    def evaluate(self, environment: Mapping[Any, Any]) -> Any:
        """Return the value for given variables: integers, or numpy arrays elementwise."""
        total: Any = self.constant
        for atom, c in self.terms:
            total = total + _evaluate_atom(atom, environment) * c
        return total

    def bounds(self, ranges: Mapping[Any, Range]) -> Range:
        """Return inclusive bounds by interval arithmetic, given inclusive ranges of variables, and of floordivs and
        mods too where more is known of them than of their numerators."""
        lo: int | None = self.constant
        hi: int | None = self.constant
        for atom, c in self.terms:
            a_lo, a_hi = (
                _atom_bounds(atom, ranges) if isinstance(atom, (FloorDiv, Mod)) else ranges.get(atom, _UNBOUNDED)
            )
            if c < 0:
                a_lo, a_hi = a_hi, a_lo
            lo = None if lo is None or a_lo is None else lo + a_lo * c
            hi = None if hi is None or a_hi is None else hi + a_hi * c
        return lo, hi

    def with_ranges(self, ranges: Mapping[Any, Range]) -> Index:
        """Return an equal expression under inclusive ranges: fewer floordivs and mods, no atom that has one value
        only."""
        if not self.terms:
            return self
        fixed: dict[Any, IndexLike] = {}
        for v in self.variables:
            lo, hi = ranges.get(v, _UNBOUNDED)
            if lo is not None and lo == hi:
                fixed[v] = lo
        if fixed:
            return self.substitute(fixed).with_ranges(ranges)
        if self.is_linear:
            return self
        result = Index((), self.constant)
        for atom, c in self.terms:
            result = result + _simplify_atom(atom, ranges) * c
        return result

    def __str__(self) -> str:
        return format_index(self, lambda v: f"%{v.name_hint or '?'}")

    __repr__ = __str__


def format_index(expression: Index, name: Callable[[SSAValue], str]) -> str:
    """Return the text of an expression; `name` maps an SSA value to its text."""
    return "".join(p if isinstance(p, str) else name(p) for p in index_pieces(expression))


def index_pieces(expression: Index) -> Iterator[str | SSAValue]:
    """Yield the text of an expression in pieces, with its SSA values between them."""
    first = True
    for atom, c in expression.terms:
        yield ("-" if c < 0 else "") if first else (" - " if c < 0 else " + ")
        yield from _atom_pieces(atom)
        if abs(c) != 1:
            yield f" * {abs(c)}"
        first = False
    constant = expression.constant
    if first:
        yield str(constant)
    elif constant:
        yield f" {'-' if constant < 0 else '+'} {abs(constant)}"


def _atom_pieces(atom: Atom) -> Iterator[str | SSAValue]:
    if isinstance(atom, Lane):
        yield "lane"
    elif isinstance(atom, Symbol):
        yield atom.name
    elif isinstance(atom, SSAValue):
        yield atom
    else:
        numerator = atom.numerator
        is_atom = len(numerator.terms) == 1 and numerator.constant == 0 and numerator.terms[0][1] == 1
        yield "(" if is_atom else "(("
        yield from index_pieces(numerator)
        yield "" if is_atom else ")"
        yield f" {'floordiv' if isinstance(atom, FloorDiv) else 'mod'} {atom.divisor})"


# Normal form


def _check_divisor(divisor: int) -> None:
    if divisor <= 0:
        raise ValueError(f"expected a positive divisor, but got {divisor}")


def _linear(terms: Iterable[tuple[Atom, int]], constant: int) -> Index:
    total: dict[Atom, int] = {}
    has_quotient = has_remainder = False
    for atom, c in terms:
        total[atom] = total.get(atom, 0) + c
        has_quotient |= isinstance(atom, FloorDiv)
        has_remainder |= isinstance(atom, Mod)
    if has_quotient and has_remainder:
        recombined = _recombine(total)
        if recombined is not None:
            return recombined + constant
    kept = [term for term in total.items() if term[1]]
    if len(kept) > 1:
        kept.sort(key=_by_coefficient)
    return Index(tuple(kept), constant)


def _by_coefficient(term: tuple[Atom, int]) -> int:
    return -abs(term[1])


def variables_of(atom: Atom) -> tuple[Variable, ...]:
    """Return the SSA values, symbols and LANE used in an atom, in order of first use."""
    return atom.numerator.variables if isinstance(atom, (FloorDiv, Mod)) else (atom,)


def _variables_in(terms: tuple[tuple[Atom, int], ...]) -> tuple[Variable, ...]:
    if len(terms) == 1:
        return variables_of(terms[0][0])
    found: dict[Variable, None] = {}
    for atom, _ in terms:
        if isinstance(atom, (FloorDiv, Mod)):
            found.update(dict.fromkeys(atom.numerator.variables))
        else:
            found[atom] = None
    return tuple(found)


def _recombine(total: dict[Atom, int]) -> Index | None:
    """Apply k*(a mod c) + k*c*(a floordiv c) == k*a where both terms occur."""
    for atom, k in total.items():
        if not isinstance(atom, Mod) or not k:
            continue
        numerator, c = atom.numerator, atom.divisor
        quotient = numerator // c
        if all(total.get(a, 0) == k * c * f for a, f in quotient.terms) and quotient.terms:
            rest = {a: f for a, f in total.items() if a is not atom}
            for a, _ in quotient.terms:
                del rest[a]
            return _linear(rest.items(), -k * c * quotient.constant) + numerator * k
    return None


def _floordiv_rest(rest: Index, divisor: int) -> Index:
    """Return `rest floordiv divisor` for 0 <= rest.constant < divisor and no coefficient a multiple of divisor."""
    if not rest.terms:
        return Index((), 0)
    g = divisor
    for _, c in rest.terms:
        g = gcd(g, c)
    if g > 1:
        rest = Index(tuple((a, c // g) for a, c in rest.terms), rest.constant // g)
        divisor //= g
        if divisor == 1:
            return rest
        return rest // divisor
    if len(rest.terms) == 1 and rest.terms[0][1] == 1 and isinstance(inner := rest.terms[0][0], FloorDiv):
        return (inner.numerator + rest.constant * inner.divisor) // (inner.divisor * divisor)
    return Index(((FloorDiv(rest, divisor), 1),), 0)


def _mod_rest(rest: Index, divisor: int) -> Index:
    """Return `rest mod divisor` for 0 <= rest.constant < divisor and no coefficient a multiple of divisor."""
    if not rest.terms:
        return rest
    g = gcd(divisor, rest.constant)
    for _, c in rest.terms:
        g = gcd(g, c)
    if g > 1:
        reduced = Index(tuple((a, c // g) for a, c in rest.terms), rest.constant // g)
        return (reduced % (divisor // g)) * g
    flattened = _drop_inner_mod(rest, divisor)
    if flattened is not rest:
        return flattened % divisor
    return Index(((Mod(rest, divisor), 1),), 0)


def _drop_inner_mod(rest: Index, divisor: int) -> Index:
    for atom, c in rest.terms:
        if isinstance(atom, Mod) and (c * atom.divisor) % divisor == 0:
            return rest - Index(((atom, c),), 0) + atom.numerator * c
    return rest


def _substitute_atom(atom: Atom, mapping: Mapping[Any, IndexLike]) -> Index:
    if isinstance(atom, FloorDiv):
        return atom.numerator.substitute(mapping) // atom.divisor
    if isinstance(atom, Mod):
        return atom.numerator.substitute(mapping) % atom.divisor
    return Index.of(mapping.get(atom, atom))


def _rename_atom(atom: Atom, names: Mapping[Any, Variable]) -> Atom:
    if isinstance(atom, (FloorDiv, Mod)):
        return type(atom)(atom.numerator.rename(names), atom.divisor)
    return names.get(atom, atom)


def _evaluate_atom(atom: Atom, environment: Mapping[Any, Any]) -> Any:
    if isinstance(atom, FloorDiv):
        return atom.numerator.evaluate(environment) // atom.divisor
    if isinstance(atom, Mod):
        return atom.numerator.evaluate(environment) % atom.divisor
    return environment[atom]


# Ranges


_UNBOUNDED: Range = (None, None)


def _atom_bounds(atom: FloorDiv | Mod, ranges: Mapping[Any, Range]) -> Range:
    lo, hi = atom.numerator.bounds(ranges)
    c = atom.divisor
    if isinstance(atom, FloorDiv):
        found: Range = (None if lo is None else lo // c, None if hi is None else hi // c)
    elif lo is not None and hi is not None and lo // c == hi // c:
        found = lo % c, hi % c
    else:
        found = 0, c - 1
    known = ranges.get(atom)
    return found if known is None else intersection(found, known)


def intersection(a: Range, b: Range) -> Range:
    """Return the numbers in both ranges; the least is above the greatest where there are none."""
    lows, highs = [n for n in (a[0], b[0]) if n is not None], [n for n in (a[1], b[1]) if n is not None]
    return max(lows, default=None), min(highs, default=None)


def _simplify_atom(atom: Atom, ranges: Mapping[Any, Range]) -> Index:
    if not isinstance(atom, (FloorDiv, Mod)):
        return Index.of(atom)
    least, greatest = ranges.get(atom, _UNBOUNDED)
    if least is not None and least == greatest:
        return Index((), least)
    numerator, c = atom.numerator.with_ranges(ranges), atom.divisor
    is_div = isinstance(atom, FloorDiv)
    lo, hi = numerator.bounds(ranges)
    if lo is not None and hi is not None and lo // c == hi // c:
        return Index((), lo // c) if is_div else numerator - (lo // c) * c
    for g in sorted({abs(k) for _, k in numerator.terms if k and c % abs(k) == 0 and abs(k) > 1}, reverse=True):
        coarse = Index(tuple((a, k // g) for a, k in numerator.terms if k % g == 0), numerator.constant // g)
        fine = Index(tuple((a, k) for a, k in numerator.terms if k % g), numerator.constant % g)
        fine_lo, fine_hi = fine.bounds(ranges)
        if coarse.terms and fine_lo is not None and fine_hi is not None and fine_lo >= 0 and fine_hi < g:
            return (coarse // (c // g)) if is_div else (coarse % (c // g)) * g + fine
    return numerator // c if is_div else numerator % c
