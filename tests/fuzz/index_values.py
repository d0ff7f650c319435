"""Integers that are indices, right and wrong, and arrays whose neighbours in memory are watched."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .draw import Draw

Values = dict[str, np.ndarray]

DTYPES = ("int8", "int16", "int32", "int64", "int64", "uint8", "uint16", "uint32", "uint64")
WILD = (1 << 20, 1 << 31, -(1 << 31), 1 << 40, -(1 << 40), (1 << 63) - 1, -(1 << 63))
MARGIN = 1 << 12
"""Bytes on each side of a watched array."""
CANARY = 0xA5


class Outside(Exception):
    """A program reads or writes outside of an array."""


def element(values: Values, name: str, index: tuple[int, ...]) -> np.generic:
    """Return an element of an array, which has to have it."""
    array = values[name]
    if not all(0 <= i < n for i, n in zip(index, array.shape, strict=True)):
        raise Outside(f"{name}{[*index]}")
    return array[index]


def wrapped(number: int) -> int:
    """Return a number as a signed one of 64 bits."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def index_array(draw: Draw, shape: tuple[int, ...], limit: int, dtype: str, *, wrong: bool) -> np.ndarray:
    """Return indices of a dimension of that size; where some are to be wrong, a few may be, near or far."""
    info = np.iinfo(dtype)
    numbers = np.array([draw.between(0, max(limit - 1, 0)) for _ in range(int(np.prod(shape)))], dtype)
    if wrong and numbers.size and draw.chance(0.7):
        for _ in range(draw.between(1, 3)):
            number = draw.one_of((limit, -1, -limit, -limit - 1, limit + draw.between(0, 40), *WILD))
            numbers[draw.between(0, numbers.size - 1)] = min(max(number, info.min), info.max)
    return numbers.reshape(shape)


@dataclass
class Watched:
    """Copies of arrays, each between margins that nobody may write to."""

    arrays: Values = field(default_factory=dict[str, np.ndarray])
    _memory: dict[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])

    def add(self, name: str, array: np.ndarray) -> np.ndarray:
        memory = np.full(array.nbytes + 2 * MARGIN + 64, CANARY, np.uint8)
        first = MARGIN + -(memory.ctypes.data + MARGIN) % 64
        copy = memory[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
        copy[...] = array
        self.arrays[name], self._memory[name] = copy, memory
        return copy

    def touched(self) -> str | None:
        """Return the array beside which something was written."""
        for name, array in self.arrays.items():
            memory = self._memory[name]
            first = array.ctypes.data - memory.ctypes.data if array.size else 0
            rest = np.concatenate([memory[:first], memory[first + array.nbytes :]])
            if (rest != CANARY).any():
                return name
        return None
