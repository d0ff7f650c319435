"""Loads and stores.

An access evaluates its index expressions once per lane of its vector type, so one operation covers contiguous, strided,
broadcast and gathered accesses; a guard masks single lanes, and masked lanes never access memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..dtypes import vector_type
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode, indexed_op_definition
from ..op_syntax import parse_access, print_access, print_types, with_attributes
from .buffers import expect_buffer_type, parse_buffer_type


@indexed_op_definition
class LoadOp(IndexedOp):
    """Reads a scalar, or one element per lane of a vector.

    If the guard fails, the result is the scalar `else` value.

    ```mlir
    %a = loop.load %A[%i, %k] : memref<64x64xf32>
    %b = loop.load %B[%k, %j * 8 + lane] : memref<64x64xf32>, vector<8xf32>
    %p = loop.load %X[%i - 1] where (%i >= 1, %i < 57) else %zero : memref<56xf32>
    ```
    """

    name = "loop.load"
    INDEX_PROPERTIES: ClassVar = ("indices", "guard")

    buffer = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    otherwise = opt_operand_def()
    indices = prop_def()
    guard = prop_def()
    res = result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())

    def __init__(
        self,
        buffer: SSAValue,
        indices: Sequence[IndexLike],
        guard: Sequence[Index] = (),
        otherwise: SSAValue | None = None,
        lanes: int | None = None,
    ):
        assert isinstance(buffer.type, MemRefType)
        maps, operands = encode({"indices": [Index.of(e) for e in indices], "guard": guard})
        element = buffer.type.element_type
        super().__init__(
            operands=[buffer, operands, otherwise],
            properties=maps,
            result_types=[element if lanes is None else vector_type(element, lanes)],
        )

    @property
    def index(self) -> tuple[Index, ...]:
        return self.index_list("indices")

    @property
    def conditions(self) -> tuple[Index, ...]:
        return self.index_list("guard")

    @property
    def lanes(self) -> int | None:
        """The number of lanes, None for a scalar access."""
        return _lanes(self.res.type)

    def verify_(self) -> None:
        _verify_access(self, self.buffer, self.res.type)
        if bool(self.conditions) != (self.otherwise is not None):
            raise VerifyException("expected an `else` value with a guard and only with one")
        if self.otherwise is not None and self.otherwise.type != _element(self.buffer):
            raise VerifyException(
                f"expected an `else` value of type {_element(self.buffer)}, but got {self.otherwise.type}"
            )

    def print(self, printer: Printer) -> None:
        print_access(printer, self.buffer, self.index, self.conditions, self.otherwise)
        print_types(printer, self, self.buffer.type, *([] if self.lanes is None else [self.res.type]))

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        text = parse_access(parser)
        type = parse_buffer_type(parser)
        vector = parser.parse_type() if parser.parse_optional_punctuation(",") else None
        buffer = parser.resolve_operand(text.source, type)
        otherwise = parser.resolve_operand(text.otherwise, type.element_type) if text.otherwise else None
        op = cls(buffer, text.indices, text.guard, otherwise, _lanes(vector) if vector else None)
        if vector is not None and vector != op.res.type:
            parser.raise_error(f"expected a vector of {type.element_type}, but got {vector}")
        return with_attributes(op, text.attributes)


@irdl_op_definition
class StoreOp(IndexedOp):
    """Writes a scalar, or one element per lane of a vector; nothing if the guard fails.

    Lanes with the same element are written in lane order, so the last lane determines the element.

    ```mlir
    loop.store %v, %C[%i, %j] : memref<64x64xf32>
    loop.store %v, %C[%i, %j * 8 + lane] where (%j * 8 + lane < 60) : memref<64x60xf32>, vector<8xf32>
    ```
    """

    name = "loop.store"
    INDEX_PROPERTIES: ClassVar = ("indices", "guard")

    value = operand_def()
    buffer = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    indices = prop_def()
    guard = prop_def()

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, value: SSAValue, buffer: SSAValue, indices: Sequence[IndexLike], guard: Sequence[Index] = ()):
        maps, operands = encode({"indices": [Index.of(e) for e in indices], "guard": guard})
        super().__init__(operands=[value, buffer, operands], properties=maps)

    @property
    def index(self) -> tuple[Index, ...]:
        return self.index_list("indices")

    @property
    def conditions(self) -> tuple[Index, ...]:
        return self.index_list("guard")

    @property
    def lanes(self) -> int | None:
        """The number of lanes, None for a scalar access."""
        return _lanes(self.value.type)

    def verify_(self) -> None:
        _verify_access(self, self.buffer, self.value.type)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        print_access(printer, self.buffer, self.index, self.conditions)
        print_types(printer, self, *([] if self.lanes is None else [self.value.type]), self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        stored = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        text = parse_access(parser)
        first = parser.parse_type()
        vector = first if parser.parse_optional_punctuation(",") else None
        type = parse_buffer_type(parser) if vector else expect_buffer_type(parser, first)
        value = parser.resolve_operand(stored, vector or type.element_type)
        op = cls(value, parser.resolve_operand(text.source, type), text.indices, text.guard)
        return with_attributes(op, text.attributes)


def _lanes(type: Attribute) -> int | None:
    return type.get_shape()[0] if isinstance(type, VectorType) else None


def _element(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type.element_type


def _verify_access(op: LoadOp | StoreOp, buffer: SSAValue, type: Attribute) -> None:
    op.verify_index_lists(lane=True)
    assert isinstance(buffer.type, MemRefType)
    rank = buffer.type.get_num_dims()
    if len(op.index) != rank:
        raise VerifyException(f"expected {rank} indices for {buffer.type}, but got {len(op.index)}")
    if isinstance(type, VectorType) and type.get_num_dims() != 1:
        raise VerifyException(f"expected a vector of rank 1, but got {type}")
    element = type.element_type if isinstance(type, VectorType) else type
    if element != buffer.type.element_type:
        raise VerifyException(f"expected elements of type {buffer.type.element_type}, but got {element}")
    if op.lanes is None and any(e.uses_lane for e in (*op.index, *op.conditions)):
        raise VerifyException("expected no lane in a scalar access")
