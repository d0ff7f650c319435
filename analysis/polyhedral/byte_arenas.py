"""Byte arenas: allocations of bytes from which views are taken, which overlap where their lifetimes are disjoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Attribute, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from .sizes import refuse


@dataclass(frozen=True)
class View:
    """A view of the bytes [start, end) of an arena."""

    start: int
    end: int
    op: loop.ViewOp

    @property
    def type(self) -> Attribute:
        """Of the elements."""
        return element_of(self.op.res)


@dataclass(frozen=True)
class Part:
    """The views of one element type among views that overlap."""

    type: Attribute
    start: int
    """Its first byte in the arena."""
    end: int
    """The byte after its last one."""
    views: tuple[View, ...]

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return width_of(self.type)

    @property
    def count(self) -> int:
        """The number of elements."""
        return -(-(self.end - self.start) // self.size)

    def first(self, view: View) -> int:
        """Return the position of a view's first element among the part's."""
        return (view.start - self.start) // self.size


def views_of(arena: SSAValue) -> list[View]:
    """Return the views that give bytes another type, those taken of views of bytes too.

    Refuses an arena of which bytes are used as they are, and a view whose position is no constant.
    """
    return list(_views(arena, 0))


def _views(buffer: SSAValue, offset: int) -> Iterator[View]:
    for user in [use.operation for use in buffer.uses]:
        if not isinstance(user, loop.ViewOp):
            refuse(user, "memory is used both as bytes and through views")
        assert isinstance(user.res.type, MemRefType)
        shape = user.res.type.get_shape()
        if not user.byte_offset.is_constant or DYNAMIC_INDEX in shape:
            refuse(user, "a part of a stretch of bytes has no constant position")
        start = offset + user.byte_offset.constant
        if element_of(user.res) == element_of(buffer) and all(
            isinstance(u.operation, loop.ViewOp) for u in user.res.uses
        ):
            yield from _views(user.res, start)
        else:
            yield View(start, start + prod(shape) * width_of(element_of(user.res)), user)


def shared_parts(views: Sequence[View]) -> Iterator[tuple[Part, ...]]:
    """Yield the parts of an arena in groups; views of two groups have no byte in common."""
    for group in _overlapping(views):
        types = dict.fromkeys(each.type for each in group)
        yield tuple(_part(type, [each for each in group if each.type == type]) for type in types)


def element_of(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type.element_type


def width_of(element: Attribute) -> int:
    """Return bytes of an element."""
    bits = 64 if isinstance(element, IndexType) else getattr(element, "bitwidth", 8)
    return (bits + 7) // 8


def _part(type: Attribute, views: Sequence[View]) -> Part:
    start, size = views[0].start, width_of(type)
    for view in views:
        if (view.start - start) % size:
            refuse(view.op, "a view begins within an element of another one")
    return Part(type, start, max(view.end for view in views), tuple(views))


def _overlapping(views: Sequence[View]) -> Iterator[list[View]]:
    group: list[View] = []
    last = 0
    for view in sorted(views, key=lambda view: (view.start, view.end)):
        if group and view.start >= last:
            yield group
            group = []
        last = max(last, view.end) if group else view.end
        group.append(view)
    if group:
        yield group


@dataclass(frozen=True)
class Overlay:
    """A write to an element of one part, and its effect on another part at the same bytes."""

    written: Part
    other: Part

    def conditions(self, position: Index, element: Index) -> tuple[Index, ...]:
        """Return expressions that are all >= 0 where the element of the other part has a byte of the element at a
        position of the written part."""
        first = position * self.written.size + self.written.start
        start = element * self.other.size + self.other.start
        below = first + self.written.size - 1 - start
        above = start + self.other.size - 1 - first
        return element, self.other.count - 1 - element, below, above
