"""linalg: the structured operations, named and generic, in the syntax of mlir-opt.

xDSL has a few named operations, with a separate class for each. Here all of them are generated from the table in
`named_operations.py`, with one parser. Every operation has the region of its scalar body, as in the generic form of
MLIR; the custom form omits the parts that the name implies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    StringAttr,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ...ir import editor as edit
from .named_operations import ELEMENTWISE, KINDS, NAMED
from .packing import PackOp, UnpackOp
from .scalar_bodies import NoBody, build_body, element_types
from .structured_operation import (
    ElementwiseKindAttr,
    IndexOp,
    StructuredOp,
    TypeFunctionAttr,
    YieldOp,
    rank_of,
    result_types,
)
from .structured_text import (
    numbers_of,
    parse_body,
    parse_numbers,
    parse_operands,
    parse_payload,
    parse_result_types,
    payload_region,
    print_body,
    print_operands,
    print_result_types,
)


class SegmentedOp(StructuredOp):
    """The structured operations with any number of inputs and outputs: the generic one and the named ones."""

    inputs = var_operand_def()
    outputs = var_operand_def()
    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    iterator_types = opt_prop_def(ArrayAttr)
    strides = opt_prop_def()
    dilations = opt_prop_def()
    cast = opt_prop_def(TypeFunctionAttr)
    kind = opt_prop_def(ElementwiseKindAttr)
    doc = opt_prop_def(StringAttr)
    library_call = opt_prop_def(StringAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def ins(self) -> tuple[SSAValue, ...]:
        return tuple(self.inputs)

    @property
    def outs(self) -> tuple[SSAValue, ...]:
        return tuple(self.outputs)

    def maps(self) -> list[AffineMap]:
        if self.indexing_maps is not None:
            return [map.data for map in self.indexing_maps]
        named = NAMED.get(self.short_name)
        if named is not None:
            return named.maps(numbers_of(self.strides), numbers_of(self.dilations))
        rank = rank_of(self.outputs[0])
        return [AffineMap.identity(rank) if rank_of(v) == rank else AffineMap(rank, 0, ()) for v in self.operands]

    def kinds(self) -> list[str]:
        if self.iterator_types is None:
            return super().kinds()
        return [a.data if isinstance(a, (StringAttr, IteratorTypeAttr)) else "window" for a in self.iterator_types]

    def print(self, printer: Printer) -> None:
        is_generic = self.short_name == "generic"
        if self.kind is not None:
            printer.print_string(f" kind=#linalg.elementwise_kind<{self.kind.data}>")
        if not is_generic and self.indexing_maps is not None and self.indexing_maps != self._usual_maps():
            printer.print_string(" indexing_maps = ")
            printer.print_attribute(self.indexing_maps)
        shown = _GENERIC_SHOWN if is_generic else _NAMED_SHOWN
        dictionary = {name: self.properties[name] for name in shown if name in self.properties}
        printer.print_op_attributes(dictionary if is_generic else {**dictionary, **self.attributes})
        print_operands(printer, self.ins, self.outs)
        if is_generic:
            if self.attributes:
                printer.print_string(" attrs =")
                printer.print_op_attributes(self.attributes)
            printer.print_string(" ")
            printer.print_region(self.body)
        if self.res:
            printer.print_string(" -> ")
            print_result_types(printer, self.res)

    def _usual_maps(self) -> ArrayAttr[AffineMapAttr] | None:
        named = NAMED.get(self.short_name)
        return ArrayAttr(AffineMapAttr(map) for map in named.maps([], [])) if named is not None else None

    @classmethod
    def parse(cls, parser: Parser) -> SegmentedOp:
        properties = _parse_kind(parser)
        if parser.parse_optional_keyword("indexing_maps"):
            parser.parse_punctuation("=")
            properties["indexing_maps"] = parser.parse_attribute()
        attributes = dict(parser.parse_optional_attr_dict())
        for name in {*_GENERIC_SHOWN, *_NAMED_SHOWN, "kind"} & attributes.keys():
            properties[name] = attributes.pop(name)
        inputs, outputs = parse_operands(parser)
        region: Region | None = None
        if cls.name == "linalg.generic":
            if parser.parse_optional_keyword("attrs"):
                parser.parse_punctuation("=")
                attributes |= parser.parse_optional_attr_dict()
            region = parser.parse_region()
        types = parse_result_types(parser)
        if region is None:
            region = _named_region(parser, cls.name, properties, inputs, outputs)
        return cls.build(
            operands=[inputs, outputs],
            properties=properties,
            attributes=attributes,
            result_types=[types],
            regions=[region],
        )


_GENERIC_SHOWN = ("indexing_maps", "iterator_types", "doc", "library_call")
_NAMED_SHOWN = ("strides", "dilations", "cast")


def _parse_kind(parser: Parser) -> dict[str, Attribute]:
    """Parse the function of `linalg.elementwise`: `kind=#linalg.elementwise_kind<add>`, or `<add>` as later versions
    print."""
    if parser.parse_optional_keyword("kind"):
        parser.parse_punctuation("=")
        return {"kind": parser.parse_attribute()}
    if parser.parse_optional_punctuation("<"):
        word = parser.parse_identifier()
        parser.parse_punctuation(">")
        return {"kind": ElementwiseKindAttr(word)}
    return {}


def _named_region(
    parser: Parser, name: str, properties: dict[str, Attribute], inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]
) -> Region:
    """Return the region that MLIR gives a named operation."""
    cast, kind, short = properties.get("cast"), properties.get("kind"), name.removeprefix("linalg.")
    if short == "elementwise":
        if not isinstance(kind, ElementwiseKindAttr) or kind.data not in KINDS:
            parser.raise_error(f"expected a kind of linalg.elementwise: {', '.join(KINDS)}")
        body = KINDS[kind.data]
    else:
        body = {**ELEMENTWISE, "fill": "copy", "contract": "mul_add"}.get(short) or NAMED[short].body
    if not outputs:
        parser.raise_error(f"expected an output of {name}")
    block = Block(arg_types=element_types([*inputs, *outputs]))
    unsigned = isinstance(cast, TypeFunctionAttr) and cast.data == "cast_unsigned"
    try:
        result = build_body(body, block, len(inputs), unsigned=unsigned)
    except (NoBody, TypeError, ValueError, IndexError) as error:
        parser.raise_error(f"expected operands that {name} is defined for, but got {error}")
    edit.append(block, YieldOp(result))
    return Region(block)


@irdl_op_definition
class ReduceOp(StructuredOp):
    """Combines the elements along some dimensions: `linalg.reduce { arith.addf } ins(…) outs(…) dimensions = [1]`."""

    name = "linalg.reduce"

    inputs = var_operand_def()
    inits = var_operand_def()
    dimensions = prop_def(DenseArrayBase)

    irdl_options = (SameVariadicOperandSize(),)

    @property
    def outs(self) -> tuple[SSAValue, ...]:
        return tuple(self.inits)

    def maps(self) -> list[AffineMap]:
        identity = AffineMap.identity(rank_of(self.operands[0]))
        reduced = numbers_of(self.dimensions)
        kept = tuple(result for d, result in enumerate(identity.results) if d not in reduced)
        return [identity] * len(self.inputs) + [AffineMap(identity.num_dims, 0, kept)] * len(self.inits)

    def print(self, printer: Printer) -> None:
        print_operands(printer, self.ins, self.outs)
        printer.print_string(f" dimensions = {numbers_of(self.dimensions)}")
        printer.print_op_attributes(self.attributes)
        print_body(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        payload = parse_payload(parser)
        inputs, outputs = parse_operands(parser)
        dimensions = parse_numbers(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        region = payload_region(payload, [*inputs, *outputs], takes=len(inputs) + len(outputs))
        return cls.build(
            operands=[inputs, outputs],
            properties={"dimensions": dimensions},
            attributes=attributes,
            result_types=[result_types(outputs)],
            regions=[region or parse_body(parser)],
        )


@irdl_op_definition
class MapOp(StructuredOp):
    """Applies a scalar operation to elements: `linalg.map { arith.addf } ins(…) outs(…)`.

    The body takes an element of each input, and in later versions of MLIR one of the output behind them.
    """

    name = "linalg.map"

    inputs = var_operand_def()
    init = operand_def()

    def maps(self) -> list[AffineMap]:
        return [AffineMap.identity(rank_of(self.init))] * len(self.operands)

    def print(self, printer: Printer) -> None:
        print_operands(printer, self.ins, self.outs)
        printer.print_op_attributes(self.attributes)
        print_body(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> MapOp:
        payload = parse_payload(parser)
        inputs, outputs = parse_operands(parser)
        attributes = parser.parse_optional_attr_dict()
        region = payload_region(payload, [*inputs, *outputs], takes=len(inputs))
        return cls.build(
            operands=[inputs, outputs[0]],
            attributes=attributes,
            result_types=[result_types(outputs)],
            regions=[region or parse_body(parser)],
        )


@irdl_op_definition
class TransposeOp(StructuredOp):
    """Dimension d of the result is dimension `permutation[d]` of the input:
    `linalg.transpose ins(…) outs(…) permutation = [1, 0]`."""

    name = "linalg.transpose"

    input = operand_def()
    init = operand_def()
    permutation = prop_def(DenseArrayBase)

    def maps(self) -> list[AffineMap]:
        order = numbers_of(self.permutation)
        identity = AffineMap.identity(rank_of(self.init))
        if sorted(order) != list(range(len(identity.results))):
            raise VerifyException(f"expected a permutation of {len(identity.results)} dimensions, but got {order}")
        inverse = tuple(identity.results[order.index(d)] for d in range(len(order)))
        return [AffineMap(identity.num_dims, 0, inverse), identity]

    def print(self, printer: Printer) -> None:
        _print_moved(printer, self, "permutation", self.permutation)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        return _parse_moved(cls, parser, "permutation")


@irdl_op_definition
class BroadcastOp(StructuredOp):
    """Repeats the input along `dimensions` of the result: `linalg.broadcast ins(…) outs(…) dimensions = [0]`."""

    name = "linalg.broadcast"

    input = operand_def()
    init = operand_def()
    dimensions = prop_def(DenseArrayBase)

    def maps(self) -> list[AffineMap]:
        identity, added = AffineMap.identity(rank_of(self.init)), numbers_of(self.dimensions)
        kept = tuple(result for d, result in enumerate(identity.results) if d not in added)
        return [AffineMap(identity.num_dims, 0, kept), identity]

    def print(self, printer: Printer) -> None:
        _print_moved(printer, self, "dimensions", self.dimensions)

    @classmethod
    def parse(cls, parser: Parser) -> BroadcastOp:
        return _parse_moved(cls, parser, "dimensions")


MovedT = TypeVar("MovedT", TransposeOp, BroadcastOp)


def _parse_moved(op_class: type[MovedT], parser: Parser, word: str) -> MovedT:
    inputs, outputs = parse_operands(parser)
    numbers = parse_numbers(parser, word)
    attributes = parser.parse_optional_attr_dict()
    if len(inputs) != 1 or len(outputs) != 1:
        parser.raise_error(f"expected one input and one output of {op_class.name}")
    block = Block(arg_types=element_types([*inputs, *outputs]))
    edit.append(block, YieldOp(block.args[0]))
    return op_class.build(
        operands=[inputs[0], outputs[0]],
        properties={word: numbers},
        attributes=attributes,
        result_types=[result_types(outputs)],
        regions=[Region(block)],
    )


def _print_moved(printer: Printer, op: StructuredOp, word: str, numbers: DenseArrayBase) -> None:
    print_operands(printer, op.ins, op.outs)
    printer.print_string(f" {word} = {numbers_of(numbers)}")
    printer.print_op_attributes(op.attributes)


def _named_class(short: str) -> type[SegmentedOp]:
    text = f"`linalg.{short}`, see docs/upstream.md."
    return irdl_op_definition(type(f"{short}Op", (SegmentedOp,), {"name": f"linalg.{short}", "__doc__": text}))


GenericOp = _named_class("generic")
NAMED_CLASSES: list[type[SegmentedOp]] = [
    _named_class(short) for short in ("fill", "contract", "elementwise", *NAMED, *ELEMENTWISE)
]

Linalg = Dialect(
    "linalg",
    [GenericOp, *NAMED_CLASSES, ReduceOp, MapOp, TransposeOp, BroadcastOp, PackOp, UnpackOp, IndexOp, YieldOp],
    [IteratorTypeAttr, TypeFunctionAttr, ElementwiseKindAttr],
)
