"""Text that the structured operations of linalg share: operands, results, lists of numbers, scalar bodies."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

from ...ir import editor as edit
from .scalar_bodies import element_types
from .structured_operation import YieldOp


def parse_operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """Parse `ins(%a, %b : type, type) outs(%c : type)`; either may be left out."""
    groups: list[list[SSAValue]] = []
    for word in ("ins", "outs"):
        values: list[SSAValue] = []
        if parser.parse_optional_keyword(word):
            parser.parse_punctuation("(")
            names = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_unresolved_operand)
            parser.parse_punctuation(":")
            start = parser.pos
            types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
            parser.parse_punctuation(")")
            values = list(parser.resolve_operands(names, types, start))
        groups.append(values)
    if not groups[1]:
        parser.raise_error("expected `outs(…)`")
    return groups[0], groups[1]


def print_operands(printer: Printer, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> None:
    for word, values in (("ins", inputs), ("outs", outputs)):
        if values:
            printer.print_string(f" {word}(")
            printer.print_list(values, printer.print_ssa_value)
            printer.print_string(" : ")
            printer.print_list(values, lambda value: printer.print_attribute(value.type))
            printer.print_string(")")


def parse_result_types(parser: Parser) -> Sequence[Attribute]:
    if not parser.parse_optional_punctuation("->"):
        return ()
    types = parser.parse_optional_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
    return types or parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)


def print_result_types(printer: Printer, results: Sequence[SSAValue]) -> None:
    printer.print_string("(" if len(results) > 1 else "")
    printer.print_list(results, lambda result: printer.print_attribute(result.type))
    printer.print_string(")" if len(results) > 1 else "")


def parse_numbers(parser: Parser, word: str) -> DenseArrayBase:
    parser.parse_keyword(word)
    parser.parse_punctuation("=")
    numbers = parser.parse_comma_separated_list(Parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, numbers)


def numbers_of(attribute: Attribute | None) -> list[int]:
    """Return the integers of a dense attribute or array; none where it is left out."""
    if isinstance(attribute, (DenseArrayBase, DenseIntOrFPElementsAttr)):
        return [int(number) for number in attribute.get_values()]  # pyright: ignore[reportArgumentType]
    return []


def parse_payload(parser: Parser) -> tuple[type[Operation], dict[str, Attribute]] | None:
    """Parse `{ arith.addf }`: the operation that is the whole body."""
    if not parser.parse_optional_punctuation("{"):
        return None
    name = parser.parse_identifier()
    attributes = dict(parser.parse_optional_attr_dict())
    parser.parse_punctuation("}")
    op_class = parser.ctx.get_optional_op(name)
    if op_class is None:
        parser.raise_error(f"unknown operation '{name}'")
    return op_class, attributes


def payload_region(
    payload: tuple[type[Operation], dict[str, Attribute]] | None, operands: Sequence[SSAValue], *, takes: int
) -> Region | None:
    """Return the region of a payload: the output's element comes first where the operation takes it."""
    if payload is None:
        return None
    op_class, properties = payload
    types = element_types(operands)
    block = Block(arg_types=types)
    values = list(block.args[:takes])
    if takes == len(types):
        values = [*values[takes // 2 :], *values[: takes // 2]]
    known = op_class.get_irdl_definition().properties if issubclass(op_class, IRDLOperation) else {}
    properties = {**{name: flags for name, flags in _FLAGS.items() if name in known}, **properties}
    op = op_class.create(operands=values, result_types=[types[-1]], properties=properties)
    edit.append(block, op, YieldOp(*op.results))
    return Region(block)


_FLAGS: dict[str, Attribute] = {
    "fastmath": arith.FastMathFlagsAttr("none"),
    "overflowFlags": arith.IntegerOverflowAttr("none"),
}
"""The default flags, which the custom form of arith omits."""


def parse_body(parser: Parser) -> Region:
    """Parse `(%in: f32, %init: f32) { … }`."""
    arguments = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_argument)
    return parser.parse_region(arguments)


def print_body(printer: Printer, body: Region) -> None:
    printer.print_string(" (")
    printer.print_list(body.block.args, printer.print_block_argument)
    printer.print_string(") ")
    printer.print_region(body, print_entry_block_args=False)
