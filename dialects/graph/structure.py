"""Structural operations: constants, fused groups of operators, branches, and loops that carry and collect tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, LocationAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ...traversal import operations
from ..constant_data import constant_array, constant_attr, parse_data, print_data
from ..dtypes import element_type
from ..op_syntax import resolve_defined
from ..resource import ResourceAttr
from .base import GraphOp, parse_values
from .control_flow import BranchOp, RepeatOp
from .types import Tensor, make_type, tensor_type

if TYPE_CHECKING:
    import numpy as np

    from ..weights_file import StoredArray


@irdl_op_definition
class ConstantOp(GraphOp):
    """
    A tensor known at compile time, in the text or as a resource beside it.

    ```mlir
    %c = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %w = graph.constant resource<"conv1.weight"> : tensor<64x3x7x7xf32>
    ```
    """

    name = "graph.constant"

    y = result_def()

    value = prop_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        match self.value:
            case DenseIntOrFPElementsAttr():
                return (tensor_type(self.value.get_type()),)
            case ResourceAttr():
                # A resource has no separate type: the declared type applies, if the data agrees with it.
                declared = tensor_type(self.y)
                if problem := self.value.check_type(declared):
                    raise VerifyException(problem)
                return (declared,)
            case _:
                raise VerifyException(f"expected a dense or resource value, but got {self.value}")

    @staticmethod
    def from_array(
        array: np.ndarray, name: str, location: LocationAttr | None = None, stored: StoredArray | None = None
    ) -> ConstantOp:
        """Return `array` (not copied) as a constant; `name` becomes the resource's name where it is too large to
        inline. If a file contains the elements, `stored`, the file is read instead of keeping the array."""
        type_ = make_type(array.shape, element_type(array.dtype.name))
        op = ConstantOp.create(properties={"value": constant_attr(array, name, stored)}, result_types=[type_])
        if location is not None:
            op.location = location
        return op

    @property
    def array(self) -> np.ndarray:
        """The value, read-only; raises TW0705 where the weights file is not there."""
        return constant_array(self.value)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        value, type_ = parse_data(parser)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(properties={"value": value}, attributes=attributes, result_types=[type_])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_data(printer, self.value, self.y.type)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    Ends a region of `graph.fused`, `graph.if` or `graph.loop`, with the results of the region as operands.

    ```mlir
    graph.yield %y
    ```
    """

    name = "graph.yield"

    values = var_operand_def()

    traits = traits_def(IsTerminator())

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])

    @classmethod
    def parse(cls, parser: Parser) -> YieldOp:
        return cls.create(operands=parse_values(parser), attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


@irdl_op_definition
class FusedOp(IRDLOperation):
    """
    Operators that become one kernel. The region uses only its arguments, which correspond to the operands.

    ```mlir
    %r = graph.fused "add_relu" (%a = %x : tensor<8xf32>, %b = %y : tensor<8xf32>) -> (tensor<8xf32>) {
      %0 = graph.add %a, %b : tensor<8xf32>
      %1 = graph.relu %0 : tensor<8xf32>
      graph.yield %1
    }
    ```
    """

    name = "graph.fused"

    inputs = var_operand_def()
    outputs = var_result_def()
    body = region_def("single_block")

    group = prop_def(StringAttr)

    traits = traits_def(IsolatedFromAbove(), Pure())

    def __init__(self, group: str, inputs: Sequence[SSAValue], result_types: Sequence[Attribute], body: Region):
        super().__init__(
            operands=[inputs],
            result_types=[result_types],
            regions=[body],
            properties={"group": StringAttr(group)},
        )

    @property
    def yielded(self) -> YieldOp:
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last

    def verify_(self) -> None:
        arguments = self.body.block.arg_types
        if arguments != self.operand_types:
            raise VerifyException(
                f"expected arguments of the operands' types {_types(self.operand_types)}, but got {_types(arguments)}"
            )
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise VerifyException(f"expected graph.yield at the end, but got {last.name if last else 'nothing'}")
        if last.operand_types != self.result_types:
            raise VerifyException(
                f"expected to yield {_types(self.result_types)}, but got {_types(last.operand_types)}"
            )

    @classmethod
    def parse(cls, parser: Parser) -> FusedOp:
        group = parser.parse_str_literal(" as the name of the group")

        def parse_input() -> tuple[Parser.Argument, SSAValue]:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            operand = resolve_defined(parser, parser.parse_unresolved_operand())
            parser.parse_punctuation(":")
            return argument.resolve(parser.parse_type()), operand

        pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_input)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region([argument for argument, _ in pairs])
        op = cls(group, [operand for _, operand in pairs], types, body)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.group.data)
        printer.print_string(" ")

        def print_input(pair: tuple[SSAValue, SSAValue]) -> None:
            printer.print_ssa_value(pair[0])
            printer.print_string(" = ")
            printer.print_ssa_value(pair[1])
            printer.print_string(" : ")
            printer.print_attribute(pair[0].type)

        with printer.in_parens():
            printer.print_list(zip(self.body.block.args, self.inputs, strict=True), print_input)
        printer.print_string(" -> ")
        with printer.in_parens():
            printer.print_list(self.result_types, printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


def _types(types: Sequence[Attribute]) -> str:
    return "(" + ", ".join(map(str, types)) + ")"


def unfused_blocks(module: Operation) -> list[Block]:
    """Return the blocks inside an operation that are not those of a fused group, outer ones before inner ones."""
    regions = [region for op in operations(module) if not isinstance(op, FusedOp) for region in op.regions]
    return [block for region in regions for block in region.blocks]


@irdl_op_definition
class IfOp(BranchOp):
    """
    Yields the values of the first region if the condition holds, else the values of the second.

    ```mlir
    %y = graph.if %c -> (tensor<8xf32>) {
      %0 = graph.relu %x : tensor<8xf32>
      graph.yield %0
    } else {
      graph.yield %x
    }
    ```
    Regions may use values from outside. Both yield the same types.
    """

    name = "graph.if"


@irdl_op_definition
class LoopOp(RepeatOp):
    """
    Runs its region for the numbers from 0 on, with carried values, scanned inputs and collected results.

    ```mlir
    %last, %all = graph.loop %k carry (%h = %init : tensor<4xf32>) scan (%x = %xs : tensor<9x4xf32>)
        -> (tensor<4xf32>, tensor<9x4xf32>) {
      %next = graph.add %h, %x : tensor<4xf32>
      graph.yield %next, %next
    }
    %z = graph.loop %k to 5 carry (%h = %init : tensor<4xf32>) -> (tensor<4xf32>) {
      %next = graph.add %h, %h : tensor<4xf32>
      graph.yield %next
    }
    %w = graph.loop %k to %most while %c carry (%h = %init : tensor<4xf32>) -> (tensor<4xf32>) {
      %next = graph.add %h, %h : tensor<4xf32>
      graph.yield %go, %next
    }
    ```
    `scan` passes to each iteration a slice of a tensor along the first axis, whose size is the number of iterations.
    `to` states that number instead: as a number, the name of a size, or a value (below 1 means none). Without `scan`
    and `to` only the condition ends the loop. `while` gives the condition of the first iteration; the first yielded
    value is the condition of the next iteration. The following yielded values are the carried values, then the values
    that are collected into further results, one slice for each iteration. A loop can collect only if its maximal number
    of iterations is not an SSA value. If the condition ends such a loop early, the remaining slices are zeros.
    """

    name = "graph.loop"
