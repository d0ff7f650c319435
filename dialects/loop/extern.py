"""Calls of foreign functions: code that was not compiled from this IR.

The arguments of a call state its accesses: each buffer argument names an element and a box of constant extents that
starts there, and whether the box is read, written or updated. Analyses treat such a box as a vector access, so
dependences, regions and allocation stay exact. Nothing else is known about the callee.

The calling convention is C's. An access passes the address of its element, a stride passes the distance in elements
between neighbours of a dimension (of the buffer as it is laid out in the end), index expressions and scalars pass
their values. Code comes from the function around the call, whose attribute `tw.foreign` lists sources, or from the
process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..index_expr import Index
from ..indexed_op import IndexedOp, encode
from ..op_syntax import parse_attributes, print_attributes, with_attributes
from .extern_arguments import (
    AccessArgument,
    Argument,
    IndexArgument,
    Position,
    StrideArgument,
    ValueArgument,
    count_operands,
    decode,
    entry_of,
    parse_argument,
    print_argument,
    verify_argument,
)


@irdl_op_definition
class CallExternOp(IndexedOp):
    """Calls a foreign function.

    ```mlir
    loop.call_extern "gemv_update"(update %C[%i, %j * 16] box [1, 16] : memref<64x64xf32>,
        read %A[%i, %k * 64] box [1, 64] : memref<64x128xf32>, index 64 : i32, stride %A 0 of memref<64x128xf32> : i32,
        %scale : f32) -> i32
    ```
    If several positions move along one dimension of a box, as in a flat buffer, the dimension lists their extents and
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
        return tuple(decode(self.passed, self.buffers, self.values, self.index_list("indices")))

    @property
    def accesses(self) -> tuple[tuple[int, AccessArgument], ...]:
        """The accesses among the arguments, each with its position."""
        return tuple((n, a) for n, a in enumerate(self.arguments) if isinstance(a, AccessArgument))

    def access_index(self, position: int) -> tuple[Index, ...]:
        """Return the index expressions of the access at `position` of the arguments, over the positions within its
        box."""
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
        self._verify_counts()
        for argument in self.arguments:
            verify_argument(argument)

    def _verify_counts(self) -> None:
        """Verify that the properties and the operands describe the same arguments."""
        counts = count_operands(self.passed)
        have = (len(self.buffers), len(self.values), len(self.index_list("indices")))
        if have != counts:
            raise VerifyException(f"expected {counts} buffers, values and indices, but got {have}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.callee)
        with printer.in_parens():
            printer.print_list(self.arguments, lambda a: print_argument(printer, a))
        print_attributes(printer, self)
        if self.res:
            printer.print_string(" -> ")
            printer.print_attribute(self.res[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> CallExternOp:
        symbol = parser.parse_str_literal()
        arguments = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: parse_argument(parser))
        attributes = parse_attributes(parser)
        results = [parser.parse_type()] if parser.parse_optional_punctuation("->") else []
        return with_attributes(cls(symbol, arguments, results), attributes)


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
    return ArrayAttr(DictionaryAttr(entry_of(a)) for a in arguments)


def _position(argument: int, dimension: int, number: int) -> Position:
    return Position(f"box {argument}.{dimension}.{number}")


def _without_positions(e: Index) -> Index:
    return Index(tuple((a, c) for a, c in e.terms if not isinstance(a, Position)), e.constant)
