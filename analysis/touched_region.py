"""The box of a buffer that one run of a block touches, dimension by dimension.

The box of a buffer in shared memory covers the elements that all threads of a GPU's block touch, at any nesting depth
of the `loop.block`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from ..diagnostics.remarks import remark
from ..dialects.index_expr import LANE, Index, Range, Symbol, Variable
from ..dialects.loop import AllocOp, CallExternOp, ForOp, LoadOp, Position, StoreOp, depends_on_thread
from .access import Access
from .domain import loop_ranges, loops_around, resolve, with_facts
from .integer_set import Span, System, Unknown, box_hull
from .ranges import Facts, RangeAnalysis

SMALL_EXTENT = 64
"""An extent that tails may always round up to: that of a vector, or of a register tile."""


class LiveBlock(NamedTuple):
    """The block in which a buffer is live: one buffer for each run, or one for all threads that run it together."""

    block: Block
    is_shared: bool

    def varies(self, variable: Variable) -> bool:
        """Return whether a variable may have several values while the buffer lives."""
        if self.is_shared and isinstance(variable, SSAValue) and depends_on_thread(variable):
            return True
        return is_inside_block(variable, self.block)


Part: TypeAlias = tuple[Index, int, int]
"""The summand of an index that outer variables determine, and the least and largest of the rest."""


def touched_spans(
    alloc: AllocOp, accesses: Sequence[Access], live: LiveBlock, ranges: RangeAnalysis, *, with_tails: bool
) -> list[Span | None]:
    """Return for each dimension the span that one run of `live` touches, None where the buffer keeps its extent.

    The offsets use variables that are defined outside of the loops inside `live`. Intervals answer where loops inside
    have constant bounds; the integer sets answer the rest. `with_tails`: include the elements that would be touched
    without the guards around the accesses, so that these can be relaxed, unless that is much more.
    """
    if any(access.index is None for access in accesses):
        return [None] * len(alloc.shape)
    guarded = [_facts_at(access, ranges).ranges for access in accesses]
    unguarded = [unguarded_ranges(access.op) for access in accesses] if with_tails else None
    return [_span(d, alloc, accesses, live, guarded, unguarded) for d in range(len(alloc.shape))]


def _span(
    d: int,
    alloc: AllocOp,
    accesses: Sequence[Access],
    live: LiveBlock,
    guarded: Sequence[Mapping[Variable, Range]],
    unguarded: Sequence[Mapping[Variable, Range]] | None,
) -> Span | None:
    extent = alloc.shape[d]
    span = _by_intervals(d, accesses, live, guarded) or _by_integer_sets(d, accesses, live)
    if span is None:
        if not extent.is_constant:
            remark("TW0520", f"dimension {d} of a buffer keeps its extent: no box of constant extent", op=alloc)
        return None
    if unguarded is not None:
        full = _by_intervals(d, accesses, live, unguarded)
        if full is not None and full.extent <= max(2 * span.extent, SMALL_EXTENT):
            return full
    return None if extent.is_constant and span.extent >= extent.constant else span


def _by_intervals(
    d: int, accesses: Sequence[Access], live: LiveBlock, ranges: Sequence[Mapping[Variable, Range]]
) -> Span | None:
    outer: Index | None = None
    lo, hi = 0, -1
    for access, known in zip(accesses, ranges, strict=True):
        assert access.index is not None
        part = _split(access.index[d].with_ranges(known), live, known)
        if part is None or (outer is not None and outer != part[0]):
            return None
        lo, hi = (part[1], part[2]) if outer is None else (min(lo, part[1]), max(hi, part[2]))
        outer = part[0]
    return None if outer is None else Span(outer + lo, max(hi - lo + 1, 1))


def _split(e: Index, live: LiveBlock, ranges: Mapping[Variable, Range]) -> Part | None:
    outer, inner = Index.of(0), Index.of(e.constant)
    for atom, c in e.terms:
        part = Index.of_atom(atom) * c
        inside = [v for v in part.variables if live.varies(v)]
        if not inside:
            outer = outer + part
        elif len(inside) == len(part.variables) and all(_is_steady(v, live) for v in inside):
            inner = inner + part
        else:
            return None
    lo, hi = inner.bounds(ranges)
    return None if lo is None or hi is None else (outer, lo, hi)


def _facts_at(access: Access, ranges: RangeAnalysis) -> Facts:
    return ranges.at(access.op).where(*(resolve(e) for e in access.conditions))


def unguarded_ranges(op: Operation) -> dict[Variable, Range]:
    """Return the ranges that the loops around an access give, without the guards in them, and that of its lane or
    box."""
    ranges = loop_ranges(loops_around(op))
    if isinstance(op, CallExternOp):
        return {**ranges, **{v: (0, n - 1) for v, n in op.positions.items()}}
    lanes = op.lanes if isinstance(op, (LoadOp, StoreOp)) else None
    return ranges if lanes is None else {**ranges, LANE: (0, lanes - 1)}


def _is_steady(variable: Variable, live: LiveBlock) -> bool:
    """Return whether the variable's range is the same in each run of `live`: its loop's bounds depend on no outer
    loop."""
    if variable is LANE or isinstance(variable, Position):
        return True
    parent = variable.owner.parent_op() if isinstance(variable, BlockArgument) else None
    if not isinstance(parent, ForOp) or variable is not parent.induction_variable:
        return False
    return all(live.varies(v) for e in (*parent.lowers, *parent.uppers) for v in e.variables)


def is_inside_block(variable: Variable, live: Block) -> bool:
    """Return whether a variable may change during one run of `live`: the regions of an op of `live` define it."""
    block = _defining_block(variable)
    parent = block.parent_op() if block is not None and block is not live else None
    return (
        isinstance(variable, Symbol)
        or variable is LANE
        or (parent is not None and live.find_ancestor_op_in_block(parent) is not None)
    )


def _defining_block(variable: Variable) -> Block | None:
    match variable:
        case BlockArgument():
            return variable.block
        case OpResult():
            return variable.op.parent
        case _:
            return None


def _by_integer_sets(d: int, accesses: Sequence[Access], live: LiveBlock) -> Span | None:
    images: list[tuple[System, tuple[Index, ...]]] = []
    for access in accesses:
        assert access.index is not None
        moved = _counted_from_lower_bounds(access, live)
        images.append((with_facts(access.system).substitute(moved), (access.index[d].substitute(moved),)))
    variables = dict.fromkeys(v for system, (e,) in images for v in (*system.variables, *e.variables))
    hull = box_hull(images, [v for v in variables if _is_defined_before(v, live)])
    return None if isinstance(hull, Unknown) else Span(hull[0].offset, max(hull[0].extent, 1))


def _counted_from_lower_bounds(access: Access, live: LiveBlock) -> dict[Variable, Index]:
    """Return variables of loops inside `live` whose lower bounds move with outer ones, as the bound plus a count."""
    moved: dict[Variable, Index] = {}
    for op in access.domain.loops:
        variable = op.induction_variable
        if live.varies(variable) and len(op.lowers) == 1:
            lower = resolve(op.lowers[0]).substitute(moved)
            if any(not live.varies(v) for v in lower.variables):
                moved[variable] = lower + Symbol(f"count {len(moved)}")
    return moved


def _is_defined_before(variable: Variable, live: LiveBlock) -> bool:
    """Return whether every op of the block may use the variable, and all threads that share the buffer have the same
    value."""
    is_later = isinstance(variable, OpResult) and variable.op.parent is live.block
    return not live.varies(variable) and not is_later
