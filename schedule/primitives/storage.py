"""storage_align and storage_swizzle: rows apart, or their pieces permuted, so that columns are in different banks."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.loop.storage import SWIZZLE, Alignment, alignments_of, set_alignments
from ...ir import editor as edit
from ..refusal import BAD_ARGUMENT

UNFIT = "TW0420"
_NAME = "storage_align"


def storage_align(block: loop.BlockOp, buffer: SSAValue, axis: int, factor: int, offset: int = 0) -> None:
    """Let the stride of an axis of an allocated buffer, in elements, be `offset` modulo `factor`.

    The axes inside of it are padded for that. It is an annotation, which `align-storage` carries out once the buffer
    has its final size; one axis may be aligned once more to another factor, and others beside it.

    before:
    ```mlir
    func.func @k(%A: memref<8x60xf32>, %C: memref<8x60xf32> {tw.output}) {
      %B = loop.alloc : memref<8x60xf32>
      loop.for %i = 0 to 8 {
        loop.for %j = 0 to 60 {
          loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 60) {
            %a = loop.load %A[%vi, %vj] : memref<8x60xf32>
            loop.store %a, %B[%vi, %vj] : memref<8x60xf32>
          }
        }
      }
      loop.for %x = 0 to 8 {
        loop.for %y = 0 to 60 {
          loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 60) {
            %b = loop.load %B[%vx, %vy] : memref<8x60xf32>
            loop.store %b, %C[%vx, %vy] : memref<8x60xf32>
          }
        }
      }
      func.return
    }
    ```
    after `storage_align(B, "B", 0, 32, 16)`:
    ```mlir
    func.func @k(%A: memref<8x60xf32>, %C: memref<8x60xf32> {tw.output}) {
      %B = loop.alloc attributes {tw.storage_align = [array<i64: 0, 32, 16>]} : memref<8x60xf32>
      loop.for %i = 0 to 8 {
        loop.for %j = 0 to 60 {
          loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 60) {
            %a = loop.load %A[%vi, %vj] : memref<8x60xf32>
            loop.store %a, %B[%vi, %vj] : memref<8x60xf32>
          }
        }
      }
      loop.for %x = 0 to 8 {
        loop.for %y = 0 to 60 {
          loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 60) {
            %b = loop.load %B[%vx, %vy] : memref<8x60xf32>
            loop.store %b, %C[%vx, %vy] : memref<8x60xf32>
          }
        }
      }
      func.return
    }
    ```
    """
    alloc = allocated_in_memory(_NAME, block, buffer)
    rank = len(alloc.shape)
    if not -rank <= axis < rank:
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected an axis of {name_of(buffer)} between {-rank} and {rank - 1}, but got {axis} for block "
            f"{block.label!r}",
            op=block,
        )
    if factor < 1 or not 0 <= offset < factor:
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected a factor of at least 1 and an offset below it, but got {factor} and {offset} for "
            f"{name_of(buffer)} of block {block.label!r}",
            op=block,
        )
    row = Alignment(axis % rank, factor, offset)
    if row.axis == rank - 1 and 1 % factor != offset:
        refuse(
            _NAME,
            block,
            f"the elements along the last axis of {name_of(buffer)} are neighbours: their stride is 1",
            "align an axis further out",
        )
    kept = tuple(known for known in alignments_of(alloc) if known.axis != row.axis)
    set_alignments(alloc, (*kept, row))


def storage_swizzle(block: loop.BlockOp, buffer: SSAValue) -> None:
    """Permute the pieces of 16 bytes in each line of 128 bytes of an allocated buffer: `piece xor line mod 8`.

    Rows of 128 bytes then have their pieces of one column in different banks of a GPU's shared memory, without padding
    (the 128-byte swizzle of the PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout"). It changes where
    elements lie and nothing else: an annotation that kernels for CUDA carry out as they compute addresses.

    before:
    ```mlir
    func.func @k(%A: memref<8x64xf16>, %C: memref<8x64xf16> {tw.output}) {
      %B = loop.alloc : memref<8x64xf16, "shared">
      loop.for %i = 0 to 8 {
        loop.for %j = 0 to 64 {
          loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 64) {
            %a = loop.load %A[%vi, %vj] : memref<8x64xf16>
            loop.store %a, %B[%vi, %vj] : memref<8x64xf16, "shared">
          }
        }
      }
      loop.for %x = 0 to 8 {
        loop.for %y = 0 to 64 {
          loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 64) {
            %b = loop.load %B[%vx, %vy] : memref<8x64xf16, "shared">
            loop.store %b, %C[%vx, %vy] : memref<8x64xf16>
          }
        }
      }
      func.return
    }
    ```
    after `storage_swizzle(B, "B")`:
    ```mlir
    func.func @k(%A: memref<8x64xf16>, %C: memref<8x64xf16> {tw.output}) {
      %B = loop.alloc attributes {tw.storage_swizzle} : memref<8x64xf16, "shared">
      loop.for %i = 0 to 8 {
        loop.for %j = 0 to 64 {
          loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 64) {
            %a = loop.load %A[%vi, %vj] : memref<8x64xf16>
            loop.store %a, %B[%vi, %vj] : memref<8x64xf16, "shared">
          }
        }
      }
      loop.for %x = 0 to 8 {
        loop.for %y = 0 to 64 {
          loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 64) {
            %b = loop.load %B[%vx, %vy] : memref<8x64xf16, "shared">
            loop.store %b, %C[%vx, %vy] : memref<8x64xf16>
          }
        }
      }
      func.return
    }
    ```
    """
    edit.change(allocated_in_memory("storage_swizzle", block, buffer)).attributes[SWIZZLE] = UnitAttr()


def allocated_in_memory(primitive: str, block: loop.BlockOp, buffer: SSAValue) -> loop.AllocOp:
    """The allocation of a buffer that has addresses."""
    name = buffer.name_hint or "?"
    if not isinstance(buffer.owner, loop.AllocOp):
        refuse(
            primitive,
            block,
            f"{name_of(buffer)} is not allocated in this function",
            f"give the block a buffer of its own first: cache_read(block, {name!r}, 'local') where it reads, "
            f"cache_write(block, {name!r}, 'local') where it writes",
        )
    if loop.scope_of(buffer.type) == loop.REGISTER:
        refuse(
            primitive,
            block,
            f"{name_of(buffer)} lives in registers, which have no addresses",
            f"set_scope({name!r}, 'local') puts it into memory",
        )
    return buffer.owner


def refuse(primitive: str, block: loop.BlockOp, reason: str, help: str) -> NoReturn:
    fail(UNFIT, f"{primitive}: block {block.label!r}: {reason}", op=block, help=help)
