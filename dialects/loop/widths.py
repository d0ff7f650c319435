"""Widths of accesses: the number of elements that one instruction moves, in memory or across chunks of registers.

Passes state these attributes of `loop.load` and `loop.store`:

- `tw.width = n`: of a vector, lanes are loaded or stored n at a time. The n elements are consecutive in memory, the
  first of them at a multiple of n from the start of an argument or an allocation, and all of them are accessed or none.
  Without the attribute, lanes are accessed one at a time (`widen-accesses`).
- `tw.copy_bytes = n`: the load and the store of the loaded value are asynchronous copies of n bytes each, which begin
  and end at multiples of n in both memories. Both operations have the attribute, and the guards of both hold
  (`select-copies`).
- `tw.column = w`, of a `loop.load` alone: lane k is the element of chunk k at one position, where chunks have w
  elements: a column of a matrix whose rows are registers. Emitters load such a column by shuffles of whole chunks,
  instead of the extraction of single elements (`shuffle-columns`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, MemRefType, i64
from xdsl.ir import Operation

from ..dtypes import numpy_dtype

if TYPE_CHECKING:
    from .access import LoadOp, StoreOp

WIDTH, COPY_BYTES, COLUMN = "tw.width", "tw.copy_bytes", "tw.column"


def _number(op: Operation, name: str, other: int) -> int:
    attribute = op.attributes.get(name)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else other


def width_of_access(op: Operation) -> int:
    """Return the number of lanes of an access that one instruction moves; 1 where nothing is stated."""
    return _number(op, WIDTH, 1)


def copy_bytes(op: Operation) -> int:
    """Return the bytes of each asynchronous copy that an access is half of; 0 where it is of none."""
    return _number(op, COPY_BYTES, 0)


def stated_width(op: LoadOp | StoreOp) -> int | None:
    """Return the elements that one instruction moves, by one attribute or the other; None where none is stated."""
    if COPY_BYTES not in op.attributes:
        return _number(op, WIDTH, 0) if WIDTH in op.attributes else None
    size = copy_bytes(op)
    assert isinstance(op.buffer.type, MemRefType)
    return size // numpy_dtype(op.buffer.type.element_type).itemsize


def column_width(op: Operation) -> int:
    """Return the elements of the chunks that a load takes a column of; 0 where it takes none."""
    return _number(op, COLUMN, 0)


def number_attribute(value: int) -> IntegerAttr:
    """Return a width or a number of bytes as an attribute."""
    return IntegerAttr(value, i64)
