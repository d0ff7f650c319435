"""set_scope: where a buffer lives."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.loop.storage import ALIGNMENT, DOUBLE_BUFFER
from ...ir import editor as edit
from ..refusal import BAD_ARGUMENT, UNSUITABLE


def set_scope(buffer: SSAValue, scope: str) -> None:
    """Put an allocated buffer into another scope: "global", "local", "register", or one that a target knows.

    before:
    ```mlir
    func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
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
      func.return
    }
    ```
    after `set_scope("B", "local")`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
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
      func.return
    }
    ```
    """
    check_scope("set_scope", scope, buffer)
    if not isinstance(buffer.owner, loop.AllocOp):
        fail(
            UNSUITABLE,
            f"set_scope: {name_of(buffer)} is not allocated in this function, so its caller decides where it lives",
            help="cache_read and cache_write give a block a buffer of its own, in any scope",
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
    _retype(buffer, scope)


def check_scope(primitive: str, scope: str, buffer: SSAValue) -> None:
    """A scope is a name: those of `dialects/loop/buffers.py`, or one that a target of the user's knows."""
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
