"""
Sizes as expressions of named sizes: sums, products, quotients, the larger and the smaller of two.

A size of a tensor is a number, a text, or None if unknown. The text is a name or an expression in normal form,
`"12 * n"`, `"m + n - 1"`, `"(n + 1) floordiv 2"`, `"max(n - 1, 0)"`: a sum of products, equal terms collected, in a
fixed order, so that sizes with equal texts are equal. A text that is no such expression is a name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from typing import Any, Literal, TypeAlias

Dim: TypeAlias = int | str | None
"""A size: a number, the name of a dynamic one or an expression of such names, or None for a dynamic one without."""

_TIMES, _PLUS, _MINUS, _QUOTIENT = " * ", " + ", " - ", " floordiv "
_OPERATORS = (_TIMES, _PLUS, _MINUS, _QUOTIENT, "max(", "min(")
_LONGEST = 400
"""Characters, and terms, of an expression; a longer text is taken as a name."""


@dataclass(frozen=True)
class Quotient:
    """`numerator floordiv divisor`, rounding down; divisor > 1."""

    numerator: Size
    divisor: int

    @cached_property
    def text(self) -> str:
        """The quotient as it stands in a sum."""
        inner = self.numerator.text
        return f"{inner if self.numerator.is_name else f'({inner})'}{_QUOTIENT}{self.divisor}"


@dataclass(frozen=True)
class Extreme:
    """The larger or the smaller of two sizes."""

    kind: Literal["max", "min"]
    left: Size
    right: Size

    @cached_property
    def text(self) -> str:
        """The choice as it stands in a sum."""
        return f"{self.kind}({self.left.text}, {self.right.text})"


Atom: TypeAlias = str | Quotient | Extreme
Monomial: TypeAlias = tuple[Atom, ...]


@dataclass(frozen=True)
class Size:
    """A sum of products: the coefficient of each product of atoms, in order. The empty product gives the constant."""

    terms: tuple[tuple[Monomial, int], ...]

    @staticmethod
    def of(terms: Mapping[Monomial, int]) -> Size:
        """Return the sum of terms, those that are 0 left out."""
        kept = [(monomial, coefficient) for monomial, coefficient in terms.items() if coefficient]
        return Size(tuple(sorted(kept, key=_order)))

    @property
    def constant(self) -> int | None:
        """The number that the size is; None where it depends on names."""
        if not self.terms:
            return 0
        return self.terms[0][1] if self.terms[0][0] == () else None

    @property
    def is_name(self) -> bool:
        """Return whether the size is one name."""
        return len(self.terms) == 1 and self.terms[0][1] == 1 and [*map(type, self.terms[0][0])] == [str]

    @property
    def dim(self) -> Dim:
        """The size as a dimension of a type."""
        return self.text if self.constant is None else self.constant

    @cached_property
    def text(self) -> str:
        """The normal form as text."""
        found = ""
        for monomial, coefficient in self.terms:
            number = abs(coefficient) if found else coefficient
            factors = [_factor_text(atom, number != 1 or len(monomial) > 1) for atom in monomial]
            term = _TIMES.join([*([str(number)] if number != 1 or not factors else []), *factors])
            found += term if not found else f"{_MINUS if coefficient < 0 else _PLUS}{term}"
        return found or "0"

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the size depends on, each once."""
        return tuple(dict.fromkeys(name for monomial, _ in self.terms for atom in monomial for name in _names(atom)))

    def __add__(self, other: Size) -> Size:
        total = dict(self.terms)
        for monomial, coefficient in other.terms:
            total[monomial] = total.get(monomial, 0) + coefficient
        return Size.of(total)

    def __mul__(self, other: Size) -> Size:
        total: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                monomial = tuple(sorted((*left, *right), key=_atom_text))
                total[monomial] = total.get(monomial, 0) + a * b
        return Size.of(total)

    def __floordiv__(self, divisor: int) -> Size:
        """Return the quotient: terms that the divisor divides are divided, the other terms stay in a quotient."""
        whole = {monomial: c // divisor for monomial, c in self.terms if c % divisor == 0 or not monomial}
        rest = Size.of({monomial: c if monomial else c % divisor for monomial, c in self.terms if c % divisor})
        if rest.constant is not None:
            return Size.of(whole)
        return Size.of(whole) + Size.of({(Quotient(rest, divisor),): 1})


def _order(term: tuple[Monomial, int]) -> tuple[Any, ...]:
    """Return the key that terms of a sum are sorted by: added terms, then subtracted ones, then the constant."""
    monomial, coefficient = term
    return (not monomial, coefficient < 0, -len(monomial), *map(_atom_text, monomial))


def _names(atom: Atom) -> tuple[str, ...]:
    match atom:
        case Quotient():
            return atom.numerator.names
        case Extreme():
            return (*atom.left.names, *atom.right.names)
        case _:
            return (atom,)


def _atom_text(atom: Atom) -> str:
    return atom if isinstance(atom, str) else atom.text


def _factor_text(atom: Atom, is_one_of_several: bool) -> str:
    return f"({atom.text})" if isinstance(atom, Quotient) and is_one_of_several else _atom_text(atom)


def number_size(number: int) -> Size:
    """Return a number as a size."""
    return Size.of({(): number})


@lru_cache(maxsize=4096)
def size_of(dim: int | str) -> Size:
    """Return the size of a number or a text."""
    if isinstance(dim, int):
        return number_size(dim)
    found = _parsed(dim) if len(dim) <= _LONGEST else None
    return Size.of({(dim,): 1}) if found is None or len(found.terms) > _LONGEST else found


def _parsed(text: str) -> Size | None:
    """Parse a sum of terms; None for text with a part that is none."""
    total, sign = number_size(0), 1
    for part, separator in _split(text, (_PLUS, _MINUS)):
        term = _parsed_term(part)
        if term is None:
            return None
        total, sign = total + term * number_size(sign), -1 if separator == _MINUS else 1
    return total


def _parsed_term(text: str) -> Size | None:
    product = number_size(1)
    for part, _ in _split(text, (_TIMES,)):
        factor = _parsed_factor(part)
        if factor is None or len(product.terms) * len(factor.terms) > _LONGEST:
            return None
        product *= factor
    return product


def _parsed_factor(text: str) -> Size | None:
    if not text or _is_unbalanced(text):
        return None
    if text.removeprefix("-").isdecimal() and text.isascii():
        return number_size(int(text))
    parts = _split(text, (_QUOTIENT,))
    if len(parts) == 2 and parts[1][0].isdecimal() and parts[1][0].isascii() and int(parts[1][0]) > 0:
        numerator = _parsed_factor(parts[0][0])
        return None if numerator is None else numerator // int(parts[1][0])
    kind: Literal["max", "min"]
    for kind in ("max", "min"):
        if text.startswith(f"{kind}(") and _closes(text, len(kind)):
            sides = [_parsed(side) for side, _ in _split(text[4:-1], (", ",))]
            if len(sides) == 2 and sides[0] is not None and sides[1] is not None:
                return _extreme(kind, sides[0], sides[1])
    if text[0] == "(" and _closes(text, 0) and any(sign in text for sign in _OPERATORS):
        return _parsed(text[1:-1])
    return Size.of({(text,): 1})


def _split(text: str, separators: Sequence[str]) -> list[tuple[str, str]]:
    """Return the parts of a text between separators that stand in no parentheses, each with the separator behind it."""
    parts: list[tuple[str, str]] = []
    depth = start = at = 0
    while at < len(text):
        found = next((s for s in separators if depth == 0 and text.startswith(s, at)), None)
        if found is not None and at > start:
            parts.append((text[start:at], found))
            start = at = at + len(found)
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return [*parts, (text[start:], "")]


def _is_unbalanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0 or depth > 30:
            return True
    return depth != 0


def _closes(text: str, at: int) -> bool:
    """Return whether the parenthesis at a position is closed by the last character."""
    depth = 0
    for position in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position == len(text) - 1
    return False


def _extreme(kind: Literal["max", "min"], left: Size, right: Size) -> Size:
    difference = left + right * number_size(-1)
    if _least(difference) >= 0:
        return left if kind == "max" else right
    if _least(difference * number_size(-1)) >= 0:
        return right if kind == "max" else left
    return Size.of({(Extreme(kind, left, right),): 1})


# Arithmetic on dimensions


def _combined(dims: Sequence[Dim], combine: Callable[[Size, Size], Size]) -> Dim:
    known = [size_of(dim) for dim in dims if dim is not None]
    return reduce(combine, known).dim if len(known) == len(dims) else None


def sum_of(*dims: Dim) -> Dim:
    """Return the sum of sizes; unknown where one of them is."""
    return _combined((0, *dims), lambda a, b: a + b)


def difference_of(first: Dim, second: Dim) -> Dim:
    """Return a size less another one."""
    return _combined((first, second), lambda a, b: a + b * number_size(-1))


def product_of(number: int, names: Sequence[str]) -> Dim:
    """Return the size that is a number times other sizes: `"12 * n"`, with one spelling for all orders of the
    factors."""
    return _combined((number, *names), lambda a, b: a * b)


def quotient_of(dim: Dim, divisor: int) -> Dim:
    """Return a size divided by a positive number, rounded down."""
    return None if dim is None else (size_of(dim) // divisor).dim


def larger_of(first: Dim, second: Dim) -> Dim:
    """Return the larger of two sizes."""
    return _combined((first, second), lambda a, b: _extreme("max", a, b))


def smaller_of(first: Dim, second: Dim) -> Dim:
    """Return the smaller of two sizes."""
    return _combined((first, second), lambda a, b: _extreme("min", a, b))


def times(dim: Dim, factor: int) -> Dim:
    """Return a size times a number; unknown where a size without a name is taken other than once."""
    return dim if factor == 1 else _combined((dim, factor), lambda a, b: a * b)


def canonical(dim: Dim) -> Dim:
    """Return a size in normal form."""
    return size_of(dim).dim if isinstance(dim, str) else dim


def names_of(dim: Dim) -> tuple[str, ...]:
    """Return the names that a size depends on."""
    return size_of(dim).names if isinstance(dim, str) else ()


def is_computed(dim: Dim) -> bool:
    """Return whether a size is an expression, not a number or a name."""
    return isinstance(dim, str) and not size_of(dim).is_name


def factors_of(dim: Dim) -> tuple[int, tuple[str | None, ...]]:
    """Return a number and sizes whose product is the size: common factors of all terms, and the remaining sum."""
    if not isinstance(dim, str):
        return (1, (None,)) if dim is None else (dim, ())
    size = size_of(dim)
    if size.constant is not None:
        return size.constant, ()
    number = math.gcd(*(coefficient for _, coefficient in size.terms))
    common: list[Atom] = []
    for atom in size.terms[0][0]:
        least = min(monomial.count(atom) for monomial, _ in size.terms)
        if common.count(atom) < least:
            common.append(atom)
    rest: dict[Monomial, int] = {}
    for monomial, coefficient in size.terms:
        left = list(monomial)
        for atom in common:
            left.remove(atom)
        rest[tuple(left)] = coefficient // number
    primitive = Size.of(rest)
    names = [_atom_text(atom) for atom in common]
    return number, tuple(names if primitive.constant == 1 else [*names, primitive.text])


def least(dim: Dim) -> float:
    """Return a lower bound of a size, derived from its terms: names are at least 0."""
    return -math.inf if dim is None else _least(size_of(dim))


def _least(size: Size) -> float:
    def lower(atom: Atom) -> float:
        match atom:
            case Quotient():
                return _least(atom.numerator) // atom.divisor
            case Extreme():
                sides = (_least(atom.left), _least(atom.right))
                return max(sides) if atom.kind == "max" else min(sides)
            case _:
                return 0

    total = 0.0
    for monomial, coefficient in size.terms:
        bounds = [lower(atom) for atom in monomial]
        is_bounded = not bounds or (coefficient > 0 and min(bounds) >= 0)
        total += coefficient * math.prod(bounds) if is_bounded else -math.inf
    return total


def may_be_zero(dim: int | str) -> bool:
    """Return whether a size may be 0: it may not if all terms but the constant share a factor that does not divide
    it."""
    size = size_of(dim)
    constant = sum(coefficient for monomial, coefficient in size.terms if not monomial)
    common = math.gcd(*(coefficient for monomial, coefficient in size.terms if monomial))
    return constant % common == 0 if common else constant == 0


def element_count(shape: Sequence[Dim]) -> tuple[int, tuple[str | None, ...]]:
    """Return the number of elements as (product of the static sizes, the dynamic sizes in order); a product is its
    factors."""
    factors = [factors_of(dim) for dim in shape]
    return math.prod(number for number, _ in factors), tuple(name for _, names in factors for name in names)


Choose: TypeAlias = Callable[[str, Any, Any], Any]
"""The larger ("max") or the smaller ("min") of two values."""


def evaluate(dim: int | str, sizes: Mapping[str, Any], choose: Choose | None = None) -> Any:
    """Return the value of a size, given its names as numbers, or as values of another type with arithmetic.

    `choose` takes the larger or the smaller of two such values. Raises KeyError for another name.
    """
    return _evaluated(size_of(dim), sizes, choose or (lambda kind, a, b: max(a, b) if kind == "max" else min(a, b)))


def _evaluated(size: Size, sizes: Mapping[str, Any], choose: Choose) -> Any:
    def value(atom: Atom) -> Any:
        match atom:
            case Quotient():
                return _evaluated(atom.numerator, sizes, choose) // atom.divisor
            case Extreme():
                return choose(atom.kind, *(_evaluated(side, sizes, choose) for side in (atom.left, atom.right)))
            case _:
                return sizes[atom]

    total: Any = size.constant or 0
    for monomial, coefficient in size.terms if size.constant is None else ():
        product = math.prod(map(value, monomial)) if monomial else 1
        total = total + (product if coefficient == 1 else product * coefficient)
    return total


def substitute(dim: int | str, sizes: Mapping[str, Dim]) -> Dim:
    """Return a size with other sizes for its names; names that are not among them stay. Unknown where one is
    unknown."""
    names = names_of(dim)
    if any(sizes.get(name, name) is None for name in names):
        return None
    known = {name: size_of(sizes.get(name, name) or 0) for name in names}
    return _substituted(size_of(dim), known).dim


def _substituted(size: Size, sizes: Mapping[str, Size]) -> Size:
    def value(atom: Atom) -> Size:
        match atom:
            case Quotient():
                return _substituted(atom.numerator, sizes) // atom.divisor
            case Extreme():
                return _extreme(atom.kind, *(_substituted(side, sizes) for side in (atom.left, atom.right)))
            case _:
                return sizes[atom]

    total = number_size(0)
    for monomial, coefficient in size.terms:
        total += reduce(lambda a, b: a * b, map(value, monomial), number_size(coefficient))
    return total


def most(dim: int | str, bounds: Mapping[str, Dim]) -> Dim:
    """Return an upper bound of a size, given those of some of its names; terms that subtract such a name are left
    out."""
    return substitute(_without_subtracted(size_of(dim), bounds).dim or 0, bounds)


def _without_subtracted(size: Size, bounds: Mapping[str, Dim]) -> Size:
    def kept(atom: Atom) -> Atom:
        match atom:
            case Quotient():
                return Quotient(_without_subtracted(atom.numerator, bounds), atom.divisor)
            case Extreme():
                sides = (_without_subtracted(side, bounds) for side in (atom.left, atom.right))
                return Extreme(atom.kind, *sides)
            case _:
                return atom

    terms = (
        (monomial, coefficient)
        for monomial, coefficient in size.terms
        if coefficient > 0 or not any(name in bounds for atom in monomial for name in _names(atom))
    )
    return Size.of({tuple(map(kept, monomial)): coefficient for monomial, coefficient in terms})
