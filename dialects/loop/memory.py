"""Buffers and accesses.

A buffer is a `memref` in row-major order whose memory space names its scope: none is global, "local" is the stack,
"register" lives in SSA values after emission, "shared" and "warp" belong to GPUs, any other string to a user's
target. An access evaluates its index expressions once per lane of its vector type, so one operation covers
contiguous, strided, broadcast and gathered accesses; a guard masks single lanes, and memory is never touched where
it fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Attribute,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    VectorType,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
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
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_guard, parse_index, parse_indices, print_guard, print_index, print_indices
from ..constant_syntax import parse_data, print_data
from ..index_expr import Index, IndexLike
from ..resource import ResourceAttr
from ..indexed_op import IndexedOp, encode

GLOBAL, LOCAL, REGISTER = "global", "local", "register"


def scope_of(type: Attribute) -> str:
    """The scope of a buffer type; "global" where the memref has no memory space."""
    assert isinstance(type, MemRefType)
    return type.memory_space.data if isinstance(type.memory_space, StringAttr) else GLOBAL


def buffer_type(shape: Sequence[int], element: Attribute, scope: str = GLOBAL) -> MemRefType:
    """A row-major memref; -1 is a dynamic extent."""
    return MemRefType(element, shape) if scope == GLOBAL else MemRefType(element, shape, memory_space=StringAttr(scope))


@irdl_op_definition
class LoadOp(IndexedOp):
    """Reads a scalar, or one element per lane of a vector.

    Where the guard fails the result is the scalar `else` value.

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
            result_types=[element if lanes is None else VectorType(element, [lanes])],
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
        _print_access(printer, self.buffer, self.index, self.conditions)
        if self.otherwise is not None:
            printer.print_string(" else ")
            printer.print_ssa_value(self.otherwise)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)
        if self.lanes is not None:
            printer.print_string(", ")
            printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> LoadOp:
        unresolved = parser.parse_unresolved_operand()
        indices = parse_indices(parser, Parser.Delimiter.SQUARE)
        guard = parse_guard(parser) if parser.parse_optional_keyword("where") else ()
        default = parser.parse_unresolved_operand() if parser.parse_optional_keyword("else") else None
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        type = _parse_buffer_type(parser)
        vector = parser.parse_type() if parser.parse_optional_punctuation(",") else None
        buffer = parser.resolve_operand(unresolved, type)
        otherwise = parser.resolve_operand(default, type.element_type) if default else None
        op = cls(buffer, indices, guard, otherwise, _lanes(vector) if vector else None)
        if vector is not None and vector != op.res.type:
            parser.raise_error(f"expected a vector of {type.element_type}, but got {vector}")
        op.attributes |= attributes.data if attributes else {}
        return op


@irdl_op_definition
class StoreOp(IndexedOp):
    """Writes a scalar, or one element per lane of a vector; nothing where the guard fails.

    Lanes that name the same element are written in lane order, so the last one stays.

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
        _print_access(printer, self.buffer, self.index, self.conditions)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        if self.lanes is not None:
            printer.print_attribute(self.value.type)
            printer.print_string(", ")
        printer.print_attribute(self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> StoreOp:
        stored = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        unresolved = parser.parse_unresolved_operand()
        indices = parse_indices(parser, Parser.Delimiter.SQUARE)
        guard = parse_guard(parser) if parser.parse_optional_keyword("where") else ()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        first = parser.parse_type()
        vector = first if parser.parse_optional_punctuation(",") else None
        type = _parse_buffer_type(parser) if vector else _expect_buffer_type(parser, first)
        value = parser.resolve_operand(stored, vector or type.element_type)
        op = cls(value, parser.resolve_operand(unresolved, type), indices, guard)
        op.attributes |= attributes.data if attributes else {}
        return op


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
        """The extents, static and dynamic ones in place."""
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
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> AllocOp:
        sizes = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, lambda: parse_index(parser))
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        op = cls(_parse_buffer_type(parser), sizes or ())
        op.attributes |= attributes.data if attributes else {}
        return op


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
        return cls(value, _expect_buffer_type(parser, type))

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
    """A buffer within the bytes of another contiguous one, `offset` bytes from its start; nothing is copied.

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
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)
        printer.print_string(" to ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> ViewOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        offset = parse_index(parser)
        parser.parse_punctuation("]")
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        base = _parse_buffer_type(parser)
        parser.parse_keyword("to")
        op = cls(parser.resolve_operand(unresolved, base), offset, _parse_buffer_type(parser))
        op.attributes |= attributes.data if attributes else {}
        return op


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
        rank = self.buffer.type.get_num_dims()
        if not 0 <= self.dimension.value.data < rank:
            raise VerifyException(f"expected a dimension below {rank}, but got {self.dimension.value.data}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        printer.print_string(f", {self.dimension.value.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> DimOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        dimension = parser.parse_integer(allow_boolean=False)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(unresolved, _parse_buffer_type(parser)), dimension)
        op.attributes |= attributes.data if attributes else {}
        return op


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
        rank = self.buffer.type.get_num_dims()
        for name in self.INDEX_PROPERTIES:
            if len(self.index_list(name)) != rank:
                raise VerifyException(f"expected {rank} entries in {name}, but got {len(self.index_list(name))}")
        for n, e in zip(self.buffer.type.get_shape(), self.index_list("shape"), strict=True):
            if e.is_constant and n not in (DYNAMIC_INDEX, e.constant):
                raise VerifyException(f"expected extent {n}, but got {e.constant}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        for name in self.INDEX_PROPERTIES:
            printer.print_string(f" {name} [")
            print_indices(printer, self.index_list(name))
            printer.print_string("]")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> BindOp:
        unresolved = parser.parse_unresolved_operand()
        parser.parse_keyword("shape")
        shape = parse_indices(parser, Parser.Delimiter.SQUARE)
        parser.parse_keyword("strides")
        strides = parse_indices(parser, Parser.Delimiter.SQUARE)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(unresolved, _parse_buffer_type(parser)), shape, strides)
        op.attributes |= attributes.data if attributes else {}
        return op


def _lanes(type: Attribute) -> int | None:
    return type.get_shape()[0] if isinstance(type, VectorType) else None


def _element(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type.element_type


def byte_size(type: Attribute) -> int | None:
    """The size of a buffer in bytes, None where its extents or its elements have no fixed size; an index has 8."""
    assert isinstance(type, MemRefType)
    element = type.element_type
    shape, width = type.get_shape(), 64 if isinstance(element, IndexType) else getattr(element, "bitwidth", None)
    if DYNAMIC_INDEX in shape or width is None:
        return None
    size = (width + 7) // 8
    for n in shape:
        size *= n
    return size


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


def _print_access(printer: Printer, buffer: SSAValue, index: Sequence[Index], guard: Sequence[Index]) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(buffer)
    printer.print_string("[")
    print_indices(printer, index)
    printer.print_string("]")
    if guard:
        printer.print_string(" where (")
        print_guard(printer, guard)
        printer.print_string(")")


def _parse_buffer_type(parser: Parser) -> MemRefType:
    return _expect_buffer_type(parser, parser.parse_type())


def _expect_buffer_type(parser: Parser, type: Attribute) -> MemRefType:
    if not isinstance(type, MemRefType):
        parser.raise_error(f"expected a memref type, but got {type}")
    return type
