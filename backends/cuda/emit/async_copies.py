"""Asynchronous copies from global to shared memory: a load and the store of what it loaded as one instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects.index_expr import LANE, Index
from ....dialects.loop import ASYNC, GLOBAL, SHARED, AsyncWaitOp, LoadOp, StoreOp, family_of, scope_of
from ...written.types import lanes_of, storage_bytes
from .buffers import Buffer, address, vector_width

if TYPE_CHECKING:
    from .function import KernelWriter

_SIZES = (16, 8, 4)
"""The bytes that one instruction copies."""


def begins_copy(writer: KernelWriter, op: LoadOp) -> bool:
    """Whether a load is half of an asynchronous copy, which its store writes.

    That is so of elements that one instruction copies: 4, 8 or 16 bytes behind one another, in both memories at
    multiples of that. Other stores wait for what they store, as stores do.
    """
    store = next((use.operation for use in op.res.uses), None)
    if not isinstance(store, StoreOp) or ASYNC not in store.attributes or not op.res.has_one_use():
        return False
    if store.parent is not op.parent or not (
        writer.index.known(op.conditions) and writer.index.known(store.conditions)
    ):
        return False
    source, target = writer.buffer(op.buffer), writer.buffer(store.buffer)
    if (scope_of(op.buffer.type), family_of(store.buffer.type)) != (GLOBAL, SHARED):
        return False
    lanes, size = lanes_of(op.res.type), storage_bytes(source.type.element_type)
    width = next((n // size for n in _SIZES if n % size == 0 and _fits(writer, op, store, lanes or 1, n // size)), 0)
    if not width or source.type.element_type != target.type.element_type:
        return False
    for buffer in (source, target):
        writer.alignments[buffer.root] = max(width * size, writer.alignments.get(buffer.root, 1))
    starts = range(0, lanes or 1, width)
    writer.copies[store] = [(n, width * size, _place(writer, op, source, n)) for n in starts]
    return True


def _fits(writer: KernelWriter, load: LoadOp, store: StoreOp, lanes: int, width: int) -> bool:
    if lanes % width:
        return False
    if width == 1:
        return True
    both = ((writer.buffer(load.buffer), load.index), (writer.buffer(store.buffer), store.index))
    return all(vector_width(buffer, index, width, writer.index) == width for buffer, index in both)


def _place(writer: KernelWriter, op: LoadOp | StoreOp, buffer: Buffer, lane: int) -> str:
    index: tuple[Index, ...] = tuple(e.substitute({LANE: lane}) if e.uses_lane else e for e in op.index)
    return f"{buffer.name}, {address(buffer, index, writer.index)}"


def write_copy(writer: KernelWriter, op: StoreOp) -> bool:
    """Begin the copies of a store, if it is one that has them."""
    copies = writer.copies.pop(op, None)
    if copies is None:
        return False
    for lane, size, source in copies:
        target = _place(writer, op, writer.buffer(op.buffer), lane)
        writer.lines.line(f"device.cp_async{size}({target}, {source}){writer.remark(op)}")
    return True


def write_commit(writer: KernelWriter, op: Operation) -> None:
    writer.settle_reads()
    writer.lines.line("device.cp_async_commit()")


def write_wait(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, AsyncWaitOp)
    writer.settle_reads()
    writer.lines.line(f"device.cp_async_wait({op.left.value.data})")
