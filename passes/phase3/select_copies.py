"""Pass `select-copies`: states the number of bytes of each asynchronous copy."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp

from ...analysis.positions import are_neighbours, is_multiple, position_in_memory
from ...analysis.ranges import RangeAnalysis
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import LANE
from ...dialects.loop import ASYNC, GLOBAL, SHARED, LoadOp, StoreOp, family_of, scope_of
from ...dialects.loop.widths import COPY_BYTES, copy_bytes, number_attribute
from ...dialects.target import target_of
from ...hardware import ASYNC_COPY_BYTES
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class SelectCopiesPass(Pass):
    """State which stores of loaded elements are asynchronous copies, and the bytes of each copy.

    ```mlir
    %v = loop.load %a[%t * 8 + lane] : memref<512xf16>, vector<8xf16>
    loop.store %v, %s[%t * 8 + lane] attributes {tw.async} : vector<8xf16>, memref<512xf16, "shared">
    // becomes
    %v = loop.load %a[%t * 8 + lane] attributes {tw.copy_bytes = 16 : i64} : memref<512xf16>, vector<8xf16>
    loop.store %v, %s[%t * 8 + lane] attributes {tw.async, tw.copy_bytes = 16 : i64} : ...
    ```
    An instruction copies 16, 8 or 4 bytes from global to shared memory, and both addresses have to be multiples of that
    number. The pass takes the widest instruction for which this is proved. A load and a store without such a proof,
    with a guard that may fail, or with a conversion between them stay. The interpreter checks the positions at each
    access.

    Needs: `inline-calls`, since the memory of an argument begins at such a multiple, and that of a callee's may not.
    Grants: each asynchronous store without `tw.copy_bytes` is an ordinary one.
    """

    name = "select-copies"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or not target.has_async_copies:
            return
        facts = RangeAnalysis()
        for store in operations(op):
            load = _load_of(store) if isinstance(store, StoreOp) else None
            if load is None or not isinstance(store, StoreOp):
                continue
            size = _bytes_at_once(load, store, facts)
            if size and copy_bytes(store) != size and may_rewrite("copy", store):
                for half in (load, store):
                    edit.change(half).attributes[COPY_BYTES] = number_attribute(size)


def _load_of(store: StoreOp) -> LoadOp | None:
    """Return the load that makes an asynchronous copy with a store; None where the two are no copy."""
    load = store.value.owner
    if ASYNC not in store.attributes or not isinstance(load, LoadOp) or not load.res.has_one_use():
        return None
    if load.parent is not store.parent or _element(load) != _element(store):
        return None
    return load if (scope_of(load.buffer.type), family_of(store.buffer.type)) == (GLOBAL, SHARED) else None


def _element(op: LoadOp | StoreOp) -> object:
    assert isinstance(op.buffer.type, MemRefType)
    return op.buffer.type.element_type


def _bytes_at_once(load: LoadOp, store: StoreOp, facts: RangeAnalysis) -> int:
    """Return the bytes of the widest instruction for the elements that a load and a store access; 0 where there is
    none."""
    if not all(facts.at(op).proves_all(op.conditions, exact=False) for op in (load, store)):
        return 0
    assert isinstance(load.buffer.type, MemRefType)
    size = numpy_dtype(load.buffer.type.element_type).itemsize
    widths = (n for n in ASYNC_COPY_BYTES if n % size == 0 and (load.lanes or 1) % (n // size) == 0)
    return next((n for n in widths if all(_takes(op, n // size, facts) for op in (load, store))), 0)


def _takes(op: LoadOp | StoreOp, width: int, facts: RangeAnalysis) -> bool:
    """Return whether each `width` lanes of an access touch adjacent elements that start at a multiple of `width`."""
    if width == 1:
        return True
    position = position_in_memory(op.buffer, op.index)
    return (
        position is not None and are_neighbours(position) and is_multiple(position.without(LANE), width, facts.at(op))
    )
