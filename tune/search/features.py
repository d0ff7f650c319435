"""Points as vectors: the features of a point that a model knows before the point is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import copysign, log2

import numpy as np
from numpy.typing import NDArray

from ...schedule.decisions import Value
from ..space import Point
from .exploring import is_number

Vector = Mapping[str, float]
"""Features by name; those that it does not name are 0."""

DOUBLINGS = 3.0
"""Doublings of a number that are as far from it as another name is from a name."""


def features_of(point: Point, counts: Mapping[str, float] | None = None) -> Vector:
    """Return the features of a point, and of the counts of a prior.

    A number becomes its logarithm, a tuple of numbers one for each, everything else a separate feature of value 1/2:
    two names are at a distance of 1. A decision that is asked has one more feature: where it is not asked, the
    point differs by it.
    """
    found: dict[str, float] = {}
    for key, value in point.items():
        found[key] = 0.5
        found.update(_of_value(key, value))
    for name, count in (counts or {}).items():
        found[f"count {name}"] = _scaled(count)
    return found


def _of_value(key: str, value: Value) -> Mapping[str, float]:
    if is_number(value):
        return {f"{key} size": _scaled(value)}  # pyright: ignore[reportArgumentType]
    if isinstance(value, tuple) and value and all(is_number(item) for item in value):
        each = max(len(value) / 2, 1.0)
        return {
            f"{key} size {i}": _scaled(item) / each  # pyright: ignore[reportArgumentType]
            for i, item in enumerate(value)
        }
    return {f"{key} is {value!r}": 0.5}


def _scaled(number: float) -> float:
    return copysign(log2(1 + abs(number)) / DOUBLINGS, number)


def matrix(vectors: Sequence[Vector]) -> NDArray[np.float64]:
    """Return the vectors as rows, a column for each feature of any of them, in the order of their names."""
    names = {name: column for column, name in enumerate(sorted({name for vector in vectors for name in vector}))}
    rows = np.zeros((len(vectors), len(names)))
    for row, vector in zip(rows, vectors, strict=True):
        for name, value in vector.items():
            row[names[name]] = value
    return rows


def distance(one: Vector, other: Vector) -> float:
    """Return the sum of the differences of all features: about the number of decisions that differ."""
    return sum(abs(one.get(name, 0.0) - other.get(name, 0.0)) for name in sorted(one.keys() | other.keys()))


def diverse(order: Iterable[int], vectors: Sequence[Vector], count: int, least: float = 2.0) -> list[int]:
    """Return the first `count` of the numbered vectors that are `least` from one another.

    The distance is halved until there are so many, or all are taken.
    """
    ranked = list(order)
    taken: list[int] = []
    while len(taken) < min(count, len(ranked)):
        for number in ranked:
            if len(taken) == count:
                break
            if number not in taken and all(distance(vectors[number], vectors[t]) >= least for t in taken):
                taken.append(number)
        least = least / 2 if least > 0.1 else 0.0
    return taken
