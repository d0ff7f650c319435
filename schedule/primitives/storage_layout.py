"""storage_align and storage_swizzle: padded rows, or permuted pieces of rows, so that columns are in different
banks."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.loop.storage import DIM_ALIGN, SWIZZLE, Alignment, alignments_of, set_alignments
from ...ir import editor as edit
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import BAD_ARGUMENT

UNFIT = "TW0420"
_NAME = "storage_align"


@register_primitive(BUFFERS)
def storage_align(sch: Engine, block: BlockRV, buffer: BufferLike, axis: int, factor: int, offset: int = 0) -> None:
    """Pad an allocated buffer so that the stride of an axis, in elements, is `offset` modulo `factor`.

    Any offset is taken modulo the factor: factor n - 1 and offset n give shorter rows a stride of n elements.

    This is an annotation for the pass `align-storage`, which runs when the buffer has its final size. Several axes may
    be aligned, and one axis to several factors.

    before:
    ```mlir
    %B = loop.alloc : memref<8x60xf32>
    ```
    after `storage_align(B, "B", 0, 32, 16)`:
    ```mlir
    %B = loop.alloc attributes {tw.storage_align = [array<i64: 0, 32, 16>]} : memref<8x60xf32>
    ```
    """
    op = sch.block(block)
    _storage_align(op, sch.buffer_of("storage_align", op, buffer, "write"), axis, factor, offset)


def _storage_align(block: loop.BlockOp, buffer: SSAValue, axis: int, factor: int, offset: int = 0) -> None:
    alloc = allocated_in_memory(_NAME, block, buffer)
    rank = len(alloc.shape)
    if DIM_ALIGN in block.attributes:
        refuse(
            _NAME,
            block,
            f"its annotation {DIM_ALIGN!r} is no list of rows of a buffer that it writes, axis, factor and offset",
            f"unannotate(block, {DIM_ALIGN!r}) takes it away",
        )
    if not -rank <= axis < rank:
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected an axis of {name_of(buffer)} between {-rank} and {rank - 1}, but got {axis} for block "
            f"{block.label!r}",
            op=block,
        )
    if factor < 1:
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected a factor of at least 1, but got {factor} for {name_of(buffer)} of block "
            f"{block.label!r}",
            op=block,
        )
    row = Alignment.modulo(axis % rank, factor, offset)
    if row.axis == rank - 1 and 1 % factor != row.offset:
        refuse(
            _NAME,
            block,
            f"the elements along the last axis of {name_of(buffer)} are neighbours: their stride is 1",
            "align an axis further out",
        )
    kept = tuple(known for known in alignments_of(alloc) if known.axis != row.axis)
    set_alignments(alloc, (*kept, row))


@register_primitive(BUFFERS)
def storage_swizzle(sch: Engine, block: BlockRV, buffer: BufferLike) -> None:
    """Swizzle the 128-byte lines of an allocated buffer: the 16-byte piece p of line r is stored at p xor r mod 8.

    Threads that access one column of pieces then use different banks of a GPU's shared memory, without padding (PTX
    ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout", 128-byte swizzle). This is an annotation that CUDA
    kernels apply when they compute addresses.

    before:
    ```mlir
    %B = loop.alloc : memref<8x64xf16, "shared">
    ```
    after `storage_swizzle(B, "B")`:
    ```mlir
    %B = loop.alloc attributes {tw.storage_swizzle} : memref<8x64xf16, "shared">
    ```
    """
    op = sch.block(block)
    _storage_swizzle(op, sch.buffer_of("storage_swizzle", op, buffer, "write"))


def _storage_swizzle(block: loop.BlockOp, buffer: SSAValue) -> None:
    edit.change(allocated_in_memory("storage_swizzle", block, buffer)).attributes[SWIZZLE] = UnitAttr()


def allocated_in_memory(primitive: str, block: loop.BlockOp, buffer: SSAValue) -> loop.AllocOp:
    """Return the allocation of a buffer that has addresses."""
    name = buffer.name_hint or "?"
    if not isinstance(buffer.owner, loop.AllocOp):
        refuse(
            primitive,
            block,
            f"{name_of(buffer)} is not allocated in this function",
            f"give the block a separate buffer first: cache_read(block, {name!r}, 'local') where it reads, "
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
