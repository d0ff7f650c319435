"""Asynchronous copies from global to shared memory: a load and the store of what it loaded as one instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects.index_expr import LANE, Index
from ....dialects.loop import AsyncWaitOp, LoadOp, StoreOp
from ....dialects.loop.swizzles import swizzle_of
from ....dialects.loop.widths import copy_bytes
from ...written.types import lanes_of, storage_bytes
from .buffers import Buffer, address

if TYPE_CHECKING:
    from .function import KernelWriter


def note_copy(writer: KernelWriter, op: LoadOp) -> None:
    """Keep the places that a load copies from for its store, which writes the copies."""
    source, size = writer.buffer(op.buffer), copy_bytes(op)
    starts = range(0, lanes_of(op.res.type) or 1, size // storage_bytes(source.type.element_type))
    writer.copies[op] = [(n, _address(writer, op, source, n)) for n in starts]


def write_copies(writer: KernelWriter, op: StoreOp) -> None:
    """Begin the copies that a store is half of."""
    load, target, size = op.value.owner, writer.buffer(op.buffer), copy_bytes(op)
    assert isinstance(load, LoadOp)
    for buffer in (writer.buffer(load.buffer), target):
        writer.align(buffer.root, size)
    for lane, source in writer.copies.pop(load):
        writer.lines.line(f"device.cp_async{size}({_address(writer, op, target, lane)}, {source}){writer.remark(op)}")


def _address(writer: KernelWriter, op: LoadOp | StoreOp, buffer: Buffer, lane: int) -> str:
    index: tuple[Index, ...] = tuple(e.substitute({LANE: lane}) if e.uses_lane else e for e in op.index)
    return f"{buffer.name}, {address(buffer, index, writer.index, swizzle_of(op))}"


def write_commit(writer: KernelWriter, op: Operation) -> None:
    writer.materialize_reads()
    writer.lines.line("device.cp_async_commit()")


def write_wait(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, AsyncWaitOp)
    writer.materialize_reads()
    writer.lines.line(f"device.cp_async_wait({op.left.value.data})")
