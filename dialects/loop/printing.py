"""Lines that a program prints while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type, IndexType, IntegerType, Signedness, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_guard, parse_indices, print_guard, print_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import parse_attributes, print_types, with_attributes

DIGITS: dict[type[Attribute], int] = {Float32Type: 9, Float64Type: 17}
"""The number of significant digits that distinguish the numbers of a type."""


@irdl_op_definition
class PrintOp(IndexedOp):
    """Prints a line with a value, if the guard holds.

    The message has a `{}` for each of the index expressions, and a last one for the value: an integer, which is
    printed in full, a bool, which is 0 or 1, or a float of 32 or 64 bits, with enough digits to distinguish all values,
    as C's `%.9g` and `%.17g` have. Lines are never interleaved. The lines of one thread are in program order, those of
    several threads in any order. No pass removes the operation, reorders two of them, or moves one out of a loop.

    ```mlir
    loop.print "t.py:3: C[{}, {}] = {}" (%i, %j) %c : f32
    loop.print "t.py:4: i = {}: {}" (%i) %n where (%i < 3) : index
    ```
    """

    name = "loop.print"
    INDEX_PROPERTIES: ClassVar = ("indices", "guard")

    value = operand_def()
    dims = var_operand_def(IndexType())
    indices = prop_def()
    guard = prop_def()
    message = prop_def(StringAttr)

    def __init__(self, message: str, indices: Sequence[IndexLike], value: SSAValue, guard: Sequence[Index] = ()):
        maps, operands = encode({"indices": [Index.of(e) for e in indices], "guard": guard})
        super().__init__(operands=[value, operands], properties={**maps, "message": StringAttr(message)})

    @property
    def index(self) -> tuple[Index, ...]:
        """The index expressions of the line."""
        return self.index_list("indices")

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The expressions that must all be >= 0."""
        return self.index_list("guard")

    @property
    def digits(self) -> int | None:
        """The number of significant digits that are printed; None for integers."""
        return DIGITS.get(type(self.value.type))

    @property
    def is_unsigned(self) -> bool:
        """True if the value has no sign: a bool, or an unsigned integer."""
        given = self.value.type
        return isinstance(given, IntegerType) and (
            given.width.data == 1 or given.signedness.data == Signedness.UNSIGNED
        )

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        found, values = self.message.data.count("{}"), len(self.index) + 1
        if found != values:
            raise VerifyException(f"expected a {{}} in the message for each of {values} values, but got {found}")
        given = self.value.type
        is_integer = isinstance(given, IntegerType) and given.width.data <= 64
        if not is_integer and self.digits is None and not isinstance(given, IndexType):
            raise VerifyException(f"expected an integer, an index, f32 or f64 to print, but got {given}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_attribute(self.message)
        printer.print_string(" (")
        print_indices(printer, self.index)
        printer.print_string(") ")
        printer.print_ssa_value(self.value)
        if self.conditions:
            printer.print_string(" where (")
            print_guard(printer, self.conditions)
            printer.print_string(")")
        print_types(printer, self, self.value.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrintOp:
        message = parser.parse_str_literal()
        indices = parse_indices(parser, Parser.Delimiter.PAREN)
        value = parser.parse_unresolved_operand()
        guard = parse_guard(parser) if parser.parse_optional_keyword("where") else ()
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        resolved = parser.resolve_operand(value, parser.parse_type())
        return with_attributes(cls(message, indices, resolved, guard), attributes)
