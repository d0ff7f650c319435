"""Elements of a buffer that are private to each thread of a block, derived from the indices.

The position of an element is a mixed-radix number. If one digit is the thread, and it is the same digit at all
accesses, only that thread accesses the element:

    step * 1024 + thread * 4 + lane        (lane < 4, 256 threads: thread == (position floordiv 4) mod 256)

The number without that digit, step * 4 + lane, distinguishes the elements of one thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from ..dialects import loop
from ..dialects.index_expr import Index, Range, Variable
from .access import Access

MOST_WORDS = 64
"""Words of 4 bytes that one thread keeps in registers for a while, at most."""

WORDS_OF_BLOCK = 1 << 15
"""Words that all threads of a block keep so: half of the registers of a GPU's multiprocessor."""

Axes: TypeAlias = Mapping[str, int]
"""The number of threads along each axis."""


def most_words(threads: int) -> int:
    """Return the number of words that each thread of a block may keep in registers, for a block of `threads`
    threads."""
    return min(MOST_WORDS, WORDS_OF_BLOCK // max(threads, 1))


def words(elements: int, size: int) -> int:
    """Return the 32-bit registers that `elements` elements of `size` bytes take; a narrower element takes one."""
    return elements * max(size // 4, 1)


@dataclass(frozen=True)
class Parts:
    """A buffer as parts, one for each thread."""

    shape: tuple[int, ...]
    """Of a part."""
    threads: tuple[tuple[Index, ...], ...]
    """Of each access, which thread it is, axis by axis."""
    indices: tuple[tuple[Index, ...], ...]
    """Of each access, the element within the thread's part."""


def parts_of_threads(accesses: Sequence[Access], shape: Sequence[int], axes: Axes) -> Parts | None:
    """Return the part of a buffer that is private to each thread; None where threads are not known to be disjoint.

    `axes` are those of the block of threads. Each access stands in one loop over each axis.
    """
    threads = [_threads_around(access, axes) for access in accesses]
    if not accesses or any(access.index is None for access in accesses):
        return None
    positions = [_Position(a.index or (), a.ranges) for a in accesses]
    extents = tuple(shape)
    for tag, count in axes.items():
        if any(tag not in around for around in threads):
            return None
        found = _without_digit(positions, extents, [around[tag] for around in threads], count)
        if found is None:
            return None
        positions, extents = found
    indices_of_threads = tuple(tuple(Index.of(around[tag]) for tag in axes) for around in threads)
    return Parts(extents, indices_of_threads, tuple(position.index for position in positions))


def _threads_around(access: Access, axes: Axes) -> dict[str, Variable]:
    """Return the variables of the loops around an access over each axis of which there is one such loop."""
    found: dict[str, list[Variable]] = {}
    for op in access.domain.loops:
        found.setdefault(op.kind.tag.data, []).append(op.induction_variable)
    return {tag: loops[0] for tag in axes if len(loops := found.get(tag, [])) == 1}


@dataclass(frozen=True)
class _Position:
    """The index of an element, and the ranges of its variables."""

    index: tuple[Index, ...]
    ranges: Mapping[Variable, Range]


def _without_digit(
    positions: Sequence[_Position], shape: tuple[int, ...], threads: Sequence[Variable], count: int
) -> tuple[list[_Position], tuple[int, ...]] | None:
    """Return the positions and the shape without the digit of the thread, in one dimension or in several as one
    number."""
    if count == 1:
        return list(positions), shape
    for first, end in _runs(len(shape)):
        extents = shape[first:end]
        numbers = [_number(position.index[first:end], extents) for position in positions]
        weight = numbers[0].coefficient(threads[0])
        if weight > 0 and all(
            (e // weight % count).with_ranges(position.ranges) == Index.of(thread)
            for e, position, thread in zip(numbers, positions, threads, strict=True)
        ):
            left = [
                _Position(
                    (*p.index[:first], _dropped(e, weight, count).with_ranges(p.ranges), *p.index[end:]), p.ranges
                )
                for e, p in zip(numbers, positions, strict=True)
            ]
            extent = -(-prod(extents) // (weight * count)) * weight
            return left, (*shape[:first], extent, *shape[end:])
    return None


def _runs(dimensions: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of dimensions, shorter ones first."""
    for width in range(1, dimensions + 1):
        for first in range(dimensions - width + 1):
            yield first, first + width


def _number(index: Sequence[Index], shape: Sequence[int]) -> Index:
    number = Index.of(0)
    for e, extent in zip(index, shape, strict=True):
        number = number * extent + e
    return number


def _dropped(e: Index, weight: int, count: int) -> Index:
    return e // (weight * count) * weight + e % weight


def becomes_constant(e: Index) -> bool:
    """Return whether an expression is constant after the loops around it, of constant extents, are unrolled."""
    for value in e.values():
        op = value.owner.parent_op()
        if not isinstance(op, loop.ForOp) or op.kind.tag.data or op.constant_trip_count is None:
            return False
    return True
