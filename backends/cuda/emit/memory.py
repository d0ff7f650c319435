"""Emission of a kernel's allocations, and of accesses to elements of buffers.

16-bit floats that are only copied are not widened to float32 in between. An asynchronous copy from global to shared
memory is a load and the store of its result, emitted as one instruction.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from ....diagnostics import fail
from ....dialects.index_expr import LANE, Index
from ....dialects.loop import SHARED, WARP, AllocOp, AsyncWaitOp, LoadOp, StoreOp, ViewOp, is_of_warp, scope_of
from ....dialects.loop.memory_spaces import memory_space_of
from ....dialects.loop.swizzles import swizzle_of
from ....dialects.loop.widths import copy_bytes, width_of_access
from ...written.buffers import dense
from ...written.text import Expression, call, loaded
from ...written.types import lanes_of, storage_bytes
from .buffers import Buffer, address, is_private_run
from .fragments import load_element, store_elements, write_fragment
from .lanes import LANE_KIND, load_lane, store_lane, write_lanes
from .text import conditional
from .types import narrow_name, storage_type, value_type

if TYPE_CHECKING:
    from .function import KernelWriter


def write_alloc(writer: KernelWriter, op: Operation) -> None:
    """Declare a buffer. Local buffers are declared here; shared buffers are declared by the writer of the kernel, when
    all are known."""
    assert isinstance(op, AllocOp)
    type_, scope = op.res.type, scope_of(op.res.type)
    if DYNAMIC_INDEX in type_.get_shape():
        fail("TW0631", f"expected a buffer inside a kernel to have constant extents, but got {type_}", op=op)
    name = writer.names.fresh(op.res.name_hint, "buffer")
    buffer = Buffer(type_, name, *dense(type_, (), writer.index), op.res)
    writer.add_buffer(op.res, buffer)
    if scope == WARP:
        write_lanes(writer, op, buffer)
    elif is_of_warp(type_):
        write_fragment(writer, op, buffer)
    elif scope == SHARED:
        writer.shared[op.res] = buffer
        buffer.swizzle = swizzle_of(op)
        if (memory := memory_space_of(op)) is not None:
            buffer.name = f"shared_{storage_type(type_.element_type)}"
            buffer.first = memory.start // storage_bytes(type_.element_type)
    elif buffer.is_private:
        element = storage_type(type_.element_type)
        writer.lines.line(f"{name} = cuda.local.array({max(prod(type_.get_shape()), 1)}, {element}){writer.remark(op)}")
    else:
        help_ = f's.cache_read(..., "{SHARED}", ...), or let the stage be computed at a loop over threads'
        fail(
            "TW0631",
            f"expected a buffer inside a kernel to be shared or local, but got scope {scope}",
            op=op,
            help=help_,
        )


def write_view(writer: KernelWriter, op: Operation) -> None:
    """Add a view, as elements of the same type at a constant offset."""
    assert isinstance(op, ViewOp)
    base, offset, type_ = writer.buffer(op.buffer), writer.index.resolve(op.byte_offset), op.res.type
    size = storage_bytes(type_.element_type)
    if base.type.element_type != type_.element_type or not offset.is_constant or offset.constant % size:
        fail("TW0601", "expected a view inside a kernel to have whole elements at a constant offset", op=op)
    first = base.first + offset.constant // size
    buffer = Buffer(type_, base.name, *dense(type_, (), writer.index), base.root, first)
    buffer.swizzle = base.swizzle
    writer.add_buffer(op.res, buffer)


def write_load(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, LoadOp)
    if copy_bytes(op):
        note_copy(writer, op)
        return
    buffer, lanes = writer.buffer(op.buffer), lanes_of(op.res.type)
    width = width_of_access(op)
    if width > 1 or is_copied(op):
        _note_vector(writer, buffer, width)
        writer.define_pieces(op.res, [_load_piece(writer, op, buffer, n, width) for n in range(0, lanes or 1, width)])
        return
    writer.define(op.res, [_load_lane(writer, op, buffer, lane) for lane in range(lanes or 1)])


def _load_piece(writer: KernelWriter, op: LoadOp, buffer: Buffer, first: int, width: int) -> Expression:
    """Return the lanes from `first` on, of elements as memory has them; one of them is no tuple."""
    holds = _holds(writer, op, first)
    position = _address(writer, op, buffer, first, holds)
    text = f"device.load{width}({buffer.name}, {position})" if width > 1 else f"{buffer.name}[{position}]"
    value = loaded(text, op)
    if op.otherwise is None or holds is True:
        return value
    others = writer.simple(op.otherwise)
    others = list(others) * width if len(others) == 1 else others[first : first + width]
    stored = [_stored(each, buffer) for each in others]
    otherwise = stored[0] if width == 1 else Expression(f"({', '.join(each.text for each in stored)})")
    return conditional(holds, value, otherwise) if isinstance(holds, Expression) else otherwise


def _holds(writer: KernelWriter, op: LoadOp, lane: int) -> Expression | bool:
    """Return whether a lane of a load is inside its buffer; a condition that is not known gets a name."""
    conditions, buffer = _at_lane(op.conditions, lane), writer.buffer(op.buffer)
    if op.otherwise is None or buffer.is_private:
        return writer.index.holds(conditions)
    holds = writer.index.holds_at_once(conditions)
    if isinstance(holds, bool):
        return holds
    return writer.assign(holds, "inside")


def _address(writer: KernelWriter, op: LoadOp, buffer: Buffer, lane: int, holds: Expression | bool) -> Expression:
    """Return the address that a lane is loaded from: that of the first element where the lane is not in the buffer.

    A load that always has an element needs no branch around it, which would keep others from starting before it.
    """
    position = address(buffer, _at_lane(op.index, lane), writer.index, swizzle_of(op))
    if isinstance(holds, bool) or op.otherwise is None or buffer.is_private:
        return position
    name = writer.assign(position if position.text.startswith("uint64") else call("uint64", position), "at")
    return conditional(holds, name, Expression("uint64(0)"))


def _load_lane(writer: KernelWriter, op: LoadOp, buffer: Buffer, lane: int) -> Expression:
    holds = writer.index.holds(_at_lane(op.conditions, lane)) if buffer.kind else True
    if buffer.kind == LANE_KIND:
        value = load_lane(writer, op, buffer)
    elif buffer.fragment is not None:
        value = load_element(writer, op, buffer, _at_lane(op.index, lane))
    else:
        holds = _holds(writer, op, lane)
        position = _address(writer, op, buffer, lane, holds)
        narrow = narrow_name(buffer.type.element_type)
        text = f"{buffer.name}[{position}]" if narrow is None else f"device.load_{narrow}({buffer.name}, {position})"
        value = loaded(text, op)
    if op.otherwise is None or holds is True:
        return value
    otherwise = writer.simple(op.otherwise)[0]
    return conditional(holds, value, otherwise) if isinstance(holds, Expression) else otherwise


def write_store(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, StoreOp)
    holds = writer.index.known(op.conditions)
    if holds is False:
        return
    buffer, lanes = writer.buffer(op.buffer), lanes_of(op.value.type)
    writer.written.add(buffer.root)
    if copy_bytes(op):
        write_copies(writer, op)
        return
    if buffer.kind:
        _store_in_lane(writer, op, buffer, holds is True)
        return
    if lanes is not None and holds is True and _put_pieces(writer, op, buffer, lanes):
        return
    width = width_of_access(op)
    if lanes is not None and width > 1:
        _store_vector(writer, op, buffer, lanes, width)
        return
    copied = copied_lanes(writer, op.value)
    values = writer.operand(op.value) if copied is None else copied
    if copied is None and len(values) > 1:  # every lane is read before the first is written
        values = writer.simple(op.value) if any(v.reads for v in values) else values
    writer.materialize_reads()
    for lane, value in enumerate(values):
        _store_lane(writer, op, buffer, lane, value, is_stored=copied is not None)


def _put_pieces(writer: KernelWriter, op: StoreOp, buffer: Buffer, lanes: int) -> bool:
    """Store a vector that was loaded by one instruction to adjacent elements of private memory. Return whether it was
    such a store."""
    if narrow_name(buffer.type.element_type) is not None or not is_private_run(buffer, op.index):
        return False
    pieces = writer.pieces(op.value)
    if pieces is None or len(pieces) == lanes:
        if pieces is not None:
            writer.define_pieces(op.value, pieces)
        return False
    width = lanes // len(pieces)
    writer.materialize_reads()
    for number, piece in enumerate(pieces):
        position = address(buffer, _at_lane(op.index, number * width), writer.index, swizzle_of(op))
        writer.lines.line(f"device.put{width}({buffer.name}, {position}, {piece}){writer.remark(op)}")
    return True


def _store_in_lane(writer: KernelWriter, op: StoreOp, buffer: Buffer, is_whole: bool) -> None:
    """Write to registers of the lane, all of them under one condition."""
    values = writer.operand(op.value)
    values = writer.simple(op.value) if any(v.reads for v in values) else values
    writer.materialize_reads()
    holds = (
        True if is_whole else writer.index.holds([e for n in range(len(values)) for e in _at_lane(op.conditions, n)])
    )
    if isinstance(holds, Expression):
        writer.lines.open(f"if {holds}:")
    if buffer.kind == LANE_KIND:
        writer.lines.line(store_lane(writer, op, buffer, values[0]))
    else:
        store_elements(writer, op, buffer, [_at_lane(op.index, n) for n in range(len(values))], values)
    if isinstance(holds, Expression):
        writer.lines.close()


def _store_lane(
    writer: KernelWriter, op: StoreOp, buffer: Buffer, lane: int, value: Expression, *, is_stored: bool
) -> None:
    """Store one lane; `is_stored` means that the value has the type of elements in memory."""
    holds = writer.index.holds(_at_lane(op.conditions, lane))
    if holds is False:
        return
    position = address(buffer, _at_lane(op.index, lane), writer.index, swizzle_of(op))
    narrow = narrow_name(buffer.type.element_type)
    text = f"{buffer.name}[{position}] = {value}"
    if narrow is not None and not is_stored:
        text = f"device.store_{narrow}({buffer.name}, {position}, {value.unrounded or value})"
    if isinstance(holds, Expression):
        writer.lines.open(f"if {holds}:")
    writer.lines.line(text + writer.remark(op))
    if isinstance(holds, Expression):
        writer.lines.close()


def _store_vector(writer: KernelWriter, op: StoreOp, buffer: Buffer, lanes: int, width: int) -> None:
    _note_vector(writer, buffer, width)
    pieces = writer.pieces(op.value)
    if pieces is None or len(pieces) * width != lanes:
        if pieces is not None:
            writer.define_pieces(op.value, pieces)
        values = copied_lanes(writer, op.value)
        if values is None:
            values = [_stored(value, buffer) for value in writer.operand(op.value)]
            if len(values) > width and any(value.reads for value in values):
                values = [_stored(value, buffer) for value in writer.simple(op.value)]
        pieces = [Expression(f"({', '.join(v.text for v in values[n : n + width])})") for n in range(0, lanes, width)]
    elif len(pieces) > 1:
        pieces = [writer.assign(piece, op.value.name_hint) for piece in pieces]
    writer.materialize_reads()
    for number, piece in enumerate(pieces):
        holds = writer.index.holds(_at_lane(op.conditions, number * width))
        if holds is False:
            continue
        position = address(buffer, _at_lane(op.index, number * width), writer.index, swizzle_of(op))
        if isinstance(holds, Expression):
            writer.lines.open(f"if {holds}:")
        writer.lines.line(f"device.store{width}({buffer.name}, {position}, {piece}){writer.remark(op)}")
        if isinstance(holds, Expression):
            writer.lines.close()


def _stored(value: Expression, buffer: Buffer) -> Expression:
    """Return a value as an element of memory, in a tuple of such."""
    match narrow_name(buffer.type.element_type):
        case "f16":
            return call("float16", value.unrounded or value)
        case "bf16":
            return call("device.bf16_bits", value.unrounded or value)
        case _:
            type_ = value_type(buffer.type.element_type)
            return value if not value.text.lstrip("-").isdigit() else call(type_, value)


def _note_vector(writer: KernelWriter, buffer: Buffer, width: int) -> None:
    if width > 1:
        writer.align(buffer.root, width * storage_bytes(buffer.type.element_type))


def _at_lane(expressions: tuple[Index, ...], lane: int) -> tuple[Index, ...]:
    return tuple(e.substitute({LANE: lane}) if e.uses_lane else e for e in expressions)


def write_prefetch(writer: KernelWriter, op: Operation) -> None:
    """Write nothing: threads that wait for memory make room for others, so that nothing is fetched ahead."""


def is_copied(op: LoadOp) -> bool:
    """Return whether a loaded value is a narrow float that is only stored again as the same type."""
    users = [use.operation for use in op.res.uses]
    if len(users) != 1 or narrow_name(op.res.type) is None or not isinstance(users[0], StoreOp):
        return False
    source, target = op.buffer.type, users[0].buffer.type
    return source.element_type == target.element_type and not _is_elsewhere(op, users[0])  # pyright: ignore


def _is_elsewhere(load: LoadOp, store: StoreOp) -> bool:
    """Return whether an access is to registers of a warp, whose elements have a different layout.

    The types of the buffers are checked, because the writer does not know the store's buffer yet if its allocation
    follows the load.
    """
    return is_of_warp(load.buffer.type) or is_of_warp(store.buffer.type)


def copied_lanes(writer: KernelWriter, value: SSAValue) -> list[Expression] | None:
    """Return the lanes of a value that is only copied, as memory has them; None for others, and where it has a name
    already.

    More than one are read here, before the first is written.
    """
    if not isinstance(value.owner, LoadOp) or not is_copied(value.owner):
        return None
    pieces = writer.pieces(value)
    if pieces is None:
        return None
    width = (lanes_of(value.type) or 1) // len(pieces)
    if len(pieces) == width == 1:
        return pieces
    names = [writer.assign(piece, value.name_hint) for piece in pieces]
    if width == 1:
        return names
    return [Expression(f"{name}[{lane}]") for name in names for lane in range(width)]


def note_copy(writer: KernelWriter, op: LoadOp) -> None:
    """Keep the addresses that a load copies from for its store, which writes the copies."""
    source, size = writer.buffer(op.buffer), copy_bytes(op)
    starts = range(0, lanes_of(op.res.type) or 1, size // storage_bytes(source.type.element_type))
    writer.copies[op] = [(n, _copy_address(writer, op, source, n)) for n in starts]


def write_copies(writer: KernelWriter, op: StoreOp) -> None:
    """Begin the copies that a store is half of."""
    load, target, size = op.value.owner, writer.buffer(op.buffer), copy_bytes(op)
    assert isinstance(load, LoadOp)
    for buffer in (writer.buffer(load.buffer), target):
        writer.align(buffer.root, size)
    for lane, source in writer.copies.pop(load):
        writer.lines.line(
            f"device.cp_async{size}({_copy_address(writer, op, target, lane)}, {source}){writer.remark(op)}"
        )


def _copy_address(writer: KernelWriter, op: LoadOp | StoreOp, buffer: Buffer, lane: int) -> str:
    index: tuple[Index, ...] = tuple(e.substitute({LANE: lane}) if e.uses_lane else e for e in op.index)
    return f"{buffer.name}, {address(buffer, index, writer.index, swizzle_of(op))}"


def write_commit(writer: KernelWriter, op: Operation) -> None:
    writer.materialize_reads()
    writer.lines.line("device.cp_async_commit()")


def write_wait(writer: KernelWriter, op: Operation) -> None:
    assert isinstance(op, AsyncWaitOp)
    writer.materialize_reads()
    writer.lines.line(f"device.cp_async_wait({op.left.value.data})")
