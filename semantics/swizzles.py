"""Swizzled buffers: memory of whole lines, in which the swizzle of an access gives the positions of its elements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import MemRefType

from ..analysis.positions import first_element
from ..dialects.loop import LoadOp, StoreOp
from ..dialects.loop.swizzles import SwizzleAttr
from .buffers import outside
from .values import Array


def elements_of_lines(swizzle: SwizzleAttr, shape: Sequence[int]) -> int:
    """Return the number of elements of as many whole lines as hold a buffer."""
    return -(-prod(shape) // swizzle.line) * swizzle.line


def elements_of(memory: Array, shape: Sequence[int]) -> Array:
    """Return a buffer of this shape in such memory, its elements in the order in which they lie."""
    return np.ndarray.__getitem__(memory, slice(0, prod(shape))).reshape(shape)


def moved(swizzle: SwizzleAttr, positions: Any) -> Any:
    """Return the permuted positions of elements."""
    line, piece = positions // swizzle.line % swizzle.pieces, positions // swizzle.piece % swizzle.pieces
    return positions + ((piece ^ line) - piece) * swizzle.piece


class PermutedAccess:
    """The positions in memory of the elements of an access, by the swizzle of the access."""

    def __init__(self, op: LoadOp | StoreOp, swizzle: SwizzleAttr) -> None:
        assert isinstance(op.buffer.type, MemRefType)
        self.op = op
        self.swizzle = swizzle
        self.shape = op.buffer.type.get_shape()
        self.first = first_element(op.buffer) or 0

    def __call__(self, memory: Array, index: Sequence[Any], mask: Any = True) -> Any:
        """Return the positions of the lanes, or that of a scalar. Raises TW0721 for an index outside of the buffer, and
        for a position outside of its memory."""
        inside, position = np.asarray(True), np.asarray(0)
        for e, n in zip(index, self.shape, strict=True):
            inside = inside & (np.asarray(e) >= 0) & (np.asarray(e) < n)
            position = position * n + e
        permuted = moved(self.swizzle, position + self.first)
        if not np.all(inside & (permuted < memory.size) | ~np.asarray(mask)):
            outside(self.op, memory, tuple(index))
        return permuted


def in_order(swizzle: SwizzleAttr, memory: Array, shape: Sequence[int], first: int) -> Array:
    """Return a copy of a buffer, or of a view from its element `first` on, with elements in their order."""
    return memory[_permuted_positions(swizzle, first, prod(shape))].reshape(shape)


def put_back(swizzle: SwizzleAttr, memory: Array, values: Array, first: int) -> None:
    """Write back the elements that `in_order` returned."""
    memory[_permuted_positions(swizzle, first, values.size)] = values.reshape(-1)


@cache
def _permuted_positions(swizzle: SwizzleAttr, first: int, count: int) -> Array:
    return moved(swizzle, np.arange(first, first + count))
