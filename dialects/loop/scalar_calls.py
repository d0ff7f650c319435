"""Calls of scalar functions by name: intrinsics that a target's rules lower, and functions of a library.

Both occur wherever operations of arith and math do: in the body of a `te.compute`, in loops, on scalars and lane by
lane on vectors. They have no effects and read no memory, so that passes may move, share, repeat and drop them like an
addition. `loop.call_extern` calls functions that read or write memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import MemRefType, StringAttr, TensorType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..op_syntax import parse_attributes, print_attributes, with_attributes


class ScalarCallOp(IRDLOperation):
    """The base class of calls: a name, operands, and a result of one type."""

    callee = prop_def(StringAttr)
    values = var_operand_def()
    res = result_def()

    traits = traits_def(Pure())

    def __init__(self, callee: str, values: Sequence[SSAValue], type: Attribute):
        super().__init__(operands=[values], properties={"callee": StringAttr(callee)}, result_types=[type])

    @property
    def symbol(self) -> str:
        return self.callee.data

    def verify_(self) -> None:
        if not self.symbol:
            raise VerifyException("expected a function to call, but got an empty name")
        types = [value.type for value in (*self.values, self.res)]
        for type in types:
            if isinstance(type, (MemRefType, TensorType)):
                raise VerifyException(f"expected scalars or vectors, but got {type}")
        shapes = {type.get_shape() if isinstance(type, VectorType) else None for type in types}
        if len(shapes) != 1:
            raise VerifyException(f"expected vectors of one shape, but got {', '.join(map(str, types))}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.symbol)
        printer.print_string("(")
        printer.print_list(self.values, printer.print_ssa_value)
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" : (")
        printer.print_list(self.values, lambda value: printer.print_attribute(value.type))
        printer.print_string(") -> ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        callee = parser.parse_str_literal()
        values = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        operands = parser.resolve_operands(values, types, start)
        parser.parse_punctuation("->")
        return with_attributes(cls(callee, operands, parser.parse_type()), attributes)


@irdl_op_definition
class CallIntrinOp(ScalarCallOp):
    """A call of an intrinsic, which `lower-intrinsics` rewrites by the rules of the module's target.

    ```mlir
    %y = loop.call_intrin "mylog"(%x) : (f32) -> f32
    ```
    """

    name: ClassVar[str] = "loop.call_intrin"


@irdl_op_definition
class CallPureExternOp(ScalarCallOp):
    """A call of a library's function without effects, by C's calling convention; on a vector once for each lane.

    ```mlir
    %y = loop.call_pure_extern "logf"(%x) : (vector<8xf32>) -> vector<8xf32>
    ```
    """

    name: ClassVar[str] = "loop.call_pure_extern"
