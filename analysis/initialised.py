"""Proofs that a box of an allocated buffer is initialised: every element of it is written by some store.

The order of writes and reads is not checked; that is a question of dependences.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import Index, Symbol, Variable
from .access import Access, accesses_of
from .domain import domain_of, is_opaque, resolve, with_facts
from .instances import runs_all_of
from .integer_set import PROVED, Refuted, System, Unknown, Verdict, cover_together


def is_written(buffer: SSAValue, box: Sequence[tuple[Index, Index]], scope: Operation) -> Verdict:
    """Decide whether every element of a box that is inside the buffer is written.

    The box is given by its corner and counts, in terms of the loops around `scope`. A buffer that is not allocated in
    the function has values. The point of a `Refuted` holds an element by the symbols `e0`, `e1`, ….
    """
    if not isinstance(buffer.owner, loop.AllocOp):
        return PROVED
    shape = buffer.owner.shape
    stores = [a for a in accesses_of(buffer) if a.is_write and not a.is_init]
    if any(_writes_all(a, shape) for a in stores):
        return PROVED
    element = element_symbols(len(shape))
    corners = [(resolve(lower), resolve(count)) for lower, count in box]
    target = System.box({e: (lower, lower + count) for e, (lower, count) in zip(element, corners, strict=True)})
    target = target & domain_of(scope).system
    for e, extent in zip(element, shape, strict=True):
        target = target.where(Index.of(e), extent - e - 1)
    known = [a for a in stores if _is_known(a)]
    covers = [with_facts(a.system).equating(zip(map(Index.of, element), a.index or (), strict=True)) for a in known]
    shared = [v for v in target.variables if _is_of_function(v)]
    verdict = cover_together(covers, with_facts(target), [*shared, *element])
    if isinstance(verdict, Refuted) and len(known) < len(stores):
        return Unknown("an element that is written is not known")
    return verdict


def element_symbols(rank: int) -> list[Symbol]:
    """Return the symbols that stand for the indices of an element, as in a counterexample."""
    return [Symbol(f"e{k}") for k in range(rank)]


def _writes_all(store: Access, shape: Sequence[Index]) -> bool:
    if store.block is None or not isinstance(store.op, loop.StoreOp) or not always_stores(store.block, store.op):
        return False
    targets = [(e, Index.of(0), n) for e, n in zip(store.op.index, shape, strict=True)]
    return runs_all_of(store.block, targets, None) == PROVED


def always_stores(block: loop.BlockOp, store: loop.StoreOp) -> bool:
    """Return whether the block or its init always writes to the element of `store`: some store has no condition."""
    bodies = [block.body.block, *([block.init.body.block] if block.init is not None else [])]
    stores = [op for body in bodies for op in body.ops if isinstance(op, loop.StoreOp)]
    return any(op.buffer is store.buffer and op.index == store.index and not op.conditions for op in stores)


def _is_known(store: Access) -> bool:
    """Return whether the element is an expression of loops and sizes only, in an exact domain."""
    if store.index is None or not store.domain.is_exact:
        return False
    variables = [*store.system.variables, *(v for e in store.index for v in e.variables)]
    values = [v for v in variables if isinstance(v, SSAValue)]
    return not any(isinstance(v.owner, loop.DelinearizeOp) or is_opaque(v) for v in values)


def _is_of_function(variable: Variable) -> bool:
    if not isinstance(variable, SSAValue):
        return False
    body = variable.owner if isinstance(variable.owner, Block) else variable.owner.parent
    return body is not None and isinstance(body.parent_op(), FuncOp)
