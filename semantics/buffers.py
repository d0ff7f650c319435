"""Buffers at run time: accesses with bounds checks, views of bytes, and checks that noalias buffers are disjoint.

Arguments of functions and buffers that the bodies of parallel loops capture are noalias.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from math import prod
from typing import Any, NoReturn

import numpy as np
from xdsl.ir import Operation

from ..analysis.captures import captured_values
from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..diagnostics.text import filled
from ..dialects.loop import AssertOp, ForOp
from ..dialects.loop.overlap import MAY_OVERLAP
from ..dialects.te import MatchOp
from .values import Array, dtype_of


def outside(op: Operation, buffer: Array, index: Sequence[Any]) -> NoReturn:
    """Fail because `op` accesses an element outside of its buffer."""
    where = ", ".join(map(str, index))
    extents = ", ".join(map(str, buffer.shape))
    fail("TW0721", f"expected an index within [{extents}], but {op.name} accesses {_buffer_name(op)}[{where}]", op=op)


def violated(op: AssertOp, values: Sequence[int]) -> NoReturn:
    """Fail because the condition of an assertion does not hold."""
    fail("TW0730", filled(op.message.data, values), op=op)


def differing(op: MatchOp, given: Sequence[int], stated: Sequence[int]) -> NoReturn:
    """Fail because sizes that must be equal are not."""
    axis = next(axis for axis, sizes in enumerate(zip(given, stated, strict=True)) if sizes[0] != sizes[1])
    message, values = op.complaint(axis, given[axis], stated[axis])
    fail("TW0730", filled(message, values), op=op)


def outside_domain(op: Operation, variable: str, value: int, extent: int) -> NoReturn:
    """Fail because a block's iteration variable is bound outside of its domain."""
    fail("TW0722", f"expected iteration variable %{variable} within [0, {extent}), but it is bound to {value}", op=op)


def load_lanes(
    op: Operation, buffer: Array, index: tuple[Any, ...], lanes: int, mask: Any = True, otherwise: Any = None
) -> Array:
    """Return one element for each lane, `otherwise` where the mask is not set."""
    active = np.broadcast_to(mask, lanes)
    elements = buffer[_active_index(op, buffer, index, active)]
    if otherwise is None:
        return np.array(np.broadcast_to(elements, lanes))
    result = np.full(lanes, otherwise, buffer.dtype)
    result[active] = elements
    return result


def store_lanes(op: Operation, value: Array, buffer: Array, index: tuple[Any, ...], mask: Any = True) -> None:
    """Write each lane whose mask is set; of lanes that name the same element the last one stays."""
    active = np.broadcast_to(mask, len(value))
    position = _active_index(op, buffer, index, active)
    if position:
        buffer[position] = value[active]
    elif active.any():
        buffer[()] = value[active][-1]


def _active_index(op: Operation, buffer: Array, index: tuple[Any, ...], active: Array) -> tuple[Any, ...]:
    position = tuple(np.broadcast_to(i, active.shape)[active] for i in index)
    for each, extent in zip(position, buffer.shape, strict=True):
        wrong = (each < 0) | (each >= extent)
        if wrong.any():
            lane = int(wrong.argmax())
            outside(op, buffer, [int(i[lane]) for i in position])
    return position


def view(op: Operation, buffer: Array, offset: int, shape: tuple[int, ...]) -> Array:
    """Return the bytes of `buffer` from `offset` on as another type; a negative extent takes the rest.

    Several of them give a flat array, which `bind_view` shapes.
    """
    dtype = dtype_of(op.results[0].type, op)
    data = buffer.reshape(-1).view(np.uint8)
    known = prod(n for n in shape if n >= 0) * dtype.itemsize
    dynamic = sum(n < 0 for n in shape)
    if dynamic > 1:
        shape, known = (-1,), dtype.itemsize
    if dynamic:
        left = (len(data) - offset) // known if known and offset >= 0 else 0
        shape = tuple(left if n < 0 else n for n in shape)
    size = prod(shape) * dtype.itemsize
    if offset < 0 or offset + size > len(data):
        fail("TW0721", f"expected a view within {len(data)} bytes, but got bytes {offset} to {offset + size}", op=op)
    return _part(data, offset, offset + size).view(dtype).reshape(shape)


def bind(op: Operation, buffer: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    """Check that a buffer has this shape and these strides in elements; the stride of one element is free."""
    bind_shape(op, buffer, shape)
    actual = tuple(s // buffer.itemsize for s in buffer.strides)
    if buffer.size and any(a != s and n > 1 for a, s, n in zip(actual, strides, shape, strict=True)):
        fail("TW0704", f"expected {_buffer_name(op)} to have strides {[*strides]}, but got {[*actual]}", op=op)


def bind_shape(op: Operation, array: Array, shape: tuple[int, ...]) -> None:
    """Check that a buffer or a tensor has this shape."""
    if array.shape != shape:
        fail("TW0704", f"expected {_buffer_name(op)} to have shape {[*shape]}, but got {[*array.shape]}", op=op)


def _part(data: Array, start: int, stop: int) -> Array:
    """Return a view of elements of a flat array, which is no access of them."""
    return np.ndarray.__getitem__(data, slice(start, stop))


def bind_view(op: Operation, buffer: Array, shape: tuple[int, ...]) -> Array:
    """Return the first elements of a view with dynamic extents, in its shape."""
    if min(shape, default=0) < 0 or prod(shape) > buffer.size:
        fail("TW0721", f"expected a view of at most {buffer.size} elements, but got shape {[*shape]}", op=op)
    return _part(buffer.reshape(-1), 0, prod(shape)).reshape(shape)


def delinearize(op: Operation, fused: int, extents: tuple[int, ...]) -> tuple[int, ...]:
    """Return the positions of a fused index, the last one running fastest."""
    if not 0 <= fused < prod(extents):
        fail("TW0722", f"expected a fused index below the product of {[*extents]}, but got {fused}", op=op)
    positions: list[int] = []
    for extent in reversed(extents):
        fused, position = divmod(fused, extent)
        positions.append(position)
    return tuple(reversed(positions))


def _buffer_name(op: Operation) -> str:
    buffer = getattr(op, "buffer", None) or getattr(op, "tensor", None)
    return name_of(buffer) if buffer is not None else "a buffer"


def check_disjoint(name: str, written: Container[int], disjoint: Sequence[int], op: Operation, *values: Any) -> None:
    """Raise TW0726 where an argument of `disjoint` shares memory with another one and either is written."""
    if (found := _sharing(written, disjoint, values)) is not None:
        fail(
            "TW0726",
            f"expected arguments {found[0]} and {found[1]} of @{name} to be disjoint, as '{MAY_OVERLAP}' promises, but "
            "they share memory",
            op=op,
        )


def check_captured_disjoint(op: ForOp, written: Container[int], disjoint: Sequence[int], *values: Any) -> None:
    """Raise TW0729 where a captured buffer of `disjoint` shares memory with another one and either is written."""
    if (found := _sharing(written, disjoint, values)) is not None:
        names = [name_of(op.captures[position]) for position in found]
        fail(
            "TW0729",
            f"expected captured buffers {names[0]} and {names[1]} to be disjoint, but they share memory",
            op=op,
        )


def check_captured(op: ForOp) -> None:
    """Raise TW0729 where the body of a parallel loop uses a value of outside that it does not capture."""
    stated = set(op.captures)
    for value in captured_values(op):
        if value not in stated:
            fail("TW0729", f"expected a parallel loop to capture what it uses, but it uses {name_of(value)}", op=op)


def _sharing(written: Container[int], disjoint: Collection[int], values: Sequence[Any]) -> tuple[int, int] | None:
    """Return a position of `disjoint` and another one whose arrays share memory, where either is written."""
    for k in disjoint:
        for other, value in enumerate(values):
            if other == k or not (k in written or other in written) or not isinstance(value, np.ndarray):
                continue
            if isinstance(values[k], np.ndarray) and np.may_share_memory(values[k], value):
                return k, other
    return None
