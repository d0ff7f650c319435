"""Pass `assign-shared-offsets`: offsets of large shared buffers in the shared memory of a kernel."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...analysis.shared_memory import shared_buffers, shared_layout
from ...dialects.loop import ForOp
from ...dialects.loop.memory_spaces import (
    MEMORY_SPACE,
    OF_BLOCK,
    SHARED_BYTES,
    MemorySpaceAttr,
    bytes_attribute,
    bytes_of,
    memory_space_of,
)
from ...dialects.target import target_of
from ...hardware import STATIC_SHARED_BYTES
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class AssignSharedOffsetsPass(Pass):
    """State the offsets of the shared buffers of a kernel in the dynamic shared memory of its launch.

    ```mlir
    func.func @main(...) {
      loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
        %s = loop.alloc : memref<64x256xf32, "shared">
        %t = loop.alloc : memref<64xf32, "shared"> ... }
    // becomes
    func.func @main(...) attributes {tw.shared_bytes = 65792 : i64} {
      loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
        %s = loop.alloc attributes {tw.place = #loop.place<shared 0>} : memref<64x256xf32, "shared">
        %t = loop.alloc attributes {tw.place = #loop.place<shared 65536>} : memref<64xf32, "shared"> ... }
    ```
    Up to 48 KiB a block the buffers are separate arrays, which the assembler lays out. More is one array with a slice
    for each buffer.
    The interpreter lays the buffers out as stated.

    Needs: `inline-calls`, `swizzle-addresses`, which states the buffers that begin at a multiple of 1024 bytes.
    Grants: shared buffers without `tw.place` are separate arrays.
    """

    name = "assign-shared-offsets"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or not target.launches_kernels:
            return
        for function in op.ops:
            if not isinstance(function, FuncOp) or not function.body.blocks:
                continue
            for nest in function.body.block.ops:
                if isinstance(nest, ForOp):
                    _assign_offsets(function, nest)


def _assign_offsets(function: FuncOp, nest: ForOp) -> None:
    """State the offsets of the buffers of a kernel."""
    buffers = shared_buffers(nest)
    if not all(buffer.res.type.has_static_shape() for buffer in buffers):
        return
    starts, end = shared_layout(buffers)
    offsets = [MemorySpaceAttr.get(OF_BLOCK, start) for start in starts]
    is_stated = [memory_space_of(buffer) for buffer in buffers] == offsets and bytes_of(function, SHARED_BYTES) >= end
    if end <= STATIC_SHARED_BYTES or is_stated or not may_rewrite("shared memory", nest, is_needed=True):
        return
    for buffer, offset in zip(buffers, offsets, strict=True):
        edit.change(buffer).attributes[MEMORY_SPACE] = offset
    size = max(end, bytes_of(function, SHARED_BYTES))
    edit.change(function).attributes[SHARED_BYTES] = bytes_attribute(size)
