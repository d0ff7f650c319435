"""Emission of the operations of a function or kernel as statements.

A value with one use, in its block, is inlined into its user; all others get a name. An inlined expression that reads
memory gets a name before the next statement that may write memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from ...diagnostics.locations import source_position
from ...dialects.index_expr import Index, Range
from ...dialects.loop import ApplyOp
from .buffers import Elements
from .fresh_names import Names, Reserved
from .index import IndexWriter
from .text import Expression

Text = TypeVar("Text")
"""The text of a value: an expression, or one for each lane."""
Memory = TypeVar("Memory", bound=Elements)

_LONGEST = 88
"""Longer expressions are split at a name."""


class Writer(ABC, Generic[Text, Memory]):
    """Writes the operations of one function or kernel."""

    comment: ClassVar[str]
    """The beginning of a comment."""
    statements: ClassVar[Mapping[str, Callable[[Any, Operation], None]]]
    """The function that writes each operation that is a statement or writes nothing, and is no expression."""
    repeating: ClassVar[Collection[str]]
    """Operations whose text may repeat an operand; such an operand is a name."""

    def __init__(self, index: type[IndexWriter], reserved: Reserved) -> None:
        self.names = Names(reserved)
        self.ranges: dict[Any, Range] = {}
        """Of sizes, and of index values that have a name."""
        self.index = index(self.lookup, self.ranges)
        self.thread_extents: dict[str, Index] = {}
        """The extents of a kernel's threads, by tag."""
        self._values: dict[SSAValue, Text | Index] = {}
        self._buffers: dict[SSAValue, Memory] = {}
        self._reading: dict[SSAValue, None] = {}
        """Pending values: they read memory and have not been inlined yet."""
        self._unnamed: dict[SSAValue, Text | Index] = {}
        """The texts of values before the current block gave them names."""
        self._noted: tuple[str, int] | None = None

    # The methods of a language

    @abstractmethod
    def write_expression(self, op: Operation, operands: Sequence[Text]) -> None:
        """Write an operation that is no statement."""

    @abstractmethod
    def name(self, value: SSAValue, text: Text) -> None:
        """Give a value a name, here."""

    @abstractmethod
    def scalar(self, expression: Expression) -> Text:
        """Return the text of a value that is no vector."""

    @abstractmethod
    def parts(self, text: Text) -> Sequence[Expression]:
        """Return the expressions that a text is made of."""

    # Values

    def lookup(self, value: SSAValue) -> Expression | Index:
        """Return the expression or the index expression of a scalar."""
        found = self._values[value]
        return found if isinstance(found, Index) else self.parts(found)[0]

    def operand(self, value: SSAValue) -> Text:
        """Return an operand, for the statement or expression that is being written."""
        self._reading.pop(value, None)
        found = self._values[value]
        return self.scalar(self.index.expression(found)) if isinstance(found, Index) else found

    def simple(self, value: SSAValue) -> Text:
        """Return an operand that may be repeated. A name that it takes ends with the block, which may not run."""
        text = self.operand(value)
        if not all(part.is_simple for part in self.parts(text)):
            self._unnamed.setdefault(value, self._values[value])
            self.name(value, text)
        return self.operand(value)

    def define(self, value: SSAValue, text: Text) -> None:
        """Let a value be written as a text, here or where it is used."""
        uses = list(value.uses)
        is_simple = all(part.is_simple for part in self.parts(text))
        if uses and not is_simple and not (len(uses) == 1 and self.can_wait(value, uses[0].operation, text)):
            self.name(value, text)
            return
        self._values[value] = text
        if uses and any(part.reads for part in self.parts(text)):
            self._reading[value] = None

    def can_wait(self, value: SSAValue, user: Operation, text: Text) -> bool:
        """Return whether a text may be inserted at the only use of its value."""
        return (
            not isinstance(value.type, IndexType)
            and user.parent is value.owner.parent  # pyright: ignore[reportAttributeAccessIssue]
            and not isinstance(user, ApplyOp)
            and user.name not in self.repeating
            and all(len(part.text) <= _LONGEST for part in self.parts(text))
        )

    def variable(self, value: SSAValue, text: Text) -> None:
        """Let a value stand for a variable that is declared or assigned already."""
        self._values[value] = text

    def define_index(self, value: SSAValue, expression: Index) -> None:
        """Let a value be an index expression, which others may hold."""
        self._values[value] = expression

    def define_sum(self, value: SSAValue, expression: Index) -> None:
        """Let a value be an index expression whose values are resolved; one of several terms is computed once."""
        if len(expression.terms) <= 1 or len(list(value.uses)) == 1:
            self.define_index(value, expression)
        else:
            self.ranges[value] = expression.bounds(self.index.ranges)
            self.name(value, self.scalar(self.index.expression(expression)))

    def materialize_reads(self) -> None:
        """Name all pending values that read memory, because the next statement may write it."""
        for value in list(self._reading):
            self.materialize(value)

    def materialize(self, value: SSAValue) -> None:
        """Name a pending value."""
        text = self._values[value]
        assert not isinstance(text, Index)
        self.name(value, text)

    # Buffers

    def buffer(self, value: SSAValue) -> Memory:
        return self._buffers[value]

    def add_buffer(self, value: SSAValue, buffer: Memory) -> None:
        self._buffers[value] = buffer

    # Operations

    def run_block(self, block: Block) -> None:
        """Write the operations of a region's block. Names that it gives to values of other blocks are dropped after
        it."""
        waiting, self._reading = self._reading, {}
        outer, self._unnamed = self._unnamed, {}
        for op in block.ops:
            self.write(op)
        self._values |= self._unnamed
        self._reading, self._unnamed = waiting, outer

    def write(self, op: Operation) -> None:
        """Write one operation."""
        if isinstance(op, arith.ConstantOp) and isinstance(op.result.type, IndexType):
            assert isinstance(op.value, IntegerAttr)
            self.define_index(op.result, Index.of(op.value.value.data))
        elif statement := self.statements.get(op.name):
            statement(self, op)
        else:
            get = self.simple if op.name in self.repeating else self.operand
            self.write_expression(op, [get(v) for v in op.operands])

    def remark(self, op: Operation) -> str:
        """Return a comment with the position in the user's source, where it is another one than the last."""
        position = source_position(op.location)
        if position is None or (position.file, position.line) == self._noted:
            return ""
        self._noted = (position.file, position.line)
        return f"  {self.comment} {position.file.rsplit('/', 1)[-1]}:{position.line}"
