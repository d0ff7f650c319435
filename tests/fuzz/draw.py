"""Choices at random, the same ones for the same number."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

EXTENTS = (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8)


class Draw:
    """Random choices. One seeded generator stands behind all of them, so that a number names a module for ever."""

    def __init__(self, seed: int, number: int) -> None:
        self.random = random.Random(f"{seed}/{number}")
        self.names = 0
        self.palette: list[object] = []
        """The kinds that a program prefers: with all kinds at once, few would interact."""

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one_of(self, items: Sequence[T]) -> T:
        return items[int(self.random.random() * len(items))]

    def some_of(self, items: Sequence[T], least: int = 0) -> list[T]:
        """Return a random subset, in order."""
        chosen = set(self.random.sample(range(len(items)), self.between(least, len(items))))
        return [item for position, item in enumerate(items) if position in chosen]

    def between(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def favoured(self, items: Sequence[T]) -> T:
        """Return one of the items, most often of those that this program favours."""
        if len(self.palette) < 2:
            self.palette.append(self.one_of(items))
        known = [item for item in items if item in self.palette]
        return self.one_of(known) if known and self.chance(0.8) else self.one_of(items)

    def extent(self) -> int:
        return self.one_of(EXTENTS)

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"
