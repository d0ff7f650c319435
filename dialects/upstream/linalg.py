"""linalg: the structured operations, named and generic, in the syntax of mlir-opt.

xDSL has a few named operations, each a class of its own. Here all of them are made from the table in
`named_operations.py`, with one parser. Every operation holds the region of its scalar body, as the generic form of MLIR
does; the custom form leaves out what follows from the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, Data, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from ...ir import editor as edit
from .named_operations import ELEMENTWISE, KINDS, NAMED
from .scalar_bodies import NoBody, build_body, element_types


class _WordAttr(Data[str]):
    """An enumeration of linalg, kept as its word: `#linalg.type_fn<cast_unsigned>`."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            return parser.parse_identifier()

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


@irdl_attr_definition
class TypeFunctionAttr(_WordAttr):
    """How inputs become the element type of the output: cast_signed or cast_unsigned."""

    name = "linalg.type_fn"


@irdl_attr_definition
class ElementwiseKindAttr(_WordAttr):
    """What `linalg.elementwise` computes."""

    name = "linalg.elementwise_kind"


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends a scalar body with the element of each output."""

    name = "linalg.yield"
    traits = traits_def(IsTerminator(), Pure())


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The number of a loop's iteration, in a scalar body: `%i = linalg.index 0 : index`."""

    name = "linalg.index"

    dim = prop_def(IntegerAttr)
    result = result_def(IndexType())

    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.dim.value.data}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : index")

    @classmethod
    def parse(cls, parser: Parser) -> IndexOp:
        dim = IntegerAttr(parser.parse_integer(), i64)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        return cls.build(properties={"dim": dim}, attributes=attributes, result_types=[parser.parse_type()])


class StructuredOp(IRDLOperation):
    """An operation that runs a scalar body for each point of a space of loops.

    Inputs are tensors, memrefs or scalars, outputs tensors or memrefs. The body takes an element of each and yields one
    for each output. On memrefs there are no results.
    """

    res = var_result_def(TensorType)
    body = region_def("single_block")

    traits = traits_def(RecursiveMemoryEffect())

    @property
    def short_name(self) -> str:
        return self.name.removeprefix("linalg.")

    @property
    def ins(self) -> tuple[SSAValue, ...]:
        return tuple(self.operands[: -len(self.outs)])

    @property
    def outs(self) -> tuple[SSAValue, ...]:
        return tuple(self.operands[-1:])

    def maps(self) -> list[AffineMap]:
        """The indexing map of each operand, inputs before outputs."""
        raise NotImplementedError

    def kinds(self) -> list[str]:
        """ "parallel" or "reduction" for each loop."""
        outputs = self.maps()[len(self.ins) :]
        used = {dim for map in outputs for result in map.results for dim in result.used_dims()}
        return ["parallel" if d in used else "reduction" for d in range(outputs[0].num_dims)]

    def body_arguments(self) -> list[tuple[int, SSAValue]]:
        """The number of an operand, and the argument of the body that is an element of it."""
        return list(enumerate(self.body.block.args))

    def verify_(self) -> None:
        try:
            self._verify_structure()
        except (IndexError, ValueError) as error:  # attributes of another length than the operands have dimensions
            raise VerifyException(f"expected operands, attributes and a body that fit {self.name}: {error}") from error

    def _verify_structure(self) -> None:
        maps, elements = self.maps(), element_types(self.operands)
        if len(maps) != len(self.operands):
            raise VerifyException(f"expected an indexing map for each of {len(self.operands)} operands")
        loops = len(self.kinds())
        for map, operand in zip(maps, self.operands, strict=True):
            rank = rank_of(operand)
            if len(map.results) != rank or map.num_dims != loops or map.num_symbols:
                raise VerifyException(f"expected {rank} results over {loops} loops for {operand.type}, but got {map}")
        taken = [argument.type for argument in self.body.block.args]
        if taken not in (elements, elements[: len(self.ins)]):
            raise VerifyException(f"expected the body of {self.name} to take an element of each operand")
        if [result.type for result in self.res] != _result_types(self.outs):
            raise VerifyException(f"expected a result of {self.name} for each output that is a tensor, of its type")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp):
            raise VerifyException(f"expected the body of {self.name} to end in linalg.yield")
        if [value.type for value in last.operands] != elements[len(self.ins) :]:
            raise VerifyException(f"expected the body of {self.name} to yield an element of each output")


def rank_of(value: SSAValue) -> int:
    """The number of dimensions of a tensor or memref; 0 for a scalar."""
    return value.type.get_num_dims() if isinstance(value.type, (TensorType, MemRefType)) else 0


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
            return named.maps(_numbers(self.strides), _numbers(self.dilations))
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
        _print_operands(printer, self.ins, self.outs)
        if is_generic:
            if self.attributes:
                printer.print_string(" attrs =")
                printer.print_op_attributes(self.attributes)
            printer.print_string(" ")
            printer.print_region(self.body)
        if self.res:
            printer.print_string(" -> ")
            _print_result_types(printer, self.res)

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
        inputs, outputs = _parse_operands(parser)
        region: Region | None = None
        if cls.name == "linalg.generic":
            if parser.parse_optional_keyword("attrs"):
                parser.parse_punctuation("=")
                attributes |= parser.parse_optional_attr_dict()
            region = parser.parse_region()
        types = _parse_result_types(parser)
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
    """What `linalg.elementwise` computes: `kind=#linalg.elementwise_kind<add>`, or `<add>` as later versions print."""
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
    """The region that MLIR gives a named operation."""
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
        reduced = _numbers(self.dimensions)
        kept = tuple(result for d, result in enumerate(identity.results) if d not in reduced)
        return [identity] * len(self.inputs) + [AffineMap(identity.num_dims, 0, kept)] * len(self.inits)

    def print(self, printer: Printer) -> None:
        _print_operands(printer, self.ins, self.outs)
        printer.print_string(f" dimensions = {_numbers(self.dimensions)}")
        printer.print_op_attributes(self.attributes)
        _print_body(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        payload = _parse_payload(parser)
        inputs, outputs = _parse_operands(parser)
        dimensions = _parse_numbers(parser, "dimensions")
        attributes = parser.parse_optional_attr_dict()
        region = _payload_region(payload, [*inputs, *outputs], takes=len(inputs) + len(outputs))
        return cls.build(
            operands=[inputs, outputs],
            properties={"dimensions": dimensions},
            attributes=attributes,
            result_types=[_result_types(outputs)],
            regions=[region or _parse_body(parser)],
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
        _print_operands(printer, self.ins, self.outs)
        printer.print_op_attributes(self.attributes)
        _print_body(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> MapOp:
        payload = _parse_payload(parser)
        inputs, outputs = _parse_operands(parser)
        attributes = parser.parse_optional_attr_dict()
        region = _payload_region(payload, [*inputs, *outputs], takes=len(inputs))
        return cls.build(
            operands=[inputs, outputs[0]],
            attributes=attributes,
            result_types=[_result_types(outputs)],
            regions=[region or _parse_body(parser)],
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
        order = _numbers(self.permutation)
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
        identity, added = AffineMap.identity(rank_of(self.init)), _numbers(self.dimensions)
        kept = tuple(result for d, result in enumerate(identity.results) if d not in added)
        return [AffineMap(identity.num_dims, 0, kept), identity]

    def print(self, printer: Printer) -> None:
        _print_moved(printer, self, "dimensions", self.dimensions)

    @classmethod
    def parse(cls, parser: Parser) -> BroadcastOp:
        return _parse_moved(cls, parser, "dimensions")


MovedT = TypeVar("MovedT", TransposeOp, BroadcastOp)


def _parse_moved(op_class: type[MovedT], parser: Parser, word: str) -> MovedT:
    inputs, outputs = _parse_operands(parser)
    numbers = _parse_numbers(parser, word)
    attributes = parser.parse_optional_attr_dict()
    if len(inputs) != 1 or len(outputs) != 1:
        parser.raise_error(f"expected one input and one output of {op_class.name}")
    block = Block(arg_types=element_types([*inputs, *outputs]))
    edit.append(block, YieldOp(block.args[0]))
    return op_class.build(
        operands=[inputs[0], outputs[0]],
        properties={word: numbers},
        attributes=attributes,
        result_types=[_result_types(outputs)],
        regions=[Region(block)],
    )


def _print_moved(printer: Printer, op: StructuredOp, word: str, numbers: DenseArrayBase) -> None:
    _print_operands(printer, op.ins, op.outs)
    printer.print_string(f" {word} = {_numbers(numbers)}")
    printer.print_op_attributes(op.attributes)


# Text that several operations share


def _parse_operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """`ins(%a, %b : type, type) outs(%c : type)`; either may be left out."""
    groups: list[list[SSAValue]] = []
    for word in ("ins", "outs"):
        values: list[SSAValue] = []
        if parser.parse_optional_keyword(word):
            parser.parse_punctuation("(")
            names = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            start = parser.pos
            types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            values = list(parser.resolve_operands(names, types, start))
        groups.append(values)
    if not groups[1]:
        parser.raise_error("expected `outs(…)`")
    return groups[0], groups[1]


def _print_operands(printer: Printer, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> None:
    for word, values in (("ins", inputs), ("outs", outputs)):
        if values:
            printer.print_string(f" {word}(")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(values, lambda value: printer.print_attribute(value.type))
            printer.print_string(")")


def _parse_result_types(parser: Parser) -> Sequence[Attribute]:
    if not parser.parse_optional_punctuation("->"):
        return ()
    types = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    return types or parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)


def _print_result_types(printer: Printer, results: Sequence[SSAValue]) -> None:
    printer.print_string("(" if len(results) > 1 else "")
    printer.print_list(results, lambda result: printer.print_attribute(result.type))
    printer.print_string(")" if len(results) > 1 else "")


def _result_types(outputs: Sequence[SSAValue]) -> list[Attribute]:
    return [value.type for value in outputs if isinstance(value.type, TensorType)]


def _parse_numbers(parser: Parser, word: str) -> DenseArrayBase:
    parser.parse_keyword(word)
    parser.parse_punctuation("=")
    numbers = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, numbers)


def _numbers(attribute: Attribute | None) -> list[int]:
    """The integers of a dense attribute or array; none where it is left out."""
    if isinstance(attribute, (DenseArrayBase, DenseIntOrFPElementsAttr)):
        return [int(number) for number in attribute.get_values()]  # pyright: ignore[reportArgumentType]
    return []


def _parse_payload(parser: Parser) -> tuple[type[Operation], dict[str, Attribute]] | None:
    """`{ arith.addf }`: the operation that is the whole body."""
    if not parser.parse_optional_punctuation("{"):
        return None
    name = parser.parse_identifier()
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation("}")
    op_class = parser.ctx.get_optional_op(name)
    if op_class is None:
        parser.raise_error(f"unknown operation '{name}'")
    return op_class, attributes


def _payload_region(
    payload: tuple[type[Operation], dict[str, Attribute]] | None, operands: Sequence[SSAValue], *, takes: int
) -> Region | None:
    """The region of a payload: the output's element comes first where the operation takes it."""
    if payload is None:
        return None
    op_class, properties = payload
    types = element_types(operands)
    block = Block(arg_types=types)
    values = list(block.args[:takes])
    if takes == len(types):
        values = [*values[takes // 2 :], *values[: takes // 2]]
    known = op_class.get_irdl_definition().properties if issubclass(op_class, IRDLOperation) else {}
    properties = {**{name: flags for name, flags in _FLAGS.items() if name in known}, **properties}
    op = op_class.create(operands=values, result_types=[types[-1]], properties=properties)
    edit.append(block, op, YieldOp(*op.results))
    return Region(block)


_FLAGS: dict[str, Attribute] = {
    "fastmath": arith.FastMathFlagsAttr("none"),
    "overflowFlags": arith.IntegerOverflowAttr("none"),
}
"""What the custom form of arith leaves out."""


def _parse_body(parser: Parser) -> Region:
    """`(%in: f32, %init: f32) { … }`."""
    arguments = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_argument)
    return parser.parse_region(arguments)


def _print_body(printer: Printer, body: Region) -> None:
    printer.print_string(" (")
    printer.print_list(body.block.args, printer.print_block_argument)
    printer.print_string(") ")
    printer.print_region(body, print_entry_block_args=False)


def _named_class(short: str) -> type[SegmentedOp]:
    text = f"`linalg.{short}`, see docs/upstream.md."
    return irdl_op_definition(type(f"{short}Op", (SegmentedOp,), {"name": f"linalg.{short}", "__doc__": text}))


GenericOp = _named_class("generic")
NAMED_CLASSES: list[type[SegmentedOp]] = [
    _named_class(short) for short in ("fill", "contract", "elementwise", *NAMED, *ELEMENTWISE)
]

Linalg = Dialect(
    "linalg",
    [GenericOp, *NAMED_CLASSES, ReduceOp, MapOp, TransposeOp, BroadcastOp, IndexOp, YieldOp],
    [IteratorTypeAttr, TypeFunctionAttr, ElementwiseKindAttr],
)
