"""`schedule.sequence`: the primitives that are applied to one function."""

from __future__ import annotations

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, SymbolRefAttr
from xdsl.ir import Block, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, opt_prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator
from xdsl.utils.exceptions import VerifyException

from ..op_syntax import parse_attributes, print_attributes, with_attributes


@irdl_op_definition
class SequenceOp(IRDLOperation):
    """Primitives that are applied, in order, to the function of that name; without a name, to the only one with blocks.

    ```mlir
    schedule.sequence @kernel { … }
    ```
    """

    name = "schedule.sequence"

    function = opt_prop_def(FlatSymbolRefAttrConstr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), IsolatedFromAbove())

    def __init__(self, function: str | None = None, body: Region | None = None) -> None:
        properties = {} if function is None else {"function": SymbolRefAttr(function)}
        super().__init__(properties=properties, regions=[body or Region(Block())])

    @property
    def function_name(self) -> str | None:
        return None if self.function is None else self.function.root_reference.data

    def verify_(self) -> None:
        for op in self.body.block.ops:
            if isinstance(op, SequenceOp) or op.dialect_name() != "schedule":
                raise VerifyException(f"expected primitives in a sequence, but got '{op.name}'")

    def print(self, printer: Printer) -> None:
        if self.function_name is not None:
            printer.print_string(" ")
            printer.print_symbol_name(self.function_name)
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)

    @classmethod
    def parse(cls, parser: Parser) -> SequenceOp:
        name = parser.parse_optional_symbol_name()
        attributes = parse_attributes(parser)
        body = parser.parse_region([])
        return with_attributes(cls(None if name is None else name.data, body), attributes)
