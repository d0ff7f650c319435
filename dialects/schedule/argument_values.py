"""Arguments of primitives: their kinds and their text."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, nan

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from .handle_types import LOOP, BlockType, HandleAttr, ValueType

_WORDS = {"inf": inf, "nan": nan}

DESCRIPTIONS = {
    "block": "a block",
    "loop": "a loop",
    "boolean": "true or false",
    "integer": "an integer",
    "float": "a number",
    "string": "a string",
    "list": "a list",
    "nothing": "?",
    "attribute": "an attribute",
}
"""The kinds of arguments, and how messages call them."""


def kind_of(value: Attribute, operands: Sequence[SSAValue]) -> str:
    """Return the kind of an argument: a key of `DESCRIPTIONS`."""
    match value:
        case HandleAttr():
            type_ = operands[value.position.data].type
            return "block" if isinstance(type_, BlockType) else "integer" if isinstance(type_, ValueType) else "loop"
        case IntegerAttr():
            return "boolean" if value.type == i1 else "integer"
        case FloatAttr():
            return "float"
        case StringAttr():
            return "string"
        case ArrayAttr():
            return "list"
        case UnitAttr():
            return "nothing"
        case _:
            return "attribute"


def handles_in(value: Attribute) -> list[int]:
    """Return the positions of the operands that an argument mentions."""
    match value:
        case HandleAttr():
            return [value.position.data]
        case ArrayAttr():
            return [position for element in value.data for position in handles_in(element)]
        case _:
            return []


def parse_value(parser: Parser, operands: list[SSAValue]) -> Attribute | None:
    """Parse one argument where there is one; handles are appended to `operands`."""
    if (operand := parser.parse_optional_unresolved_operand()) is not None:
        known = parser.ssa_values.get(operand.operand_name)
        fits = known is not None and operand.index < len(known)
        operands.append(known[operand.index] if fits else parser.resolve_operand(operand, LOOP))  # pyright: ignore[reportOptionalSubscript]
        return HandleAttr(IntAttr(len(operands) - 1))
    if (flag := parser.parse_optional_boolean()) is not None:
        return BoolAttr.from_bool(flag)
    if parser.parse_optional_punctuation("?"):
        return UnitAttr()
    if (text := parser.parse_optional_str_literal()) is not None:
        return StringAttr(text)
    elements = parser.parse_optional_comma_separated_list(
        Parser.Delimiter.SQUARE, lambda: expect_value(parser, operands)
    )
    if elements is not None:
        return ArrayAttr(elements)
    return _parse_number(parser)


def expect_value(parser: Parser, operands: list[SSAValue]) -> Attribute:
    """Parse one argument, which must be there."""
    value = parse_value(parser, operands)
    return value if value is not None else parser.raise_error("expected an argument")


def _parse_number(parser: Parser) -> Attribute | None:
    sign = -1 if parser.parse_optional_punctuation("-") else 1
    number = parser.parse_optional_number()
    if number is None:
        word = parser.parse_optional_keyword_in(tuple(_WORDS))
        number = None if word is None else _WORDS[word]
    if number is None:
        return None if sign > 0 else parser.raise_error("expected a number")
    if isinstance(number, float):
        return FloatAttr(sign * number, f64)
    return IntegerAttr(sign * number, i64)


def print_value(printer: Printer, value: Attribute, operands: Sequence[SSAValue]) -> None:
    match value:
        case HandleAttr():
            printer.print_ssa_value(operands[value.position.data])
        case UnitAttr():
            printer.print_string("?")
        case IntegerAttr():
            printer.print_string(str(value.value.data) if value.type != i1 else str(bool(value.value.data)).lower())
        case FloatAttr():
            printer.print_string(_float_text(value.value.data))
        case ArrayAttr():
            with printer.in_square_brackets():
                printer.print_list(value.data, lambda element: print_value(printer, element, operands))
        case _:
            printer.print_attribute(value)


def _float_text(value: float) -> str:
    """Return text that reads back as the same number; the grammar asks for digits after a point."""
    if not isfinite(value):
        return str(value)
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{e}{exponent}"
