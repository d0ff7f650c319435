"""Emission of a kernel's operations as Python statements.

A vector is a separate value for each lane. A vector that is loaded by one instruction stays whole until one of its
lanes is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ....analysis.ranges import RangeAnalysis
from ...written.function import Writer
from ...written.text import Expression
from ...written.types import lanes_of
from ..source import RESERVED
from .arithmetic import REPEATING
from .buffers import Buffer
from .dispatch import EXPRESSIONS, STATEMENTS
from .index import PythonIndexWriter
from .mathematics import STEPS
from .text import PythonLines
from .types import narrow_name


class KernelWriter(Writer[Sequence[Expression], Buffer]):
    """Writes the operations of one kernel."""

    comment = "#"
    statements = STATEMENTS
    repeating = REPEATING
    index: PythonIndexWriter

    def __init__(self) -> None:
        super().__init__(PythonIndexWriter, RESERVED)
        self.lines = PythonLines()
        self.threads: dict[str, SSAValue] = {}
        """The number of the running thread, or of its block, by tag."""
        self.shared: dict[SSAValue, Buffer] = {}
        """The shared buffers, by their allocations."""
        self.copies: dict[Operation, list[tuple[int, str]]] = {}
        """Loads that are halves of asynchronous copies -> the first lane and the source of each copy."""
        self.alignments: dict[SSAValue, int] = {}
        """The buffers that are accessed in vectors, by their roots -> the bytes that they have to be aligned to."""
        self.fences_shared = False
        """True if instructions read shared memory that see the threads' stores only behind a fence."""
        self.checks: Mapping[Operation, int] = {}
        """The numbers of assertions."""
        self.record = ""
        """The name of the record of failed assertions."""
        self.written: set[SSAValue] = set()
        """The roots that the kernel stores to."""
        self._facts = RangeAnalysis()
        self._pieces: dict[SSAValue, list[Expression]] = {}
        """Vectors that are loaded at once and not split into lanes."""

    def align(self, root: SSAValue, size: int) -> None:
        """State that a buffer is accessed by instructions of `size` bytes."""
        self.alignments[root] = max(size, self.alignments.get(root, 1))

    def write(self, op: Operation) -> None:
        self.index.ranges = {**self._facts.at(op).ranges, **self.ranges}
        super().write(op)

    def write_expression(self, op: Operation, operands: Sequence[Sequence[Expression]]) -> None:
        count = lanes_of(op.results[0].type) or 1
        lanes = [[o[lane if len(o) > 1 else 0] for o in operands] for lane in range(count)]
        if op.name in STEPS:
            self.variable(op.results[0], [STEPS[op.name](self, op, lane) for lane in lanes])
            return
        rule = EXPRESSIONS[op.name]
        self.define(op.results[0], [rule(op, lane) for lane in lanes])

    def name(self, value: SSAValue, text: Sequence[Expression]) -> None:
        self.variable(value, self.declare(value, text))

    def scalar(self, expression: Expression) -> Sequence[Expression]:
        return (expression,)

    def parts(self, text: Sequence[Expression]) -> Sequence[Expression]:
        return text

    def operand(self, value: SSAValue) -> Sequence[Expression]:
        if value in self._pieces:
            self._split_lanes(value)
        return super().operand(value)

    def materialize(self, value: SSAValue) -> None:
        if value in self._pieces:
            self._split_lanes(value)
        else:
            super().materialize(value)

    def declare(self, value: SSAValue, lanes: Sequence[Expression], hint: str | None = None) -> list[Expression]:
        """Assign lanes to new names."""
        self._reading.pop(value, None)
        return [self.assign(lane, hint or value.name_hint) for lane in lanes]

    def assign(self, expression: Expression, hint: str | None) -> Expression:
        """Assign to a new name."""
        name = self.names.fresh(hint, "t")
        self.lines.line(f"{name} = {expression}")
        return Expression(name)

    def define_pieces(self, value: SSAValue, pieces: list[Expression]) -> None:
        """Let a value be the results of some loads, the first lanes first: elements of memory, or tuples of several."""
        self._pieces[value] = pieces
        self._reading[value] = None

    def pieces(self, value: SSAValue) -> list[Expression] | None:
        """Return the loads that a vector consists of; None if it was split into lanes or the loads have different
        widths."""
        self._reading.pop(value, None)
        return self._pieces.pop(value, None) if len(list(value.uses)) == 1 else None

    def _split_lanes(self, value: SSAValue) -> None:
        lanes: list[Expression] = []
        pieces = self._pieces.pop(value)
        width = (lanes_of(value.type) or 1) // len(pieces)
        for piece in pieces:
            name = self.assign(piece, value.name_hint)
            parts = [Expression(f"{name}[{lane}]") for lane in range(width)] if width > 1 else [name]
            lanes += [widened(part, value) for part in parts]
        self._reading.pop(value, None)
        if narrow_name(value.type):
            self.name(value, lanes)
        else:
            self.variable(value, lanes)


def widened(lane: Expression, value: SSAValue) -> Expression:
    """Return an element of memory as the value that is computed with."""
    match narrow_name(value.type):
        case "f16":
            return Expression(f"float32({lane})", is_simple=False)
        case "bf16":
            return Expression(f"device.bf16_value({lane})", is_simple=False)
        case _:
            return lane
