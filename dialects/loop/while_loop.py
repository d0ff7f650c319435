"""Loops that end by a condition in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType, i1
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, region_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_index, print_index
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .buffers import buffer_type, parse_buffer_type


@irdl_op_definition
class WhileOp(IndexedOp):
    """A loop that counts from 0 while the count is below the bound, if there is one, and the buffer holds true.

    ```mlir
    loop.while %i to %n holds %going : memref<i1> { … }
    loop.while %i holds %going : memref<i1> { … }
    ```
    Both conditions are tested before each iteration, so the body ends the loop by a store to the buffer. Iterations run
    one after the other.
    """

    name = "loop.while"
    INDEX_PROPERTIES: ClassVar = ("upper",)

    condition = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    upper = prop_def()
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        condition: SSAValue,
        upper: Sequence[IndexLike] = (),
        body: Region | None = None,
        name_hint: str | None = None,
    ):
        maps, operands = encode({"upper": [Index.of(bound) for bound in upper]})
        if body is None:
            body = Region(Block(arg_types=[IndexType()]))
            body.block.args[0].name_hint = name_hint
        super().__init__(operands=[condition, operands], properties=maps, regions=[body])

    @property
    def uppers(self) -> tuple[Index, ...]:
        """The bound, if there is one."""
        return self.index_list("upper")

    @property
    def induction_variable(self) -> BlockArgument:
        return self.body.block.args[0]

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if len(self.uppers) > 1:
            raise VerifyException(f"expected at most one bound, but got {len(self.uppers)}")
        if [argument.type for argument in self.body.block.args] != [IndexType()]:
            raise VerifyException("expected a body with one argument, the number of the iteration, of type index")
        if self.condition.type not in (buffer_type([], i1), buffer_type([1], i1)):
            raise VerifyException(f"expected a condition in a buffer of one i1, but got {self.condition.type}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_block_argument(self.induction_variable, print_type=False)
        for bound in self.uppers:
            printer.print_string(" to ")
            print_index(printer, bound)
        printer.print_string(" holds ")
        printer.print_ssa_value(self.condition)
        printer.print_string(" : ")
        printer.print_attribute(self.condition.type)
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        variable = parser.parse_argument(expect_type=False).resolve(IndexType())
        upper = [parse_index(parser)] if parser.parse_optional_keyword("to") else []
        parser.parse_keyword("holds")
        unresolved = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        condition = parser.resolve_operand(unresolved, parse_buffer_type(parser))
        attributes = parse_attributes(parser)
        return with_attributes(cls(condition, upper, parser.parse_region([variable])), attributes)
