"""Prefetches of elements that will be read soon, named by element or by the access that will read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import (
    parse_attributes,
    print_access,
    print_types,
    with_attributes,
)
from .buffers import REGISTER, parse_buffer_type, scope_of

CACHES = (1, 2)
"""The caches that lines can be brought into."""


@irdl_op_definition
class PrefetchOp(IndexedOp):
    """Loads the cache line of an element into a cache. It has no result, and the element may be outside of its buffer.

    The operation only affects caches, but counts as an effect on memory, so that it is not removed as dead code. The
    line is loaded into the first cache, or with `into 2` only into the second.

    ```mlir
    loop.prefetch %A[%i + 4, 0] : memref<64x64xf32>
    loop.prefetch %A[%i + 4, 0] into 2 : memref<64x64xf32>
    ```
    """

    name = "loop.prefetch"
    INDEX_PROPERTIES: ClassVar = ("indices",)

    buffer = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    indices = prop_def()
    into = opt_prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, buffer: SSAValue, indices: Sequence[IndexLike], cache: int = 1):
        maps, operands = encode({"indices": [Index.of(e) for e in indices]})
        super().__init__(operands=[buffer, operands], properties={**maps, **_into(cache)})

    @property
    def cache(self) -> int:
        """The cache that the line comes into, counted from the processor."""
        return _cache(self.into)

    @property
    def index(self) -> tuple[Index, ...]:
        return self.index_list("indices")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        assert isinstance(self.buffer.type, MemRefType)
        rank = self.buffer.type.get_num_dims()
        if len(self.index) != rank:
            raise VerifyException(f"expected {rank} indices for {self.buffer.type}, but got {len(self.index)}")
        _verify_in_memory(self.buffer)
        _verify_cache(self.cache)

    def print(self, printer: Printer) -> None:
        print_access(printer, self.buffer, self.index, ())
        _print_cache(printer, self.cache)
        print_types(printer, self, self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        source = parser.parse_unresolved_operand()
        indices = parse_indices(parser, Parser.Delimiter.SQUARE)
        cache = _parse_cache(parser)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(source, parse_buffer_type(parser)), indices, cache)
        return with_attributes(op, attributes)


@irdl_op_definition
class PrefetchAheadOp(IRDLOperation):
    """Prefetches, in each iteration of the innermost loop around it, the elements that a later iteration reads.

    `lower-prefetch` derives these elements from the accesses of the loop. Without a loop around it, for example after
    unrolling, the operation requests nothing.

    `of` is the variable of an outer loop, whose iterations are counted instead: each iteration of the innermost loop
    requests the elements that the corresponding iteration reads that number of outer iterations later. Loops in between
    whose iterations all read the same elements divide the requests. `into` is as for `loop.prefetch`.

    ```mlir
    loop.prefetch_ahead %A, 2 : memref<64x64xf32>
    loop.prefetch_ahead %A, 1 of %i into 2 : memref<64x64xf32>
    ```
    """

    name = "loop.prefetch_ahead"

    buffer = operand_def(MemRefType)
    of = opt_operand_def(IndexType())
    ahead = prop_def(IntegerAttr)
    into = opt_prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, buffer: SSAValue, ahead: int, of: SSAValue | None = None, cache: int = 1):
        super().__init__(operands=[buffer, of], properties={"ahead": IntegerAttr(ahead, i64), **_into(cache)})

    @property
    def cache(self) -> int:
        """The cache that lines come into, counted from the processor."""
        return _cache(self.into)

    def verify_(self) -> None:
        if self.ahead.value.data < 1:
            raise VerifyException(f"expected iterations from the next on, but got {self.ahead.value.data} ahead")
        _verify_in_memory(self.buffer)
        _verify_cache(self.cache)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        printer.print_string(f", {self.ahead.value.data}")
        if self.of is not None:
            printer.print_string(" of ")
            printer.print_ssa_value(self.of)
        _print_cache(printer, self.cache)
        print_types(printer, self, self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchAheadOp:
        buffer = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        ahead = parser.parse_integer(allow_boolean=False)
        of = parser.parse_operand(IndexType()) if parser.parse_optional_keyword("of") else None
        cache = _parse_cache(parser)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(buffer, parse_buffer_type(parser)), ahead, of, cache)
        return with_attributes(op, attributes)


def _verify_in_memory(buffer: SSAValue) -> None:
    if scope_of(buffer.type) == REGISTER:
        raise VerifyException("expected a buffer in memory, but got one in registers")


def _into(cache: int) -> dict[str, Attribute]:
    return {} if cache == 1 else {"into": IntegerAttr(cache, i64)}


def _cache(into: IntegerAttr | None) -> int:
    return 1 if into is None else into.value.data


def _verify_cache(cache: int) -> None:
    if cache not in CACHES:
        raise VerifyException(f"expected cache 1 or 2, but got {cache}")


def _print_cache(printer: Printer, cache: int) -> None:
    if cache != 1:
        printer.print_string(f" into {cache}")


def _parse_cache(parser: Parser) -> int:
    return parser.parse_integer(allow_boolean=False) if parser.parse_optional_keyword("into") else 1
