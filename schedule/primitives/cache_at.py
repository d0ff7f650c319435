"""read_at and write_at: a copy of the part of a buffer that one iteration of a loop reads or writes."""

from __future__ import annotations

from ...analysis.domain import loops_around
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitive_declaration import BUFFERS, register_primitive
from .cache_read_write import cache_read, cache_write
from .compute_at import compute_at
from .reverse_compute_at import reverse_compute_at


@register_primitive(BUFFERS)
def read_at(sch: Engine, loop: LoopRV, block: BlockRV, buffer: BufferLike, scope: str) -> BlockRV:
    """Copy the elements that a block reads in one iteration of a loop, at the start of that iteration. Returns the
    copying block.

    `read_at` is `cache_read` and then `compute_at`, with the same refusals. A copy that `cache_read` inserts inside the
    loop stays there.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    after `read_at(i, B, "A", "local")`:
    ```mlir
    loop.for %i = 0 to 8 {
      %A_local = loop.alloc : memref<8x4xf32, "local">
      loop.for %j = 0 to 4 {
        loop.block "A_read" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %0 = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %0, %A_local[%vi, %vj] : memref<8x4xf32, "local">
        }
      }
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A_local[%vi, %vj] : memref<8x4xf32, "local">
          loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    """
    copy = cache_read(sch, block, buffer, scope)
    if sch.loop(loop) not in loops_around(sch.block(copy)):
        compute_at(sch, copy, loop)
    return copy


@register_primitive(BUFFERS)
def write_at(sch: Engine, loop: LoopRV, block: BlockRV, buffer: BufferLike, scope: str) -> BlockRV:
    """Let one iteration of a loop write a new buffer, and copy that at its end. Returns the copying block.

    `write_at` is `cache_write` and then `reverse_compute_at`, with the same refusals. A copy that `cache_write` inserts
    inside the loop stays there.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    after `write_at(i, B, "B", "local")`:
    ```mlir
    %B_local = loop.alloc : memref<8x4xf32, "local">
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %B_local[%vi, %vj] : memref<8x4xf32, "local">
        }
      }
      loop.for %j = 0 to 4 {
        loop.block "B_write" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %0 = loop.load %B_local[%vi, %vj] : memref<8x4xf32, "local">
          loop.store %0, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    """
    copy = cache_write(sch, block, buffer, scope)
    if sch.loop(loop) not in loops_around(sch.block(copy)):
        reverse_compute_at(sch, copy, loop)
    return copy
