"""Non-maximum suppression: boxes are selected one after the other in the order of their scores, as loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

from ...dialects.dtypes import dtype_name
from ..boxes import NO_BOX, corners_of, overlap
from .heap import TOGETHER, Heap, item_of, position_of
from .nest_builder import NestBuilder, Scalar

if TYPE_CHECKING:
    from ...dialects.index_expr import Index

FOUND, WAITING = 0, 1
"""Counters: the number of selected boxes, and the largest number for a class."""
COUNTERS = 2
SIDES = 4

_BITS = 4
LANES = 1 << _BITS
"""Boxes that one is compared with at once, by vectors, before the search may end."""


@dataclass(frozen=True)
class KeptBoxes:
    """The numbers that describe the kept boxes, in one row of a buffer for each number, so that loads are vectors."""

    program: NestBuilder
    buffer: SSAValue
    """Of `room_for` columns."""
    going: SSAValue
    """A buffer of one bool: whether a box overlaps none of those that it was compared with."""
    leaves: bool
    """True where a search ends at the first hit, which kernels of a GPU cannot."""

    @staticmethod
    def room_for(most: Any) -> Any:
        """Return how many columns the buffer of at most so many boxes has: a vector may reach beyond the last box."""
        return most + LANES

    def clear(self) -> None:
        """Store zeros everywhere, since the last vector load reads beyond the last box."""
        rows, columns = (self.program.size(self.buffer, d) for d in (0, 1))
        with self.program.over(rows, columns) as at:
            self.program.store(self.program.constant(0, self.dtype), self.buffer, *at)

    @property
    def dtype(self) -> str:
        return dtype_name(self.buffer.type.element_type)  # pyright: ignore[reportAttributeAccessIssue]

    def put(self, numbers: Sequence[Scalar], position: Scalar) -> None:
        """Store the numbers of a box."""
        last = self.program.number(self.program.size(self.buffer, 1) - 1, position.dtype)
        for row, number in enumerate(numbers):
            self.program.store(number, self.buffer, row, position.min(last))

    def search(self, count: Scalar, hits: Callable[[Sequence[Scalar]], Scalar]) -> Scalar:
        """Return whether `hits` holds for the numbers of none of the first `count` boxes."""
        program = self.program
        room = program.number(program.size(self.buffer, 1) - LANES, "int32")
        count = count.astype("int32").min(room)
        rows = self.buffer.type.get_shape()[0]  # pyright: ignore[reportAttributeAccessIssue]
        with program.search(self.going, (count + (LANES - 1)) >> _BITS, leaves=self.leaves) as block:
            # Bounded here, so that loads of the lanes need no checks.
            first = program.index((program.number(block, "int32") << _BITS).max(0).min(room))

            def look_at(lane: Index, carried: Sequence[Scalar]) -> list[Scalar]:
                at = first + lane
                is_hit = hits([program.load(self.buffer, row, at) for row in range(rows)])
                is_hit = is_hit & (program.number(at, "int32") < count)
                return [carried[0] | is_hit.astype("int32")]

            (hit,) = program.fold(0, LANES, [program.constant(0, "int32")], look_at)
            program.store(hit.equals(0), self.going, 0)
        return program.load(self.going, 0)


@dataclass(frozen=True)
class Suppression:
    """Loops that write rows of (batch, class, box), and the count of these rows."""

    program: NestBuilder
    boxes: SSAValue
    scores: SSAValue
    chosen: SSAValue
    total: SSAValue
    counters: SSAValue
    kept: KeptBoxes
    """The corners of the chosen boxes of a class."""
    most: int | None
    """The most boxes of a class that are chosen."""
    iou_threshold: float
    score_threshold: float
    center: bool

    def run(self, next_of: Callable[[Index, Index], tuple[Any, Callable[[Index], Scalar]]]) -> None:
        """Choose boxes; `next_of` gives for a batch and a class how many boxes to look at, and the box of a rank."""
        program = self.program
        program.store(program.constant(0, "int64"), self.counters, FOUND)
        self.kept.clear()
        if self.most != 0:
            with program.over(program.size(self.scores, 0), program.size(self.scores, 1)) as (batch, kind):
                start = program.load(self.counters, FOUND)
                count, candidate = next_of(batch, kind)
                with program.loop(0, count) as rank:
                    found = program.load(self.counters, FOUND) - start
                    if self.most is None:
                        self.look_at(batch, kind, candidate(rank), start, found)
                    else:
                        with program.when(found < self.most):
                            self.look_at(batch, kind, candidate(rank), start, found)
        found = program.load(self.counters, FOUND)
        program.store(found, self.total, 0)
        with program.loop(found, program.size(self.chosen, 0)) as row, program.loop(0, 3) as d:
            program.store(program.constant(NO_BOX, "int64"), self.chosen, row, d)

    def look_at(self, batch: Index, kind: Index, box: Scalar, start: Scalar, found: Scalar) -> None:
        """Choose a box if its score is above the threshold and it overlaps none of the `found` ones before it."""
        program = self.program
        with program.when(program.load(self.scores, batch, kind, box) > self.score_threshold):
            here = self.corners_at(batch, box)
            with program.when(self.kept.search(found, partial(self.overlap_much, here))):
                self.kept.put(here, found)
                row = (start + found).min(program.number(program.size(self.chosen, 0) - 1, "int64"))
                names = (program.number(batch, "int64"), program.number(kind, "int64"), box)
                for d, name in enumerate(names):
                    program.store(name, self.chosen, row, d)
                program.store(start + found + 1, self.counters, FOUND)

    def overlap_much(self, one: Sequence[Scalar], other: Sequence[Scalar]) -> Scalar:
        """Return whether the intersection over union of two boxes is above the threshold."""
        shared, both = overlap(one, other, _least, _greatest, self.program.constant(0, one[0].dtype))
        return (shared / both > self.iou_threshold) & (both > 0.0)

    def corners_at(self, batch: Index, box: Scalar) -> tuple[Scalar, ...]:
        loaded = [self.program.load(self.boxes, batch, box, d) for d in range(SIDES)]
        return corners_of(loaded, self.center, _least, _greatest, self.program.constant(0.5, loaded[0].dtype))

    def from_heap(
        self, words: tuple[SSAValue, ...], batch: Index, kind: Index
    ) -> tuple[Any, Callable[[Index], Scalar]]:
        """Return the boxes of a class above the threshold, in the order of their scores: a heap of them is as many
        steps as there are boxes, and each box that is looked at takes their logarithm."""
        program, size = self.program, self.program.size(self.scores, 2)
        heap = Heap(program, words, ())
        program.store(program.constant(0, "int64"), self.counters, WAITING)

        def is_above(box: Index) -> Scalar:
            return program.load(self.scores, batch, kind, box) > self.score_threshold

        def look_at(box: Index) -> None:
            with program.when(is_above(box)):
                count = program.load(self.counters, WAITING)
                score = program.load(self.scores, batch, kind, box)
                heap.store(item_of(score, program.number(box, "int64"), greatest=True), count)
                program.store(count + 1, self.counters, WAITING)

        blocks = size // TOGETHER  # mostly none of a few boxes is above the threshold
        with program.loop(0, blocks) as block:
            is_any_above = reduce(or_, (is_above(block * TOGETHER + k) for k in range(TOGETHER)))
            with program.when(is_any_above), program.loop(0, TOGETHER) as k:
                look_at(block * TOGETHER + k)
        with program.loop(blocks * TOGETHER, size) as box:
            look_at(box)
        count = program.load(self.counters, WAITING)
        heap.order(count)
        last = program.number(size - 1, "int64")
        return count, lambda rank: position_of(heap.pop()).min(last)


def _least(a: Scalar, b: Scalar) -> Scalar:
    return (b < a).choose(b, a)


def _greatest(a: Scalar, b: Scalar) -> Scalar:
    return (b > a).choose(b, a)
