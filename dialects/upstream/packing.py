"""linalg.pack and linalg.unpack: tensors in tiles."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure


@irdl_op_definition
class PackOp(IRDLOperation):
    """The tiles of a tensor, each contiguous; missing elements of the last tiles are `padding_value`."""

    name = "linalg.pack"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType)
    inner_dims_pos = prop_def(DenseArrayBase)
    outer_dims_perm = opt_prop_def(DenseArrayBase)
    static_inner_tiles = prop_def(DenseArrayBase)
    result = result_def(TensorType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.padding_value is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(self.padding_value)
            printer.print_string(" : ")
            printer.print_attribute(self.padding_value.type)
            printer.print_string(")")
        _print_tiles(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> PackOp:
        source = parser.parse_unresolved_operand()
        padding: list[SSAValue] = []
        if parser.parse_optional_keyword("padding_value"):
            parser.parse_punctuation("(")
            value = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            padding = [parser.resolve_operand(value, parser.parse_type())]
            parser.parse_punctuation(")")
        tiles, properties = _parse_tiles(parser)
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        first, result = _parse_types(parser)
        operands = [parser.resolve_operand(source, first), parser.resolve_operand(dest, result), padding, tiles]
        return cls.build(operands=operands, properties=properties, attributes=attributes, result_types=[result])


@irdl_op_definition
class UnpackOp(IRDLOperation):
    """The tensor whose tiles are given."""

    name = "linalg.unpack"

    source = operand_def(TensorType)
    dest = operand_def(TensorType)
    inner_tiles = var_operand_def(IndexType)
    inner_dims_pos = prop_def(DenseArrayBase)
    outer_dims_perm = opt_prop_def(DenseArrayBase)
    static_inner_tiles = prop_def(DenseArrayBase)
    result = result_def(TensorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        _print_tiles(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> UnpackOp:
        source = parser.parse_unresolved_operand()
        tiles, properties = _parse_tiles(parser)
        parser.parse_keyword("into")
        dest = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        first, result = _parse_types(parser)
        operands = [parser.resolve_operand(source, first), parser.resolve_operand(dest, result), tiles]
        return cls.build(operands=operands, properties=properties, attributes=attributes, result_types=[result])


def tiled_dimensions(op: PackOp | UnpackOp) -> list[int]:
    """Return the dimensions of the plain tensor that are cut, in the order of their tiles."""
    return _values(op.inner_dims_pos)


def outer_order(op: PackOp | UnpackOp, rank: int) -> list[int]:
    """Return, for each outer dimension of the tiles, the dimension of the plain tensor."""
    return (_values(op.outer_dims_perm) if op.outer_dims_perm is not None else []) or list(range(rank))


def _values(numbers: DenseArrayBase) -> list[int]:
    return [int(n) for n in numbers.get_values()]  # pyright: ignore[reportAttributeAccessIssue] (of integers)


def _print_tiles(printer: Printer, op: PackOp | UnpackOp) -> None:
    if op.outer_dims_perm is not None and _values(op.outer_dims_perm):
        printer.print_string(f" outer_dims_perm = {_values(op.outer_dims_perm)}")
    printer.print_string(f" inner_dims_pos = {tiled_dimensions(op)} inner_tiles = [")
    dynamic = iter(op.inner_tiles)

    def print_tile(size: int) -> None:
        if size == DYNAMIC_INDEX:
            printer.print_ssa_value(next(dynamic))
        else:
            printer.print_string(str(size))

    printer.print_list(_values(op.static_inner_tiles), print_tile)
    printer.print_string("] into ")
    printer.print_ssa_value(op.dest)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.source.type)
    printer.print_string(" -> ")
    printer.print_attribute(op.result.type)


def _parse_tiles(parser: Parser) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Parse the tiles that are values, and the properties of the operation."""
    properties: dict[str, Attribute] = {}
    for name in ("outer_dims_perm", "inner_dims_pos"):
        if parser.parse_optional_keyword(name):
            parser.parse_punctuation("=")
            numbers = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parser.parse_integer)
            properties[name] = DenseArrayBase.from_list(i64, numbers)
    parser.parse_keyword("inner_tiles")
    parser.parse_punctuation("=")
    dynamic: list[SSAValue] = []

    def parse_tile() -> int:
        operand = parser.parse_optional_unresolved_operand()
        if operand is None:
            return parser.parse_integer()
        dynamic.append(parser.resolve_operand(operand, IndexType()))
        return DYNAMIC_INDEX

    tiles = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parse_tile)
    properties["static_inner_tiles"] = DenseArrayBase.from_list(i64, tiles)
    return dynamic, properties


def _parse_types(parser: Parser) -> Sequence[Attribute]:
    parser.parse_punctuation(":")
    first = parser.parse_type()
    parser.parse_punctuation("->")
    return first, parser.parse_type()
