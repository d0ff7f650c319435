"""The choice of loops to vectorize and of their numbers of lanes."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import FixedBitwidthType, ModuleOp, VectorType
from xdsl.ir import Operation

from ....analysis.access import root_buffer
from ....analysis.dependence import carried
from ....analysis.divergence import CannotVectorize, Divergence
from ....dialects import loop
from ....dialects.index_expr import LANE, Index
from ....dialects.target import DEFAULT_VECTOR_BITS, target_of
from ....ir import editor as edit
from ....traversal import operations
from ...shared.loops import move_body
from .loop_lanes import Lanes


def lanes_of(op: loop.ForOp) -> Lanes | None:
    """Return the lanes of a loop that has a largest constant extent; None for one that must be split first."""
    if (bounds := op.constant_bounds) is not None:
        return Lanes(Index.of(bounds[0]), bounds[1] - bounds[0], ())
    start = start_of(op)
    extents = [upper - start for upper in op.uppers]
    constant = [e.constant for e in extents if e.is_constant]
    if not constant:
        return None
    return Lanes(start, min(constant), tuple(e - 1 - Index.of(LANE) for e in extents if not e.is_constant))


def start_of(op: loop.ForOp) -> Index:
    """Return the first value of the loop's variable. Raises CannotVectorize."""
    if (bounds := op.constant_bounds) is not None:
        return Index.of(bounds[0])
    if len(op.lowers) != 1:
        raise CannotVectorize("its lower bound is a maximum", op)
    return op.lowers[0]


def split_by(op: loop.ForOp, width: int) -> loop.ForOp:
    """Run `width` iterations of `op` in a vectorized loop inside; returns that loop.

    ```mlir
    loop.for %i = 0 to 100 { … }
    // becomes, for a width of 16
    loop.for %io = 0 to 7 { loop.for %i = %io * 16 to min(%io * 16 + 16, 100) kind vectorized { … } }
    ```
    A loop of at most `width` iterations becomes vectorized itself. The outer loop keeps the kind of `op`, unless that
    is vectorized. Raises CannotVectorize.
    """
    start = start_of(op)
    trips = op.constant_trip_count
    if trips is not None and trips <= width:
        edit.change(op).kind = loop.VECTORIZED
        return op
    extents = [upper - start for upper in op.uppers] if trips is None else [Index.of(trips)]
    kind = loop.SERIAL if op.kind == loop.VECTORIZED else op.kind
    hint = op.induction_variable.name_hint
    outer = loop.ForOp(0, [e.ceildiv(width) for e in extents], kind=kind, name_hint=f"{hint}o" if hint else None)
    edit.change(outer).attributes = dict(op.attributes)
    first = start + Index.of(outer.induction_variable) * width
    rest = [start + e for e in extents if not (e.is_constant and e.constant % width == 0)]
    inner = loop.ForOp([first], [first + width, *rest], kind=loop.VECTORIZED, name_hint=hint)
    outer.location = inner.location = op.location
    edit.append(outer.body.block, inner)
    move_body(op, inner, outer)
    return inner


def holds_vectors(op: Operation) -> bool:
    """Return whether an operation inside `op` works on vectors."""
    return any(isinstance(v.type, VectorType) for n in operations(op) for v in (*n.operands, *n.results))


def natural_lanes(module: ModuleOp, op: loop.ForOp) -> int:
    """Return the number of the widest elements stored in `op` that fit one vector of the target."""
    stored = [n.value.type for n in operations(op) if isinstance(n, loop.StoreOp)]
    bits = max((t.bitwidth for t in stored if isinstance(t, FixedBitwidthType)), default=32)
    target = target_of(module)
    total = DEFAULT_VECTOR_BITS if target is None else target.vector_bits
    return max(2, total // max(bits, 8))


def choose_loops(module: ModuleOp) -> tuple[list[loop.ForOp], dict[loop.ForOp, str]]:
    """Choose the innermost loop that is worth vectorising of each nest without vectors, none inside another.

    Return them, and the innermost loops of the nests that have none, with the reason.
    """
    chosen: dict[loop.ForOp, None] = {}
    left: dict[loop.ForOp, str] = {}
    for leaf in [op for op in operations(module) if isinstance(op, loop.ForOp) and not _inner_loops(op)]:
        nest = [leaf, *_loops_around(leaf)]
        if any(op.kind == loop.VECTORIZED or op in chosen for op in nest) or holds_vectors(leaf):
            continue
        drawback = _drawback(leaf)
        best = leaf if drawback is None else next((op for op in nest[1:] if _drawback(op) is None), None)
        if best is not None and not any(c in chosen for c in _inner_loops(best)):
            chosen[best] = None
        elif drawback is not None:
            left[leaf] = drawback
    return list(chosen), left


def _loops_around(op: Operation) -> Iterator[loop.ForOp]:
    return (p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp))


def _inner_loops(op: loop.ForOp) -> list[loop.ForOp]:
    return [n for n in operations(op)[1:] if isinstance(n, loop.ForOp)]


def _drawback(op: loop.ForOp) -> str | None:
    """Return the reason why `op` is not worth vectorising; None where its iterations are independent and store to
    successive elements."""
    if op.kind not in (loop.SERIAL, loop.PARALLEL):
        return f"it is of kind {op.kind.kind.data}"
    if (trips := op.constant_trip_count) in (0, 1):
        return f"it has {'one iteration' if trips else 'no iterations'}"
    if holds_vectors(op) or any(n.kind == loop.VECTORIZED for n in _inner_loops(op)):
        return "its body holds vectors"
    try:
        divergence = Divergence(op, start_of(op))
        if not _stores_successive_elements(op, divergence):
            return "its iterations do not store to successive elements"
        conflict = carried(op)
        return None if conflict is None else conflict.of_iterations()
    except CannotVectorize as refusal:
        return refusal.reason


def _stores_successive_elements(op: loop.ForOp, divergence: Divergence) -> bool:
    stores = [
        n for n in operations(op) if isinstance(n, loop.StoreOp) and root_buffer(n.buffer) not in divergence.private
    ]
    return bool(stores) and all(_is_contiguous([divergence.resolve(e, n) for e in n.index]) for n in stores)


def _is_contiguous(index: list[Index]) -> bool:
    if not index or any(e.uses_lane for e in index[:-1]):
        return False
    return index[-1].coefficient(LANE) == 1 and not (index[-1] - Index.of(LANE)).uses_lane
