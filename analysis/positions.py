"""Positions of accesses in memory: elements since the first element of an argument, an allocation or a constant."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ..dialects.dtypes import numpy_dtype
from ..dialects.index_expr import LANE, Index
from ..dialects.loop import BindOp, ViewOp
from .domain import resolve
from .ranges import Facts


def position_in_memory(buffer: SSAValue, index: Sequence[Index]) -> Index | None:
    """Return the element of a buffer's memory that an index names; None where strides or a view's start come at run
    time."""
    first = first_element(buffer)
    if first is None:
        return None
    position = Index.of(first)
    for e, stride in zip(index, _strides(buffer), strict=True):
        e = resolve(e)
        if stride is not None:
            position = position + e * stride
        elif e != Index.of(0):
            return None
    return position


def first_element(buffer: SSAValue) -> int | None:
    """Return the offset, in elements, of a buffer in the memory that it is a view of; None if unknown or not whole."""
    start, at = Index.of(0), buffer
    while isinstance(at.owner, ViewOp):
        start, at = start + resolve(at.owner.byte_offset), at.owner.buffer
    assert isinstance(buffer.type, MemRefType)
    size = numpy_dtype(buffer.type.element_type).itemsize
    return start.constant // size if start.is_constant and start.constant % size == 0 else None


def is_multiple(e: Index, factor: int, facts: Facts) -> bool:
    """Return whether an expression is known to be a multiple of a number."""
    return facts.simplify(e % factor) == Index.of(0)


def are_neighbours(position: Index) -> bool:
    """Return whether each lane accesses the element behind that of the preceding lane."""
    return position.coefficient(LANE) == 1 and LANE not in position.without(LANE).variables


def _strides(buffer: SSAValue) -> list[int | None]:
    """Return the strides of a buffer's dimensions in elements; None for those that come at run time."""
    assert isinstance(buffer.type, MemRefType)
    for use in buffer.uses:
        if isinstance(use.operation, BindOp):
            stated = [resolve(e) for e in use.operation.index_list("strides")]
            return [e.constant if e.is_constant else None for e in stated]
    strides: list[int | None] = []
    stride: int | None = 1
    for extent in reversed(buffer.type.get_shape()):
        strides.append(stride)
        stride = None if stride is None or extent == DYNAMIC_INDEX else stride * extent
    return strides[::-1]
