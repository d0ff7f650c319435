"""Buffers: allocations, views, sizes and scopes.

A buffer is a `memref` in row-major order. Its memory space names the scope, the threads that share the buffer; without
a memory space the scope is "global".

- "global": all threads;
- "shared": the threads of a block of a GPU;
- "warp": the 32 threads of a warp, which are the loop over `threadIdx.x`; threads with another `threadIdx.y` or
  `threadIdx.z` are other warps. Each element is in a register of one of the lanes. Instructions of the whole warp read
  elements of other lanes, after a barrier of the scope "warp", which has no cost. A suffix of the name states the
  layout of tiles in the registers. Memory of plain scope "warp" has the lane as its last dimension, which may have
  fewer lanes, a divisor of 32; with more threads along `threadIdx.x` it has a further dimension for the groups of 32
  threads;
- "local": one thread, on the stack;
- "register": one thread, in SSA values after emission;
- any other string belongs to a user's target.

A known scope may have a suffix: "warp.accumulator" is memory of a warp, as "warp" is, and "local.scratch" is memory of
one thread. The prefix determines the semantics of the buffer for the interpreter, dependences and barriers. A target's
emitter uses the whole name, for example for the layout of elements in the registers of a warp's lanes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ...hardware import LANE_TAG, WARP_THREADS
from ..affine_syntax import parse_index, parse_indices, print_index, print_indices
from ..constant_data import parse_data, print_data
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import (
    parse_attributes,
    parse_numbered,
    print_conversion,
    print_numbered,
    print_types,
    with_attributes,
)
from ..resource import ResourceAttr

GLOBAL, LOCAL, REGISTER, SHARED, WARP = "global", "local", "register", "shared", "warp"
LANES = WARP_THREADS
LANE_AXIS = LANE_TAG


def scope_of(type: Attribute) -> str:
    """Return the scope of a buffer type; "global" where the memref has no memory space."""
    assert isinstance(type, MemRefType)
    return type.memory_space.data if isinstance(type.memory_space, StringAttr) else GLOBAL


def family_of(type: Attribute) -> str:
    """Return the known scope that the scope of a buffer type is one of: "warp" for "warp.accumulator"."""
    return scope_of(type).partition(".")[0]


def is_private(type: Attribute) -> bool:
    """Return whether a buffer of this type is private to each thread."""
    return family_of(type) in (LOCAL, REGISTER)


def is_of_warp(type: Attribute) -> bool:
    """Return whether the lanes of a warp share a buffer of this type."""
    return family_of(type) == WARP


def is_of_threads(type: Attribute) -> bool:
    """Return whether a buffer of this type is shared by threads of one block only."""
    return family_of(type) in (SHARED, WARP)


def buffer_type(shape: Sequence[int], element: Attribute, scope: str = GLOBAL) -> MemRefType:
    """Return the type of a row-major memref; -1 is a dynamic extent."""
    return _buffer_type(tuple(shape), element, scope)


@lru_cache(maxsize=4096)
def _buffer_type(shape: tuple[int, ...], element: Attribute, scope: str) -> MemRefType:
    # Types are values, few are different, and xDSL takes as long to make one as to make an operation.
    return MemRefType(element, shape) if scope == GLOBAL else MemRefType(element, shape, memory_space=StringAttr(scope))


@irdl_op_definition
class AllocOp(IndexedOp):
    """A buffer that lives to the end of the enclosing region; its elements are undefined until written.

    `sizes` are the dynamic extents in order.

    ```mlir
    %acc = loop.alloc : memref<6x16xf32, "register">
    %tmp = loop.alloc (%n) : memref<?x4xf32>
    ```
    """

    name = "loop.alloc"
    INDEX_PROPERTIES: ClassVar = ("sizes",)

    dims = var_operand_def(IndexType())
    sizes = prop_def()
    res = result_def(MemRefType)

    traits = traits_def(MemoryAllocEffect())

    def __init__(self, type: MemRefType, sizes: Sequence[IndexLike] = (), name_hint: str | None = None):
        maps, operands = encode({"sizes": [Index.of(s) for s in sizes]})
        super().__init__(operands=[operands], properties=maps, result_types=[type])
        self.res.name_hint = name_hint

    @property
    def dynamic_sizes(self) -> tuple[Index, ...]:
        return self.index_list("sizes")

    @property
    def shape(self) -> tuple[Index, ...]:
        """The extents, static and dynamic, in the order of dimensions."""
        dynamic = iter(self.dynamic_sizes)
        return tuple(next(dynamic) if n == DYNAMIC_INDEX else Index.of(n) for n in self.res.type.get_shape())

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        expected = sum(n == DYNAMIC_INDEX for n in self.res.type.get_shape())
        if expected != len(self.dynamic_sizes):
            raise VerifyException(f"expected {expected} dynamic sizes, but got {len(self.dynamic_sizes)}")

    def print(self, printer: Printer) -> None:
        if self.dynamic_sizes:
            printer.print_string(" (")
            print_indices(printer, self.dynamic_sizes)
            printer.print_string(")")
        print_types(printer, self, self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> AllocOp:
        sizes = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, lambda: parse_index(parser))
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        return with_attributes(cls(parse_buffer_type(parser), sizes or ()), attributes)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """Read-only data: inline elements, or a resource that is kept outside of the text.

    ```mlir
    %w = loop.constant resource<"conv1.weight"> : memref<64x3x7x7xf32>
    %b = loop.constant dense<[1.0, 2.0]> : memref<2xf32>
    ```
    """

    name = "loop.constant"

    value = prop_def()
    res = result_def(MemRefType)

    traits = traits_def(Pure())

    def __init__(self, value: Attribute, type: MemRefType, name_hint: str | None = None):
        super().__init__(properties={"value": value}, result_types=[type])
        self.res.name_hint = name_hint

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_data(printer, self.value, self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        value, type = parse_data(parser)
        return cls(value, expect_buffer_type(parser, type))

    def verify_(self) -> None:
        shape, element = self.res.type.get_shape(), self.res.type.element_type
        if isinstance(self.value, ResourceAttr):
            problem = self.value.check_type(self.res.type)
        elif isinstance(self.value, DenseIntOrFPElementsAttr):
            have = (tuple(self.value.get_shape()), self.value.get_element_type())
            want = (tuple(shape), element)
            problem = None if have == want else f"expected data of {self.res.type}, but got {self.value.type}"
        else:
            problem = f"expected dense or resource data, but got {self.value}"
        if problem is not None:
            raise VerifyException(problem)


@irdl_op_definition
class ViewOp(IndexedOp):
    """A buffer within the bytes of another contiguous buffer, `offset` bytes from its start; nothing is copied.

    ```mlir
    %x1 = loop.view %arena[%slot * 64] : memref<4096xi8> to memref<8x16xf32>
    %flat = loop.view %x[0] : memref<1x8x1x1xf32> to memref<1x8xf32>
    ```
    """

    name = "loop.view"
    INDEX_PROPERTIES: ClassVar = ("offset",)

    buffer = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    offset = prop_def()
    res = result_def(MemRefType)

    traits = traits_def(Pure())

    def __init__(self, buffer: SSAValue, offset: IndexLike, type: MemRefType, name_hint: str | None = None):
        maps, operands = encode({"offset": [Index.of(offset)]})
        super().__init__(operands=[buffer, operands], properties=maps, result_types=[type])
        self.res.name_hint = name_hint

    @property
    def byte_offset(self) -> Index:
        return self.index_list("offset")[0]

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if scope_of(self.buffer.type) != scope_of(self.res.type):
            raise VerifyException(f"expected scope {scope_of(self.buffer.type)}, but got {scope_of(self.res.type)}")
        have, want = byte_size(self.buffer.type), byte_size(self.res.type)
        if have is None or want is None or not self.byte_offset.is_constant:
            return
        start = self.byte_offset.constant
        if start < 0 or start + want > have:
            raise VerifyException(f"expected a view within {have} bytes, but got bytes {start} to {start + want}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        printer.print_string("[")
        print_index(printer, self.byte_offset)
        printer.print_string("]")
        print_conversion(printer, self, self.buffer)

    @classmethod
    def parse(cls, parser: Parser) -> ViewOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        offset = parse_index(parser)
        parser.parse_punctuation("]")
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        base = parse_buffer_type(parser)
        parser.parse_keyword("to")
        op = cls(parser.resolve_operand(unresolved, base), offset, parse_buffer_type(parser))
        return with_attributes(op, attributes)


@irdl_op_definition
class DimOp(IRDLOperation):
    """An extent of a buffer: `%n = loop.dim %A, 0 : memref<?x4xf32>`."""

    name = "loop.dim"

    buffer = operand_def(MemRefType)
    dimension = prop_def(IntegerAttr)
    res = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, buffer: SSAValue, dimension: int, name_hint: str | None = None):
        properties = {"dimension": IntegerAttr(dimension, i64)}
        super().__init__(operands=[buffer], properties=properties, result_types=[IndexType()])
        self.res.name_hint = name_hint

    def verify_(self) -> None:
        rank = _memref(self.buffer).get_num_dims()
        if not 0 <= self.dimension.value.data < rank:
            raise VerifyException(f"expected a dimension below {rank}, but got {self.dimension.value.data}")

    def print(self, printer: Printer) -> None:
        print_numbered(printer, self, self.buffer, self.dimension.value.data)

    @classmethod
    def parse(cls, parser: Parser) -> DimOp:
        buffer, dimension, attributes = parse_numbered(parser, parse_buffer_type)
        return with_attributes(cls(buffer, dimension), attributes)


@irdl_op_definition
class BindOp(IndexedOp):
    """States a buffer's extents and its strides in elements; a disagreeing argument is an error at entry.

    ```mlir
    loop.bind %A shape [%n, 4] strides [4, 1] : memref<?x4xf32>
    ```
    """

    name = "loop.bind"
    INDEX_PROPERTIES: ClassVar = ("shape", "strides")

    buffer = operand_def(MemRefType)
    dims = var_operand_def(IndexType())
    shape = prop_def()
    strides = prop_def()

    traits = traits_def(MemoryWriteEffect())

    def __init__(self, buffer: SSAValue, shape: Sequence[IndexLike], strides: Sequence[IndexLike]):
        lists = {"shape": [Index.of(n) for n in shape], "strides": [Index.of(s) for s in strides]}
        maps, operands = encode(lists)
        super().__init__(operands=[buffer, operands], properties=maps)

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        rank = _memref(self.buffer).get_num_dims()
        for name in self.INDEX_PROPERTIES:
            if len(self.index_list(name)) != rank:
                raise VerifyException(f"expected {rank} entries in {name}, but got {len(self.index_list(name))}")
        for n, e in zip(_memref(self.buffer).get_shape(), self.index_list("shape"), strict=True):
            if e.is_constant and n not in (DYNAMIC_INDEX, e.constant):
                raise VerifyException(f"expected extent {n}, but got {e.constant}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        for name in self.INDEX_PROPERTIES:
            printer.print_string(f" {name} [")
            print_indices(printer, self.index_list(name))
            printer.print_string("]")
        print_types(printer, self, self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> BindOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_keyword("shape")
        shape = parse_indices(parser, Parser.Delimiter.SQUARE)
        parser.parse_keyword("strides")
        strides = parse_indices(parser, Parser.Delimiter.SQUARE)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(unresolved, parse_buffer_type(parser)), shape, strides)
        return with_attributes(op, attributes)


def byte_size(type: Attribute) -> int | None:
    """Return the size of a buffer in bytes, None where its extents or its elements have no fixed size; an index has
    8."""
    assert isinstance(type, MemRefType)
    element = type.element_type
    shape, width = type.get_shape(), 64 if isinstance(element, IndexType) else getattr(element, "bitwidth", None)
    if DYNAMIC_INDEX in shape or width is None:
        return None
    return (width + 7) // 8 * prod(shape)


def _memref(buffer: SSAValue) -> MemRefType:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type


def parse_buffer_type(parser: Parser) -> MemRefType:
    return expect_buffer_type(parser, parser.parse_type())


def expect_buffer_type(parser: Parser, type: Attribute) -> MemRefType:
    if not isinstance(type, MemRefType):
        parser.raise_error(f"expected a memref type, but got {type}")
    return type
