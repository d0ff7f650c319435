"""vector: the operations of xDSL and those that it lacks, in the syntax of mlir-opt.

The classes define only the fields that the conversion to loops needs; the conversion refuses shapes that do not fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    VectorType,
    i64,
)
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...ir import editor as edit
from .structured_operation import WordAttr


@irdl_attr_definition
class IteratorTypeAttr(WordAttr):
    """The kind of a loop of `vector.contract`: parallel or reduction."""

    name = "vector.iterator_type"


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends the region of a `vector.mask`."""

    name = "vector.yield"
    traits = traits_def(IsTerminator(), Pure())


@irdl_op_definition
class ShapeCastOp(IRDLOperation):
    """The same elements in row-major order, in another shape."""

    name = "vector.shape_cast"

    source = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"


@irdl_op_definition
class TypeCastOp(IRDLOperation):
    """A view of a buffer of vectors, with some dimensions of the vector as dimensions of the buffer."""

    name = "vector.type_cast"

    memref = operand_def(MemRefType)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$memref attr-dict `:` type($memref) `to` type($result)"


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Dimension k of the result is dimension `permutation[k]` of the operand."""

    name = "vector.transpose"

    vector = operand_def(VectorType)
    permutation = prop_def(DenseArrayBase)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string(f", {_numbers(self.permutation)}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        permutation = _parse_numbers(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_keyword("to")
        result = parser.parse_type()
        properties = {"permutation": permutation}
        return cls.build(operands=[source], result_types=[result], properties=properties, attributes=attributes)

    def verify_(self) -> None:
        type_ = self.vector.type
        if not isinstance(type_, VectorType) or sorted(_values(self.permutation)) != list(range(type_.get_num_dims())):
            raise VerifyException(f"expected a permutation of the dimensions of {type_}")


@irdl_op_definition
class MultiReductionOp(IRDLOperation):
    """Combines the elements along some dimensions, beginning with `acc`."""

    name = "vector.multi_reduction"

    source = operand_def(VectorType)
    acc = operand_def()
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase)
    dest = result_def()

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" <{self.kind.data.value}>, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f" {_numbers(self.reduction_dims)}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.dest.type)

    @classmethod
    def parse(cls, parser: Parser) -> MultiReductionOp:
        kind = CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
        parser.parse_punctuation(",")
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        dims = _parse_numbers(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        value = parser.resolve_operand(source, parser.parse_type())
        parser.parse_keyword("to")
        result = parser.parse_type()
        properties: dict[str, Attribute] = {"kind": kind, "reduction_dims": dims}
        operands = [value, parser.resolve_operand(acc, result)]
        return cls.build(operands=operands, result_types=[result], properties=properties, attributes=attributes)


@irdl_op_definition
class ContractOp(IRDLOperation):
    """A product of two vectors over loops, those of kind reduction summed into `acc`."""

    name = "vector.contract"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    acc = operand_def()
    indexing_maps = prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = prop_def(ArrayAttr)
    kind = prop_def(CombiningKindAttr, default_value=CombiningKindAttr(CombiningKindFlag.ADD))
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def()

    traits = traits_def(Pure())

    @property
    def kinds(self) -> list[str]:
        """ "parallel" or "reduction" for each loop."""
        return [each.data for each in self.iterator_types if isinstance(each, (StringAttr, WordAttr))]

    def print(self, printer: Printer) -> None:
        words = ArrayAttr([StringAttr(kind) for kind in self.kinds])
        shown = dict(sorted({**self.properties, "iterator_types": words}.items()))
        printer.print_op_attributes({**shown, **self.attributes})
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([self.lhs.type, self.rhs.type], printer.print_attribute)
        printer.print_string(" into ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> ContractOp:
        attributes = dict(parser.parse_optional_attr_dict())
        names = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        rest = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        parser.parse_keyword("into")
        result = parser.parse_type()
        properties = {
            name: attributes.pop(name)
            for name in ("indexing_maps", "iterator_types", "kind", "fastmath")
            if name in attributes
        }
        return cls.build(
            operands=parser.resolve_operands(names, [*types, result], parser.pos),
            result_types=[result],
            properties=properties,
            attributes={**attributes, **rest},
        )

    def verify_(self) -> None:
        if len(self.indexing_maps) != 3 or any(m.data.num_dims != len(self.kinds) for m in self.indexing_maps):
            raise VerifyException("expected an indexing map over all loops for each of three operands")


@irdl_op_definition
class OuterProductOp(IRDLOperation):
    """Products of all pairs of elements, combined with `acc`; products of a vector and a scalar if `rhs` is a
    scalar."""

    name = "vector.outerproduct"

    lhs = operand_def(VectorType)
    rhs = operand_def()
    acc = opt_operand_def(VectorType)
    kind = prop_def(CombiningKindAttr, default_value=CombiningKindAttr(CombiningKindFlag.ADD))
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes({"kind": self.kind, **self.attributes})
        printer.print_string(" : ")
        printer.print_list([self.lhs.type, self.rhs.type], printer.print_attribute)

    @classmethod
    def parse(cls, parser: Parser) -> OuterProductOp:
        names = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = dict(parser.parse_optional_attr_dict())
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        lhs, rhs = types if len(types) == 2 else (None, None)
        if not isinstance(lhs, VectorType):
            parser.raise_error("expected the types of two operands, the first one a vector", start, parser.pos)
        result = lhs
        if isinstance(rhs, VectorType):
            result = VectorType(lhs.element_type, [*lhs.get_shape(), *rhs.get_shape()])
        values = parser.resolve_operands(names, [lhs, rhs, result][: len(names)], start)  # pyright: ignore
        properties = {"kind": attributes.pop("kind")} if "kind" in attributes else {}
        return cls.build(
            operands=[*values[:2], list(values[2:])],
            result_types=[result],
            properties=properties,
            attributes=attributes,
        )


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """A mask of the first elements in each dimension."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {_numbers(self.mask_dim_sizes)}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantMaskOp:
        sizes = _parse_numbers(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        result = parser.parse_type()
        return cls.build(result_types=[result], properties={"mask_dim_sizes": sizes}, attributes=attributes)


@irdl_op_definition
class MaskOp(IRDLOperation):
    """Runs one operation on the lanes of a mask; the other lanes of the result are those of `passthru`."""

    name = "vector.mask"

    mask = operand_def(VectorType)
    passthru = opt_operand_def()
    body = region_def("single_block")
    res = var_result_def()

    traits = traits_def(RecursiveMemoryEffect())

    @property
    def masked(self) -> Operation | None:
        """The operation under the mask."""
        first = self.body.block.first_op
        return None if isinstance(first, YieldOp) else first

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" ")
        printer.print_region(self.body)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        if self.res:
            printer.print_string(" -> ")
            printer.print_list(self.res, lambda value: printer.print_attribute(value.type))

    @classmethod
    def parse(cls, parser: Parser) -> MaskOp:
        mask = parser.parse_unresolved_operand()
        passthru = parser.parse_unresolved_operand() if parser.parse_optional_punctuation(",") else None
        start = parser.pos
        body = parser.parse_region()
        if not body.blocks:
            parser.raise_error("expected an operation under the mask", start, parser.pos)
        last = body.block.last_op
        if not isinstance(last, YieldOp):
            edit.append(body.block, YieldOp(*(last.results if last is not None else ())))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands: list[SSAValue] = [parser.resolve_operand(mask, parser.parse_type())]
        types: Sequence[Attribute] = ()
        if parser.parse_optional_punctuation("->"):
            listed = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
            types = listed if listed is not None else [parser.parse_type()]
        second = [parser.resolve_operand(passthru, types[0])] if passthru is not None and types else []
        return cls.build(operands=[*operands, second], result_types=[types], regions=[body], attributes=attributes)


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """A part of a vector, in its first dimensions; the others are whole."""

    name = "vector.extract_strided_slice"

    source = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr])
    sizes = prop_def(ArrayAttr[IntegerAttr])
    strides = prop_def(ArrayAttr[IntegerAttr])
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes({**self.properties, **self.attributes})
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> ExtractStridedSliceOp:
        operand = parser.parse_unresolved_operand()
        properties, attributes = _parse_lists(parser, ("offsets", "sizes", "strides"))
        parser.parse_punctuation(":")
        source = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_keyword("to")
        result = parser.parse_type()
        return cls.build(operands=[source], result_types=[result], properties=properties, attributes=attributes)


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """A vector with another vector inserted at an offset."""

    name = "vector.insert_strided_slice"

    source = operand_def(VectorType)
    dest = operand_def(VectorType)
    offsets = prop_def(ArrayAttr[IntegerAttr])
    strides = prop_def(ArrayAttr[IntegerAttr])
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes({**self.properties, **self.attributes})
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" into ")
        printer.print_attribute(self.dest.type)

    @classmethod
    def parse(cls, parser: Parser) -> InsertStridedSliceOp:
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        target = parser.parse_unresolved_operand()
        properties, attributes = _parse_lists(parser, ("offsets", "strides"))
        parser.parse_punctuation(":")
        source = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_keyword("into")
        result = parser.parse_type()
        dest = parser.resolve_operand(target, result)
        return cls.build(operands=[source, dest], result_types=[result], properties=properties, attributes=attributes)


@irdl_op_definition
class StepOp(IRDLOperation):
    """The numbers 0, 1, 2, …"""

    name = "vector.step"

    result = result_def(VectorType[IndexType])

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"


@irdl_op_definition
class SplatOp(IRDLOperation):
    """A vector with equal elements, in the syntax of versions before 22."""

    name = "vector.splat"

    input = operand_def()
    aggregate = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.input)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.aggregate.type)

    @classmethod
    def parse(cls, parser: Parser) -> SplatOp:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, VectorType):
            parser.raise_error(f"expected a vector, but got {type_}", start, parser.pos)
        value = parser.resolve_operand(operand, type_.element_type)
        return cls.build(operands=[value], result_types=[type_], attributes=attributes)


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """A vector of given elements, in row-major order."""

    name = "vector.from_elements"

    elements = var_operand_def()
    dest = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.elements, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.dest.type)

    @classmethod
    def parse(cls, parser: Parser) -> FromElementsOp:
        names = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, VectorType):
            parser.raise_error(f"expected a vector, but got {type_}", start, parser.pos)
        values = parser.resolve_operands(names, [type_.element_type] * len(names), start)
        return cls.build(operands=[values], result_types=[type_], attributes=attributes)


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """The elements of a vector, in row-major order."""

    name = "vector.to_elements"

    source = operand_def(VectorType)
    elements = var_result_def()

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        if not isinstance(type_, VectorType):
            parser.raise_error(f"expected a vector, but got {type_}", start, parser.pos)
        source = parser.resolve_operand(operand, type_)
        types = [type_.element_type] * type_.element_count()
        return cls.build(operands=[source], result_types=[types], attributes=attributes)


@irdl_op_definition
class InterleaveOp(IRDLOperation):
    """The elements of two vectors, alternating along the last dimension."""

    name = "vector.interleave"

    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> InterleaveOp:
        names = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        start = parser.pos
        type_ = parser.parse_type()
        parser.parse_punctuation("->")
        result = parser.parse_type()
        values = parser.resolve_operands(names, [type_, type_], start)
        return cls.build(operands=values, result_types=[result], attributes=attributes)


@irdl_op_definition
class DeinterleaveOp(IRDLOperation):
    """The elements of a vector at even and at odd positions of the last dimension."""

    name = "vector.deinterleave"

    source = operand_def(VectorType)
    res1 = result_def(VectorType)
    res2 = result_def(VectorType)

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.res1.type)

    @classmethod
    def parse(cls, parser: Parser) -> DeinterleaveOp:
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_punctuation("->")
        result = parser.parse_type()
        return cls.build(operands=[source], result_types=[result, result], attributes=attributes)


def _parse_numbers(parser: Parser) -> DenseArrayBase:
    return DenseArrayBase.from_list(
        i64, parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parser.parse_integer)
    )


def _values(numbers: DenseArrayBase) -> list[int]:
    return [int(n) for n in numbers.get_values()]  # pyright: ignore[reportAttributeAccessIssue] (of integers)


def _numbers(numbers: DenseArrayBase) -> str:
    return str(_values(numbers))


def _parse_lists(parser: Parser, names: Sequence[str]) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """Parse lists of numbers by name, in the attributes or, as of LLVM 24, before them; return the other attributes
    too."""
    lists: dict[str, Attribute] = {}
    for name in names:
        if parser.parse_optional_keyword(name):
            parser.parse_punctuation("=")
            numbers = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parser.parse_integer)
            lists[name] = ArrayAttr([IntegerAttr(n, i64) for n in numbers])
            parser.parse_optional_punctuation(",")
    attributes = dict(parser.parse_optional_attr_dict())
    lists |= {name: attributes.pop(name) for name in names if name in attributes}
    return lists, attributes


MORE_OPERATIONS: tuple[type[Operation], ...] = (
    YieldOp,
    ShapeCastOp,
    TypeCastOp,
    TransposeOp,
    MultiReductionOp,
    ContractOp,
    OuterProductOp,
    ConstantMaskOp,
    MaskOp,
    ExtractStridedSliceOp,
    InsertStridedSliceOp,
    StepOp,
    SplatOp,
    FromElementsOp,
    ToElementsOp,
    InterleaveOp,
    DeinterleaveOp,
)
"""The operations that xDSL lacks."""

Vector = Dialect("vector", [*vector.Vector.operations, *MORE_OPERATIONS], [*vector.Vector.attributes, IteratorTypeAttr])
