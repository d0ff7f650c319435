"""Text of index expressions and guards: `%io * 32 + %ii`, `(%i mod 4)`, `lane`, and `%i < 57, %j - 1 >= 0`.

A guard is the conjunction of `e >= 0` over its expressions. A guard is printed as comparisons, with the negative terms
on the left of a `<`; the parser also takes `<=`, `>`, `>=` and `==`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.parser import Parser
from xdsl.printer import Printer

from .index_expr import LANE, Index, index_pieces


def print_index(printer: Printer, expression: Index) -> None:
    for piece in index_pieces(expression):
        if isinstance(piece, str):
            printer.print_string(piece)
        else:
            printer.print_ssa_value(piece)


def print_indices(printer: Printer, expressions: Sequence[Index]) -> None:
    """Print `e0, e1, …` without delimiters."""
    printer.print_list(expressions, lambda e: print_index(printer, e))


def print_guard(printer: Printer, guard: Sequence[Index]) -> None:
    """Print `c0, c1, …` without delimiters, each `e >= 0` as a comparison."""
    printer.print_list(guard, lambda e: _print_constraint(printer, e))


def _print_constraint(printer: Printer, e: Index) -> None:
    below = Index(tuple((a, -c) for a, c in e.terms if c < 0), 0)
    above = Index(tuple((a, c) for a, c in e.terms if c > 0), 0)
    if not below.terms:
        print_index(printer, above)
        printer.print_string(f" >= {-e.constant}")
        return
    print_index(printer, below)
    printer.print_string(" < ")
    print_index(printer, above + (e.constant + 1))


def parse_indices(parser: Parser, delimiter: Parser.Delimiter) -> tuple[Index, ...]:
    """Parse `e0, e1, …` within `delimiter`; SSA values are resolved with type index."""
    return tuple(parser.parse_comma_separated_list(delimiter, lambda: parse_index(parser)))


def parse_guard(parser: Parser) -> tuple[Index, ...]:
    """Parse `(c0, c1, …)`; an equality gives two constraints."""
    groups = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, lambda: _parse_constraint(parser))
    return tuple(e for group in groups for e in group)


def _parse_constraint(parser: Parser) -> tuple[Index, ...]:
    left = parse_index(parser)
    for text in ("<", ">", "="):
        if parser.parse_optional_characters(text):
            break
    else:
        parser.raise_error("expected a comparison `<`, `<=`, `>`, `>=` or `==`")
    or_equal = parser.parse_optional_characters("=") is not None
    if text == "=" and not or_equal:
        parser.raise_error("expected `==`")
    right = parse_index(parser)
    if text == "=":
        return left - right, right - left
    difference = right - left if text == "<" else left - right
    return (difference if or_equal else difference - 1,)


def parse_index(parser: Parser) -> Index:
    """Parse a sum of products with integer factors, floordiv, ceildiv and mod by positive integers."""
    total = _parse_product(parser)
    while True:
        if parser.parse_optional_punctuation("+"):
            total = total + _parse_product(parser)
        elif parser.parse_optional_punctuation("-"):
            total = total - _parse_product(parser)
        else:
            return total


def _parse_product(parser: Parser) -> Index:
    value = _parse_operand(parser)
    while True:
        if parser.parse_optional_punctuation("*"):
            value = _multiply(parser, value, _parse_operand(parser))
            continue
        keyword = parser.parse_optional_keyword_in(("floordiv", "ceildiv", "mod"))
        if keyword is None:
            return value
        start = parser.pos
        divisor = parser.parse_integer(allow_boolean=False)
        if divisor <= 0:
            parser.raise_error(f"expected a positive divisor, but got {divisor}", start, parser.pos)
        value = {"floordiv": value.__floordiv__, "mod": value.__mod__, "ceildiv": value.ceildiv}[keyword](divisor)


def _multiply(parser: Parser, left: Index, right: Index) -> Index:
    if right.is_constant:
        return left * right.constant
    if left.is_constant:
        return right * left.constant
    return parser.raise_error("expected a constant factor, but got a product of two variables")


def _parse_operand(parser: Parser) -> Index:
    if parser.parse_optional_punctuation("-"):
        return -_parse_operand(parser)
    if parser.parse_optional_punctuation("("):
        inner = parse_index(parser)
        parser.parse_punctuation(")")
        return inner
    if parser.parse_optional_keyword("lane"):
        return Index.of(LANE)
    integer = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if integer is not None:
        return Index.of(integer)
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        parser.raise_error("expected an index expression: a value, an integer, `lane` or parentheses")
    return Index.of(parser.resolve_operand(operand, IndexType()))
