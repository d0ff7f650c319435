"""Tiles of an operand in shared memory: the threads of a block fetch them together.

    for steps of terms:
      for rounds: for threads: for neighbours (vectorized): fetched = operand          (registers of a thread)
      for rounds: for threads: for neighbours (vectorized): tile = fetched             (shared memory)
      … the tile is used

A tile has its terms outermost, so that what a thread needs for one term are neighbours, however the operand lies in
memory. Threads follow the operand: neighbouring threads fetch neighbouring elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType

from ....analysis.access import accesses_in
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.index_expr import Index
from ...handles import BlockRV, LoopRV
from ...schedule import Schedule
from .threads import THREADS, THREADS_Y, VECTOR_BYTES

BANKS = 32
"""Words of shared memory that a warp reaches at once."""


@dataclass(frozen=True)
class Lying:
    """How neighbours along the last two dimensions of a copy, a row and its terms, lie in memory."""

    along_terms: bool
    """Whether neighbouring terms lie side by side, and not neighbouring rows."""
    lanes: int
    """Elements that one load may fetch along that dimension."""


def lying_of(copy: loop.BlockOp, extents: Sequence[int], bytes_: int = VECTOR_BYTES) -> Lying:
    """How an operand is read by the block that copies it to dimensions ending with one of rows and one of terms.

    `extents` are those of the tile.
    """
    load = next(a.op for a in accesses_in(copy) if isinstance(a.op, loop.LoadOp))
    rows, terms = copy.variables[-2:]
    flat = flat_index(load)
    size = numpy_dtype(load.buffer.type.element_type).itemsize  # pyright: ignore[reportAttributeAccessIssue]
    steps = [None if flat is None else _step(flat, v) for v in (rows, terms)]
    if flat is None or steps[0] != 1 != steps[1]:
        return Lying(_last_variable_is(load, terms), 1)
    along_terms = steps[1] == 1
    lanes, own = max(bytes_ // size, 1), (rows, terms)[along_terms]
    extent = extents[along_terms]
    while lanes > 1 and not (extent % lanes == 0 and _in_fours(flat, own, lanes, load, copy)):
        lanes //= 2
    return Lying(along_terms, lanes)


def flat_index(load: loop.LoadOp) -> Index | None:
    """Where an access lies in its buffer, in elements; None where strides are not known."""
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


def _step(flat: Index, variable: object) -> int | None:
    """How far neighbours along a variable are apart, where that is a number: as far as they lie in one row of it."""
    found = flat.coefficient(variable)  # pyright: ignore[reportArgumentType]
    rest = flat.without(variable)  # pyright: ignore[reportArgumentType]
    return found if variable not in rest.variables else None


def _in_fours(flat: Index, variable: object, lanes: int, load: loop.LoadOp, copy: loop.BlockOp) -> bool:
    """Whether elements whose place along a variable is a multiple of `lanes` lie at such multiples in memory, and all
    lanes are there or none."""
    rest = flat.without(variable)  # pyright: ignore[reportArgumentType]
    aligned = (rest % lanes).is_constant and (rest % lanes).constant == 0
    extents = {v: n for v, _, _, n in copy.iteration()}
    extent = extents[variable]  # pyright: ignore[reportArgumentType]
    whole = extent.is_constant and extent.constant % lanes == 0
    return aligned and whole and all(_is_uniform(e, variable, lanes) for e in load.conditions)


def _is_uniform(guard: Index, variable: object, lanes: int) -> bool:
    """Whether a condition holds of all or of none of `lanes` neighbours, the first of which is a multiple of that."""
    step, rest = guard.coefficient(variable), guard.without(variable)  # pyright: ignore[reportArgumentType]
    if variable in rest.variables:
        return False
    turning = {1: 0, -1: lanes - 1}.get(step)
    return not step or ((rest % lanes).is_constant and (rest % lanes).constant == turning)


def _last_variable_is(load: loop.LoadOp, variable: object) -> bool:
    """Whether the last dimension that moves at all moves along the variable."""
    return bool(load.index) and variable in load.index[-1].variables


def share_fetching(
    sch: Schedule, block: BlockRV, rows: LoopRV, terms: LoopRV, lying: Lying, threads: tuple[int, int]
) -> None:
    """Bind the loops of a block over a tile to the threads of a block, neighbours to neighbours."""
    slow, fast = (rows, terms) if lying.along_terms else (terms, rows)
    if slow is terms:
        sch.reorder(slow, fast)
    points = (sch.loop(slow).constant_trip_count or 1) * (sch.loop(fast).constant_trip_count or 1)
    flat = sch.fuse(slow, fast)
    lanes = lying.lanes
    while lanes > 1 and points < lanes * prod(threads):
        lanes //= 2
    _, y, x, vector = sch.split(flat, [None, *threads, lanes])
    sch.bind(y, THREADS_Y)
    sch.bind(x, THREADS)
    if lanes > 1:
        sch.vectorize(vector)
