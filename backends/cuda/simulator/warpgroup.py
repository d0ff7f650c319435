"""Simulation of warpgroup products (PTX ISA, wgmma): the operands and results of each warp, and pending products.

Each warp is simulated separately: it has 16 rows of the result, and reads those rows and all columns from shared
memory. Operands are read when a product starts and again when it is waited for: threads that write them in between
race, or change the result. The accumulators of a pending product are poison.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..operations.reference.matrix import ACCUMULATOR, halves
from ..operations.table import LINE_ELEMENTS, WARP_ROWS, WARPGROUP_PRODUCTS
from .faults import Fault, Poison
from .memory import Memory


class Operands(NamedTuple):
    """The operands of a warp's part of a product, in shared memory."""

    name: str
    left: Memory
    rows: int
    """The element at which the warp's rows start, before the swizzle."""
    right: Memory
    columns: int


class Started(NamedTuple):
    """A pending product of one thread."""

    sums: list[Any]
    first: int
    values: list[Any]
    operands: Operands


class Products:
    """The products that one thread has started and not waited for."""

    __slots__ = ("_started",)

    def __init__(self) -> None:
        self._started: list[Started] = []

    def begin(self, sums: list[Any], first: int, answer: tuple[list[Any], Operands]) -> None:
        """Add the addends of a lane to its accumulators, which are poison until the product is waited for."""
        values, operands = answer
        known = next((b for b in self._started if b.sums is sums and b.first == first), None)
        before = sums[first : first + len(values)] if known is None else known.values
        total = [b if isinstance(b, Poison) else np.float32(b + v) for b, v in zip(before, values, strict=True)]
        self._started.append(Started(sums, first, total, operands))
        sums[first : first + len(values)] = [Poison("sums of a product that was not waited for")] * len(values)

    @property
    def operands(self) -> list[Operands]:
        """The operands of all pending products."""
        return [started.operands for started in self._started]

    def end(self) -> None:
        """Store the sums of the products that were started."""
        for sums, first, values, _ in self._started:
            sums[first : first + len(values)] = values
        self._started.clear()


def product(operands: Operands, stamp: int, line: int) -> np.ndarray:
    """Return the addends of each lane's sums: float64 of shape (32, sums)."""
    each = WARPGROUP_PRODUCTS[operands.name]
    left = _matrix(operands.left, operands.rows, WARP_ROWS, each.left_transposed, each.kind, stamp, line)
    lines = each.right_transposed
    right = _matrix(operands.right, operands.columns, each.columns, not lines, each.kind, stamp, line)
    rows, columns = ACCUMULATOR
    tiles = (left @ right.T).reshape(WARP_ROWS, each.columns // 8, 8)
    return tiles.transpose(1, 0, 2)[:, rows, columns].transpose(1, 0, 2).reshape(32, each.sums)


def _matrix(memory: Memory, first: int, count: int, is_block: bool, kind: str, stamp: int, line: int) -> np.ndarray:
    """Return `count` rows or columns of 64 terms in float64: each in a separate line, or (`is_block`) in blocks with a
    line for each term."""
    if memory.space != "shared" or memory.element.itemsize != 2:
        raise Fault("TW0657", f"operand of a warpgroup in {memory.label}: expected halves in shared memory", line=line)
    numbers, terms = np.meshgrid(np.arange(count), np.arange(LINE_ELEMENTS), indexing="ij")
    lines = numbers * LINE_ELEMENTS + terms
    if is_block:
        lines = numbers // LINE_ELEMENTS * LINE_ELEMENTS**2 + terms * LINE_ELEMENTS + numbers % LINE_ELEMENTS
    elements = first + lines
    elements ^= elements >> 3 & 0x38  # pieces of 8 halves, lines of 64, repeated after 8 lines
    values = [memory.load(element, stamp, line) for element in elements.ravel().tolist()]
    bits = np.array(values, memory.element.dtype).view(np.uint16).astype(np.uint32)
    return halves(bits.reshape(count, LINE_ELEMENTS), kind)[..., 0]
