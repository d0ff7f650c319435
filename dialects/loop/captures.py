"""The captures of a parallel loop's body: `captures(%x apart, %n)`, which `outline-parallel` states.

The body becomes a function that takes the captured values as arguments. A buffer marked `apart` is noalias: it is
disjoint from every other captured buffer, if the body writes to either. A loaded value stays valid across stores to the
other buffers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import DenseArrayBase, MemRefType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..op_syntax import resolve_defined
from .kinds import LoopKindAttr


def disjoint_attribute(positions: Iterable[int]) -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, sorted(positions))


def positions_of(disjoint: Attribute | None) -> tuple[int, ...]:
    """Return the positions of the captured buffers that are disjoint from all others."""
    return tuple(disjoint.iter_values()) if isinstance(disjoint, DenseArrayBase) else ()


def verify_captures(kind: LoopKindAttr, captures: Sequence[SSAValue], disjoint: DenseArrayBase | None) -> None:
    """Verify that captures are stated of a parallel loop, and that the disjoint values among them are buffers."""
    if disjoint is None:
        if captures:
            raise VerifyException(
                "expected captured values with the attribute `apart`, which lists the disjoint buffers"
            )
        return
    if kind.kind.data != "parallel":
        raise VerifyException(f"expected captured values of a parallel loop only, but got kind {kind.kind.data}")
    for position in positions_of(disjoint):
        if not 0 <= position < len(captures) or not isinstance(captures[position].type, MemRefType):
            raise VerifyException(f"expected `apart` to list captured buffers, but got position {position}")


def print_captures(printer: Printer, captures: Sequence[SSAValue], disjoint: DenseArrayBase | None) -> None:
    positions = positions_of(disjoint)

    def print_one(pair: tuple[int, SSAValue]) -> None:
        printer.print_ssa_value(pair[1])
        if pair[0] in positions:
            printer.print_string(" apart")

    printer.print_string(" captures(")
    printer.print_list(enumerate(captures), print_one)
    printer.print_string(")")


def parse_captures(parser: Parser) -> list[tuple[SSAValue, bool]] | None:
    """Parse the captured values, each with true if it is disjoint from all others; None where nothing is stated."""
    if not parser.parse_optional_keyword("captures"):
        return None

    def parse_one() -> tuple[SSAValue, bool]:
        value = resolve_defined(parser, parser.parse_unresolved_operand())
        return value, parser.parse_optional_keyword("apart") is not None

    return parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_one)
