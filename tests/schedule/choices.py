"""Sources of random choices: hypothesis, which shrinks failures, or a seed, which a command can name."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Choices(Protocol):
    """A source of numbers and orders."""

    def between(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        ...

    def permuted(self, items: Sequence[T]) -> list[T]:
        """Return the items in some order."""
        ...


class Drawn:
    """Choices of hypothesis, by `data.draw` or the `draw` of a composite strategy."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def between(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def permuted(self, items: Sequence[T]) -> list[T]:
        return self.draw(st.permutations(items))


class Seeded:
    """The same choices for the same words, whatever else was drawn before."""

    def __init__(self, *words: object) -> None:
        self.random = Random("/".join(map(str, words)))

    def between(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def permuted(self, items: Sequence[T]) -> list[T]:
        return self.random.sample(items, len(items))


def pick(choices: Choices, items: Sequence[T]) -> T:
    """Return one of the items, drawn as a number: hypothesis would print operations whole."""
    return items[choices.between(0, len(items) - 1)]
