"""Emission of a function's operations as C statements; vectors are arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.index_expr import LANE, FloorDiv, Index, Mod
from ..written.fresh_names import Reserved
from ..written.function import Writer
from ..written.index import IndexWriter
from ..written.text import MULTIPLY, Expression, binary, call
from ..written.types import lanes_of
from .arithmetic import WORDS
from .buffers import Buffer
from .dispatch import EXPRESSIONS, REPEATING, STATEMENTS
from .heap import Heap
from .text import CLines
from .types import storage_type, value_type

if TYPE_CHECKING:
    from .control import Interface

_WIDTH = 100
"""Longer statements of loops over lanes get a separate line."""


class CIndexWriter(IndexWriter):
    """Writes index expressions. The division of an expression that is never negative is a plain `/`."""

    words = WORDS

    def division(self, atom: FloorDiv | Mod) -> Expression:
        inner, divisor = self.sum(atom.numerator), Expression(str(atom.divisor))
        least = atom.numerator.bounds(self.ranges)[0]
        if least is not None and least >= 0:
            return binary("/" if isinstance(atom, FloorDiv) else "%", MULTIPLY, inner, divisor)
        return call("tw_floordiv" if isinstance(atom, FloorDiv) else "tw_mod", inner, divisor)

    def product(self, extent: Index, stride: Expression) -> Expression:
        """Return the product of an extent and a stride, a constant last."""
        if extent.is_constant:
            return binary("*", MULTIPLY, stride, self.expression(extent))
        return super().product(extent, stride)

    def atom(self, atom: Any) -> Expression:
        return Expression("lane") if atom is LANE else super().atom(atom)


class FunctionWriter(Writer[Expression, Buffer]):
    """Writes the operations of one function. The text of a vector is that of its lane `lane`."""

    comment = "//"
    statements = STATEMENTS
    repeating = REPEATING
    parameters: ClassVar[Mapping[str, str]] = {
        "arena": "void *arena",
        "constants": "void *const *constants",
        "record": "int64_t *record",
        "threads": "int32_t threads",
    }
    """Declarations of the parameters beside the arguments of the IR, by name."""

    def __init__(self, reserved: Reserved) -> None:
        super().__init__(CIndexWriter, reserved)
        self.lines = CLines()
        self.heap = Heap(self.lines, self.names)
        self.constants: Mapping[Operation, int] = {}
        """The position of each `loop.constant` in the program's table of pointers."""
        self.interfaces: Mapping[str, Interface] = {}
        """The functions that may be called, by their names in the IR."""
        self.checks: Mapping[Operation, int] = {}
        """The numbers of the program's assertions."""
        self.written: frozenset[SSAValue] = frozenset()
        """The roots that the function writes to."""
        self.has_disjoint_arguments = False
        """True if the function's arguments share no memory."""
        self._first = 0
        """The number of arrays that are declared at the start of the function."""

    def write_expression(self, op: Operation, operands: Sequence[Expression]) -> None:
        self.define(op.results[0], EXPRESSIONS[op.name](op, operands))

    def name(self, value: SSAValue, text: Expression) -> None:
        name = self.names.fresh(value.name_hint, "t")
        self.variable(value, self.declare(name, value, text, "const "))

    def scalar(self, expression: Expression) -> Expression:
        return expression

    def parts(self, text: Expression) -> Sequence[Expression]:
        return (text,)

    def can_wait(self, value: SSAValue, user: Operation, text: Expression) -> bool:
        lanes = lanes_of(value.type)
        return super().can_wait(value, user, text) and (not user.results or lanes_of(user.results[0].type) == lanes)

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

    def finished(self, parameters: Sequence[str]) -> Sequence[str]:
        """Return the lines of a function with these parameters."""
        return self.lines.lines

    def memory_type(self, element: Attribute) -> str:
        """Return the C type by which pointers reach elements."""
        return storage_type(element)

    def constant_data(self, number: int) -> str:
        """Return a pointer to the elements of a constant of that number."""
        return f"constants[{number}]"

    def passed(self, name: str) -> str:
        """Return the text that a call passes for one of `parameters`."""
        return name

    def each_lane(self, lanes: int, statement: str) -> None:
        """Write a statement for every lane of a vector, in order."""
        head = f"for (int lane = 0; lane < {lanes}; ++lane)"
        if len(head) + len(statement) <= _WIDTH:
            self.lines.line(f"{head} {statement}")
            return
        self.lines.open(head)
        self.lines.line(statement)
        self.lines.close()

    def known_buffer(self, value: SSAValue) -> Buffer | None:
        """Return the buffer of a value that may come later."""
        return self._buffers.get(value)

    def run_block(self, block: Block) -> None:
        """Write the operations of a region's block, a scope whose allocations end with it."""
        outer, self.names = self.names, self.names.inner()
        self.heap.enter()
        super().run_block(block)
        self.heap.leave()
        self.names = outer

    def declare_first(self, type_: str, name: str, count: str) -> None:
        """Declare an array at the start of the function, where OpenCL C requires `__local` arrays."""
        self.lines.lines.insert(self._first, f"  {type_}{name}{count};")
        self._first += 1
