"""Tensors that statements on buffers compute: foreign code, or loops of the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType, StringAttr, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_indices, print_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode, verify_extents
from ..op_syntax import parse_attributes, print_attributes, with_attributes


@irdl_op_definition
class ExternOp(IndexedOp):
    """Defines tensors by a statement on buffers, which holds a buffer for each tensor read, then one for each result.

    ```mlir
    %y = te.extern "y" ins(%a = %A : tensor<4x8xf32>) outs(%b [4] : tensor<4xf32>) {
      loop.call_extern "row_sums"(write %b[0] box [4] : memref<4xf32>, read %a[0, 0] box [4, 8] : memref<4x8xf32>)
    }
    ```
    The statement consists of operations of the loop dialect. It writes every element of the results, and nothing else.
    """

    name = "te.extern"
    INDEX_PROPERTIES: ClassVar = ("extents",)

    inputs = var_operand_def(TensorType)
    dims = var_operand_def(IndexType())
    sym = prop_def(StringAttr)
    extents = prop_def()
    res = var_result_def(TensorType)
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), NoTerminator())

    def __init__(
        self,
        label: str,
        inputs: Sequence[SSAValue],
        shapes: Sequence[Sequence[IndexLike]],
        result_types: Sequence[Attribute],
        body: Region,
    ):
        maps, dims = encode({"extents": [Index.of(e) for shape in shapes for e in shape]})
        properties = {"sym": StringAttr(label), **maps}
        super().__init__(operands=[inputs, dims], properties=properties, result_types=[result_types], regions=[body])

    @property
    def label(self) -> str:
        return self.sym.data

    @property
    def input_buffers(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args[: len(self.inputs)])

    @property
    def output_buffers(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args[len(self.inputs) :])

    @property
    def shapes(self) -> tuple[tuple[Index, ...], ...]:
        """The extents of each result."""
        rest = iter(self.index_list("extents"))
        return tuple(tuple(next(rest) for _ in _shape(r)) for r in self.res)

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        expected = [buffer_type(v.type) for v in (*self.inputs, *self.res)]
        got = [a.type for a in self.body.block.args]
        if got != expected:
            raise VerifyException(f"expected buffers of types {_listing(expected)}, but got {_listing(got)}")
        rank = sum(len(_shape(r)) for r in self.res)
        if rank != len(self.index_list("extents")):
            raise VerifyException(f"expected {rank} extents, but got {len(self.index_list('extents'))}")
        verify_extents(self.index_list("extents"))
        for result, extents in zip(self.res, self.shapes, strict=True):
            for size, extent in zip(_shape(result), extents, strict=True):
                if size != DYNAMIC_INDEX and extent != Index.of(size):
                    raise VerifyException(f"expected an extent of {size} in {result.type}, but got {extent}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.label)
        printer.print_string(" ins(")
        printer.print_list(zip(self.input_buffers, self.inputs, strict=True), lambda p: _print_input(printer, *p))
        printer.print_string(") outs(")
        rows = zip(self.output_buffers, self.shapes, self.res, strict=True)
        printer.print_list(rows, lambda row: _print_output(printer, row[0], row[1], row[2].type))
        printer.print_string(")")
        print_attributes(printer, self)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    @classmethod
    def parse(cls, parser: Parser) -> ExternOp:
        label = parser.parse_str_literal()
        parser.parse_keyword("ins")
        ins = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_input(parser))
        parser.parse_keyword("outs")
        outs = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_output(parser))
        attributes = parse_attributes(parser)
        types = [type for *_, type in (*ins, *outs)]
        names = [argument for argument, *_ in (*ins, *outs)]
        arguments = [a.resolve(buffer_type(t)) for a, t in zip(names, types, strict=True)]
        inputs = [parser.resolve_operand(operand, type) for _, operand, type in ins]
        shapes, results = [shape for _, shape, _ in outs], [type for *_, type in outs]
        return with_attributes(cls(label, inputs, shapes, results, parser.parse_region(arguments)), attributes)


def buffer_type(type: Attribute) -> MemRefType:
    """Return the type of the buffer that holds a tensor."""
    assert isinstance(type, TensorType)
    return MemRefType(type.element_type, type.get_shape())


def extern_body(types: Sequence[Attribute], name_hints: Sequence[str | None]) -> Block:
    """Return a block with a buffer for each tensor type."""
    block = Block(arg_types=[buffer_type(t) for t in types])
    for argument, hint in zip(block.args, name_hints, strict=True):
        argument.name_hint = hint
    return block


def _shape(value: SSAValue) -> tuple[int, ...]:
    assert isinstance(value.type, TensorType)
    return value.type.get_shape()


def _listing(types: Sequence[Attribute]) -> str:
    return ", ".join(map(str, types))


def _print_input(printer: Printer, buffer: BlockArgument, tensor: SSAValue) -> None:
    printer.print_block_argument(buffer, print_type=False)
    printer.print_string(" = ")
    printer.print_ssa_value(tensor)
    printer.print_string(" : ")
    printer.print_attribute(tensor.type)


def _print_output(printer: Printer, buffer: BlockArgument, shape: Sequence[Index], type: Attribute) -> None:
    printer.print_block_argument(buffer, print_type=False)
    printer.print_string(" [")
    print_indices(printer, shape)
    printer.print_string("] : ")
    printer.print_attribute(type)


def _parse_input(parser: Parser) -> tuple[Parser.UnresolvedArgument, UnresolvedOperand, Attribute]:
    argument = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    tensor = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    return argument, tensor, parser.parse_type()


def _parse_output(parser: Parser) -> tuple[Parser.UnresolvedArgument, tuple[Index, ...], Attribute]:
    argument = parser.parse_argument(expect_type=False)
    shape = tuple(parse_indices(parser, Parser.Delimiter.SQUARE))
    parser.parse_punctuation(":")
    return argument, shape, parser.parse_type()
