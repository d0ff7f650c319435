"""Tiles of an operand in shared memory: the threads of a block fetch them together.

    for steps of terms:
      for rounds: for threads: for neighbours (vectorized): fetched = operand          (registers of a thread)
      for rounds: for threads: for neighbours (vectorized): tile = fetched             (shared memory)
      … the tile is used

A tile has its terms outermost, so that the elements that a thread needs for one term are neighbours, independent of the
operand's layout in memory. Threads follow the operand: neighbouring threads fetch neighbouring elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument

from ....analysis.access import accesses_in
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.index_expr import LANE, Index, Mod
from ...handles import LoopRV
from ...schedule import Schedule
from ..block_structure import ASSUMED_EXTENT
from .grid_threads import VECTOR_BYTES

MOST_LANES = (2, 4, 8)
"""Elements that a thread may fetch at once."""

BANKS = 32
"""Words of shared memory that a warp reaches at once."""


@dataclass(frozen=True)
class Lying:
    """The layout in memory of neighbours along the last two dimensions of a copy, a row and its terms."""

    along_terms: bool
    """True where neighbouring terms lie side by side, and not neighbouring rows."""
    lanes: int
    """Elements that one load may fetch along that dimension."""


def lying_of(copy: loop.BlockOp, extents: Sequence[int], bytes_: int = VECTOR_BYTES) -> Lying:
    """Return the layout of an operand in the block that copies it to dimensions ending with one of rows and one of
    terms.

    `extents` are those of the tile.
    """
    load = next(a.op for a in accesses_in(copy) if isinstance(a.op, loop.LoadOp))
    flat = flat_index(load)
    size = numpy_dtype(load.buffer.type.element_type).itemsize  # pyright: ignore[reportAttributeAccessIssue]
    rows, terms = copy.variables[-2:]
    lying = Lying(_run(load, terms) > _run(load, rows), 1)
    for lanes in (n for n in MOST_LANES if n * size <= bytes_):
        for along_terms, variable in ((False, rows), (True, terms)):
            if extents[along_terms] % lanes == 0 and _are_side_by_side(flat, variable, lanes, load, copy):
                lying = Lying(along_terms, lanes)
    return lying


def flat_index(load: loop.LoadOp) -> Index | None:
    """Return the position of an access in its buffer, in elements; None where strides are not known."""
    type_ = load.buffer.type
    assert isinstance(type_, MemRefType)
    shape = type_.get_shape()
    total = Index.of(0)
    for dimension, e in enumerate(load.index):
        inner = shape[dimension + 1 :]
        if DYNAMIC_INDEX in inner:
            return None
        total = total + e * prod(inner)
    return total


def _are_side_by_side(
    flat: Index | None, variable: BlockArgument, lanes: int, load: loop.LoadOp, copy: loop.BlockOp
) -> bool:
    """Return whether elements from a multiple of `lanes` along a variable on are contiguous and aligned in memory, and
    either all or none of them exist."""
    extent = next(n for v, _, _, n in copy.iteration() if v is variable)
    if flat is None or not extent.is_constant or extent.constant % lanes:
        return False
    position = _in_lanes(flat, variable, lanes)
    first = position.without(LANE)
    if position.coefficient(LANE) != 1 or LANE in first.variables or (first % lanes) != Index.of(0):
        return False
    return all(_is_uniform(_in_lanes(e, variable, lanes), lanes) for e in load.conditions)


def _in_lanes(e: Index, variable: BlockArgument, lanes: int) -> Index:
    """Return an expression of a variable as one of the vector that it is in, and of the lane."""
    return e.substitute({variable: Index.of(variable) * lanes + Index.of(LANE)}).with_ranges({LANE: (0, lanes - 1)})


def _is_uniform(guard: Index, lanes: int) -> bool:
    """Return whether a condition has the same value in all lanes."""
    step, first = guard.coefficient(LANE), guard.without(LANE)
    if not guard.uses_lane:
        return True
    turning = {1: 0, -1: lanes - 1}.get(step)
    return turning is not None and LANE not in first.variables and first % lanes == Index.of(turning)


def _run(load: loop.LoadOp, variable: BlockArgument) -> int:
    """Return the number of neighbours along a variable that follow one another in memory; 0 for none."""
    found = 0
    for atom, step in load.index[-1].terms if load.index else ():
        if atom is variable and step == 1:
            return ASSUMED_EXTENT
        if isinstance(atom, Mod) and atom.numerator == Index.of(variable) and step == 1:
            found = atom.divisor
    return found


def share_fetching(
    sch: Schedule, rows: LoopRV, terms: LoopRV, lying: Lying, threads: Sequence[tuple[int, str]]
) -> None:
    """Bind the loops of a block over a tile to the threads of a block, neighbours to neighbours.

    `threads` are the extents and axes of the threads, the last of them the fastest.
    """
    slow, fast = (rows, terms) if lying.along_terms else (terms, rows)
    if slow is terms:
        sch.reorder(slow, fast)
    points = (sch.loop(slow).constant_trip_count or 1) * (sch.loop(fast).constant_trip_count or 1)
    flat = sch.fuse(slow, fast)
    lanes = lying.lanes
    while lanes > 1 and points < lanes * prod(extent for extent, _ in threads):
        lanes //= 2
    _, *parts, vector = sch.split(flat, [None, *(extent for extent, _ in threads), lanes])
    for part, (_, axis) in zip(parts, threads, strict=True):
        sch.bind(part, axis)
    if lanes > 1:
        sch.vectorize(vector)
