"""Prefetches: what will be read soon, named element by element or by who will read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_indices
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import (
    parse_attributes,
    parse_numbered,
    print_access,
    print_numbered,
    print_types,
    with_attributes,
)
from .buffers import REGISTER, parse_buffer_type, scope_of


@irdl_op_definition
class PrefetchOp(IndexedOp):
    """Brings the cache line of an element near. It computes nothing, and the element may lie outside of its buffer.

    Its effect is on the caches alone; it counts as one on memory, so that it is not taken for dead.

    ```mlir
    loop.prefetch %A[%i + 4, 0] : memref<64x64xf32>
    ```
    """

    name = "loop.prefetch"
    INDEX_PROPERTIES: ClassVar = ("indices",)

    buffer = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    indices = prop_def()

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, buffer: SSAValue, indices: Sequence[IndexLike]):
        maps, operands = encode({"indices": [Index.of(e) for e in indices]})
        super().__init__(operands=[buffer, operands], properties=maps)

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

    def print(self, printer: Printer) -> None:
        print_access(printer, self.buffer, self.index, ())
        print_types(printer, self, self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
        source = parser.parse_unresolved_operand()
        indices = parse_indices(parser, Parser.Delimiter.SQUARE)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(source, parse_buffer_type(parser)), indices)
        return with_attributes(op, attributes)


@irdl_op_definition
class PrefetchAheadOp(IRDLOperation):
    """Asks in each iteration of the innermost loop around it for what the iteration some later reads of a buffer.

    What that is follows from the loop's accesses when `lower-prefetch` names the elements. Without a loop around it,
    as after that has been unrolled, it asks for nothing.

    ```mlir
    loop.prefetch_ahead %A, 2 : memref<64x64xf32>
    ```
    """

    name = "loop.prefetch_ahead"

    buffer = operand_def(MemRefType)
    ahead = prop_def(IntegerAttr)

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def __init__(self, buffer: SSAValue, ahead: int):
        super().__init__(operands=[buffer], properties={"ahead": IntegerAttr(ahead, i64)})

    def verify_(self) -> None:
        if self.ahead.value.data < 1:
            raise VerifyException(f"expected iterations from the next on, but got {self.ahead.value.data} ahead")
        _verify_in_memory(self.buffer)

    def print(self, printer: Printer) -> None:
        print_numbered(printer, self, self.buffer, self.ahead.value.data)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchAheadOp:
        buffer, ahead, attributes = parse_numbered(parser, parse_buffer_type)
        return with_attributes(cls(buffer, ahead), attributes)


def _verify_in_memory(buffer: SSAValue) -> None:
    if scope_of(buffer.type) == REGISTER:
        raise VerifyException("expected a buffer in memory, but got one in registers")
