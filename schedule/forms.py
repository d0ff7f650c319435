"""Forms of blocks and buffers that primitives need, each with the refusal that names the missing property."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from xdsl.ir import BlockArgument, Operation, SSAValue

from ..analysis.access import Access, accesses_in, accesses_of, writes
from ..analysis.block_reductions import reduction_of, why_ordered
from ..analysis.domain import is_inside
from ..analysis.init_nests import extents_maybe_zero, reduction_loops
from ..analysis.initialised import always_stores
from ..analysis.instances import runs_each_once, runs_init, runs_terms_in_order, runs_whole_reduction
from ..analysis.integer_set import PROVED, Refuted
from ..analysis.ranges import facts_at
from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..dialects import loop
from ..dialects.index_expr import Index, Symbol, Variable
from .index_map import IndexMap
from .refusal import ILLEGAL, IN_ORDER, UNPROVED, UNSUITABLE, loop_name
from .regions import Span, touched_spans


def unsuitable(primitive: str, block: loop.BlockOp, reason: str) -> NoReturn:
    fail(UNSUITABLE, f"{primitive}: block {block.label!r} {reason}", op=block)


def single_store(primitive: str, block: loop.BlockOp) -> loop.StoreOp:
    """Return the only store of a block besides those of its init."""
    stores = [a.op for a in accesses_in(block) if a.is_write and not a.is_init]
    buffers = writes(block)
    if len(stores) == 1 and not isinstance(stores[0], loop.StoreOp):
        unsuitable(primitive, block, f"should have one store to one buffer, but has a {stores[0].name}")
    if len(stores) != 1 or len(buffers) != 1 or not isinstance(stores[0], loop.StoreOp):
        unsuitable(primitive, block, f"should have one store to one buffer, but has {len(stores)} to {len(buffers)}")
    if stores[0].conditions or stores[0].buffer is not buffers[0]:
        unsuitable(primitive, block, f"should store to {name_of(buffers[0])} without a guard or a view")
    return stores[0]


def joint_stores(primitive: str, block: loop.BlockOp) -> list[loop.StoreOp]:
    """Return the stores of a block besides those of its init: one to each of its results, all at the same element."""
    stores = [a.op for a in accesses_in(block) if a.is_write and not a.is_init]
    found = [op for op in stores if isinstance(op, loop.StoreOp)]
    if len(found) < 2:
        return [single_store(primitive, block)]
    buffers = writes(block)
    if len(found) != len(stores) or len(found) != len(buffers) or {op.buffer for op in found} != set(buffers):
        unsuitable(primitive, block, f"should store once to each of its results, but has {len(stores)} stores")
    if any(op.conditions for op in found) or any(op.index != found[0].index for op in found):
        unsuitable(primitive, block, "should store all its results at the same element, without a guard")
    return found


def private_buffer(primitive: str, block: loop.BlockOp, buffer: SSAValue) -> loop.AllocOp:
    """Return the allocation of a buffer that `block` alone writes."""
    if not isinstance(buffer.owner, loop.AllocOp):
        unsuitable(primitive, block, f"writes {name_of(buffer)}, which is seen outside of the function")
    only_writer(primitive, block, buffer)
    return buffer.owner


def only_writer(primitive: str, block: loop.BlockOp, buffer: SSAValue) -> None:
    """Refuse unless `block` alone writes `buffer`."""
    for access in accesses_of(buffer):
        if access.is_write and access.block is not block:
            who = f"block {access.block.label!r}" if access.block else "code outside of blocks"
            unsuitable(
                primitive, block, f"is not the only one to write {name_of(buffer)}, a compact dataflow: {who} does too"
            )


def readers(block: loop.BlockOp, buffer: SSAValue) -> list[Access]:
    """Return the reads of `buffer` by others than `block`."""
    return [a for a in accesses_of(buffer) if not a.is_write and a.block is not block]


def check_whole_reduction(primitive: str, block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> bool:
    """Refuse unless `loops`, the innermost ones around a block, run each of its reductions whole and once.

    Returns whether they may combine its terms in another order than that of its variables, which `nest_over` makes.
    """
    if "reduce" not in block.kinds:
        return False
    if block.init is None:
        unsuitable(primitive, block, f"is a reduction without its init; {primitive} comes before decompose_reduction")
    claims = [
        (runs_whole_reduction(block, loops), "does not run all of its reduction inside the loops it would leave"),
        (runs_each_once(block, loops), "runs instances of its reduction more than once"),
    ]
    in_order = runs_terms_in_order(block, loops)
    if reduction_of(block) is None:
        claims.append((in_order, "adds its terms in another order than that of its variables"))
    for verdict, problem in claims:
        if verdict != PROVED:
            code, certainly = (ILLEGAL, "") if isinstance(verdict, Refuted) else (UNPROVED, "possibly ")
            broken = why_ordered(block)
            notes, help = ([broken], IN_ORDER) if broken is not None else ([], None)
            fail(code, f"{primitive}: block {block.label!r} {certainly}{problem}", op=block, notes=notes, help=help)
    return in_order != PROVED


def check_before_terms(primitive: str, access: Access, producer: Operation) -> None:
    """Refuse an init that runs although its reduction has no terms, and reads values computed at `producer` in their
    loops."""
    if access.block is None or not access.is_init or not (loops := reduction_loops(access.block)):
        return
    if loops[0].is_ancestor(producer) and extents_maybe_zero(access.block, facts_at(loops[0])):
        reason = (
            f"reads {name_of(access.buffer)} in its init, which runs before loop {loop_name(loops[0])} where there is "
            "nothing to reduce"
        )
        unsuitable(primitive, access.block, reason)


def check_init_inside(primitive: str, block: loop.BlockOp, loops: Sequence[loop.ForOp]) -> None:
    """Refuse unless `loops`, the innermost ones around a block, run the init of each of its reductions."""
    verdict = runs_init(block, loops)
    if verdict != PROVED:
        code, certainly = (ILLEGAL, "") if isinstance(verdict, Refuted) else (UNPROVED, "possibly ")
        message = f"{primitive}: block {block.label!r} {certainly}goes on with a reduction that another block starts"
        fail(code, message, op=block)


def check_written_once(primitive: str, block: loop.BlockOp, store: loop.StoreOp, code: str = UNSUITABLE) -> None:
    """Refuse where several values of a spatial variable write one element: a read between two of them would change."""
    stored = {v for e in store.index for v in e.values()}
    for variable, kind, _, extent in block.iteration():
        if kind == "spatial" and variable not in stored and extent != Index.of(1):
            reason = f"has a spatial variable {name_of(variable)} that does not index its result"
            fail(code, f"{primitive}: block {block.label!r} {reason}", op=block)


def check_index_variables(primitive: str, block: loop.BlockOp, buffer: SSAValue, used: Iterable[Index]) -> None:
    """Refuse where an index that a block accesses depends on values computed inside of it: of a nested block, or
    loaded."""
    if not _uses_only_variables_of(block, used):
        unsuitable(
            primitive, block, f"indexes {name_of(buffer)} with values other than the block's iteration variables"
        )


def _uses_only_variables_of(block: loop.BlockOp, index: Iterable[Index]) -> bool:
    return all(v in block.variables or not is_inside(v, block) for e in index for v in e.values())


def check_effects(name: str, block: loop.BlockOp) -> None:
    """Refuse a block whose instances do more than store, so that their number and order matter."""
    for op in block.body.block.ops:
        if isinstance(op, (loop.PrintOp, loop.CallExternOp)):
            what = "prints a line" if isinstance(op, loop.PrintOp) else "calls a function"
            unsuitable(name, block, f"{what} for each instance")


def check_reads_of_results(primitive: str, block: loop.BlockOp, stores: Sequence[loop.StoreOp]) -> None:
    """Refuse a block that reads of its results anything but the element that it stores, started by its init.

    Earlier contents of that element, and elements of other instances, are missing at another position or in another
    buffer.
    """
    stored = {store.buffer: store.index for store in stores}
    for access in accesses_in(block):
        if access.is_write or access.buffer not in stored:
            continue
        if block.init is None or access.is_init:
            unsuitable(primitive, block, f"reads {name_of(access.buffer)} before it writes it")
        op = access.op
        if not isinstance(op, loop.LoadOp) or op.buffer not in stored or op.index != stored[op.buffer]:
            unsuitable(primitive, block, f"reads elements of {name_of(access.buffer)} that other instances write")


def check_always_stored(primitive: str, block: loop.BlockOp, stores: Sequence[loop.StoreOp]) -> None:
    """Refuse a block that may leave some of its results unchanged: in another buffer these elements have no value."""
    for store in stores:
        if not always_stores(block, store):
            unsuitable(primitive, block, f"stores to {name_of(store.buffer)} under a condition")


def check_distinct_elements(primitive: str, block: loop.BlockOp, store: loop.StoreOp) -> None:
    """Refuse unless every instance writes elements that no other one writes: then their order is free."""
    check_written_once(primitive, block, store)
    if not stores_distinct_elements(block, store):
        index = ", ".join(map(str, store.index))
        unsuitable(primitive, block, f"is not certain to store each element once, at [{index}]")


def stores_distinct_elements(block: loop.BlockOp, store: loop.StoreOp) -> bool:
    """Return whether it is proved that no two values of a block's spatial variables write one element."""
    if not _uses_only_variables_of(block, store.index):
        return False
    spatial = [(v, extent) for v, kind, _, extent in block.iteration() if kind == "spatial"]
    symbols = {v: Symbol(f"d{n}") for n, (v, _) in enumerate(spatial)}
    layout = IndexMap(tuple(s.name for s in symbols.values()), tuple(e.substitute(symbols) for e in store.index))
    return layout.is_injective([extent for _, extent in spatial]) == PROVED


Positions: TypeAlias = "dict[BlockArgument, tuple[int, Index]]"


def stored_positions(primitive: str, store: loop.StoreOp, block: loop.BlockOp) -> Positions:
    """Return the dimension that each iteration variable indexes, and the expression added to it there.

    Every index of the store is a constant, or a separate spatial iteration variable plus a constant.
    """
    found = positions_of(store, block)
    if isinstance(found, Index):
        unsuitable(primitive, block, f"should store by one spatial variable a dimension, but stores at [{found}]")
    return found


def positions_of(store: loop.StoreOp, block: loop.BlockOp) -> Positions | Index:
    """Return the dimension that each iteration variable indexes; else the first index that is over something else."""
    spatial = {v for v, kind, _, _ in block.iteration() if kind == "spatial"}
    found: Positions = {}
    for dimension, e in enumerate(store.index):
        if e.is_constant:
            continue
        variable = e.terms[0][0]
        if len(e.terms) != 1 or e.terms[0][1] != 1 or variable not in spatial or variable in found:
            return e
        assert isinstance(variable, BlockArgument)
        found[variable] = (dimension, Index.of(e.constant))
    return found


@dataclass(frozen=True)
class StoredElements:
    """The numbering of the elements that a block stores, by its spatial iteration variables."""

    positions: Positions
    """The dimension of `shape` that each variable indexes."""
    shape: Sequence[Index]
    """The extents of the buffer, or those of the variables where it has another layout."""
    layout: IndexMap | None
    """From an element to the variables' values, where the buffer has another layout."""

    def position(self, index: Sequence[Index]) -> Sequence[Index]:
        """Return the position in `shape` of an element of the buffer."""
        return index if self.layout is None else self.layout(*index)

    def region(self, accesses: Sequence[Access], outer: Callable[[Variable], bool]) -> list[Span]:
        """Return the part of `shape` that the accesses may touch, one span a dimension."""
        return touched_spans(accesses, self.shape, outer, self.position)


def stored_elements(primitive: str, store: loop.StoreOp, block: loop.BlockOp, shape: Sequence[Index]) -> StoredElements:
    """Return the numbering of the elements that a block stores to a buffer of `shape`. Refuses a layout of which no
    inverse is found.

    Each spatial variable indexes a separate dimension, or the elements are a mixed-radix layout of their values, as
    transform_layout leaves it.
    """
    positions = positions_of(store, block)
    if not isinstance(positions, Index):
        return StoredElements(positions, shape, None)
    rows = [(v, extent) for v, kind, _, extent in block.iteration() if kind == "spatial"]
    symbols = {v: Symbol(f"d{n}") for n, (v, _) in enumerate(rows)}
    index = tuple(e.substitute(symbols) for e in store.index)
    extents = [extent for _, extent in rows]
    inverse = None
    if all(isinstance(v, Symbol) for e in index for v in e.variables):
        inverse = IndexMap(tuple(s.name for s in symbols.values()), index).inverse(extents)
    if inverse is None:
        unsuitable(primitive, block, f"should store by one spatial variable a dimension, but stores at [{positions}]")
    return StoredElements({v: (n, Index.of(0)) for n, (v, _) in enumerate(rows)}, extents, inverse)


def iteration_spans(block: loop.BlockOp, positions: Positions, region: list[Span]) -> list[Span]:
    """Return the span of each iteration variable that stores a region; a variable that indexes nothing runs over its
    extent.

    For an empty region all spans are empty, also where the indices are constants, which no span of a variable excludes.
    """
    if any(count == Index.of(0) for _, count in region):
        return [(Index.of(0), Index.of(0)) for _ in block.variables]
    spans: list[Span] = []
    for variable, _, _, extent in block.iteration():
        span = (Index.of(0), extent)
        if variable in positions:
            dimension, shift = positions[variable]
            offset, count = region[dimension]
            if not (extent.is_constant and count.is_constant and count.constant >= extent.constant):
                span = (offset - shift, count)
        spans.append(span)
    return spans
