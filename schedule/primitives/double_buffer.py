"""double_buffer: loads of iteration i + 1 are issued before the computation of iteration i."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from ...analysis.access import accesses_of
from ...analysis.staging import staging_of
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.loop.storage import DOUBLE_BUFFER
from ...ir import editor as edit
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from .storage_layout import allocated_in_memory, refuse

_NAME = "double_buffer"


@register_primitive(BUFFERS)
def double_buffer(sch: Engine, block: BlockRV, buffer: BufferLike) -> None:
    """Keep two copies of a buffer in a loop: each iteration reads one and fills the other for the next iteration.

    This is an annotation for the pass `double-buffer`, which runs when the buffer has its final size. It puts the first
    filling before the loop. The filling must not depend on anything that the loop writes.

    before:
    ```mlir
    loop.for %i = 0 to 4 {
      %B = loop.alloc : memref<32xf32, "local">
      loop.for %j = 0 to 8 {
        loop.block "B" (%vj = spatial(%i * 8 + %j) in 32) { … }
      }
      loop.for %j = 0 to 8 {
        loop.block "C" (%vj = spatial(%i * 8 + %j) in 32) { … }
      }
    }
    ```
    after `double_buffer(B, "B")`:
    ```mlir
    loop.for %i = 0 to 4 {
      %B = loop.alloc attributes {tw.double_buffer} : memref<32xf32, "local">
      loop.for %j = 0 to 8 {
        loop.block "B" (%vj = spatial(%i * 8 + %j) in 32) { … }
      }
      loop.for %j = 0 to 8 {
        loop.block "C" (%vj = spatial(%i * 8 + %j) in 32) { … }
      }
    }
    ```
    """
    op = sch.block(block)
    _double_buffer(op, sch.buffer_of("double_buffer", op, buffer, "write"))


def _double_buffer(block: loop.BlockOp, buffer: SSAValue) -> None:
    alloc = allocated_in_memory(_NAME, block, buffer)
    if not any(a.block is block for a in accesses_of(buffer)):
        refuse(
            _NAME, block, f"{name_of(buffer)} is not a buffer that it reads or writes", "name the block that fills it"
        )
    staging = staging_of(alloc)
    if isinstance(staging, str):
        refuse(
            _NAME,
            block,
            f"{name_of(buffer)} {staging}",
            "compute_at puts the block that fills it into the loop whose iterations read it",
        )
    edit.change(alloc).attributes[DOUBLE_BUFFER] = UnitAttr()
