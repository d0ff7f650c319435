"""Non-temporal stores, for results that are larger than the last-level cache.

An ordinary store reads the cache line from memory before it writes a part of the line; a non-temporal store does not.
This saves a third of the memory traffic of a program that reads as much as it writes. A non-temporal store needs an
aligned address, which no type guarantees, so each store checks its address. A vector whose address is aligned to its
size is stored at once; with the smallest sufficient alignment it is stored in parts; otherwise by an ordinary store.
Within a row the branches always go the same way, so their cost is negligible beside the memory access.

Non-temporal stores of x86 are not ordered with later operations, so another thread could read old elements after the
end of the loop. A fence follows the loop, in each thread that ran a part of it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.ir import BlockArgument

from ....dialects.loop import ForOp, WhileOp
from ....dialects.loop.pragmas import STREAMING_STORES, pragma_of
from ....hardware import CACHE_LINE_BYTES
from .buffers import Buffer, Offset, address

if TYPE_CHECKING:
    from .function import FunctionEmitter

ALIGNMENT = 16
"""Bytes. The smallest alignment that a non-temporal store of vectors needs, and which allocators and numpy
guarantee."""


@contextmanager
def streaming(emitter: FunctionEmitter, op: ForOp | WhileOp) -> Generator[None, None, None]:
    """Let the stores in the body of a loop, which is written inside the `with`, stream where a pragma says so."""
    around = emitter.streams
    emitter.streams = around or bool(pragma_of(op, STREAMING_STORES))
    yield
    emitter.streams = around


def complete_streaming(emitter: FunctionEmitter, op: ForOp | WhileOp) -> None:
    """Order the streaming stores of a loop that has ended before all that comes later."""
    if pragma_of(op, STREAMING_STORES):
        emitter.code.line("fence seq_cst")


def is_streamed(buffer: Buffer) -> bool:
    """Return whether a buffer is the caller's: buffers that the function allocates are read again."""
    return isinstance(buffer.root, BlockArgument)


def write_streaming(
    emitter: FunctionEmitter, buffer: Buffer, first: Offset, type_: str, size: int, value: str, align: int
) -> None:
    """Store a vector of `size` bytes and elements of `align` bytes, past the caches where its address allows."""
    code, pointer = emitter.code, address(emitter.writer, buffer, first)
    stored = code.label("stored")
    # The alignment checks precede the branches, so that later stores can reuse their results.
    asked = [(alignment, _is_aligned(emitter, buffer, first, align, alignment)) for alignment in _alignments(size)]
    for alignment, aligned in asked:
        stream, keep = code.label("stream"), code.label("keep")
        code.line(f"br i1 {aligned}, label %{stream}, label %{keep}")
        code.start_block(stream)
        code.line(f"store {type_} {value}, ptr {pointer}, align {alignment}, !nontemporal !2")
        code.line(f"br label %{stored}")
        code.start_block(keep)
    code.line(f"store {type_} {value}, ptr {pointer}, align {align}")
    code.line(f"br label %{stored}")
    code.start_block(stored)


def _alignments(size: int) -> list[int]:
    """Return the alignments that let a store of `size` bytes stream, powers of 2, the largest first."""
    if size % ALIGNMENT:
        return []
    return sorted({min(size & -size, CACHE_LINE_BYTES), ALIGNMENT}, reverse=True)


def _is_aligned(emitter: FunctionEmitter, buffer: Buffer, first: Offset, width: int, alignment: int) -> str:
    """Return the i1 that an element of `width` bytes lies at a multiple of `alignment`.

    The terms of its position that are multiples of `alignment` are left out. Often only the buffer's address remains,
    so that the check is loop-invariant.
    """
    code, pointer = emitter.code, buffer.pointer
    if first.scaled:
        pointer = address(emitter.writer, buffer, first)
    else:
        constant, terms = emitter.writer.collect(first.fixed)
        parts = [t for t in terms if t[1] * width % alignment]
        steps = [emitter.writer.sum(parts)] if parts else []
        for step in [*steps, constant] if constant * width % alignment else steps:
            pointer = code.pure(f"getelementptr i{8 * width}, ptr {pointer}, i64 {step}", (pointer, str(step)))
    number = code.pure(f"ptrtoint ptr {pointer} to i64", (pointer,))
    remainder = code.pure(f"and i64 {number}, {alignment - 1}", (number,))
    return code.pure(f"icmp eq i64 {remainder}, 0", (remainder,))
