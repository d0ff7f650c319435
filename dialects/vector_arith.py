"""Elementwise arith operations on vectors and tensors, as MLIR has them.

xDSL defines comparisons, selects and conversions for scalars only, but MLIR also for vectors and tensors. The
operations stay classes of xDSL, so that existing code for them still applies. Their accepted types are extended once,
when this module is imported, by the loop dialect and by `dialects.context`. One rule covers all: an operation on values
of one shape is valid if the same operation on their elements is valid.

- `arith.cmpi`, `arith.cmpf` give a vector of i1 for vectors, and a tensor of i1 for tensors;
- `arith.select` takes a vector of i1, one for each lane, whose type is written before that of the values:
  `arith.select %m, %a, %b : vector<8xi1>, vector<8xf32>`;
- conversions between index, integers and floats keep the length.

`arith.remf` and `arith.index_castui`, which MLIR has and xDSL does not, are added.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, TensorType, VectorType, i1
from xdsl.ir import Attribute, Dialect, OpResult, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from .arith_flags import parse_flags


@irdl_op_definition
class RemFOp(IRDLOperation):
    """The remainder of a division of floats that truncates, as in MLIR: `arith.remf %a, %b : f32`."""

    name = "arith.remf"

    T: ClassVar = VarConstraint("T", arith.floatingPointLike)

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """An integer as an index of the same unsigned value, or the low bits of an index: `arith.index_castui %n : i32 to
    index`."""

    name = "arith.index_castui"

    input = operand_def(base(IntegerType) | base(IndexType))
    result = result_def(base(IntegerType) | base(IndexType))

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def verify_(self) -> None:
        if isinstance(self.input.type, IndexType) == isinstance(self.result.type, IndexType):
            raise VerifyException(f"expected one of {self.input.type} and {self.result.type} to be index")


Arith = Dialect(
    "arith",
    [*arith.Arith.operations, RemFOp, IndexCastUIOp],
    [*arith.Arith.attributes],
    [arith.ArithConstantMaterializationInterface()],
)
"""xDSL's dialect, with operations that take vectors, and those that xDSL lacks."""

_COMPARISONS: tuple[type[IRDLOperation], ...] = (arith.CmpiOp, arith.CmpfOp)
_CONVERSIONS: tuple[type[IRDLOperation], ...] = (
    arith.IndexCastOp,
    arith.SIToFPOp,
    arith.UIToFPOp,
    arith.FPToSIOp,
    arith.FPToUIOp,
    arith.TruncIOp,
    arith.ExtSIOp,
    arith.ExtUIOp,
    arith.ExtFOp,
    arith.TruncFOp,
)


def _element(type: Attribute) -> Attribute:
    return type.element_type if isinstance(type, (VectorType, TensorType)) else type


def _verify_elements(op: IRDLOperation) -> None:
    """Verify a vector operation as the operation on its elements."""
    types = [value.type for value in (*op.operands, *op.results)]
    shapes = [type.get_shape() if isinstance(type, (VectorType, TensorType)) else None for type in types]
    # MLIR lets one i1 select between whole vectors.
    scalar_condition = isinstance(op, arith.SelectOp) and shapes[0] is None
    if len(set(shapes[1:] if scalar_condition else shapes)) != 1:
        raise VerifyException(f"expected values of one shape, but got {', '.join(map(str, types))}")
    twin = type(op).create(
        operands=[create_ssa_value(_element(value.type)) for value in op.operands],
        result_types=[_element(result.type) for result in op.results],
        properties=op.properties,
    )
    twin.verify_()


def _widen_verifier(op_class: type[IRDLOperation]) -> None:
    verify_scalars: Callable[[IRDLOperation], None] = op_class.verify_

    def verify_(self: IRDLOperation) -> None:
        if any(isinstance(value.type, (VectorType, TensorType)) for value in (*self.operands, *self.results)):
            _verify_elements(self)
        else:
            verify_scalars(self)

    op_class.verify_ = verify_


def _widen_comparison(op_class: type[IRDLOperation]) -> None:
    init: Callable[..., None] = op_class.__init__

    def __init__(self: IRDLOperation, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        type = self.operands[0].type
        if isinstance(type, (VectorType, TensorType)):
            is_vector = isinstance(type, VectorType)
            truths = VectorType(i1, type.shape, type.scalable_dims) if is_vector else TensorType(i1, type.get_shape())
            self.results = (OpResult(truths, self, 0),)  # pyright: ignore[reportAttributeAccessIssue]

    op_class.__init__ = __init__


def _widen_conversion(op_class: type[IRDLOperation]) -> None:
    def parse(cls: type[IRDLOperation], parser: Parser) -> IRDLOperation:
        operand = parser.parse_unresolved_operand()
        flags = parse_flags(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        source = parser.parse_type()
        parser.parse_keyword("to")
        value = parser.resolve_operand(operand, source)
        result = parser.parse_type()
        return cls.create(operands=[value], result_types=[result], properties=flags, attributes=attributes)

    op_class.parse = classmethod(parse)  # pyright: ignore[reportAttributeAccessIssue]


def _parse_select(parser: Parser) -> arith.SelectOp:
    operands = [parser.parse_unresolved_operand()]
    for _ in range(2):
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = [parser.parse_type()]
    if parser.parse_optional_punctuation(","):
        types.append(parser.parse_type())
    condition = types[0] if len(types) == 2 else i1
    op = arith.SelectOp(*parser.resolve_operands(operands, [condition, types[-1], types[-1]], parser.pos))
    op.attributes |= attributes
    return op


def _print_select(op: arith.SelectOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    if op.cond.type != i1:
        printer.print_attribute(op.cond.type)
        printer.print_string(", ")
    printer.print_attribute(op.result.type)


def _widen() -> None:
    for op_class in (*_COMPARISONS, *_CONVERSIONS, arith.SelectOp):
        _widen_verifier(op_class)
    for op_class in _COMPARISONS:
        _widen_comparison(op_class)
    for op_class in _CONVERSIONS:
        _widen_conversion(op_class)
    arith.SelectOp.parse = staticmethod(_parse_select)
    arith.SelectOp.print = _print_select  # pyright: ignore[reportAttributeAccessIssue]


_widen()
