"""Pass `store-last`: the stores of an unrolled nest follow all of its loads.

A processor decides by the low bits of addresses, the offset in a page, whether a load may overtake earlier stores. Rows
at a distance of whole pages have equal low bits. If their elements are loaded, changed and stored one row after
another, each load waits for the store of the row before, although the addresses differ (4K aliasing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Block, Operation, OpResult
from xdsl.rewriter import InsertPoint

from ...analysis.access import root_buffer
from ...analysis.dependence import carried
from ...analysis.effects import is_pure
from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import LANE, Index
from ...dialects.target import CpuTargetAttr, target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class StoreLastPass(Pass):
    """Split unrolled nests that load and store memory into one that computes and one that stores.

    ```mlir
    loop.for %p = 0 to 6 kind unrolled {
      loop.for %o = 0 to 4 kind unrolled {
        %old = loop.load %C[%o * 1024 + %p * 16 + lane] : memref<4096xf32>, vector<16xf32>
        %new = arith.addf %old, … : vector<16xf32>
        loop.store %new, %C[%o * 1024 + %p * 16 + lane] : vector<16xf32>, memref<4096xf32>
      }
    }
    // becomes
    %C_new = loop.alloc : memref<6x4x16xf32, "register">
    loop.for %p = 0 to 6 kind unrolled { loop.for %o = 0 to 4 kind unrolled {
      … loop.store %new, %C_new[%p, %o, lane] : vector<16xf32>, memref<6x4x16xf32, "register">
    } }
    loop.for %p = 0 to 6 kind unrolled { loop.for %o = 0 to 4 kind unrolled {
      %n = loop.load %C_new[%p, %o, lane] : memref<6x4x16xf32, "register">, vector<16xf32>
      loop.store %n, %C[%o * 1024 + %p * 16 + lane] : vector<16xf32>, memref<4096xf32>
    } }
    ```
    A nest qualifies if it has one store to memory, of no more elements than registers hold, and no other effect. The
    indices of the store must be known before the nest. The nest may load from the stored buffer if its iterations are
    independent.

    Needs: loop level, and a CPU as the target; with another one nothing changes.
    Grants: nothing that later passes rely on.
    """

    name = "store-last"
    phase = 2
    levels = (Level.LOOP,)
    opt_level = 2
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or target.core is None:
            return
        nests = [n for n in operations(op) if isinstance(n, loop.ForOp) and _is_outermost(n)]
        for nest in nests:
            store = _last_store(nest, target.core)
            if store is not None and may_rewrite("store last", nest):
                _split(nest, store)


def _is_outermost(op: loop.ForOp) -> bool:
    """Return whether a loop is unrolled, and no loop around it is."""
    return op.kind == loop.UNROLLED and all(
        isinstance(outer, loop.ForOp) and outer.kind != loop.UNROLLED for outer in loop.enclosing(op, loop.ForOp)
    )


# The nests that qualify


def _last_store(nest: loop.ForOp, target: CpuTargetAttr) -> loop.StoreOp | None:
    """Return the store that can wait for all of the nest's loads; None where the nest has none, or does something
    else."""
    inside = list(operations(nest))
    loops = [op for op in inside if isinstance(op, loop.ForOp)]
    if not all(op.kind == loop.UNROLLED and op.constant_bounds is not None and not op.res for op in loops):
        return None
    if not all(_is_harmless(op, loops) for op in inside):
        return None
    stores = [op for op in inside if isinstance(op, loop.StoreOp) and not _is_register(op)]
    loads = [op for op in inside if isinstance(op, loop.LoadOp) and not _is_register(op)]
    if len(stores) != 1 or not loads:
        return None
    (store,) = stores
    if not 1 < prod(_trips(op) for op in _around(store, nest)) <= target.vector_registers or not _fits(store, target):
        return None
    where = {v for e in (*store.index, *store.conditions) for v in e.values()}
    if any(isinstance(v, OpResult) and nest.is_ancestor(v.owner) for v in where):
        return None
    root = root_buffer(store.buffer)
    shared = [op for op in loads if root_buffer(op.buffer) is root]
    if any(inside.index(op) > inside.index(store) for op in shared):
        return None
    return None if shared and any(carried(op) is not None for op in loops) else store


def _is_harmless(op: Operation, loops: Sequence[loop.ForOp]) -> bool:
    """Return whether an operation only loads, stores or computes, under conditions that unrolling decides."""
    if isinstance(op, loop.IfOp):
        known = {each.induction_variable for each in loops}
        return not any(b.ops for b in op.else_body.blocks) and all(set(e.values()) <= known for e in op.conditions)
    return isinstance(op, (loop.ForOp, loop.LoadOp, loop.StoreOp)) or is_pure(op)


def _is_register(op: loop.LoadOp | loop.StoreOp) -> bool:
    return loop.family_of(op.buffer.type) == loop.REGISTER


def _fits(store: loop.StoreOp, target: CpuTargetAttr) -> bool:
    """Return whether a stored vector fits one register."""
    type_ = store.value.type
    if not isinstance(type_, VectorType):
        return True
    return type_.get_shape()[0] <= target.lanes(numpy_dtype(type_.element_type).itemsize * 8)


def _around(store: loop.StoreOp, nest: loop.ForOp) -> list[loop.ForOp]:
    """Return the nest's loops around a store, outermost first."""
    outer = [op for op in loop.enclosing(store, loop.ForOp) if nest.is_ancestor(op)]
    return [op for op in reversed(outer) if isinstance(op, loop.ForOp)]


def _trips(op: loop.ForOp) -> int:
    trips = op.constant_trip_count
    assert trips is not None
    return trips


# The two nests


def _split(nest: loop.ForOp, store: loop.StoreOp) -> None:
    """Let `store` go to registers, and copy these to memory after the nest."""
    type_, around = store.value.type, _around(store, nest)
    lanes, element = ([*type_.get_shape()], type_.element_type) if isinstance(type_, VectorType) else ([], type_)
    name = f"{store.buffer.name_hint or 'buffer'}_new"
    held = loop.AllocOp(loop.buffer_type([*map(_trips, around), *lanes], element, loop.REGISTER), [], name)
    position = [_count(op) for op in around] + [Index.of(LANE)] * len(lanes)
    kept = loop.StoreOp(store.value, held.res, position)
    for op in (held, kept):
        op.location = store.location
    edit.insert(held, InsertPoint.before(nest))
    edit.insert(_copying_nest(nest, store, held, position, lanes[0] if lanes else None), InsertPoint.after(nest))
    edit.replace(store, kept)


def _copying_nest(
    nest: loop.ForOp, store: loop.StoreOp, held: loop.AllocOp, position: Sequence[Index], lanes: int | None
) -> loop.ForOp:
    """Copy the loops and conditions of `nest` around `store`, which stores the element of `held` at `position`."""
    copy = nest.clone()
    twin = next(new for old, new in zip(operations(nest), operations(copy), strict=True) if old is store)
    assert isinstance(twin, loop.StoreOp)
    variables = zip(_around(store, nest), _around(twin, copy), strict=True)
    renamed = {old.induction_variable: Index.of(new.induction_variable) for old, new in variables}
    load = loop.LoadOp(held.res, [e.substitute(renamed) for e in position], lanes=lanes)
    edit.insert(load, InsertPoint.before(twin), of=store)
    edit.change(twin).operands[0] = load.res
    _erase_all_but(copy.body.block, _needed(twin, copy))
    return copy


def _needed(store: loop.StoreOp, nest: loop.ForOp) -> set[Operation]:
    """Return a store and the operations within `nest` whose results it uses, indices and the views that it goes
    through."""
    needed: set[Operation] = set()
    pending: list[Operation] = [store]
    while pending:
        op = pending.pop()
        needed.add(op)
        pending += [v.op for v in op.operands if isinstance(v, OpResult) and nest.is_ancestor(v.op)]
    return needed


def _count(op: loop.ForOp) -> Index:
    """Return the number of the current iteration."""
    bounds = op.constant_bounds
    assert bounds is not None
    return Index.of(op.induction_variable) - bounds[0]


def _erase_all_but(block: Block, kept: set[Operation]) -> bool:
    """Erase all operations that are neither in `kept` nor around it. Returns whether anything remains."""
    found = False
    for op in reversed(list(block.ops)):
        inner = [_erase_all_but(b, kept) for region in op.regions for b in region.blocks]
        if op in kept or any(inner):
            found = True
        elif not isinstance(op, loop.YieldOp):
            edit.erase(op)
    return found
