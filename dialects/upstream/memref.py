"""memref: xDSL's dialect, with its operations without a custom form in the syntax of mlir-opt.

These are `memref.copy`, `memref.cast`, `memref.memory_space_cast`, `memref.global`, `memref.alloc`, `memref.alloca` and
`memref.alloca_scope`. The operations stay classes of xDSL; their parsers and printers are set once, when this module is
imported. Versions of mlir-opt differ in the syntax of an alignment: `{alignment = 64 : i64}` or `alignment = 64`.
`memref.transpose`, which xDSL lacks, is defined here.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Dialect
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.irdl import IRDLOperation, OptPropertyDef, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...ir import editor as edit


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """A view of a buffer with its dimensions in another order: `memref.transpose %A (i, j) -> (j, i)`."""

    name = "memref.transpose"

    source = operand_def(MemRefType)
    permutation = prop_def(AffineMapAttr)
    result = result_def(MemRefType)

    traits = traits_def(Pure())

    @property
    def order(self) -> list[int]:
        """For each dimension of the view, that of the source."""
        return [e.position for e in self.permutation.data.results if isinstance(e, AffineDimExpr)]

    def verify_(self) -> None:
        type_ = self.source.type
        if not isinstance(type_, MemRefType) or sorted(self.order) != list(range(type_.get_num_dims())):
            raise VerifyException(f"expected a permutation of the dimensions of {type_}")

    def print(self, printer: Printer) -> None:
        names = [f"d{d}" for d in range(len(self.order))]
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(f" ({', '.join(names)}) -> ({', '.join(names[d] for d in self.order)})")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        operand = parser.parse_unresolved_operand()
        names = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_identifier)
        parser.parse_punctuation("->")
        start = parser.pos
        order = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_identifier)
        if sorted(order) != sorted(names):
            parser.raise_error("expected a permutation of the dimensions", start, parser.pos)
        results = tuple(AffineDimExpr(names.index(name)) for name in order)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_keyword("to")
        properties = {"permutation": AffineMapAttr(AffineMap(len(names), 0, results))}
        types = [parser.parse_type()]
        return cls.build(operands=[source], properties=properties, attributes=attributes, result_types=types)


MemRef = Dialect("memref", [*memref.MemRef.operations, TransposeOp], [*memref.MemRef.attributes])


def _parse_scope(parser: Parser) -> memref.AllocaScopeOp:
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        types = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    scope = parser.parse_region()
    for block in scope.blocks:
        if not isinstance(block.last_op, memref.AllocaScopeReturnOp):
            edit.append(block, memref.AllocaScopeReturnOp.build(operands=[[]]))
    attributes = parser.parse_optional_attr_dict()
    return memref.AllocaScopeOp.build(result_types=[types], regions=[scope], attributes=attributes)


def _print_scope(op: memref.AllocaScopeOp, printer: Printer) -> None:
    if op.res:
        printer.print_string(" -> (")
        printer.print_list(op.res, lambda value: printer.print_attribute(value.type))
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.scope, print_block_terminators=bool(op.res))
    printer.print_op_attributes(op.attributes)


def _parse_scope_return(parser: Parser) -> memref.AllocaScopeReturnOp:
    start = parser.pos
    names = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    types: list[Attribute] = []
    if names:
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
    return memref.AllocaScopeReturnOp.build(operands=[parser.resolve_operands(names or [], types, start)])


def _print_scope_return(op: memref.AllocaScopeReturnOp, printer: Printer) -> None:
    if op.ops:
        printer.print_string(" ")
        printer.print_list(op.ops, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(op.ops, lambda value: printer.print_attribute(value.type))


def _parse_copy(parser: Parser) -> memref.CopyOp:
    source = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    destination = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    parser.parse_keyword("to")
    op = memref.CopyOp(
        parser.resolve_operand(source, source_type), parser.resolve_operand(destination, parser.parse_type())
    )
    op.attributes |= attributes
    return op


def _print_copy(op: memref.CopyOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.source.type)
    printer.print_string(" to ")
    printer.print_attribute(op.destination.type)


def _cast_parser(op_class: type[memref.CastOp] | type[memref.MemorySpaceCastOp]) -> object:
    def parse(parser: Parser) -> memref.CastOp | memref.MemorySpaceCastOp:
        source = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        value = parser.resolve_operand(source, parser.parse_type())
        parser.parse_keyword("to")
        return op_class.build(operands=[value], result_types=[parser.parse_type()], attributes=attributes)

    return staticmethod(parse)


def _print_cast(op: memref.CastOp | memref.MemorySpaceCastOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.source)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.source.type)
    printer.print_string(" to ")
    printer.print_attribute(op.dest.type)


def _parse_global(parser: Parser) -> memref.GlobalOp:
    visibility = parser.parse_optional_str_literal() or "public"
    is_constant = parser.parse_optional_keyword("constant") is not None
    name = parser.parse_symbol_name()
    parser.parse_punctuation(":")
    start = parser.pos
    type_ = parser.parse_type()
    if not isinstance(type_, MemRefType):
        parser.raise_error(f"expected a memref type, but got {type_}", start, parser.pos)
    value: Attribute = UnitAttr()
    if parser.parse_optional_punctuation("=") and not parser.parse_optional_keyword("uninitialized"):
        parser.parse_keyword("dense")
        value = parser.parse_dense_int_or_fp_elements_attr(TensorType(type_.element_type, type_.get_shape()))
    alignment = _parse_alignment(parser)
    attributes = dict(parser.parse_optional_attr_dict())
    op = memref.GlobalOp.build(
        properties={
            "sym_name": name,
            "sym_visibility": StringAttr(visibility),
            "type": type_,
            "initial_value": value,
            "constant": UnitAttr() if is_constant else None,
            "alignment": attributes.pop("alignment", alignment),
        }
    )
    op.attributes |= attributes
    return op


def _print_global(op: memref.GlobalOp, printer: Printer) -> None:
    if "sym_visibility" in op.properties and op.sym_visibility.data != "public":
        printer.print_string(f' "{op.sym_visibility.data}"')
    printer.print_string(f"{' constant' if op.constant is not None else ''} ")
    printer.print_symbol_name(op.sym_name.data)
    printer.print_string(" : ")
    printer.print_attribute(op.type)
    if isinstance(op.initial_value, DenseIntOrFPElementsAttr):
        text = str(op.initial_value)
        printer.print_string(f" = {text[: text.rindex(' : ')]}")  # the type of the data follows from the global's
    else:
        printer.print_string(" = uninitialized")
    shown = {} if op.alignment is None else {"alignment": op.alignment}
    printer.print_op_attributes({**shown, **op.attributes})


def _parse_alignment(parser: Parser) -> Attribute | None:
    if not parser.parse_optional_keyword("alignment"):
        return None
    parser.parse_punctuation("=")
    return IntegerAttr(parser.parse_integer(), i64)


def _alloc_parser(op_class: type[memref.AllocOp] | type[memref.AllocaOp]) -> object:
    def parse(parser: Parser) -> memref.AllocOp | memref.AllocaOp:
        def parse_index() -> object:
            return parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())

        sizes = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_index)
        symbols = parser.parse_optional_comma_separated_list(Parser.Delimiter.SQUARE, parse_index)
        alignment = _parse_alignment(parser)
        attributes = dict(parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, MemRefType):
            parser.raise_error(f"expected a memref type, but got {type_}", start, parser.pos)
        op = op_class.build(
            operands=[sizes, symbols or []],  # pyright: ignore[reportArgumentType]
            result_types=[type_],
            properties={"alignment": attributes.pop("alignment", alignment)},
        )
        op.attributes |= attributes
        return op

    return staticmethod(parse)


memref.AllocaScopeOp.parse = staticmethod(_parse_scope)  # pyright: ignore[reportAttributeAccessIssue]
memref.AllocaScopeOp.print = _print_scope  # pyright: ignore[reportAttributeAccessIssue]
memref.AllocaScopeReturnOp.parse = staticmethod(_parse_scope_return)  # pyright: ignore[reportAttributeAccessIssue]
memref.AllocaScopeReturnOp.print = _print_scope_return  # pyright: ignore[reportAttributeAccessIssue]
memref.CopyOp.parse = staticmethod(_parse_copy)
memref.CopyOp.print = _print_copy  # pyright: ignore[reportAttributeAccessIssue]
# mlir-opt leaves out the visibility of a public global in the generic form.
_global_properties = memref.GlobalOp.get_irdl_definition().properties
_global_properties["sym_visibility"] = OptPropertyDef(_global_properties["sym_visibility"].constr)

for _cast in (memref.CastOp, memref.MemorySpaceCastOp):
    _cast.parse = _cast_parser(_cast)  # pyright: ignore[reportAttributeAccessIssue]
    _cast.print = _print_cast  # pyright: ignore[reportAttributeAccessIssue]
memref.GlobalOp.parse = staticmethod(_parse_global)
memref.GlobalOp.print = _print_global  # pyright: ignore[reportAttributeAccessIssue]
memref.AllocOp.parse = _alloc_parser(memref.AllocOp)  # pyright: ignore[reportAttributeAccessIssue]
memref.AllocaOp.parse = _alloc_parser(memref.AllocaOp)  # pyright: ignore[reportAttributeAccessIssue]
