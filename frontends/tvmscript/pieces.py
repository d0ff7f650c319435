"""Text with holes for operands: the printed form of an operation before its operands are printed.

A hole is filled with the name of a value or, if the value has no other use, with the expression that computes it. The
parser reads the operands of an expression in the order of its holes, so an expression may fill a hole only if that is
the order of the operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import SSAValue

from ...dialects.index_expr import Index, index_pieces
from .syntax import ALWAYS, LANE_NAME


@dataclass(frozen=True, eq=False)
class Hole:
    """An operand. A tight hole puts an expression in parentheses; a named hole takes no expression, only a name."""

    value: SSAValue
    is_tight: bool = False
    is_named: bool = False


Piece: TypeAlias = "str | Hole"
Pieces: TypeAlias = "list[Piece]"


@dataclass(frozen=True, eq=False)
class Text:
    """The text of an operation. `order` lists its holes in the order of the parser, if that differs from the text."""

    pieces: Sequence[Piece]
    is_compound: bool = False
    """True if it needs parentheses beside an operator."""
    order: Sequence[Hole] | None = None
    is_statement: bool = False

    @property
    def holes(self) -> list[Hole]:
        return list(self.order) if self.order is not None else [p for p in self.pieces if isinstance(p, Hole)]


def index_text(expression: Index) -> Pieces:
    """Return an index expression in Python's operators; values in it are single operands."""
    return [_index_piece(p) if isinstance(p, str) else Hole(p, is_tight=True) for p in index_pieces(expression)]


def _index_piece(text: str) -> str:
    if text == "lane":
        return f"T.{LANE_NAME}"
    return text.replace(" floordiv ", " // ").replace(" mod ", " % ")


def constraint_text(e: Index) -> Pieces:
    """Return `e >= 0`, as a comparison of two sides where the parser makes the same of it."""
    if not e.terms:
        return [f"T.tw.index(0) >= {-e.constant}"]
    below = Index(tuple((a, -c) for a, c in e.terms if c < 0), 0)
    above = Index(tuple((a, c) for a, c in e.terms if c > 0), 0)
    if not below.terms:
        return [*index_text(above), f" >= {-e.constant}"]
    right = above + (e.constant + 1)
    again = right - below - 1
    if again.terms == e.terms:
        return [*index_text(below), " < ", *index_text(right)]
    return [*index_text(e), " >= 0"]


def condition_text(guard: Sequence[Index]) -> Pieces:
    """Return a conjunction in Python's operators."""
    return joined([constraint_text(e) for e in guard], " and ") if guard else [f"T.{ALWAYS}"]


def joined(parts: Iterable[Sequence[Piece]], separator: str = ", ") -> Pieces:
    """Return parts with a separator between them."""
    result: Pieces = []
    for position, part in enumerate(parts):
        result += [separator, *part] if position else part
    return result


def tuple_text(parts: Sequence[Sequence[Piece]]) -> Pieces:
    """Return the pieces of a tuple."""
    return ["(", *joined(parts), ",)" if len(parts) == 1 else ")"]
