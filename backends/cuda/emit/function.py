"""Operations of a kernel as statements of Python.

A value that is used once, in its own block, is written where it is used; all others get a name. What reads memory
waits at most until the next statement that may write any: it gets a name before that. Of a vector each lane is a value
of its own; one that is loaded at once stays whole until a lane of it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from ....analysis.ranges import RangeAnalysis
from ....diagnostics.locations import source_position
from ....dialects.index_expr import Index, Range
from ....dialects.loop import ApplyOp
from ...written.names import Names
from ...written.text import Expression
from ...written.types import lanes_of
from .arithmetic import REPEATING
from .buffers import Buffer
from .index import PythonIndexWriter
from .names import RESERVED
from .text import PythonLines
from .types import narrow_name

_LONGEST = 88
"""Longer expressions are split at a name."""


class KernelWriter:
    """Writes the operations of one kernel."""

    def __init__(self) -> None:
        self.lines = PythonLines()
        self.names = Names(RESERVED)
        self.index = PythonIndexWriter(self.lookup, {})
        self.known: dict[Any, Range] = {}
        """Ranges of sizes and of index values that have a name."""
        self.thread_extents: dict[str, Index] = {}
        """The extents of the kernel's threads, by tag."""
        self.threads: dict[str, SSAValue] = {}
        """The number of the running thread, or of its block, by tag."""
        self.shared: dict[SSAValue, Buffer] = {}
        """The shared buffers, by their allocations."""
        self.shared_places: dict[SSAValue, int] = {}
        """Where they lie, in bytes, in a kernel whose shared memory is given to it at launch."""
        self.copies: dict[Operation, list[tuple[int, int, str]]] = {}
        """Stores that begin asynchronous copies -> lane, bytes and source of each."""
        self.alignments: dict[SSAValue, int] = {}
        """The buffers that are accessed in vectors, by their roots -> the bytes that they have to be aligned to."""
        self.fences_shared = False
        """Whether instructions read shared memory that do not see what threads wrote unless there is a fence."""
        self.written: set[SSAValue] = set()
        """The roots that the kernel stores to."""
        self._facts = RangeAnalysis()
        self._values: dict[SSAValue, tuple[Expression, ...] | Index] = {}
        self._pieces: dict[SSAValue, list[Expression]] = {}
        """Vectors that are loaded at once and not taken apart."""
        self._buffers: dict[SSAValue, Buffer] = {}
        self._reading: dict[SSAValue, None] = {}
        """Values that read memory and wait for their use."""
        self._noted: tuple[str, int] | None = None

    # Values

    def lookup(self, value: SSAValue) -> Expression | Index:
        """What a scalar stands for."""
        found = self._values[value]
        return found if isinstance(found, Index) else found[0]

    def lanes(self, value: SSAValue) -> tuple[Expression, ...]:
        """An operand, for the statement or expression that is being written: its lanes, or the one scalar."""
        if value in self._pieces:
            self._take_apart(value)
        self._reading.pop(value, None)
        found = self._values[value]
        return (self.index.expression(found),) if isinstance(found, Index) else found

    def operand(self, value: SSAValue) -> Expression:
        """A scalar operand."""
        return self.lanes(value)[0]

    def simple(self, value: SSAValue) -> tuple[Expression, ...]:
        """An operand that may be repeated."""
        found = self.lanes(value)
        if not all(lane.is_simple for lane in found):
            self.name(value, found)
        return self.lanes(value)

    def define(self, value: SSAValue, lanes: Sequence[Expression]) -> None:
        """Let a value be expressions, here or where it is used."""
        uses = list(value.uses)
        waits = all(lane.is_simple for lane in lanes) or (
            bool(uses) and _can_wait(value, uses[0].operation, len(uses), lanes)
        )
        if not waits and uses:
            self.name(value, lanes)
            return
        self._values[value] = tuple(lanes)
        if uses and any(lane.reads for lane in lanes):
            self._reading[value] = None

    def define_pieces(self, value: SSAValue, pieces: list[Expression]) -> None:
        """Let a value be what some loads give, the first lanes first: elements of memory, or tuples of several."""
        self._pieces[value] = pieces
        self._reading[value] = None

    def pieces(self, value: SSAValue) -> list[Expression] | None:
        """The loads that a vector is made of, where it was not taken apart and they are of the same width."""
        self._reading.pop(value, None)
        return self._pieces.pop(value, None) if len(list(value.uses)) == 1 else None

    def _take_apart(self, value: SSAValue) -> None:
        lanes: list[Expression] = []
        pieces = self._pieces.pop(value)
        width = (lanes_of(value.type) or 1) // len(pieces)
        for piece in pieces:
            name = self.names.fresh(value.name_hint, "t")
            self.lines.line(f"{name} = {piece}")
            parts = [f"{name}[{lane}]" for lane in range(width)] if width > 1 else [name]
            lanes += [widened(Expression(part), value) for part in parts]
        self._reading.pop(value, None)
        if narrow_name(value.type):
            self.name(value, lanes)
        else:
            self._values[value] = tuple(lanes)

    def define_index(self, value: SSAValue, expression: Index) -> None:
        """Let a value be an index expression, which others may hold."""
        self._values[value] = expression

    def name(self, value: SSAValue, lanes: Sequence[Expression]) -> None:
        """Give a value a name, here; a vector one for each lane."""
        self._values[value] = self.declare(value, lanes)

    def declare(self, value: SSAValue, lanes: Sequence[Expression], hint: str | None = None) -> tuple[Expression, ...]:
        """Assign to new names."""
        self._reading.pop(value, None)
        names = [self.names.fresh(hint or value.name_hint, "t") for _ in lanes]
        for name, lane in zip(names, lanes, strict=True):
            self.lines.line(f"{name} = {lane}")
        return tuple(map(Expression, names))

    def named_bound(self, bound: Expression) -> Expression:
        """An expression that may be repeated."""
        if bound.is_simple:
            return bound
        name = self.names.fresh("bound")
        self.lines.line(f"{name} = {bound}")
        return Expression(name)

    def variable(self, value: SSAValue, lanes: Sequence[Expression]) -> None:
        """Let a value be variables that are assigned already."""
        self._values[value] = tuple(lanes)

    def settle_reads(self) -> None:
        """Name what still waits to read memory: the next statement may write it."""
        for value in list(self._reading):
            if value in self._pieces:
                self._take_apart(value)
            else:
                found = self._values[value]
                assert not isinstance(found, Index)
                self.name(value, found)

    # Buffers

    def buffer(self, value: SSAValue) -> Buffer:
        return self._buffers[value]

    def add_buffer(self, value: SSAValue, buffer: Buffer) -> None:
        self._buffers[value] = buffer

    # Operations

    def look_around(self, op: Operation) -> None:
        """Know the ranges of variables where an operation stands."""
        self.index.ranges = {**self._facts.at(op).ranges, **self.known}

    def run_block(self, block: Block) -> None:
        """Write the operations of a region's block."""
        waiting, self._reading = self._reading, {}
        from .dispatch import write

        for op in block.ops:
            write(self, op)
        self._reading = waiting

    def remark(self, op: Operation) -> str:
        """A comment with the place in the user's source, where it is another one than the last."""
        position = source_position(op.location)
        if position is None or (position.file, position.line) == self._noted:
            return ""
        self._noted = (position.file, position.line)
        return f"  # {position.file.rsplit('/', 1)[-1]}:{position.line}"


def widened(lane: Expression, value: SSAValue) -> Expression:
    """An element of memory as what is computed with."""
    match narrow_name(value.type):
        case "f16":
            return Expression(f"float32({lane})", is_simple=False)
        case "bf16":
            return Expression(f"device.bf16_value({lane})", is_simple=False)
        case _:
            return lane


def _can_wait(value: SSAValue, user: Operation, uses: int, lanes: Sequence[Expression]) -> bool:
    """Whether expressions may stand where their value is used."""
    return (
        uses == 1
        and not isinstance(value.type, IndexType)
        and user.parent is value.owner.parent  # pyright: ignore[reportAttributeAccessIssue]
        and not isinstance(user, ApplyOp)
        and user.name not in REPEATING
        and user.name != "vector.broadcast"
        and all(len(lane.text) <= _LONGEST for lane in lanes)
    )
