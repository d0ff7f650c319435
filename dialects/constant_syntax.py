"""Text of constant data with its type: `dense<[1.0, 2.0]> : tensor<2xf32>` and `resource<"w"> : memref<64xf32>`.

The attribute itself always has a tensor type, whichever shaped type the constant has, so that data moves between the
dialects unchanged.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, TensorType
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

from .resource import ResourceAttr


def print_data(printer: Printer, value: Attribute, type: Attribute) -> None:
    if isinstance(value, ResourceAttr):
        printer.print_string("resource")
        value.print_parameter(printer)
        printer.print_string(" : ")
        printer.print_attribute(type)
    elif isinstance(value, DenseIntOrFPElementsAttr):
        printer.print_attribute(DenseIntOrFPElementsAttr(cast(Any, type), value.data))
    else:
        printer.print_attribute(value)
        printer.print_string(" : ")
        printer.print_attribute(type)


def parse_data(parser: Parser) -> tuple[Attribute, Attribute]:
    """Parse the attribute and the constant's type."""
    if parser.parse_optional_keyword("resource"):
        value = ResourceAttr(ResourceAttr.parse_parameter(parser))
        parser.parse_punctuation(":")
        return value, parser.parse_type()
    if not parser.parse_optional_keyword("dense"):
        parser.raise_error("expected `dense<…>` or `resource<…>`")
    parsed = parser.parse_dense_int_or_fp_elements_attr(None)
    return as_tensor_data(parsed), cast(Attribute, parsed.type)


def as_tensor_data(value: DenseIntOrFPElementsAttr) -> DenseIntOrFPElementsAttr:
    """Return the same elements with a tensor type."""
    if isinstance(value.type, MemRefType):
        tensor = TensorType(value.get_element_type(), value.get_shape())
        return DenseIntOrFPElementsAttr(cast(Any, tensor), value.data)
    return value
