"""Operations of a function as statements of C.

A value that is used once, in its own block, is written where it is used; all others get a name. What reads memory
waits at most until the next statement that may write any: it gets a name before that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from ...diagnostics.locations import source_position
from ...dialects.index_expr import Index, Range
from ...dialects.loop import ApplyOp
from ..written.names import Names
from ..written.text import Expression
from ..written.types import lanes_of
from .buffers import Buffer
from .heap import Heap
from .index import CIndexWriter
from .mathematics import REPEATING
from .names import RESERVED
from .text import CLines
from .types import value_type

if TYPE_CHECKING:
    from .control import Interface

_WIDTH = 100
"""Longer statements of loops over lanes get a line of their own."""
_LONGEST = 88
"""Longer expressions are split at a name."""


class FunctionWriter:
    """Writes the operations of one function."""

    def __init__(self) -> None:
        self.lines = CLines()
        self.names = Names(RESERVED)
        self.ranges: dict[SSAValue, Range] = {}
        self.index = CIndexWriter(self.lookup, self.ranges)
        self.heap = Heap(self.lines)
        self.constants: dict[Operation, int] = {}
        """The position of each `loop.constant` in the program's table of pointers."""
        self.interfaces: Mapping[str, Interface] = {}
        """The functions that may be called, by their names in the IR."""
        self.checks: Mapping[Operation, int] = {}
        """The numbers of the program's assertions."""
        self.arena: dict[Operation, int] = {}
        """The byte offset of each allocation that lies in the arena."""
        self.written: frozenset[SSAValue] = frozenset()
        """The roots that the function writes to."""
        self.apart = False
        """Whether the function's arguments share no memory."""
        self.in_parallel = False
        self.thread_extents: dict[str, Index] = {}
        """The extents of a kernel's threads, by tag."""
        self._values: dict[SSAValue, Expression | Index] = {}
        self._buffers: dict[SSAValue, Buffer] = {}
        self._reading: dict[SSAValue, Expression] = {}
        """Values that read memory and wait for their use."""
        self._first: list[str] = []
        """The arrays that are declared at the start of the function."""
        self._noted: tuple[str, int] | None = None

    # Values

    def lookup(self, value: SSAValue) -> Expression | Index:
        """What an SSA value stands for."""
        return self._values[value]

    def operand(self, value: SSAValue) -> Expression:
        """An operand, for the statement or expression that is being written."""
        self._reading.pop(value, None)
        found = self._values[value]
        return self.index.expression(found) if isinstance(found, Index) else found

    def simple(self, value: SSAValue) -> Expression:
        """An operand that may be repeated."""
        found = self.operand(value)
        if not found.is_simple:
            self.name(value, found)
        return self.operand(value)

    def define(self, value: SSAValue, expression: Expression) -> None:
        """Let a value be an expression, here or where it is used."""
        uses = list(value.uses)
        if not expression.is_simple and uses and not _can_wait(value, uses[0].operation, len(uses), expression):
            self.name(value, expression)
            return
        self._values[value] = expression
        if expression.reads and uses:
            self._reading[value] = expression

    def define_index(self, value: SSAValue, expression: Index) -> None:
        """Let a value be an index expression, which others may hold."""
        self._values[value] = expression

    def name(self, value: SSAValue, expression: Expression) -> None:
        """Give a value a name, here."""
        name = self.names.fresh(value.name_hint, "t")
        self._values[value] = self.declare(name, value, expression, "const ")

    def declare(self, name: str, value: SSAValue, expression: Expression, qualifier: str = "") -> Expression:
        """Declare a variable for a value, or an array for its lanes."""
        lanes = lanes_of(value.type)
        type_ = value_type(value.type)
        self._reading.pop(value, None)
        if lanes is None:
            self.lines.line(f"{qualifier}{type_} {name} = {expression};")
            return Expression(name)
        self.lines.line(f"{type_} {name}[{lanes}];")
        self.each_lane(lanes, f"{name}[lane] = {expression};")
        return Expression(f"{name}[lane]")

    def variable(self, value: SSAValue, expression: Expression) -> None:
        """Let a value be a variable that is declared already."""
        self._values[value] = expression

    def each_lane(self, lanes: int, statement: str) -> None:
        """A statement for every lane of a vector, in order."""
        head = f"for (int lane = 0; lane < {lanes}; ++lane)"
        if len(head) + len(statement) <= _WIDTH:
            self.lines.line(f"{head} {statement}")
            return
        self.lines.open(head)
        self.lines.line(statement)
        self.lines.close()

    def settle_reads(self) -> None:
        """Name what still waits to read memory: the next statement may write it."""
        for value, expression in list(self._reading.items()):
            self.name(value, expression)

    # Buffers

    def buffer(self, value: SSAValue) -> Buffer:
        return self._buffers[value]

    def known_buffer(self, value: SSAValue) -> Buffer | None:
        """The buffer of a value that may come later."""
        return self._buffers.get(value)

    def add_buffer(self, value: SSAValue, buffer: Buffer) -> None:
        self._buffers[value] = buffer

    # Operations

    def run_block(self, block: Block) -> None:
        """Write the operations of a region's block."""
        outer, self.names = self.names, self.names.inner()
        waiting, self._reading = self._reading, {}
        self.heap.enter()
        from .dispatch import write

        for op in block.ops:
            write(self, op)
        self.heap.leave()
        self.names, self._reading = outer, waiting

    def declare_first(self, type_: str, name: str, count: str) -> str:
        """Declare an array at the start of the function, where OpenCL C wants those of a group; its name."""
        free, number = name, 0
        while free in self._first:
            number += 1
            free = f"{name}_{number}"
        self.lines.lines.insert(len(self._first), f"  {type_}{free}{count};")
        self._first.append(free)
        return free

    def remark(self, op: Operation) -> str:
        """A comment with the place in the user's source, where it is another one than the last."""
        position = source_position(op.location)
        if position is None or (position.file, position.line) == self._noted:
            return ""
        self._noted = (position.file, position.line)
        return f"  // {position.file.rsplit('/', 1)[-1]}:{position.line}"


def _can_wait(value: SSAValue, user: Operation, uses: int, expression: Expression) -> bool:
    """Whether an expression may stand where its value is used."""
    return (
        uses == 1
        and not isinstance(value.type, IndexType)
        and user.parent is value.owner.parent  # pyright: ignore[reportAttributeAccessIssue]
        and not isinstance(user, ApplyOp)
        and user.name not in REPEATING
        and lanes_of(value.type) == (lanes_of(user.results[0].type) if user.results else lanes_of(value.type))
        and len(expression.text) <= _LONGEST
    )
