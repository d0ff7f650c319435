"""Text that operations of several dialects share: attribute dictionaries, accesses, sizes and values of expressions.

The te and loop dialects have the same syntax for tensors and buffers. Each operation declares its operands; this module
has their text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from .affine_syntax import parse_guard, parse_index, parse_indices, print_guard, print_index, print_indices
from .index_expr import Index

OpT = TypeVar("OpT", bound=Operation)
Attributes = dict[str, Attribute]


def parse_attributes(parser: Parser) -> Attributes:
    """Parse `attributes {…}` where it stands; empty where it does not."""
    attributes = parser.parse_optional_attr_dict_with_keyword()
    return dict(attributes.data) if attributes else {}


def print_attributes(printer: Printer, op: Operation) -> None:
    printer.print_op_attributes(op.attributes, print_keyword=True)


def with_attributes(op: OpT, attributes: Attributes) -> OpT:
    op.attributes |= attributes
    return op


def print_types(printer: Printer, op: Operation, *types: Attribute, separator: str = ", ") -> None:
    """Print the attribute dictionary and ` : type, type`."""
    print_attributes(printer, op)
    printer.print_string(" : ")
    for position, type in enumerate(types):
        if position:
            printer.print_string(separator)
        printer.print_attribute(type)


def resolve_defined(parser: Parser, operand: UnresolvedOperand) -> SSAValue:
    """Return the value that an operand names; its type is that of its definition."""
    defined = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(defined):
        parser.raise_error(f"expected a value that is defined before, but got {operand.span.text}", operand.span)
    return defined[operand.index]


# Accesses: `%A[%i, %j] where (%j < 7) else %zero`


class AccessText(NamedTuple):
    """The parsed text of an access, with unresolved operands."""

    source: UnresolvedOperand
    indices: tuple[Index, ...]
    guard: tuple[Index, ...]
    otherwise: UnresolvedOperand | None
    attributes: Attributes


def print_access(
    printer: Printer,
    source: SSAValue,
    indices: Sequence[Index],
    guard: Sequence[Index],
    otherwise: SSAValue | None = None,
) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(source)
    printer.print_string("[")
    print_indices(printer, indices)
    printer.print_string("]")
    if guard:
        printer.print_string(" where (")
        print_guard(printer, guard)
        printer.print_string(")")
    if otherwise is not None:
        printer.print_string(" else ")
        printer.print_ssa_value(otherwise)


def parse_access(parser: Parser) -> AccessText:
    """Parse an access, its attributes and the colon before its types."""
    source = parser.parse_unresolved_operand()
    indices = parse_indices(parser, Parser.Delimiter.SQUARE)
    guard = parse_guard(parser) if parser.parse_optional_keyword("where") else ()
    otherwise = parser.parse_unresolved_operand() if parser.parse_optional_keyword("else") else None
    attributes = parse_attributes(parser)
    parser.parse_punctuation(":")
    return AccessText(source, indices, guard, otherwise, attributes)


# A value and a number: `%A, 0 : type`


def print_numbered(printer: Printer, op: Operation, source: SSAValue, number: int) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(source)
    printer.print_string(f", {number}")
    print_types(printer, op, source.type)


def parse_numbered(parser: Parser, parse_type: Callable[[Parser], Attribute]) -> tuple[SSAValue, int, Attributes]:
    unresolved = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    number = parser.parse_integer(allow_boolean=False)
    attributes = parse_attributes(parser)
    parser.parse_punctuation(":")
    return parser.resolve_operand(unresolved, parse_type(parser)), number, attributes


# Values of expressions: `(%i * 2 + 1) : index`, `(%i < 57) : i1`


def print_expression(printer: Printer, op: Operation, expression: Index) -> None:
    printer.print_string(" (")
    print_index(printer, expression)
    printer.print_string(")")
    print_types(printer, op, op.results[0].type)


def print_conditions(printer: Printer, op: Operation, conditions: Sequence[Index]) -> None:
    printer.print_string(" (")
    print_guard(printer, conditions)
    printer.print_string(")")
    print_types(printer, op, op.results[0].type)


def parse_expression(parser: Parser) -> tuple[Index, Attributes, Attribute]:
    with parser.in_parens():
        expression = parse_index(parser)
    return expression, *_parse_result_type(parser)


def parse_conditions(parser: Parser) -> tuple[tuple[Index, ...], Attributes, Attribute]:
    return parse_guard(parser), *_parse_result_type(parser)


def _parse_result_type(parser: Parser) -> tuple[Attributes, Attribute]:
    attributes = parse_attributes(parser)
    parser.parse_punctuation(":")
    return attributes, parser.parse_type()


# One value seen as another: `%x : type to type`


def print_conversion(printer: Printer, op: Operation, source: SSAValue) -> None:
    print_types(printer, op, source.type, op.results[0].type, separator=" to ")
