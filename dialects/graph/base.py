"""The base class of graph ops: one syntax, type inference as the verifier, construction from Python values.

An op class declares its operands, its properties and `infer_types`; the rest is here. Text is the op's name, the
operands, `keyword value` for each property that is not at its default, and the result types:

    %y = graph.conv2d %x, %w strides [2, 2] : tensor<1x64x112x112xf32>

A declared result type may be less precise than the inferred type (a `?` for a known size), but must not contradict it;
the pass infer-types fills in the sizes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import LocationAttr, UnrankedTensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, VarIRConstruct, VerificationContext, irdl_op_verify_arg_list, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..op_syntax import resolve_defined
from .properties import Codec, Value, codec_of
from .types import Tensor, element_of, is_refinement, shape_of, tensor_type


class GraphOp(IRDLOperation, ABC):
    """An operator on tensors: pure, with result types that follow from its operands and properties."""

    KEEPS_ORDER: ClassVar[bool] = False
    """True if the result has the operand's elements in the same order: no work on a contiguous buffer."""

    traits = traits_def(Pure())

    @abstractmethod
    def infer_types(self) -> tuple[Tensor, ...]:
        """Return the result types that operands and properties imply. Raises VerifyException where there are none."""

    @classmethod
    def of(cls, *operands: SSAValue | Operation, location: LocationAttr | None = None, **values: Value) -> Self:
        """Return the op on these operands, its result types inferred: `Conv2dOp.of(x, w, strides=(2, 2))`.

        Properties are Python values; None and False leave one out. Raises VerifyException where the op would be
        invalid.
        """
        attrs = {
            name: cls.codec(name).to_attr(value)
            for name, value in values.items()
            if value is not None and value is not False
        }
        inputs = [SSAValue.get(operand) for operand in operands]
        probe = cls.create(operands=inputs, properties=dict(attrs))
        try:
            irdl_op_verify_arg_list(probe, cls.get_irdl_definition(), VarIRConstruct.OPERAND, VerificationContext())
            types = probe.infer_types()
        finally:
            probe.drop_all_references()
        op = cls.create(operands=inputs, properties=attrs, result_types=types)
        if location is not None:
            op.location = location
        return op

    @classmethod
    def codec(cls, name: str) -> Codec:
        """Return the codec of the text of the property `name`. Raises KeyError where the op has no such property."""
        return codec_of(cls.get_irdl_definition().properties[name].constr)

    @property
    def values(self) -> dict[str, Value]:
        """Every property by name as a Python value: tuples, numbers, numpy dtype names, False for absent flags."""
        result: dict[str, Value] = {}
        for name in self.get_irdl_definition().properties:
            codec, attr = self.codec(name), self.properties.get(name)
            result[name] = codec.to_python(attr) if attr is not None else (False if codec.is_flag else None)
        return result

    def verify_(self) -> None:
        if any(isinstance(operand.type, UnrankedTensorType) for operand in self.operands):
            return  # operand types are not known before infer-types
        inferred = self.infer_types()
        if len(inferred) != len(self.results):
            raise VerifyException(f"expected {len(inferred)} results, but got {len(self.results)}")
        for result, expected in zip(self.results, inferred, strict=True):
            if not is_compatible(expected, result.type):
                raise VerifyException(f"expected result type {expected}, but got {result.type}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands = parse_values(parser)
        properties: dict[str, Attribute] = {}
        keywords = {name: cls.codec(name) for name in cls.get_irdl_definition().properties}
        while (name := parser.parse_optional_keyword_in(keywords)) is not None:
            if name in properties:
                parser.raise_error(f"{name} is given twice")
            properties[name] = keywords[name].parse(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(operands=operands, properties=properties, attributes=attributes, result_types=types)

    def print(self, printer: Printer) -> None:
        if self.operands:
            printer.print_string(" ")
            printer.print_list(self.operands, printer.print_ssa_value)
        self._print_properties(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.result_types, printer.print_attribute)

    def _print_properties(self, printer: Printer) -> None:
        """Print the properties, flags last, so that each value stands beside its keyword."""
        definitions = self.get_irdl_definition().properties
        for name in sorted(definitions, key=lambda name: self.codec(name).is_flag):
            attr = self.properties.get(name)
            if attr is None or attr == definitions[name].default_value:
                continue
            codec = self.codec(name)
            printer.print_string(f" {name}" if codec.is_flag else f" {name} ")
            codec.print(printer, attr)


def is_compatible(inferred: Tensor, declared: Attribute) -> bool:
    """Return whether a result of type `inferred` may be declared as `declared`: the same type, or one with less
    known."""
    if declared == inferred:
        return True
    if isinstance(declared, UnrankedTensorType):
        return declared.element_type == inferred.element_type
    if element_of(inferred) != tensor_type(declared).element_type:
        return False
    return is_refinement(shape_of(inferred), shape_of(declared))


def require_same_element(operands: Sequence[SSAValue]) -> Attribute:
    """Return the common element type of all operands."""
    elements = [element_of(operand) for operand in operands]
    for element in elements[1:]:
        if element != elements[0]:
            raise VerifyException(f"expected operands of one element type, but got {elements[0]} and {element}")
    return elements[0]


def parse_values(parser: Parser) -> list[SSAValue]:
    """Parse operands without types, separated by commas, maybe none: each must be defined earlier in the text."""
    operands = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    return [resolve_defined(parser, operand) for operand in operands or ()]


def is_alias(op: Operation) -> bool:
    """Return whether the result of `op` is its operand's elements in the same order."""
    return isinstance(op, GraphOp) and op.KEEPS_ORDER
