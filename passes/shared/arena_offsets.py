"""Offsets in one arena for buffers; buffers with disjoint lifetimes may share memory.

Greedy by size: the largest buffer first. Each buffer gets the smallest sufficient gap between the buffers with offsets
that live at the same time (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", section 5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ...hardware import CACHE_LINE_BYTES

ALIGNMENT = CACHE_LINE_BYTES
"""Bytes. Every buffer starts at a multiple of it: a cache line, and the widest vector."""


class Lifetime(NamedTuple):
    """A buffer of `size` bytes that is used from step `first` to step `last`, both included."""

    size: int
    first: int
    last: int

    @property
    def steps(self) -> range:
        return range(self.first, self.last + 1)


def aligned(size: int) -> int:
    """Return the bytes of the whole lines that hold `size` bytes."""
    return -(-size // ALIGNMENT) * ALIGNMENT


def assign_offsets(buffers: Sequence[Lifetime]) -> tuple[list[int], int]:
    """Return the offset of each buffer in bytes, and the size of the arena."""
    offsets = [0] * len(buffers)
    alive: defaultdict[int, list[int]] = defaultdict(list)  # those placed that live at a step
    beginning: defaultdict[int, list[int]] = defaultdict(list)  # and those that do from it on
    for index in sorted(range(len(buffers)), key=lambda i: (-buffers[i].size, buffers[i].first)):
        first, *later = buffers[index].steps
        meeting = [*alive[first], *(i for step in later for i in beginning[step])]
        taken = [(offsets[i], aligned(buffers[i].size)) for i in meeting]
        offsets[index] = _best_gap(sorted(taken), aligned(buffers[index].size))
        beginning[first].append(index)
        for step in buffers[index].steps:
            alive[step].append(index)
    return offsets, max((offsets[i] + aligned(b.size) for i, b in enumerate(buffers)), default=0)


def _best_gap(taken: Sequence[tuple[int, int]], size: int) -> int:
    """Return the start of the smallest gap of at least `size` between the taken ranges, or the end of them."""
    best: tuple[int, int] | None = None
    end = 0
    for offset, length in taken:
        gap = offset - end
        if gap >= size and (best is None or gap < best[0]):
            best = (gap, end)
        end = max(end, offset + length)
    return end if best is None else best[1]
