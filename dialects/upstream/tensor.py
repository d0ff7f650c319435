"""tensor: xDSL's dialect, with `tensor.generate` and `tensor.parallel_insert_slice`."""

from __future__ import annotations

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, region_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from .forall import ParallelInsertSliceOp


@irdl_op_definition
class GenerateOp(IRDLOperation):
    """A tensor whose elements a region computes from their indices."""

    name = "tensor.generate"

    dynamic_extents = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(TensorType)

    traits = traits_def(RecursiveMemoryEffect())

    def verify_(self) -> None:
        shape = self.result.type.get_shape()
        if len(self.body.block.args) != len(shape) or len(self.dynamic_extents) != sum(n < 0 for n in shape):
            raise VerifyException("expected an index for each dimension, and a size for each dynamic one")
        if not isinstance(self.body.block.last_op, tensor.YieldOp):
            raise VerifyException("expected a body that ends in tensor.yield")

    def print(self, printer: Printer) -> None:
        if self.dynamic_extents:
            printer.print_string(" ")
            printer.print_list(self.dynamic_extents, printer.print_ssa_value)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> GenerateOp:
        names = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        sizes = parser.resolve_operands(names or [], [IndexType()] * len(names or []), parser.pos)
        body = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(operands=[sizes], regions=[body], attributes=attributes, result_types=[parser.parse_type()])


Tensor = Dialect("tensor", [*tensor.Tensor.operations, GenerateOp, ParallelInsertSliceOp], [*tensor.Tensor.attributes])
