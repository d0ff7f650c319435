"""Pass `swizzle-addresses`: states the permutation of the pieces of shared buffers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.dtypes import numpy_dtype
from ...dialects.loop import SHARED, AllocOp, LoadOp, StoreOp, ViewOp, family_of
from ...dialects.loop.storage import is_swizzled
from ...dialects.loop.swizzles import PERMUTED, SwizzleAttr, swizzle_of
from ...hardware import SWIZZLE_LINE_BYTES, SWIZZLE_PIECE_BYTES
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class SwizzleAddressesPass(Pass):
    """State the permutation of the pieces of shared buffers for which a schedule asks.

    ```mlir
    %s = loop.alloc attributes {tw.storage_swizzle} : memref<8x64xf16, "shared">
    loop.store %v, %s[%i, %j] : memref<8x64xf16, "shared">
    // becomes
    %s = loop.alloc attributes {tw.storage_swizzle, tw.swizzle = #loop.swizzle<8 of 64>} : memref<8x64xf16, "shared">
    loop.store %v, %s[%i, %j] attributes {tw.swizzle = #loop.swizzle<8 of 64>} : memref<8x64xf16, "shared">
    ```
    Pieces have 16 bytes and lines 128 bytes, as instructions of warpgroups permute them. Indices do not change: the
    attribute permutes the elements. The interpreter stores elements in the order that the allocation states, and reads
    each at the position that the access states.

    Needs: `flatten-buffers` and passes that make views, since all accesses to a buffer are found.
    Grants: an access without `tw.swizzle` is to elements in their order.
    """

    name = "swizzle-addresses"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for alloc in operations(op):
            if not isinstance(alloc, AllocOp) or not is_swizzled(alloc) or not alloc.res.type.has_static_shape():
                continue
            if family_of(alloc.res.type) != SHARED:
                continue
            affected = [alloc, *_accesses(alloc.res)]
            stated = [_swizzle_for(each) for each in affected]
            if [swizzle_of(each) for each in affected] == stated or not may_rewrite("swizzle", alloc, is_needed=True):
                continue
            for each, swizzle in zip(affected, stated, strict=True):
                edit.change(each).attributes[PERMUTED] = swizzle


def _accesses(buffer: SSAValue) -> Iterator[LoadOp | StoreOp]:
    """Yield the loads and stores of a buffer and of its views."""
    for use in buffer.uses:
        if isinstance(use.operation, (LoadOp, StoreOp)):
            yield use.operation
        elif isinstance(use.operation, ViewOp):
            yield from _accesses(use.operation.res)


def _swizzle_for(op: Operation) -> SwizzleAttr:
    """Return the permutation of the pieces of the buffer that an operation allocates or accesses."""
    assert isinstance(op, (AllocOp, LoadOp, StoreOp))
    type_ = op.res.type if isinstance(op, AllocOp) else op.buffer.type
    size = numpy_dtype(type_.element_type).itemsize  # pyright: ignore[reportAttributeAccessIssue]
    return SwizzleAttr.get(SWIZZLE_PIECE_BYTES // size, SWIZZLE_LINE_BYTES // size)
