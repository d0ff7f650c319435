"""The arguments of a call of a foreign function, as attributes and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
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
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_index, parse_indices, print_index, print_indices
from ..index_expr import Index, Symbol
from .buffers import parse_buffer_type

MODES = ("read", "write", "update")
"""The effects of a call on the box of an access; an update reads and writes it."""


@dataclass(frozen=True)
class Position(Symbol):
    """A position within the box of an argument, comparable to the lane within a vector access."""


Box: TypeAlias = "tuple[tuple[tuple[int, int], ...], ...]"
"""For each dimension of the buffer, (extent, step) of the positions that move along it."""


def box_of(extents: Sequence[int]) -> Box:
    """Return the box of these extents, one for each dimension of the buffer."""
    return tuple(((n, 1),) if n != 1 else () for n in extents)


@dataclass(frozen=True)
class AccessArgument:
    """The address of `buffer[index]`, at which the read, written or updated box starts."""

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
    """The stride of `buffer` along a dimension, in elements, as an integer of `type`."""

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


# Attributes


def entry_of(argument: Argument) -> dict[str, Attribute]:
    """Return the attributes of an argument that the operands of the call do not hold."""
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


def decode(
    passed: Iterable[DictionaryAttr], buffers: Sequence[SSAValue], values: Sequence[SSAValue], indices: Sequence[Index]
) -> Iterator[Argument]:
    """Yield the arguments of which `entry_of` gave the entries, with the operands of the call, each kind in its
    order."""
    buffer, value, index = iter(buffers), iter(values), iter(indices)
    for entry in passed:
        kind, data = _kind(entry), entry.data
        if kind in MODES:
            box = tuple(_pairs(a) for a in cast("ArrayAttr[DenseArrayBase[IntegerType]]", data["box"]))
            yield AccessArgument(kind, next(buffer), tuple(next(index) for _ in box), box)
        elif kind == "stride":
            dimension = cast("IntegerAttr", data["dimension"]).value.data
            yield StrideArgument(next(buffer), dimension, data["type"])
        elif kind == "index":
            yield IndexArgument(next(index), data["type"])
        else:
            yield ValueArgument(next(value))


def _pairs(numbers: DenseArrayBase[IntegerType]) -> tuple[tuple[int, int], ...]:
    flat = [int(n) for n in numbers.get_values()]
    return tuple(zip(flat[::2], flat[1::2], strict=True))


# Verification


def count_operands(passed: Iterable[DictionaryAttr]) -> tuple[int, int, int]:
    """Return the numbers of buffers, values and indices in the arguments. Raises VerifyException where `decode` would
    fail."""
    buffers = values = indices = 0
    for entry in passed:
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
    return buffers, values, indices


def _is_box_dimension(attribute: Attribute) -> bool:
    return isinstance(attribute, DenseArrayBase) and len(attribute) % 2 == 0


def verify_argument(argument: Argument) -> None:
    """Raise VerifyException for an access, a dimension or a type that the argument cannot have."""
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


def print_argument(printer: Printer, argument: Argument) -> None:
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


def parse_argument(parser: Parser) -> Argument:
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
