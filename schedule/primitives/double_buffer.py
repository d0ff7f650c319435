"""double_buffer: fetch the data of the next iteration while this one works."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from ...analysis.access import accesses_of
from ...analysis.staging import staging_of
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.loop.storage import DOUBLE_BUFFER
from ...ir import editor as edit
from .storage import allocated_in_memory, refuse

_NAME = "double_buffer"


def double_buffer(block: loop.BlockOp, buffer: SSAValue) -> None:
    """Keep two copies of a buffer that a loop fills and reads: one is filled for the next iteration, one is read.

    It is an annotation, which `double-buffer` carries out after the buffer has its final size: the first filling comes
    before the loop, and each iteration starts by filling the copy for the next. The filling must depend on nothing that
    the loop writes.

    before:
    ```mlir
    func.func @k(%A: memref<32xf32>, %C: memref<32xf32> {tw.output}) {
      loop.for %i = 0 to 4 {
        %B = loop.alloc : memref<32xf32, "local">
        loop.for %j = 0 to 8 {
          loop.block "B" (%vj = spatial(%i * 8 + %j) in 32) {
            %a = loop.load %A[%vj] : memref<32xf32>
            loop.store %a, %B[%vj] : memref<32xf32, "local">
          }
        }
        loop.for %j = 0 to 8 {
          loop.block "C" (%vj = spatial(%i * 8 + %j) in 32) {
            %b = loop.load %B[%vj] : memref<32xf32, "local">
            loop.store %b, %C[%vj] : memref<32xf32>
          }
        }
      }
      func.return
    }
    ```
    after `double_buffer(B, "B")`:
    ```mlir
    func.func @k(%A: memref<32xf32>, %C: memref<32xf32> {tw.output}) {
      loop.for %i = 0 to 4 {
        %B = loop.alloc attributes {tw.double_buffer} : memref<32xf32, "local">
        loop.for %j = 0 to 8 {
          loop.block "B" (%vj = spatial(%i * 8 + %j) in 32) {
            %a = loop.load %A[%vj] : memref<32xf32>
            loop.store %a, %B[%vj] : memref<32xf32, "local">
          }
        }
        loop.for %j = 0 to 8 {
          loop.block "C" (%vj = spatial(%i * 8 + %j) in 32) {
            %b = loop.load %B[%vj] : memref<32xf32, "local">
            loop.store %b, %C[%vj] : memref<32xf32>
          }
        }
      }
      func.return
    }
    ```
    """
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
