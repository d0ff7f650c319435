"""Maps of indices: the new positions of a buffer's elements, or of a block's instances, in another layout.

A map is held as index expressions over named symbols, so it prints, parses, compares, and composes by substitution. The
inverse is found by digits: each result has to be a mixed-radix number whose digits are quotients and remainders of the
parameters, and each parameter is computed from its digits. Integer sets then prove that the result is an inverse. No
inverse is found for a map that combines parameters in another way.
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, TypeAlias

from ..analysis.domain import with_facts
from ..analysis.integer_set import (
    PROVED,
    System,
    Verdict,
    always_equal,
    implies_all,
    lexicographically_before,
    none_satisfiable,
)
from ..diagnostics import TilewrightError, fail
from ..dialects.index_expr import FloorDiv, Index, IndexLike, Mod, Symbol, Variable, index_pieces

BAD_MAP = "TW0418"

MapLike: TypeAlias = "IndexMap | str | Callable[..., Any]"


@dataclass(frozen=True)
class IndexMap:
    """`(i, j) -> (i floordiv 8, j, i mod 8)`."""

    names: tuple[str, ...]
    results: tuple[Index, ...]
    """Over `Symbol`s of those names."""

    @staticmethod
    def of(value: MapLike) -> IndexMap:
        """Return a map from its text or from a Python function of its parameters. Raises TilewrightError TW0418."""
        if isinstance(value, IndexMap):
            return value
        return _from_text(value) if isinstance(value, str) else _from_callable(value)

    def __str__(self) -> str:
        return f"({', '.join(self.names)}) -> ({', '.join(map(_text, self.results))})"

    def __repr__(self) -> str:
        return f'IndexMap.of("{self}")'

    def __call__(self, *indices: IndexLike) -> tuple[Index, ...]:
        """Return the results for given indices."""
        given: dict[Variable, IndexLike] = dict(zip(self.symbols, indices, strict=True))
        return tuple(e.substitute(given) for e in self.results)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return tuple(Symbol(name) for name in self.names)

    def extents(self, extents: Sequence[Index]) -> tuple[Index, ...] | None:
        """Return one past the greatest value of each result over parameters in [0, extent); None where a result can be
        < 0."""
        ranges = {s: (Index.of(0), n - 1) for s, n in zip(self.symbols, extents, strict=True)}
        found: list[Index] = []
        for e in self.results:
            least, greatest = _range(e, ranges)
            if not least.is_constant or least.constant < 0:
                return None
            found.append(greatest + 1)
        return tuple(found)

    def is_injective(self, extents: Sequence[Index]) -> Verdict:
        """Return whether no two points of the box [0, extent) have the same results."""
        domain = self._domain(extents)
        again: dict[Variable, IndexLike] = {s: Symbol(f"{s.name}'") for s in self.symbols}
        both = domain & domain.substitute(again)
        both = both.equating((e, e.substitute(again)) for e in self.results)
        first, second = [Index.of(s) for s in self.symbols], [Index.of(again[s]) for s in self.symbols]
        return none_satisfiable(both & order for order in lexicographically_before(first, second))

    def inverse(self, extents: Sequence[Index]) -> IndexMap | None:
        """Return the map back from the results, where there is one that maps no other position into the domain."""
        digits = _digits_by_parameter(self, extents)
        if digits is None:
            return None
        found: list[Index] = []
        for symbol, extent in zip(self.symbols, extents, strict=True):
            parameter = _put_together(digits.get(symbol, []), extent)
            if parameter is None:
                return None
            found.append(parameter)
        inverse = IndexMap(tuple(s.name for s in _result_symbols(self)), tuple(found))
        return inverse if self._is_inverted_by(inverse, extents) else None

    def is_onto(self, extents: Sequence[Index]) -> bool:
        """Return whether it is proved that the map reaches every position of the box that its results span."""
        inverse, sizes = self.inverse(extents), self.extents(extents)
        if inverse is None or sizes is None:
            return False
        inside = [e for p, n in zip(inverse.results, extents, strict=True) for e in (p, n - p - 1)]
        return implies_all(inverse._domain(sizes), inside) == PROVED

    def _domain(self, extents: Sequence[Index]) -> System:
        box: dict[Variable, tuple[IndexLike, IndexLike]] = {
            s: (0, n) for s, n in zip(self.symbols, extents, strict=True)
        }
        return with_facts(System.box(box))

    def _is_inverted_by(self, inverse: IndexMap, extents: Sequence[Index]) -> bool:
        """Return whether `inverse` maps into the domain only positions of the new box to which this map takes a
        point."""
        sizes = self.extents(extents)
        if sizes is None:
            return False
        back = inverse.results
        inside = [e for p, n in zip(back, extents, strict=True) for e in (p, n - p - 1)]
        system = inverse._domain(sizes).where(*inside)
        images = zip(self(*back), inverse.symbols, strict=True)
        return all(always_equal(system, there, symbol) == PROVED for there, symbol in images)


class _Digit(NamedTuple):
    """`(symbol mod upper) floordiv lower`, and its value over the results of the map."""

    symbol: Symbol
    lower: int
    upper: int | None
    value: Index


def _result_symbols(map: IndexMap) -> tuple[Symbol, ...]:
    return tuple(Symbol(f"d{k}") for k in range(len(map.results)))


def _digits_by_parameter(map: IndexMap, extents: Sequence[Index]) -> dict[Symbol, list[_Digit]] | None:
    sizes = dict(zip(map.symbols, extents, strict=True))
    found: dict[Symbol, list[_Digit]] = {}
    for result, e in zip(_result_symbols(map), map.results, strict=True):
        above: int | None = None
        rest = Index.of(result) - e.constant
        for atom, c in e.terms:  # in falling order of their coefficients
            digit = _as_digit(atom)
            if digit is None or c < 0:
                return None
            symbol, lower, upper = digit
            value = rest // c
            if above is not None:
                count = sizes[symbol].ceildiv(lower) if upper is None else Index.of(upper // lower)
                if above % c or not count.is_constant or count.constant * c > above:
                    return None
                value = value % (above // c)
            above = c
            found.setdefault(symbol, []).append(_Digit(symbol, lower, upper, value))
    return found


def _as_digit(atom: Any) -> tuple[Symbol, int, int | None] | None:
    if isinstance(atom, Symbol):
        return atom, 1, None
    if not isinstance(atom, (FloorDiv, Mod)):
        return None
    terms = atom.numerator.terms
    inner = _as_digit(terms[0][0]) if len(terms) == 1 and terms[0][1] == 1 and not atom.numerator.constant else None
    if inner is None:
        return None
    symbol, lower, upper = inner
    edge = lower * atom.divisor
    if upper is not None and upper % edge:
        return None
    return (symbol, edge, upper) if isinstance(atom, FloorDiv) else (symbol, lower, edge)


def _put_together(digits: list[_Digit], extent: Index) -> Index | None:
    """Return the parameter of these digits, if they are all of its digits."""
    if extent == Index.of(1):
        return Index.of(0)
    total, expected = Index.of(0), 1
    for digit in sorted(digits, key=lambda d: d.lower):
        if digit.lower != expected:
            return None
        total = total + digit.value * digit.lower
        if digit.upper is None:
            return total
        expected = digit.upper
    return total if extent.is_constant and expected >= extent.constant else None


def _range(e: Index, ranges: Mapping[Any, tuple[Index, Index]]) -> tuple[Index, Index]:
    """Return inclusive bounds by interval arithmetic, with symbolic ends."""
    low = high = Index.of(e.constant)
    for atom, c in e.terms:
        ends = _atom_range(atom, ranges)
        least, greatest = ends if c > 0 else ends[::-1]
        low, high = low + least * c, high + greatest * c
    return low, high


def _atom_range(atom: Any, ranges: Mapping[Any, tuple[Index, Index]]) -> tuple[Index, Index]:
    if not isinstance(atom, (FloorDiv, Mod)):
        return ranges[atom]
    low, high = _range(atom.numerator, ranges)
    c = atom.divisor
    if isinstance(atom, FloorDiv):
        return low // c, high // c
    if (low // c) == (high // c):
        return low % c, high % c
    return Index.of(0), Index.of(c - 1)


# Text and Python functions


def _text(e: Index) -> str:
    text = "".join(str(piece) for piece in index_pieces(e))
    is_atom = len(e.terms) == 1 and e.terms[0][1] == 1 and not e.constant
    return text[1:-1] if is_atom and text.startswith("(") else text


def _from_callable(function: Callable[..., Any]) -> IndexMap:
    if not callable(function):
        _refuse(f"expected a function or the text of a map, but got {function!r}")
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters):
        _refuse("expected a function with one named parameter a dimension, but got one with a variable number")
    names = tuple(p.name for p in parameters)
    try:
        value = function(*(Index.of(Symbol(name)) for name in names))
    except TilewrightError:
        raise
    except (TypeError, ValueError, AttributeError) as error:
        _refuse(f"the function does arithmetic that is not affine: {error}")
    results = value if isinstance(value, (tuple, list)) else (value,)
    return IndexMap(names, tuple(_checked(e) for e in results))  # pyright: ignore[reportUnknownVariableType]


def _checked(value: Any) -> Index:
    if isinstance(value, bool) or not isinstance(value, (int, Index)):
        _refuse(f"expected index expressions as results, but got {value!r}")
    e = Index.of(value)
    if not _is_affine(e):
        _refuse("the function multiplies parameters with one another")
    return e


def _is_affine(e: Index) -> bool:
    # A user may multiply with a value of any type, an expression too.
    factors: list[object] = [e.constant, *(c for _, c in e.terms)]
    parts = [atom.numerator for atom, _ in e.terms if isinstance(atom, (FloorDiv, Mod))]
    return all(isinstance(c, int) for c in factors) and all(map(_is_affine, parts))


def _from_text(text: str) -> IndexMap:
    match = re.fullmatch(r"\s*\(([^()]*)\)\s*->\s*\((.*)\)\s*", text, re.DOTALL)
    if match is None:
        _refuse(f"expected a map such as '(i, j) -> (j, i)', but got {text!r}")
    names = tuple(name.strip() for name in match[1].split(",") if name.strip())
    body = re.sub(r"\bmod\b", "%", re.sub(r"\bfloordiv\b", "//", match[2]))
    try:
        tree = ast.parse(f"({body},)", mode="eval").body
    except SyntaxError as error:
        _refuse(f"{text!r} cannot be read: {error.msg}")
    assert isinstance(tree, ast.Tuple)
    known = {name: Index.of(Symbol(name)) for name in names}
    return IndexMap(names, tuple(_evaluate(node, known, text) for node in tree.elts))


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


def _evaluate(node: ast.expr, known: Mapping[str, Index], text: str) -> Index:
    match node:
        case ast.Constant(int() as value):
            return Index.of(value)
        case ast.Name(name) if name in known:
            return known[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_evaluate(operand, known, text)
        case ast.BinOp(left, op, right) if type(op) in _OPERATORS:
            first, second = _evaluate(left, known, text), _evaluate(right, known, text)
            if isinstance(op, ast.Mult) and first.is_constant:
                first, second = second, first
            if isinstance(op, (ast.Add, ast.Sub)):
                return _OPERATORS[type(op)](first, second)
            if second.is_constant and (isinstance(op, ast.Mult) or second.constant > 0):
                return _OPERATORS[type(op)](first, second.constant)
        case _:
            pass
    _refuse(f"expected an affine expression of {', '.join(known)} in {text!r}, but got '{ast.unparse(node)}'")


def _refuse(message: str) -> NoReturn:
    fail(
        BAD_MAP,
        f"index map: {message}",
        help="write it as lambda i, j: (i // 8, j, i % 8): sums, and products, quotients and remainders by integers",
    )
