"""Calls of foreign functions: code that was not compiled from this IR.

What a call may touch stands on its arguments: each buffer argument names an element and a box of constant extents from
there on, and says whether the box is read, written or updated. Analyses treat that as they treat a vector access, so
dependences, regions and allocation stay exact; nothing else of the callee is known.

The calling convention is C's. An access passes the address of its element, a stride passes the distance in elements
between neighbours of a dimension (of the buffer as it is laid out in the end), index expressions and scalars pass
their values. Code comes from the function around the call, whose attribute `tw.foreign` lists sources, or from the
process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_attr_definition,
    irdl_op_definition,
    param_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_index, parse_indices, print_index, print_indices
from ..index_expr import Index, Symbol
from ..indexed_op import IndexedOp, encode
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .buffers import parse_buffer_type

FOREIGN = "tw.foreign"
"""The attribute of a function that lists the foreign code its calls need."""
LANGUAGES = ("llvm", "c")
MODES = ("read", "write", "update")
"""What a call does with the box of an access: an update reads and writes it."""


@irdl_attr_definition
class ForeignAttr(ParametrizedAttribute):
    """Source of foreign functions: `#loop.foreign<"c", "int f(float *x) { … }">`, or "llvm" and a module's text."""

    name = "loop.foreign"

    language: StringAttr = param_def()
    code: StringAttr = param_def()

    @staticmethod
    def of(language: str, code: str) -> ForeignAttr:
        return ForeignAttr(StringAttr(language), StringAttr(code))

    def verify(self) -> None:
        if self.language.data not in LANGUAGES:
            raise VerifyException(f"expected a language of {', '.join(LANGUAGES)}, but got {self.language.data!r}")

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.language.data)
            printer.print_string(", ")
            printer.print_string_literal(self.code.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            language = parser.parse_str_literal()
            parser.parse_punctuation(",")
            return StringAttr(language), StringAttr(parser.parse_str_literal())


def foreign_code(function: FuncOp) -> tuple[ForeignAttr, ...]:
    """The foreign code that a function brings."""
    listed = function.attributes.get(FOREIGN)
    return tuple(a for a in listed if isinstance(a, ForeignAttr)) if isinstance(listed, ArrayAttr) else ()


def add_foreign_code(function: FuncOp, code: ForeignAttr) -> None:
    """Let a function bring foreign code, unless it does already."""
    known = foreign_code(function)
    if code not in known:
        function.attributes[FOREIGN] = ArrayAttr([*known, code])


@dataclass(frozen=True)
class Position(Symbol):
    """A position within the box of an argument: what the lane is to a vector access."""


Box: TypeAlias = "tuple[tuple[tuple[int, int], ...], ...]"
"""For each dimension of the buffer, (extent, step) of the positions that move along it."""


def box_of(extents: Sequence[int]) -> Box:
    """The box of these extents, one for each dimension of the buffer."""
    return tuple(((n, 1),) if n != 1 else () for n in extents)


@dataclass(frozen=True)
class AccessArgument:
    """The address of `buffer[index]`, from where the box is read, written or updated."""

    mode: str
    buffer: SSAValue
    index: tuple[Index, ...]
    box: Box

    @property
    def reads(self) -> bool:
        return self.mode != "write"

    @property
    def writes(self) -> bool:
        return self.mode != "read"

    @property
    def size(self) -> int:
        """The number of elements of the box."""
        size = 1
        for n, _ in self.pairs:
            size *= n
        return size

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple(pair for dimension in self.box for pair in dimension)


@dataclass(frozen=True)
class StrideArgument:
    """The elements between neighbours of `buffer` along a dimension, as an integer of `type`."""

    buffer: SSAValue
    dimension: int
    type: Attribute


@dataclass(frozen=True)
class IndexArgument:
    """The value of an index expression, as an integer of `type`."""

    value: Index
    type: Attribute


@dataclass(frozen=True)
class ValueArgument:
    """A scalar."""

    value: SSAValue


Argument: TypeAlias = "AccessArgument | StrideArgument | IndexArgument | ValueArgument"


@irdl_op_definition
class CallExternOp(IndexedOp):
    """Calls a foreign function.

    ```mlir
    loop.call_extern "gemv_update"(update %C[%i, %j * 16] box [1, 16] : memref<64x64xf32>,
        read %A[%i, %k * 64] box [1, 64] : memref<64x128xf32>, index 64 : i32, stride %A 0 of memref<64x128xf32> : i32,
        %scale : f32) -> i32
    ```
    A dimension of a box that several positions move along, as in a buffer of one dimension, lists them with their
    steps: `box [16 by 64 + 64 by 1]`.
    """

    name = "loop.call_extern"
    INDEX_PROPERTIES: ClassVar = ("indices",)

    buffers = var_operand_def(MemRefType)
    values = var_operand_def()
    dims = var_operand_def(IndexType())
    symbol = prop_def(StringAttr)
    passed = prop_def(ArrayAttr[DictionaryAttr])
    indices = prop_def()
    res = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, symbol: str, arguments: Sequence[Argument], result_types: Sequence[Attribute] = ()):
        maps, dims = encode({"indices": _indices(arguments)})
        properties = {"symbol": StringAttr(symbol), "passed": _passed(arguments), **maps}
        operands = [_buffers(arguments), _values(arguments), dims]
        super().__init__(operands=operands, properties=properties, result_types=[result_types])

    @property
    def callee(self) -> str:
        return self.symbol.data

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return tuple(_decode(self))

    @property
    def accesses(self) -> tuple[tuple[int, AccessArgument], ...]:
        """The accesses among the arguments, each with its position."""
        return tuple((n, a) for n, a in enumerate(self.arguments) if isinstance(a, AccessArgument))

    def access_index(self, position: int) -> tuple[Index, ...]:
        """What the access at `position` of the arguments touches, over the positions within its box."""
        access = self.arguments[position]
        assert isinstance(access, AccessArgument)
        index: list[Index] = []
        for d, (e, pairs) in enumerate(zip(access.index, access.box, strict=True)):
            for k, (_, step) in enumerate(pairs):
                e = e + Index.of(_position(position, d, k)) * step
            index.append(e)
        return tuple(index)

    @property
    def positions(self) -> dict[Position, int]:
        """The extent of each position within the boxes of all accesses."""
        return {
            _position(n, d, k): extent
            for n, access in self.accesses
            for d, pairs in enumerate(access.box)
            for k, (extent, _) in enumerate(pairs)
        }

    def set_access_index(self, position: int, index: Sequence[Index]) -> None:
        """Let the access at `position` start elsewhere. Positions within its box may stand in `index`: they stay."""
        origin = tuple(_without_positions(e) for e in index)
        arguments = list(self.arguments)
        access = arguments[position]
        assert isinstance(access, AccessArgument)
        arguments[position] = replace(access, index=origin)
        self.set_arguments(arguments)

    def set_arguments(self, arguments: Sequence[Argument]) -> None:
        """Replace all arguments."""
        maps, dims = encode({"indices": _indices(arguments)})
        buffers, values = _buffers(arguments), _values(arguments)
        self.operands = [*buffers, *values, *dims]
        self.properties.update(maps)
        self.properties["passed"] = _passed(arguments)
        sizes = [len(buffers), len(values), len(dims)]
        old = self.properties["operandSegmentSizes"]
        assert isinstance(old, DenseArrayBase)
        self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(old.elt_type, sizes)

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if len(self.res) > 1:
            raise VerifyException(f"expected at most one result, but got {len(self.res)}")
        for type in (*(v.type for v in self.values), *(r.type for r in self.res)):
            if not isinstance(type, (IntegerType, IndexType, AnyFloat)):
                raise VerifyException(f"expected scalars as values and result, but got {type}")
        _verify_counts(self)
        for argument in self.arguments:
            _verify_argument(argument)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.callee)
        with printer.in_parens():
            printer.print_list(self.arguments, lambda a: _print_argument(printer, a))
        print_attributes(printer, self)
        if self.res:
            printer.print_string(" -> ")
            printer.print_attribute(self.res[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> CallExternOp:
        symbol = parser.parse_str_literal()
        arguments = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_argument(parser))
        attributes = parse_attributes(parser)
        results = [parser.parse_type()] if parser.parse_optional_punctuation("->") else []
        return with_attributes(cls(symbol, arguments, results), attributes)


# Arguments in operands and properties


def _buffers(arguments: Sequence[Argument]) -> list[SSAValue]:
    return [a.buffer for a in arguments if isinstance(a, (AccessArgument, StrideArgument))]


def _values(arguments: Sequence[Argument]) -> list[SSAValue]:
    return [a.value for a in arguments if isinstance(a, ValueArgument)]


def _indices(arguments: Sequence[Argument]) -> list[Index]:
    indices: list[Index] = []
    for argument in arguments:
        if isinstance(argument, AccessArgument):
            indices += argument.index
        elif isinstance(argument, IndexArgument):
            indices.append(argument.value)
    return indices


def _passed(arguments: Sequence[Argument]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr(_entry(a)) for a in arguments)


def _entry(argument: Argument) -> dict[str, Attribute]:
    match argument:
        case AccessArgument():
            box = [DenseArrayBase.from_list(i64, [n for pair in pairs for n in pair]) for pairs in argument.box]
            return {"kind": StringAttr(argument.mode), "box": ArrayAttr(box)}
        case StrideArgument():
            dimension = IntegerAttr(argument.dimension, i64)
            return {"kind": StringAttr("stride"), "dimension": dimension, "type": argument.type}
        case IndexArgument():
            return {"kind": StringAttr("index"), "type": argument.type}
        case ValueArgument():
            return {"kind": StringAttr("value")}


def _kind(entry: DictionaryAttr) -> str:
    kind = entry.data.get("kind")
    return kind.data if isinstance(kind, StringAttr) else ""


def _decode(op: CallExternOp) -> Iterator[Argument]:
    buffers, values, indices = iter(op.buffers), iter(op.values), iter(op.index_list("indices"))
    for entry in op.passed:
        kind, data = _kind(entry), entry.data
        if kind in MODES:
            box = tuple(_pairs(a) for a in cast("ArrayAttr[DenseArrayBase[IntegerType]]", data["box"]))
            yield AccessArgument(kind, next(buffers), tuple(next(indices) for _ in box), box)
        elif kind == "stride":
            dimension = cast("IntegerAttr", data["dimension"]).value.data
            yield StrideArgument(next(buffers), dimension, data["type"])
        elif kind == "index":
            yield IndexArgument(next(indices), data["type"])
        else:
            yield ValueArgument(next(values))


def _pairs(numbers: DenseArrayBase[IntegerType]) -> tuple[tuple[int, int], ...]:
    flat = [int(n) for n in numbers.get_values()]
    return tuple(zip(flat[::2], flat[1::2], strict=True))


def _position(argument: int, dimension: int, number: int) -> Position:
    return Position(f"box {argument}.{dimension}.{number}")


def _without_positions(e: Index) -> Index:
    return Index(tuple((a, c) for a, c in e.terms if not isinstance(a, Position)), e.constant)


# Verification


def _verify_counts(op: CallExternOp) -> None:
    """The properties and the operands tell of the same arguments, so that decoding them succeeds."""
    buffers = values = indices = 0
    for entry in op.passed:
        kind, data = _kind(entry), entry.data
        box = data.get("box")
        if kind in MODES and isinstance(box, ArrayAttr) and all(_is_box_dimension(a) for a in box):
            buffers, indices = buffers + 1, indices + len(box)
        elif kind == "stride" and isinstance(data.get("dimension"), IntegerAttr) and "type" in data:
            buffers += 1
        elif kind == "index" and "type" in data:
            indices += 1
        elif kind == "value":
            values += 1
        else:
            raise VerifyException(f"expected an access, a stride, an index or a value as argument, but got {entry}")
    have = (len(op.buffers), len(op.values), len(op.index_list("indices")))
    if have != (buffers, values, indices):
        raise VerifyException(f"expected {(buffers, values, indices)} buffers, values and indices, but got {have}")


def _is_box_dimension(attribute: Attribute) -> bool:
    return isinstance(attribute, DenseArrayBase) and len(attribute) % 2 == 0


def _verify_argument(argument: Argument) -> None:
    match argument:
        case AccessArgument():
            shape = _shape(argument.buffer)
            if len(shape) != len(argument.index):
                raise VerifyException(f"expected {len(shape)} indices, but got {len(argument.index)}")
            for extent, pairs in zip(shape, argument.box, strict=True):
                _verify_box(extent, pairs)
        case StrideArgument():
            rank = len(_shape(argument.buffer))
            if not 0 <= argument.dimension < rank:
                raise VerifyException(f"expected a dimension below {rank}, but got {argument.dimension}")
            _verify_integer(argument.type)
        case IndexArgument():
            _verify_integer(argument.type)
        case ValueArgument():
            pass


def _verify_box(extent: int, pairs: Sequence[tuple[int, int]]) -> None:
    if any(n < 1 for n, _ in pairs):
        raise VerifyException(f"expected a box of positive extents, but got {[n for n, _ in pairs]}")
    reach = 1 + sum((n - 1) * abs(step) for n, step in pairs)
    if 0 <= extent < reach:
        raise VerifyException(f"expected a box within an extent of {extent}, but it reaches over {reach}")


def _verify_integer(type: Attribute) -> None:
    if not isinstance(type, (IntegerType, IndexType)):
        raise VerifyException(f"expected an integer type, but got {type}")


def _shape(buffer: SSAValue) -> tuple[int, ...]:
    assert isinstance(buffer.type, MemRefType)
    return tuple(buffer.type.get_shape())


# Text


def _print_argument(printer: Printer, argument: Argument) -> None:
    match argument:
        case AccessArgument():
            printer.print_string(f"{argument.mode} ")
            printer.print_ssa_value(argument.buffer)
            printer.print_string("[")
            print_indices(printer, argument.index)
            printer.print_string(f"] box [{', '.join(map(_box_text, argument.box))}]")
            type = argument.buffer.type
        case StrideArgument():
            printer.print_string("stride ")
            printer.print_ssa_value(argument.buffer)
            printer.print_string(f" {argument.dimension} of ")
            printer.print_attribute(argument.buffer.type)
            type = argument.type
        case IndexArgument():
            printer.print_string("index ")
            print_index(printer, argument.value)
            type = argument.type
        case ValueArgument():
            printer.print_ssa_value(argument.value)
            type = argument.value.type
    printer.print_string(" : ")
    printer.print_attribute(type)


def _box_text(pairs: Sequence[tuple[int, int]]) -> str:
    if not pairs:
        return "1"
    return " + ".join(str(n) if step == 1 and len(pairs) == 1 else f"{n} by {step}" for n, step in pairs)


def _parse_argument(parser: Parser) -> Argument:
    kind = parser.parse_optional_keyword_in((*MODES, "stride", "index"))
    if kind == "index":
        value = parse_index(parser)
        return IndexArgument(value, _parse_type(parser))
    name = parser.parse_unresolved_operand()
    if kind is None:
        return ValueArgument(parser.resolve_operand(name, _parse_type(parser)))
    if kind == "stride":
        dimension = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_keyword("of")
        buffer = parser.resolve_operand(name, parse_buffer_type(parser))
        return StrideArgument(buffer, dimension, _parse_type(parser))
    index = parse_indices(parser, Parser.Delimiter.SQUARE)
    parser.parse_keyword("box")
    box = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, lambda: _parse_box_dimension(parser))
    parser.parse_punctuation(":")
    buffer = parser.resolve_operand(name, parse_buffer_type(parser))
    if len(box) != len(index):
        parser.raise_error(f"expected a box of {len(index)} dimensions, but got {len(box)}")
    return AccessArgument(kind, buffer, index, tuple(box))


def _parse_type(parser: Parser) -> Attribute:
    parser.parse_punctuation(":")
    return parser.parse_type()


def _parse_box_dimension(parser: Parser) -> tuple[tuple[int, int], ...]:
    pairs: list[tuple[int, int]] = []
    while True:
        extent = parser.parse_integer(allow_boolean=False)
        step = parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword("by") else 1
        pairs.append((extent, step))
        if parser.parse_optional_punctuation("+") is None:
            return () if pairs == [(1, 1)] else tuple(pairs)
