"""Values of bodies and sizes: reads, index expressions and guards, sizes, constant data."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, IndexType, IntegerAttr, TensorType, i1, i64
from xdsl.ir import Attribute, SSAValue
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_indices, print_indices
from ..constant_data import parse_data, print_data
from ..dtypes import is_integer, numpy_dtype
from ..graph.sizes import larger_of
from ..graph.types import shape_of
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode, indexed_op_definition
from ..op_syntax import (
    parse_access,
    parse_attributes,
    parse_conditions,
    parse_expression,
    parse_numbered,
    print_access,
    print_attributes,
    print_conditions,
    print_conversion,
    print_expression,
    print_numbered,
    print_types,
    with_attributes,
)
from ..resource import ResourceAttr


@indexed_op_definition
class ReadOp(IndexedOp):
    """One element of a tensor; if the guard fails, the `else` value, and nothing is read.

    ```mlir
    %a = te.read %A[%i, %k * 2] : tensor<64x128xf32>
    %p = te.read %X[%i - 1] where (%i >= 1, %i < 57) else %zero : tensor<56xf32>
    ```
    """

    name = "te.read"
    INDEX_PROPERTIES: ClassVar = ("indices", "guard")

    tensor = operand_def(TensorType)
    dims = var_operand_def(IndexType())
    otherwise = opt_operand_def()
    indices = prop_def()
    guard = prop_def()
    res = result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())

    def __init__(
        self,
        tensor: SSAValue,
        indices: Sequence[IndexLike],
        guard: Sequence[Index] = (),
        otherwise: SSAValue | None = None,
    ):
        assert isinstance(tensor.type, TensorType)
        maps, operands = encode({"indices": [Index.of(e) for e in indices], "guard": guard})
        super().__init__(
            operands=[tensor, operands, otherwise], properties=maps, result_types=[tensor.type.element_type]
        )

    @property
    def index(self) -> tuple[Index, ...]:
        return self.index_list("indices")

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The expressions that must all be >= 0 for the element to be read."""
        return self.index_list("guard")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        type = self.tensor.type
        assert isinstance(type, TensorType)
        if len(self.index) != type.get_num_dims():
            raise VerifyException(f"expected {type.get_num_dims()} indices for {type}, but got {len(self.index)}")
        if self.res.type != type.element_type:
            raise VerifyException(f"expected a result of type {type.element_type}, but got {self.res.type}")
        if bool(self.conditions) != (self.otherwise is not None):
            raise VerifyException("expected an `else` value with a guard and only with one")
        if self.otherwise is not None and self.otherwise.type != self.res.type:
            raise VerifyException(f"expected an `else` value of type {self.res.type}, but got {self.otherwise.type}")

    def print(self, printer: Printer) -> None:
        print_access(printer, self.tensor, self.index, self.conditions, self.otherwise)
        print_types(printer, self, self.tensor.type)

    @classmethod
    def parse(cls, parser: Parser) -> ReadOp:
        text = parse_access(parser)
        type = _parse_tensor_type(parser)
        tensor = parser.resolve_operand(text.source, type)
        otherwise = parser.resolve_operand(text.otherwise, type.element_type) if text.otherwise else None
        return with_attributes(cls(tensor, text.indices, text.guard, otherwise), text.attributes)


@irdl_op_definition
class ApplyOp(IndexedOp):
    """The value of an index expression: `%x = te.apply (%i * 2 + 1) : index`."""

    name = "te.apply"
    INDEX_PROPERTIES: ClassVar = ("expression",)

    dims = var_operand_def(IndexType())
    expression = prop_def()
    res = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, expression: IndexLike):
        maps, operands = encode({"expression": [Index.of(expression)]})
        super().__init__(operands=[operands], properties=maps, result_types=[IndexType()])

    @property
    def index(self) -> Index:
        return self.index_list("expression")[0]

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if (count := len(self.index_list("expression"))) != 1:
            raise VerifyException(f"expected one expression, but got {count}")

    def print(self, printer: Printer) -> None:
        print_expression(printer, self, self.index)

    @classmethod
    def parse(cls, parser: Parser) -> ApplyOp:
        expression, attributes, type = parse_expression(parser)
        if type != IndexType():
            parser.raise_error(f"expected type index, but got {type}")
        return with_attributes(cls(expression), attributes)


@irdl_op_definition
class TestOp(IndexedOp):
    """The truth value of a guard: `%c = te.test (%i < 57, %j >= 1) : i1`."""

    name = "te.test"
    INDEX_PROPERTIES: ClassVar = ("guard",)

    dims = var_operand_def(IndexType())
    guard = prop_def()
    res = result_def(i1)

    traits = traits_def(Pure())

    def __init__(self, guard: Sequence[Index]):
        maps, operands = encode({"guard": guard})
        super().__init__(operands=[operands], properties=maps, result_types=[i1])

    @property
    def conditions(self) -> tuple[Index, ...]:
        return self.index_list("guard")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)

    def print(self, printer: Printer) -> None:
        print_conditions(printer, self, self.conditions)

    @classmethod
    def parse(cls, parser: Parser) -> TestOp:
        guard, attributes, type = parse_conditions(parser)
        if type != i1:
            parser.raise_error(f"expected type i1, but got {type}")
        return with_attributes(cls(guard), attributes)


@irdl_op_definition
class DimOp(IRDLOperation):
    """A size of a tensor: `%n = te.dim %A, 0 : tensor<?x4xf32>`."""

    name = "te.dim"

    tensor = operand_def(TensorType)
    dimension = prop_def(IntegerAttr)
    res = result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, dimension: int, name_hint: str | None = None):
        properties = {"dimension": IntegerAttr(dimension, i64)}
        super().__init__(operands=[tensor], properties=properties, result_types=[IndexType()])
        self.res.name_hint = name_hint

    def verify_(self) -> None:
        assert isinstance(self.tensor.type, TensorType)
        rank = self.tensor.type.get_num_dims()
        if not 0 <= self.dimension.value.data < rank:
            raise VerifyException(f"expected a dimension below {rank}, but got {self.dimension.value.data}")

    def print(self, printer: Printer) -> None:
        print_numbered(printer, self, self.tensor, self.dimension.value.data)

    @classmethod
    def parse(cls, parser: Parser) -> DimOp:
        tensor, dimension, attributes = parse_numbered(parser, _parse_tensor_type)
        return with_attributes(cls(tensor, dimension), attributes)


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """Constant data: inline elements, or a resource that is kept outside of the text.

    ```mlir
    %w = te.constant resource<"conv1.weight"> : tensor<64x3x7x7xf32>
    %b = te.constant dense<[1.0, 2.0]> : tensor<2xf32>
    ```
    """

    name = "te.constant"

    value = prop_def()
    res = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(self, value: Attribute, type: TensorType, name_hint: str | None = None):
        super().__init__(properties={"value": value}, result_types=[type])
        self.res.name_hint = name_hint

    def verify_(self) -> None:
        if isinstance(self.value, ResourceAttr):
            problem = self.value.check_type(self.res.type)
        elif not isinstance(self.value, DenseIntOrFPElementsAttr):
            problem = f"expected dense or resource data, but got {self.value}"
        else:
            same = self.value.type == self.res.type
            problem = None if same else f"expected data of {self.res.type}, but got {self.value.type}"
        if problem:
            raise VerifyException(problem)

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self)
        printer.print_string(" ")
        print_data(printer, self.value, self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parse_attributes(parser)
        start = parser.pos
        value, type = parse_data(parser)
        op = cls(value, _expect_tensor_type(parser, type, start))
        return with_attributes(op, attributes)


@irdl_op_definition
class BindOp(IndexedOp):
    """States the shape of an argument whose sizes are computed from sizes of other arguments.

    ```mlir
    te.bind %A shape [%n + 2, %m] : tensor<?x?xf32>
    ```
    An argument of another shape is an error of the call.
    """

    name = "te.bind"
    INDEX_PROPERTIES: ClassVar = ("shape",)

    tensor = operand_def(TensorType)
    dims = var_operand_def(IndexType())
    shape = prop_def()

    def __init__(self, tensor: SSAValue, shape: Sequence[IndexLike]):
        maps, operands = encode({"shape": [Index.of(e) for e in shape]})
        super().__init__(operands=[tensor, operands], properties=maps)

    @property
    def sizes(self) -> tuple[Index, ...]:
        return self.index_list("shape")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        type = self.tensor.type
        assert isinstance(type, TensorType)
        if len(self.sizes) != type.get_num_dims():
            raise VerifyException(f"expected {type.get_num_dims()} sizes for {type}, but got {len(self.sizes)}")
        for d, (size, extent) in enumerate(zip(type.get_shape(), self.sizes, strict=True)):
            if size != DYNAMIC_INDEX and extent != Index.of(size):
                raise VerifyException(f"expected a size of {size} for dimension {d}, but got {extent}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor)
        printer.print_string(" shape [")
        print_indices(printer, self.sizes)
        printer.print_string("]")
        print_types(printer, self, self.tensor.type)

    @classmethod
    def parse(cls, parser: Parser) -> BindOp:
        tensor = parser.parse_unresolved_operand()
        parser.parse_keyword("shape")
        sizes = parse_indices(parser, Parser.Delimiter.SQUARE)
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        return with_attributes(cls(parser.resolve_operand(tensor, parser.parse_type()), sizes), attributes)


@irdl_op_definition
class ReshapeOp(IRDLOperation):
    """The same elements in row-major order under another shape; it stands between kernels and costs nothing.

    A reshape between integers of different widths keeps the bytes, the lowest byte of an element first.

    ```mlir
    %y = te.reshape %x : tensor<1x64x56x56xf32> to tensor<64x3136xf32>
    ```
    """

    name = "te.reshape"

    tensor = operand_def(TensorType)
    res = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, type: TensorType):
        super().__init__(operands=[tensor], result_types=[type])

    def verify_(self) -> None:
        have, want = self.tensor.type, self.res.type
        assert isinstance(have, TensorType)
        if have.element_type != want.element_type and not (
            is_integer(have.element_type) and is_integer(want.element_type)
        ):
            raise VerifyException(f"expected elements of type {have.element_type}, but got {want.element_type}")
        if DYNAMIC_INDEX in (*have.get_shape(), *want.get_shape()):
            return
        sizes = [prod(type.get_shape()) * numpy_dtype(type.element_type).itemsize for type in (have, want)]
        if sizes[0] != sizes[1]:
            raise VerifyException(f"expected as many elements as {have} has, but got {want}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor)
        print_conversion(printer, self, self.tensor)

    @classmethod
    def parse(cls, parser: Parser) -> ReshapeOp:
        return _parse_conversion(parser, cls)


_Number = TypeVar("_Number", int, Index)


@irdl_op_definition
class MatchOp(IRDLOperation):
    """The same tensor with other texts for its sizes, which must be equal when the function is called: a view.

    ```mlir
    %y = te.match %x : tensor<?x3xf32, #graph.dims<m, _>> to tensor<?x3xf32, #graph.dims<n, _>>
    ```
    A call with different sizes ends with an error that names both.
    """

    name = "te.match"

    tensor = operand_def(TensorType)
    res = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, type: TensorType):
        super().__init__(operands=[tensor], result_types=[type])

    def complaint(self, axis: int, have: _Number, want: _Number) -> tuple[str, list[_Number]]:
        """Return the message for an axis whose sizes differ, with a `{}` for each of the numbers behind it."""
        old, new = shape_of(self.tensor)[axis], shape_of(self.res)[axis]
        if old == larger_of(new, 0):
            return f"expected size {new} to be at least 0, but got {{}}", [want]
        names = ("?" if dim is None else dim for dim in (old, new))
        return f"expected sizes {' and '.join(map(str, names))} to be equal, but got {{}} and {{}}", [have, want]

    def verify_(self) -> None:
        have, want = self.tensor.type, self.res.type
        assert isinstance(have, TensorType)
        if have.element_type != want.element_type or len(have.get_shape()) != len(want.get_shape()):
            raise VerifyException(f"expected elements and rank of {have}, but got {want}")
        pairs = zip(have.get_shape(), want.get_shape(), strict=True)
        if any(DYNAMIC_INDEX not in pair and pair[0] != pair[1] for pair in pairs):
            raise VerifyException(f"expected sizes that may be those of {have}, but got {want}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor)
        print_conversion(printer, self, self.tensor)

    @classmethod
    def parse(cls, parser: Parser) -> MatchOp:
        return _parse_conversion(parser, cls)


@irdl_op_definition
class PrefixOp(IRDLOperation):
    """The first slices of a tensor along its first dimension, as a view. A tensor of one element has the number of
    slices.

    ```mlir
    %y = te.prefix %x, %count : tensor<8x3xf32>, tensor<1xi64> to tensor<?x3xf32, #graph.dims<found, _>>
    ```
    The count is clamped to the range from 0 to the number of slices.
    """

    name = "te.prefix"

    tensor = operand_def(TensorType)
    count = operand_def(TensorType)
    res = result_def(TensorType)

    traits = traits_def(Pure())

    def __init__(self, tensor: SSAValue, count: SSAValue, type: TensorType):
        super().__init__(operands=[tensor, count], result_types=[type])

    def verify_(self) -> None:
        have, want, count = self.tensor.type, self.res.type, self.count.type
        assert isinstance(have, TensorType) and isinstance(count, TensorType)
        if have.element_type != want.element_type or have.get_shape()[1:] != want.get_shape()[1:]:
            raise VerifyException(f"expected parts of {have}, but got {want}")
        if not have.get_shape() or want.get_shape()[0] != DYNAMIC_INDEX:
            raise VerifyException(f"expected a first size that is not known, but got {want}")
        if count.element_type != i64 or count.get_shape() != (1,):
            raise VerifyException(f"expected a count of type tensor<1xi64>, but got {count}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" to ")
        printer.print_attribute(self.res.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefixOp:
        tensor = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        count = parser.parse_unresolved_operand()
        attributes = parse_attributes(parser)
        parser.parse_punctuation(":")
        first = parser.resolve_operand(tensor, _parse_tensor_type(parser))
        parser.parse_punctuation(",")
        second = parser.resolve_operand(count, _parse_tensor_type(parser))
        parser.parse_keyword("to")
        return with_attributes(cls(first, second, _parse_tensor_type(parser)), attributes)


_ConversionT = TypeVar("_ConversionT", ReshapeOp, MatchOp)


def _parse_conversion(parser: Parser, operation: type[_ConversionT]) -> _ConversionT:
    """Parse a tensor, and the types before and after."""
    unresolved = parser.parse_unresolved_operand()
    attributes = parse_attributes(parser)
    parser.parse_punctuation(":")
    tensor = parser.resolve_operand(unresolved, _parse_tensor_type(parser))
    parser.parse_keyword("to")
    return with_attributes(operation(tensor, _parse_tensor_type(parser)), attributes)


def _parse_tensor_type(parser: Parser) -> TensorType:
    start = parser.pos
    return _expect_tensor_type(parser, parser.parse_type(), start)


def _expect_tensor_type(parser: Parser, type: Attribute, start: int) -> TensorType:
    if not isinstance(type, TensorType):
        parser.raise_error(f"expected a tensor type, but got {type}", start, parser.pos)
    return type
