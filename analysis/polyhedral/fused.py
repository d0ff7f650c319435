"""Loops over a product of sizes that are taken apart at once: as many loops as there are sizes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index, Symbol
from .sizes import Sizes


@dataclass(frozen=True)
class FusedLoop:
    """A loop whose variable is used to take it apart alone, always by the same extents."""

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
