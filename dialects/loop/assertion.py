"""Conditions that a program checks while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.irdl import irdl_op_definition, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ...renamed import with_earlier_members
from ..affine_syntax import parse_guard, parse_indices, print_guard, print_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import parse_attributes, print_attributes, with_attributes


@with_earlier_members
@irdl_op_definition
class AssertOp(IndexedOp):
    """Ends the call of the whole program with an error if the guard does not hold.

    The message has a `{}` for each of the values, which are index expressions. Earlier stores remain. With several
    threads, the first failure is reported; other threads may finish their share of the iterations. On a GPU all threads
    continue, including the failing one, because others may wait for it at a barrier: there the condition of the
    assertion also guards the accesses that follow.

    ```mlir
    loop.assert (%k >= 0, %k < %n), "expected an index below {}, but got {}" (%n, %k)
    ```
    """

    name = "loop.assert"
    INDEX_PROPERTIES: ClassVar = ("guard", "values")

    dims = var_operand_def(IndexType())
    guard = prop_def()
    values = prop_def()
    message = prop_def(StringAttr)

    def __init__(self, guard: Sequence[Index], message: str, values: Sequence[IndexLike] = ()):
        maps, operands = encode({"guard": guard, "values": [Index.of(e) for e in values]})
        super().__init__(operands=[operands], properties={**maps, "message": StringAttr(message)})

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The expressions that must all be >= 0."""
        return self.index_list("guard")

    @property
    def message_values(self) -> tuple[Index, ...]:
        """The values of the message."""
        return self.index_list("values")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        expected, values = self.message.data.count("{}"), len(self.message_values)
        if expected != values:
            raise VerifyException(f"expected a value for each of {expected} {{}} in the message, but got {values}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" (")
        print_guard(printer, self.conditions)
        printer.print_string("), ")
        printer.print_attribute(self.message)
        printer.print_string(" (")
        print_indices(printer, self.message_values)
        printer.print_string(")")
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> AssertOp:
        guard = parse_guard(parser)
        parser.parse_punctuation(",")
        message = parser.parse_str_literal()
        values = parse_indices(parser, Parser.Delimiter.PAREN)
        attributes = parse_attributes(parser)
        return with_attributes(cls(guard, message, values), attributes)
