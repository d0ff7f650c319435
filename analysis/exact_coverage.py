"""Exact proofs that an iteration of a loop reads only elements that it has written.

`coverage` constructs the store that wrote an element and is fast, but finds only stores of the same iteration of all
common loops. Here the integer sets decide whether every instance of a load has an earlier instance of a store in the
same iteration of the loop in question. The store may belong to an earlier iteration of an inner loop, as in a pipeline
where one iteration fills the buffer that the next one reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import SSAValue

from ..dialects import loop
from ..dialects.index_expr import LANE, Index, Symbol, Variable
from .access import Access
from .dependence import stands_before
from .domain import is_inside, is_opaque, with_facts
from .integer_set import PROVED, System, cover_together, lexicographically_before


def stores_cover_reads(scope: loop.ForOp, accesses: Sequence[Access]) -> bool:
    """Return whether each element of a buffer that an iteration of `scope` reads was written earlier in that iteration.

    `accesses` are all accesses of the buffer. An element for which this is not decided counts as not written.
    """
    writes = [a for a in accesses if a.is_write and _is_known(a)]
    return all(
        scope.is_ancestor(access.op) and (access.is_write or _is_written(access, writes, scope)) for access in accesses
    )


def _is_known(write: Access) -> bool:
    """Return whether the elements that are written depend on loops and sizes only."""
    if write.index is None or not write.domain.is_exact:
        return False
    variables = (*write.system.variables, *(v for e in write.index for v in e.variables))
    return not any(
        isinstance(v, SSAValue) and (is_opaque(v) or isinstance(v.owner, loop.DelinearizeOp)) for v in variables
    )


def _is_written(read: Access, writes: Sequence[Access], scope: loop.ForOp) -> bool:
    if read.index is None:
        return False
    element = [Symbol(f"e{d}") for d in range(len(read.index))]
    target = with_facts(read.system.equating(zip(element, read.index, strict=True)))
    covers = [cover for write in writes for cover in _before(write, read, element, scope)]
    common = [v for v in target.variables if v is not LANE and not isinstance(v, Symbol)]
    return bool(covers) and cover_together(covers, target, [*common, *element]) == PROVED


def _before(write: Access, read: Access, element: Sequence[Symbol], scope: loop.ForOp) -> Iterator[System]:
    """Yield instances of the store before one of the load, in one iteration of `scope`, with the element that they
    write."""
    assert write.index is not None
    renamed: dict[Variable, Symbol] = {}

    def is_of_store(v: Variable) -> bool:
        if v is scope.induction_variable:
            return False
        return v is LANE or isinstance(v, loop.Position) or is_inside(v, scope)

    def of_store(e: Index) -> Index:
        for v in filter(is_of_store, e.variables):
            renamed.setdefault(v, Symbol(f"w{len(renamed)}"))
        return e.substitute(renamed)

    system = with_facts(write.system.equating(zip(element, write.index, strict=True)))
    system = System(tuple(map(of_store, system.nonnegative)), tuple(map(of_store, system.zero)))
    around = [op for op in read.domain.loops if scope.is_ancestor(op) and op is not scope]
    shared = [Index.of(op.induction_variable) for op in around if op.is_ancestor(write.op)]
    earlier = [of_store(e) for e in shared]
    for order in lexicographically_before(earlier, shared):
        yield system & order
    if stands_before(write.op, read.op):
        yield system.equating(zip(earlier, shared, strict=True))
