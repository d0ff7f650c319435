"""Non-maximum suppression of rows of scored boxes, in the order of their scores, as loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from xdsl.ir import SSAValue

from ..boxes import NO_BOX, corners_of, overlap
from .nest_builder import NestBuilder, Scalar
from .suppression import SIDES, KeptBoxes

if TYPE_CHECKING:
    from ...dialects.index_expr import Index

NUMBERS = SIDES + 1
"""Numbers of a kept box: its corners and its class."""


@dataclass(frozen=True)
class Columns:
    """The elements of a row that have a meaning."""

    coordinates: int
    """The first of four."""
    score: int
    kind: int
    """The class; negative where there is none."""


@dataclass(frozen=True)
class ScoredRows:
    """Loops that write the rows [batch, boxes, elements] of `given` that are kept, their numbers and their count."""

    program: NestBuilder
    given: SSAValue
    boxes: SSAValue
    chosen: SSAValue
    total: SSAValue
    kept: KeptBoxes
    """The corners and the classes of rows that suppress others."""
    waiting: SSAValue
    """A buffer of one i32: the number of rows that suppress others."""
    columns: Columns
    max_output_size: int
    iou_threshold: float
    force_suppress: bool

    @property
    def dtype(self) -> str:
        return self.kept.dtype

    def clear(self, b: Index) -> None:
        """Store that no row is kept."""
        program = self.program
        with program.loop(0, program.size(self.boxes, 1)) as j:
            program.store(program.constant(NO_BOX, "int32"), self.chosen, b, j)
            with program.loop(0, program.size(self.boxes, 2)) as k:
                program.store(program.constant(NO_BOX, self.dtype), self.boxes, b, j, k)
        program.store(program.constant(0, "int32"), self.total, b, 0)

    def put(self, b: Index, j: Index, source: Any) -> None:
        """Write a row of `given` as row `j`."""
        program = self.program
        program.store(program.number(source, "int32"), self.chosen, b, j)
        with program.loop(0, program.size(self.given, 2)) as k:
            program.store(program.load(self.given, b, source, k), self.boxes, b, j, k)

    def suppress(self, b: Index, valid: Scalar) -> None:
        """Remove the rows among the first `valid` that overlap a kept row, and all rows beyond `max_output_size`.

        Rows whose score is not positive neither suppress nor are suppressed.
        """
        program = self.program
        program.store(program.constant(0, "int32"), self.waiting, 0)
        self.kept.clear()
        with program.loop(0, valid) as j:
            found = program.load(self.total, b, 0)
            full = found.equals(self.max_output_size)
            scored = program.load(self.boxes, b, j, self.columns.score) > 0.0
            with program.when(scored & ~full):
                self.compare(b, j)
            with program.when(full | (program.load(self.chosen, b, j) < 0)):
                self.remove(b, j)
            keeps = program.load(self.chosen, b, j) >= 0
            program.store((keeps & scored).choose(found + 1, found), self.total, b, 0)

    def compare(self, b: Index, j: Index) -> None:
        """Mark a row that overlaps a kept one; let it suppress others where it overlaps none."""
        program = self.program
        box, count = self.numbers(b, j), program.load(self.waiting, 0)
        is_alone = self.kept.search(count, partial(self.overlaps, box))
        with program.when(~is_alone):
            program.store(program.constant(NO_BOX, "int32"), self.chosen, b, j)
        suppresses = is_alone if self.columns.kind < 0 else is_alone & (box[SIDES] >= 0.0)
        with program.when(suppresses):
            self.kept.put(box, count)
            program.store(count + 1, self.waiting, 0)

    def numbers(self, b: Index, j: Index) -> list[Scalar]:
        """Return the corners of a row and its class, 0 where there is none."""
        program, first = self.program, self.columns.coordinates
        sides = [program.load(self.boxes, b, j, first + d) for d in range(SIDES)]
        corners = corners_of(sides, False, _low, _high, None)
        kind = self.columns.kind
        return [*corners, program.constant(0, self.dtype) if kind < 0 else program.load(self.boxes, b, j, kind)]

    def overlaps(self, box: Sequence[Scalar], other: Sequence[Scalar]) -> Scalar:
        """Return whether a kept box suppresses another one."""
        shared, both = overlap(box[:SIDES], other[:SIDES], _low, _high, self.program.constant(0, self.dtype))
        hit = (both > 0.0) & (shared / both >= self.iou_threshold)
        return hit if self.force_suppress or self.columns.kind < 0 else hit & other[SIDES].equals(box[SIDES])

    def remove(self, b: Index, j: Index) -> None:
        """Store that a row is not kept."""
        program = self.program
        program.store(program.constant(NO_BOX, "int32"), self.chosen, b, j)
        with program.loop(0, program.size(self.boxes, 2)) as k:
            program.store(program.constant(NO_BOX, self.dtype), self.boxes, b, j, k)

    def count(self, b: Index, numbers: SSAValue | None) -> None:
        """Count the rows that are kept. With `numbers` these stand for the rows, at the front, where they are not
        negative."""
        program, none = self.program, self.program.constant(NO_BOX, "int32")
        program.store(program.constant(0, "int32"), self.total, b, 0)
        with program.loop(0, program.size(self.boxes, 1)) as j:
            row, found = program.load(self.chosen, b, j), program.load(self.total, b, 0)
            good = row >= 0
            if numbers is not None:
                number = good.choose(program.load(numbers, b, row.max(0)), none)
                good = number >= 0
                program.store(none, self.chosen, b, j)
                program.store(good.choose(number, program.load(self.chosen, b, found)), self.chosen, b, found)
            program.store(good.choose(found + 1, found), self.total, b, 0)

    def move_to_front(self, b: Index) -> None:
        """Move the rows to the front whose first element is not negative, and count them."""
        program = self.program
        program.store(program.constant(0, "int32"), self.total, b, 0)
        with program.loop(0, program.size(self.boxes, 1)) as j:
            good, found = program.load(self.boxes, b, j, 0) >= 0.0, program.load(self.total, b, 0)
            with program.loop(0, program.size(self.boxes, 2)) as k:
                value = program.load(self.boxes, b, j, k)
                program.store(program.constant(NO_BOX, self.dtype), self.boxes, b, j, k)
                program.store(good.choose(value, program.load(self.boxes, b, found, k)), self.boxes, b, found, k)
            program.store(good.choose(found + 1, found), self.total, b, 0)


def _low(a: Scalar, b: Scalar) -> Scalar:
    return a.min(b)


def _high(a: Scalar, b: Scalar) -> Scalar:
    return a.max(b)
