"""set_scope: the memory space of a buffer."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import LocationAttr, MemRefType
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import caller_location, fused_location, is_known, name_of
from ...dialects import loop
from ...dialects.loop.storage import ALIGNMENT, DOUBLE_BUFFER
from ...ir import editor as edit
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import BAD_ARGUMENT, UNSUITABLE


@register_primitive(BUFFERS)
def set_scope(sch: Engine, block: BlockRV | str | SSAValue, buffer: BufferLike, scope: str | None = None) -> None:
    """Move an allocated buffer to another scope: "global", "local", "register", or a scope that the target defines.

    Write `set_scope("C", "local")`, or `set_scope(block, 0, "local")` for a buffer that a block writes.

    before:
    ```mlir
    %B = loop.alloc : memref<64xf32>
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi] : memref<64xf32>
      }
    }
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) {
        %x = loop.load %B[%vj] : memref<64xf32>
        loop.store %x, %C[%vj] : memref<64xf32>
      }
    }
    ```
    after `set_scope("B", "local")`:
    ```mlir
    %B = loop.alloc : memref<64xf32, "local">
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi] : memref<64xf32, "local">
      }
    }
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) {
        %x = loop.load %B[%vj] : memref<64xf32, "local">
        loop.store %x, %C[%vj] : memref<64xf32>
      }
    }
    ```
    """
    at = sch.call_location or caller_location("schedule")
    if scope is None and not isinstance(block, BlockRV) and isinstance(buffer, str):
        set_buffer_scope(sch.buffer(block), buffer, at)
    elif scope is not None and isinstance(block, (BlockRV, str)):
        handle = block if isinstance(block, BlockRV) else sch.named_block(block)
        set_buffer_scope(sch.buffer_of("set_scope", sch.block(handle), buffer, "write"), scope, at)
    else:
        fail(
            BAD_ARGUMENT,
            f"set_scope: expected a buffer and a scope, or a block, a buffer and a scope, but got {block!r}, "
            f"{buffer!r} and {scope!r}",
            op=sch.func,
        )


def set_buffer_scope(buffer: SSAValue, scope: str, at: LocationAttr | None = None) -> None:
    """Apply the primitive `set_scope` to operations. `at` is the call: errors about the scope point at it."""
    check_scope("set_scope", scope, buffer)
    if not isinstance(buffer.owner, loop.AllocOp):
        fail(
            UNSUITABLE,
            f"set_scope: {name_of(buffer)} is not allocated in this function, so its caller decides where it lives",
            help="cache_read and cache_write give a block a separate buffer, in any scope",
        )
    annotated = [key for key in (ALIGNMENT, DOUBLE_BUFFER) if key in buffer.owner.attributes]
    if scope == loop.REGISTER and annotated:
        fail(UNSUITABLE, f"set_scope: {name_of(buffer)} has the annotation {annotated[0]}, which registers cannot have")
    for use in buffer.uses:
        if not isinstance(use.operation, (loop.LoadOp, loop.StoreOp, loop.ViewOp, loop.DimOp)):
            fail(
                UNSUITABLE,
                f"set_scope: {name_of(buffer)} is used by {use.operation.name}, which knows its scope",
                op=use.operation,
            )
    if is_known(at):
        edit.change(buffer.owner).location = fused_location(at, buffer.owner.location)
    _retype(buffer, scope)


def check_scope(primitive: str, scope: str, buffer: SSAValue) -> None:
    """Refuse a scope that is no name: neither of `dialects/loop/buffers.py`, nor of a target that the user
    registered."""
    if not re.fullmatch(r"[A-Za-z_][\w.]*", scope):
        fail(
            BAD_ARGUMENT,
            f"{primitive}: expected the name of a scope for {name_of(buffer)}, but got {scope!r}",
            help="global, local, register, shared, warp, or a name that a target defines",
        )


def _retype(buffer: SSAValue, scope: str) -> None:
    type = buffer.type
    assert isinstance(type, MemRefType)
    fresh = edit.retype(buffer, loop.buffer_type(type.get_shape(), type.element_type, scope))
    for use in list(fresh.uses):
        if isinstance(use.operation, loop.ViewOp):
            _retype(use.operation.res, scope)
