"""Loops that stand for several: the variable of one is divided by constants, as where loops were fused.

`for i = 0 to 222` with `i floordiv 74`, `(i floordiv 37) mod 2` and `i mod 37` inside is `for a = 0 to 3`, `for b = 0
to 2`, `for c = 0 to 37` in the model, so that subscripts are sums and questions about them have no divisions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from xdsl.ir import Operation, SSAValue

from ...dialects.index_expr import FloorDiv, Index, Mod
from ...dialects.indexed_op import IndexedOp
from ...dialects.loop import BlockOp


def radix_of(variable: SSAValue, extent: int, inside: Sequence[Operation]) -> tuple[int, ...]:
    """Return the extents of the loops that a loop from 0 to `extent` stands for, the outermost first: of more than one
    where divisors of its variable in `inside` divide each other. The outermost one may run over more than `extent`
    allows."""
    names = {variable} | {
        v for op in inside if isinstance(op, BlockOp) for v, _, e, _ in op.iteration() if e == Index.of(variable)
    }
    expressions = (e for op in inside if isinstance(op, IndexedOp) for each in op.index_lists().values() for e in each)
    divisors = {d for e in expressions for d in _divisors(e, names)}
    chain = [1, *sorted(d for d in divisors if 1 < d < extent)]
    if any(larger % smaller for smaller, larger in pairwise(chain)):
        return (extent,)
    return (-(-extent // chain[-1]), *(larger // smaller for smaller, larger in reversed(list(pairwise(chain)))))


def strides_of(extents: Sequence[int]) -> list[int]:
    """Return the iterations of the innermost loop that one iteration of each of the loops skips."""
    strides = [1]
    for extent in reversed(extents[1:]):
        strides.insert(0, strides[0] * extent)
    return strides


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
