"""set_scope: where a buffer lives."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ..refusal import UNSUITABLE


def set_scope(buffer: SSAValue, scope: str) -> None:
    """Put an allocated buffer into another scope: "global", "local", "register", or one that the target knows.

    before:
    ```mlir
    %C = loop.alloc : memref<6x16xf32>
    ```
    after `set_scope(C, "register")`:
    ```mlir
    %C = loop.alloc : memref<6x16xf32, "register">
    ```
    """
    if not isinstance(buffer.owner, loop.AllocOp):
        fail(UNSUITABLE, f"set_scope: {name_of(buffer)} is not allocated in this function")
    for use in buffer.uses:
        if not isinstance(use.operation, (loop.LoadOp, loop.StoreOp, loop.ViewOp, loop.DimOp)):
            fail(UNSUITABLE, f"set_scope: {name_of(buffer)} is used by {use.operation.name}", op=use.operation)
    _retype(buffer, scope)


def _retype(buffer: SSAValue, scope: str) -> None:
    type = buffer.type
    assert isinstance(type, MemRefType)
    fresh = Rewriter.replace_value_with_new_type(buffer, loop.buffer_type(type.get_shape(), type.element_type, scope))
    for use in list(fresh.uses):
        if isinstance(use.operation, loop.ViewOp):
            _retype(use.operation.res, scope)
