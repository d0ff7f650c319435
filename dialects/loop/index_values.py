"""Index expressions as values, and the variables of a fused symbolic loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IndexType, VectorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def, var_operand_def, var_result_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..affine_syntax import parse_indices, print_indices
from ..dtypes import vector_type
from ..index_expr import Index, IndexLike
from ..indexed_op import IndexedOp, encode
from ..op_syntax import (
    parse_attributes,
    parse_conditions,
    parse_expression,
    print_attributes,
    print_conditions,
    print_expression,
    with_attributes,
)


@irdl_op_definition
class ApplyOp(IndexedOp):
    """The value of an index expression, one per lane for a vector.

    ```mlir
    %x = loop.apply (%i * 2 + 1) : index
    %v = loop.apply (%i * 8 + lane) : vector<8xindex>
    ```
    """

    name = "loop.apply"
    INDEX_PROPERTIES: ClassVar = ("expression",)

    dims = var_operand_def(IndexType())
    expression = prop_def()
    res = result_def()

    traits = traits_def(Pure())

    def __init__(self, expression: IndexLike, lanes: int | None = None):
        maps, operands = encode({"expression": [Index.of(expression)]})
        super().__init__(operands=[operands], properties=maps, result_types=[_value_type(IndexType(), lanes)])

    @property
    def index(self) -> Index:
        return self.index_list("expression")[0]

    def verify_(self) -> None:
        self.verify_index_lists(lane=isinstance(self.res.type, VectorType))
        if len(self.index_list("expression")) != 1:
            raise VerifyException(f"expected one expression, but got {len(self.index_list('expression'))}")
        _verify_value_type(self.res.type, IndexType())

    def print(self, printer: Printer) -> None:
        print_expression(printer, self, self.index)

    @classmethod
    def parse(cls, parser: Parser) -> ApplyOp:
        expression, attributes, type = parse_expression(parser)
        return with_attributes(cls(expression, _lanes(type)), attributes)


@irdl_op_definition
class TestOp(IndexedOp):
    """The truth value of a guard, one for each lane of a vector.

    ```mlir
    %c = loop.test (%i < 57, %j >= 1) : i1
    %m = loop.test (%i * 8 + lane < 60) : vector<8xi1>
    ```
    """

    name = "loop.test"
    INDEX_PROPERTIES: ClassVar = ("guard",)

    dims = var_operand_def(IndexType())
    guard = prop_def()
    res = result_def()

    traits = traits_def(Pure())

    def __init__(self, guard: Sequence[Index], lanes: int | None = None):
        maps, operands = encode({"guard": guard})
        super().__init__(operands=[operands], properties=maps, result_types=[_value_type(i1, lanes)])

    @property
    def conditions(self) -> tuple[Index, ...]:
        return self.index_list("guard")

    def verify_(self) -> None:
        self.verify_index_lists(lane=isinstance(self.res.type, VectorType))
        _verify_value_type(self.res.type, i1)

    def print(self, printer: Printer) -> None:
        print_conditions(printer, self, self.conditions)

    @classmethod
    def parse(cls, parser: Parser) -> TestOp:
        guard, attributes, type = parse_conditions(parser)
        return with_attributes(cls(guard, _lanes(type)), attributes)


@irdl_op_definition
class DelinearizeOp(IndexedOp):
    """Splits a fused index into positions within symbolic extents. The last position varies fastest.

    The extents are those of the original loops; `%f` is below their product.

    ```mlir
    %i, %j = loop.delinearize %f into (%n, %m)
    ```
    """

    name = "loop.delinearize"
    INDEX_PROPERTIES: ClassVar = ("extents",)

    fused = operand_def(IndexType())
    dims = var_operand_def(IndexType())
    extents = prop_def()
    res = var_result_def(IndexType())

    traits = traits_def(Pure())

    def __init__(self, fused: SSAValue, extents: Sequence[IndexLike]):
        maps, operands = encode({"extents": [Index.of(e) for e in extents]})
        super().__init__(operands=[fused, operands], properties=maps, result_types=[[IndexType()] * len(extents)])

    @property
    def sizes(self) -> tuple[Index, ...]:
        return self.index_list("extents")

    def verify_(self) -> None:
        self.verify_index_lists(lane=False)
        if len(self.sizes) != len(self.res):
            raise VerifyException(f"expected {len(self.sizes)} results, but got {len(self.res)}")

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.fused)
        printer.print_string(" into (")
        print_indices(printer, self.sizes)
        printer.print_string(")")
        print_attributes(printer, self)

    @classmethod
    def parse(cls, parser: Parser) -> DelinearizeOp:
        fused = parser.resolve_operand(parser.parse_unresolved_operand(), IndexType())
        parser.parse_keyword("into")
        op = cls(fused, parse_indices(parser, Parser.Delimiter.PAREN))
        attributes = parse_attributes(parser)
        return with_attributes(op, attributes)


def _value_type(element: Attribute, lanes: int | None) -> Attribute:
    return element if lanes is None else vector_type(element, lanes)


def _verify_value_type(type: Attribute, element: Attribute) -> None:
    actual = type.element_type if isinstance(type, VectorType) and type.get_num_dims() == 1 else type
    if actual != element:
        raise VerifyException(f"expected a result of type {element} or a vector of it, but got {type}")


def _lanes(type: Attribute) -> int | None:
    return type.get_shape()[0] if isinstance(type, VectorType) else None
