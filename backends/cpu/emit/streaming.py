"""Stores that pass the caches by, for results that are larger than those.

A cache reads a line from memory before it takes a part of it; a streaming store does not, which saves a third of the
traffic of a program that reads as much as it writes. Such a store wants an aligned address, which no type promises:
each asks for it, and an address that is not aligned gets an ordinary store. The branch always goes the same way within
a row, and costs nothing beside the memory.

Streaming stores of x86 are not ordered with what follows, so that whoever learns that a loop has ended could find old
elements: a fence stands behind the loop, in each thread that ran a part of it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.ir import BlockArgument

from ....dialects.loop import ForOp
from ....dialects.loop.pragmas import STREAMING_STORES, pragma_of
from .buffers import Buffer

if TYPE_CHECKING:
    from .function import FunctionEmitter

ALIGNMENT = 16
"""Bytes. The least that a streaming store of vectors needs; what allocators and numpy keep."""


@contextmanager
def streaming(emitter: FunctionEmitter, op: ForOp) -> Generator[None, None, None]:
    """Within it the body of a loop is written, whose stores stream where a pragma says so."""
    around = emitter.streams
    emitter.streams = around or bool(pragma_of(op, STREAMING_STORES))
    yield
    emitter.streams = around


def complete_streaming(emitter: FunctionEmitter, op: ForOp) -> None:
    """After a loop: order its streaming stores before all that comes later."""
    if pragma_of(op, STREAMING_STORES):
        emitter.code.line("fence seq_cst")


def is_streamed(buffer: Buffer) -> bool:
    """Whether a buffer is the caller's: what the function allocates is read again."""
    return isinstance(buffer.root, BlockArgument)


def write_streaming(emitter: FunctionEmitter, type_: str, size: int, value: str, pointer: str, align: int) -> None:
    """Store a vector of `size` bytes, past the caches where its address allows."""
    code = emitter.code
    ordinary = f"store {type_} {value}, ptr {pointer}, align {align}"
    if size % ALIGNMENT:
        code.line(ordinary)
        return
    address = code.define(f"ptrtoint ptr {pointer} to i64")
    place = code.define(f"and i64 {address}, {ALIGNMENT - 1}")
    aligned = code.define(f"icmp eq i64 {place}, 0")
    stream, keep, stored = code.label("stream"), code.label("keep"), code.label("stored")
    code.line(f"br i1 {aligned}, label %{stream}, label %{keep}")
    code.start_block(stream)
    code.line(f"store {type_} {value}, ptr {pointer}, align {ALIGNMENT}, !nontemporal !2")
    code.line(f"br label %{stored}")
    code.start_block(keep)
    code.line(ordinary)
    code.line(f"br label %{stored}")
    code.start_block(stored)
