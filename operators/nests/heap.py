"""Binary heaps of elements and their positions, as loops: the first of many elements in order, one after the other.

An element and its position are packed into one integer, or two where the element has 64 bits, so that items are ordered
by integer comparisons: of equal elements the first one comes first, and a NaN is the greatest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, TypeAlias

from xdsl.ir import SSAValue

from ...dialects.index_expr import Index
from ...te.dtypes import dtype_info
from .nest_builder import NestBuilder, Scalar
from .radix import key_type, ordered_key

Item: TypeAlias = "tuple[Scalar, ...]"
"""The words of an item, unsigned integers, of which the first one decides before the second."""

_POSITION_BITS = 32
"""Bits of a position that shares a word with its element: rows of 2^32 elements have more bytes than they can have."""


TOGETHER = 8
"""Elements that are compared at once where mostly none of them belongs into a heap."""


def words_of(dtype: str) -> list[str]:
    """Return the types of the words of an item, for elements of a type."""
    return ["uint64"] * (2 if dtype_info(key_type(dtype)).bits > _POSITION_BITS else 1)


def positions_of(most: Any) -> Any:
    """Return the number of positions of the buffers of a heap of at most so many items, all of which have children."""
    return 2 * most + 1


def item_of(x: Scalar, position: Scalar, *, greatest: bool, last: bool = False) -> Item:
    """Return the item of an element at a position, an int64. The first of all elements in order is the greatest item,
    or the `last` one is; the greatest elements come first, or the least ones."""
    key, number = ordered_key(x), position.astype("uint64")
    if greatest == last:
        key = ~key
    ones = (1 << _POSITION_BITS) - 1
    if not last:
        number = number ^ ones
    if len(words_of(x.dtype)) == 2:
        return key, number
    return ((key.astype("uint64") << _POSITION_BITS) | number,)


def position_of(item: Item, *, last: bool = False) -> Scalar:
    """Return the position of an item that was made with the same `last`."""
    ones = (1 << _POSITION_BITS) - 1
    number = item[-1] & ones
    return (number if last else number ^ ones).astype("int64")


def is_greater(a: Item, b: Item) -> Scalar:
    """Return whether an item comes before another one."""
    if len(a) == 1:
        return a[0] > b[0]
    return (a[0] > b[0]) | (a[0].equals(b[0]) & (a[1] > b[1]))


class Heap:
    """A binary heap in buffers of words, along the last dimension, after the indices `at`: no item is greater than its
    parent. The elements after the items are 0, which is greater than no item."""

    def __init__(self, program: NestBuilder, words: Sequence[SSAValue], at: Sequence[Any]) -> None:
        self.program, self.words, self.at = program, words, tuple(at)
        self.levels: Scalar = program.constant(0, "int64")

    def load(self, position: Any) -> Item:
        return tuple(self.program.load(word, *self.at, position) for word in self.words)

    def store(self, item: Item, position: Any) -> None:
        for word, value in zip(self.words, item, strict=True):
            self.program.store(value, word, *self.at, position)

    @property
    def nothing(self) -> Item:
        return tuple(self.program.constant(0, "uint64") for _ in self.words)

    def order(self, size: Scalar | int) -> None:
        """Make a heap of the first `size` items, which are in any order (Floyd's algorithm)."""
        program = self.program
        one = program.constant(1, "int64")
        if isinstance(size, int):
            self.levels, size = (program.constant(k, "int64") for k in (size.bit_length(), size))
        else:
            most = size
            (self.levels,) = program.fold(
                0, _POSITION_BITS, [self.levels], lambda _, n: [((one << n[0]) <= most).choose(n[0] + 1, n[0])]
            )
        with program.loop(size, size + size + 1) as position:
            self.store(self.nothing, position)
        with program.loop(0, self.levels) as height:
            level = self.levels - 1 - program.number(height, "int64")
            first = (one << level) - 1
            with program.loop(first, (first + first + 1).min(size)) as position:
                self.sink(self.load(position), program.number(position, "int64"), program.number(height, "int64"))

    def sink(self, item: Item, position: Scalar, levels: Scalar) -> None:
        """Put an item where it belongs at or below a free position, under which there are so many levels."""
        program = self.program

        def step(_: Index, carried: list[Scalar]) -> list[Scalar]:
            (position,) = carried
            left = position + position + 1
            first, second = self.load(left), self.load(left + 1)
            takes_second = is_greater(second, first)
            child = takes_second.choose(left + 1, left)
            greater = tuple(takes_second.choose(b, a) for a, b in zip(first, second, strict=True))
            rises = is_greater(greater, item)
            self.store(tuple(rises.choose(a, b) for a, b in zip(greater, item, strict=True)), position)
            return [rises.choose(child, position)]

        (last,) = program.fold(0, levels, [position], step)
        self.store(item, last)

    def replace(self, item: Item) -> None:
        """Put an item in the position of the greatest one."""
        self.sink(item, self.program.constant(0, "int64"), self.levels)

    def pop(self) -> Item:
        """Remove and return the greatest item; the others stay a heap."""
        first = self.load(0)
        self.replace(self.nothing)
        return first


def select_first(
    builder: Any, axis: int, smallest: bool, x: SSAValue, chosen: SSAValue, positions: SSAValue, *scratch: SSAValue
) -> None:
    """Write the first elements of `x` in order along `axis` and their positions, as many as the results have: a heap of
    the best so far has the worst of them at its root, which all others are compared with (Knuth, The Art of Computer
    Programming 3, 5.2.3). `scratch` is a buffer for the worst element of each row, and those of a heap."""
    program = NestBuilder(builder)
    sizes = [program.size(x, d) for d in range(len(x.type.get_shape()))]  # pyright: ignore[reportAttributeAccessIssue]
    size, count = sizes.pop(axis), chosen.type.get_shape()[axis]  # pyright: ignore[reportAttributeAccessIssue]
    if count == 0:
        return
    worst, *words = scratch
    with program.over(*sizes, parallel=program.worth_threads(x)) as others:
        kept = Heap(program, words, others)
        row = _Selection(program, kept, x, worst, tuple(others), axis, size, smallest)
        row.begin(count)
        row.look_at_others(count)
        with program.loop(0, count) as i:
            position, last = row.position_of(kept.pop()), count - 1 - i
            program.store(row.load(position), chosen, *row.at(last))
            program.store(position, positions, *row.at(last))


@dataclass(frozen=True)
class _Selection:
    """One row of elements, and the heap of those of its elements that come first in order."""

    program: NestBuilder
    kept: Heap
    x: SSAValue
    worst: SSAValue
    others: tuple[Any, ...]
    axis: int
    size: Index
    smallest: bool

    def at(self, position: Any) -> tuple[Any, ...]:
        return (*self.others[: self.axis], position, *self.others[self.axis :])

    def load(self, position: Any) -> Scalar:
        return self.program.load(self.x, *self.at(position))

    def position_of(self, item: Item) -> Scalar:
        return position_of(item, last=True).min(self.program.number(self.size - 1, "int64"))

    def item(self, i: Index) -> Item:
        position = self.program.number(i, "int64")
        return item_of(self.load(i), position, greatest=not self.smallest, last=True)

    def begin(self, count: int) -> None:
        """Make a heap of the first elements of the row."""
        with self.program.loop(0, count) as i:
            self.kept.store(self.item(i), i)
        self.kept.order(count)
        self.note_worst()

    def note_worst(self) -> None:
        self.program.store(self.load(self.position_of(self.kept.load(0))), self.worst, *self.others, 0)

    def look_at_others(self, count: int) -> None:
        """Look at the other elements, one by one only where any of a few is better than the worst."""
        program = self.program
        blocks = (self.size - count) // TOGETHER
        with program.loop(0, blocks) as block:
            first = block * TOGETHER + count
            is_any_better = reduce(or_, (self.may_be_better(first + k) for k in range(TOGETHER)))
            with program.when(is_any_better), program.loop(0, TOGETHER) as k:
                self.look_at(first + k)
        with program.loop(blocks * TOGETHER + count, self.size) as i:
            self.look_at(i)

    def look_at(self, i: Index) -> None:
        """Put an element in the position of the worst one of the heap if it is better."""
        program = self.program
        with program.when(self.may_be_better(i)):
            item = self.item(i)
            with program.when(is_greater(self.kept.load(0), item)):
                self.kept.replace(item)
                self.note_worst()

    def may_be_better(self, i: Index) -> Scalar:
        """Return whether an element is better than the worst one, or either of them is a NaN."""
        value, worst = self.load(i), self.program.load(self.worst, *self.others, 0)
        return ~(value >= worst if self.smallest else value <= worst)
