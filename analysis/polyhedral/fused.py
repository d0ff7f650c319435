"""Fused loops, which the model represents as several loops.

A loop over a product of sizes whose variable is only delinearized becomes as many loops as there are sizes
(`fused_loop`). A loop whose variable is divided by constants becomes one loop for each digit (`radix_of`):
`for i = 0 to 222` with `i floordiv 74`, `(i floordiv 37) mod 2` and `i mod 37` inside is `for a = 0 to 3`,
`for b = 0 to 2`, `for c = 0 to 37` in the model, so that subscripts are sums and questions about them have no
divisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import FloorDiv, Index, Mod, Symbol
from ...dialects.indexed_op import IndexedOp
from .sizes import Sizes


@dataclass(frozen=True)
class FusedLoop:
    """A loop whose variable is used by delinearizations alone, all of the same extents."""

    extents: tuple[Index, ...]
    splits: tuple[loop.DelinearizeOp, ...]
    unsafe: tuple[Index, ...]
    """The extents that the product does not cut off at zero."""

    @property
    def values(self) -> Sequence[SSAValue]:
        return self.splits[0].res

    def pairs(self, symbols: Sequence[Symbol]) -> Iterator[tuple[SSAValue, Symbol]]:
        """Yield each result of the splits with its variable; `symbols` has a variable for each extent."""
        for split in self.splits:
            yield from zip(split.res, symbols, strict=True)


def fused_loop(op: loop.ForOp, sizes: Sizes) -> FusedLoop | None:
    """Return the loop as one over its parts; None for a loop that has an affine bound, or is used besides."""
    if op.lowers != (Index.of(0),) or len(op.uppers) != 1 or sizes.index_or_none(op.uppers[0]) is not None:
        return None
    factors = sizes.factors(op.uppers[0])
    splits: list[loop.DelinearizeOp] = []
    for use in op.induction_variable.uses:
        split = use.operation
        if not isinstance(split, loop.DelinearizeOp) or split.fused is not op.induction_variable:
            return None
        splits.append(split)
    if not splits or factors is None:
        return None
    extents = [[sizes.index_or_none(e) for e in split.sizes] for split in splits]
    first = tuple(e for e in extents[0] if e is not None)
    if any(other != list(first) for other in extents) or _product(first) != _product([e for e, _ in factors]):
        return None
    return FusedLoop(first, tuple(splits), tuple(e for e, is_cut in factors if not is_cut))


def _product(factors: Sequence[Index]) -> tuple[int, Counter[Index]]:
    """Return a number and expressions without a common divisor, the same for the same product of the same
    expressions."""
    number = 1
    parts: Counter[Index] = Counter()
    for e in factors:
        divisor = gcd(e.constant, *(c for _, c in e.terms))
        if e.is_constant or not divisor:
            number *= e.constant
        else:
            number *= divisor
            parts[Index(tuple((a, c // divisor) for a, c in e.terms), e.constant // divisor)] += 1
    return number, parts


def radix_of(variable: SSAValue, extent: int, inside: Sequence[Operation]) -> tuple[int, ...]:
    """Return the extents of the loops that a loop from 0 to `extent` stands for, the outermost first: of more than one
    where divisors of its variable in `inside` divide each other. The outermost one may run over more than `extent`
    allows."""
    names = {variable} | {
        v for op in inside if isinstance(op, loop.BlockOp) for v, _, e, _ in op.iteration() if e == Index.of(variable)
    }
    expressions = (e for op in inside if isinstance(op, IndexedOp) for each in op.index_lists().values() for e in each)
    divisors = {d for e in expressions for d in _divisors(e, names)}
    chain = [1, *sorted(d for d in divisors if 1 < d < extent)]
    if any(larger % smaller for smaller, larger in pairwise(chain)):
        return (extent,)
    return (-(-extent // chain[-1]), *(larger // smaller for smaller, larger in reversed(list(pairwise(chain)))))


def _divisors(e: Index, names: Collection[SSAValue]) -> Iterator[int]:
    """Yield the constants that a variable of these names alone is divided by, however deep."""
    for atom, _ in e.terms:
        if not isinstance(atom, (FloorDiv, Mod)):
            continue
        yield from _divisors(atom.numerator, names)
        if len(atom.numerator.terms) != 1 or atom.numerator.constant or atom.numerator.terms[0][1] != 1:
            continue
        match atom.numerator.terms[0][0]:
            case FloorDiv() as inner if inner.numerator.single_value in names:
                yield inner.divisor * atom.divisor
            case Mod() as inner if inner.numerator.single_value in names:
                yield atom.divisor
            case SSAValue() as inner if inner in names:
                yield atom.divisor
            case _:
                pass
