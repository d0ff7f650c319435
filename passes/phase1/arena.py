"""Offsets in one arena for buffers that live at different times.

Greedy by size: the largest buffer first, each into the smallest gap that holds it between the buffers placed so far
that live at the same time (Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

ALIGNMENT = 64
"""Bytes. Every buffer starts at a multiple of it: a cache line, and the widest vector."""


class Lifetime(NamedTuple):
    """A buffer of `size` bytes that is used from step `first` to step `last`, both included."""

    size: int
    first: int
    last: int

    def overlaps(self, other: Lifetime) -> bool:
        return self.first <= other.last and other.first <= self.last


def aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def place(buffers: Sequence[Lifetime]) -> tuple[list[int], int]:
    """The offset of each buffer in bytes, and the size of the arena."""
    offsets = [0] * len(buffers)
    placed: list[int] = []
    for index in sorted(range(len(buffers)), key=lambda i: (-buffers[i].size, buffers[i].first)):
        alive = [(offsets[i], aligned(buffers[i].size)) for i in placed if buffers[i].overlaps(buffers[index])]
        offsets[index] = _best_gap(sorted(alive), aligned(buffers[index].size))
        placed.append(index)
    return offsets, max((offsets[i] + aligned(b.size) for i, b in enumerate(buffers)), default=0)


def _best_gap(taken: Sequence[tuple[int, int]], size: int) -> int:
    """The start of the smallest gap of at least `size` between the taken ranges, or the end of them."""
    best: tuple[int, int] | None = None
    end = 0
    for offset, length in taken:
        gap = offset - end
        if gap >= size and (best is None or gap < best[0]):
            best = (gap, end)
        end = max(end, offset + length)
    return end if best is None else best[1]
