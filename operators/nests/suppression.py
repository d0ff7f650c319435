"""Boxes that stay of many that overlap, chosen one after the other in the order of their scores, as loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

from ..boxes import corners_of, overlap
from .heap import TOGETHER, Heap, item_of, place_of
from .program import Program, Scalar

if TYPE_CHECKING:
    from ...dialects.index_expr import Index

FOUND, WAITING = 0, 1
"""Counters: how many boxes were chosen, and how many of a class may be."""
COUNTERS = 2
SIDES = 4


@dataclass(frozen=True)
class Suppression:
    """Loops that write rows of (batch, class, box) and how many there are."""

    program: Program
    boxes: SSAValue
    scores: SSAValue
    chosen: SSAValue
    total: SSAValue
    counters: SSAValue
    corners: SSAValue
    """The corners of the chosen boxes of a class."""
    going: SSAValue
    """A buffer of one bool: whether a box overlaps none of those that were looked at."""
    most: int | None
    """The most boxes of a class that are chosen."""
    iou_threshold: float
    score_threshold: float
    center: bool
    leaves: bool
    """True where a search ends at the first hit, which kernels of a GPU cannot."""

    def run(self, next_of: Callable[[Index, Index], tuple[Any, Callable[[Index], Scalar]]]) -> None:
        """Choose boxes; `next_of` gives for a batch and a class how many boxes to look at, and the box of a rank."""
        program = self.program
        program.store(program.constant(0, "int64"), self.counters, FOUND)
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
            program.store(program.constant(-1, "int64"), self.chosen, row, d)

    def look_at(self, batch: Index, kind: Index, box: Scalar, start: Scalar, found: Scalar) -> None:
        """Choose a box if its score is above the threshold and it overlaps none of the `found` ones before it."""
        program = self.program
        with program.when(program.load(self.scores, batch, kind, box) > self.score_threshold):
            own = self.corners_at(batch, box)
            room = program.number(program.size(self.corners, 0), "int64")
            with program.search(self.going, found.min(room), leaves=self.leaves) as earlier:
                self.compare(own, [program.load(self.corners, earlier, d) for d in range(SIDES)])
            with program.when(program.load(self.going, 0)):
                place = found.min(room - 1)
                for d, side in enumerate(own):
                    program.store(side, self.corners, place, d)
                row = (start + found).min(program.number(program.size(self.chosen, 0) - 1, "int64"))
                names = (program.number(batch, "int64"), program.number(kind, "int64"), box)
                for d, name in enumerate(names):
                    program.store(name, self.chosen, row, d)
                program.store(start + found + 1, self.counters, FOUND)

    def compare(self, own: Sequence[Scalar], other: Sequence[Scalar]) -> None:
        """End the search where two boxes overlap too much. Only those that share something are divided by."""
        program = self.program
        shared, both = overlap(own, other, _least, _greatest, program.constant(0, own[0].dtype))
        may_hit = shared > 0.0 if self.iou_threshold >= 0 else both > 0.0
        with program.when(may_hit):
            hit = (shared / both > self.iou_threshold) & (both > 0.0)
            program.store(~hit, self.going, 0)

    def corners_at(self, batch: Index, box: Scalar) -> tuple[Scalar, ...]:
        loaded = [self.program.load(self.boxes, batch, box, d) for d in range(SIDES)]
        return corners_of(loaded, self.center, _least, _greatest, self.program.constant(0.5, loaded[0].dtype))

    def from_heap(
        self, words: tuple[SSAValue, ...], batch: Index, kind: Index
    ) -> tuple[Any, Callable[[Index], Scalar]]:
        """The boxes of a class above the threshold, in the order of their scores: a heap of them is as many steps as
        there are boxes, and each box that is looked at takes their logarithm."""
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
        return count, lambda rank: place_of(heap.pop()).min(last)


def _least(a: Scalar, b: Scalar) -> Scalar:
    return (b < a).choose(b, a)


def _greatest(a: Scalar, b: Scalar) -> Scalar:
    return (b > a).choose(b, a)
