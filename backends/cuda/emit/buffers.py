"""Buffers in kernels: flat arrays of elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....dialects.index_expr import LANE, Index
from ....dialects.loop import is_private
from ....dialects.loop.swizzles import SwizzleAttr
from ...written.buffers import Elements, summands
from ...written.text import ADD, UNARY, Expression, call
from ..fragments import Fragment
from .index import PythonIndexWriter


@dataclass
class Buffer(Elements):
    """A buffer as a part of a named array, with its offset and layout."""

    first: int = 0
    """The element of the array that is the buffer's first."""
    fragment: Fragment | None = None
    """The distribution of the elements over the lanes of a warp; None for other memory."""
    kind: str = ""
    """The kind of the elements in registers, where lanes hold the buffer."""
    of_warps: frozenset[int] = frozenset()
    """The dimensions that index a block's warps, each of which has a separate part."""
    swizzle: SwizzleAttr | None = None
    """The permutation of the pieces of each line."""

    @property
    def is_private(self) -> bool:
        """True if the buffer is private memory of each thread."""
        return is_private(self.type)


def address(
    buffer: Buffer, index: Sequence[Index], writer: PythonIndexWriter, swizzle: SwizzleAttr | None = None
) -> Expression:
    """Return the position of an element in its array, after the swizzle. The position is never negative.

    It has 64 bits even for short arrays: with truncated 32-bit sums the compiler cannot prove that elements are
    adjacent, and computes a separate address for each.
    """
    fixed, parts = _parts(buffer, index, writer)
    if swizzle is not None:
        fixed, piece = _moved(fixed, swizzle, writer)
        parts += [piece] if piece else []
    if not parts and (fixed := writer.resolve(fixed).with_ranges(writer.ranges)).is_constant and fixed.constant >= 0:
        return Expression(str(fixed.constant))
    if not fixed.is_constant or fixed.constant:
        rest = writer.expression(fixed)
        parts.append(rest.at(ADD + 1) if parts and rest.text.startswith("-") else rest.at(ADD))
    return call("uint64", Expression(" + ".join(parts)))


def linear_index(buffer: Buffer, index: Sequence[Index], writer: PythonIndexWriter) -> Index | None:
    """Return the position of an element in its array, were no pieces permuted; None where strides come at run time."""
    fixed, parts = _parts(buffer, index, writer)
    return None if parts else fixed


def _moved(fixed: Index, swizzle: SwizzleAttr, writer: PythonIndexWriter) -> tuple[Index, str]:
    """Return a position without its piece of a line, and the position of that piece; none where it stays where it
    is."""
    line, width, pieces = swizzle.line, swizzle.piece, swizzle.pieces
    row = (fixed // line % pieces).with_ranges(writer.ranges)
    if row == Index.of(0):
        return fixed, ""
    piece = (fixed // width % pieces).with_ranges(writer.ranges)
    rest = (fixed - piece * width).with_ranges(writer.ranges)
    if piece.is_constant and row.is_constant:
        return rest + (piece.constant ^ row.constant) * width, ""
    text = f"({writer.expression(piece).at(UNARY)} ^ {writer.expression(row).at(UNARY)})"
    return rest, text if width == 1 else f"{text} * {width}"


def _parts(buffer: Buffer, index: Sequence[Index], writer: PythonIndexWriter) -> tuple[Index, list[str]]:
    """Return `summands`, from the start of the array on."""
    fixed, products = summands(buffer, index, writer)
    return fixed + buffer.first, products


def is_multiple(buffer: Buffer, index: Sequence[Index], elements: int, writer: PythonIndexWriter) -> bool:
    """Return whether the position of an element in its array is known to be a multiple of `elements`."""
    fixed, parts = _parts(buffer, index, writer)
    rest = (fixed % elements).with_ranges(writer.ranges)
    return not parts and rest == Index.of(0)


def is_private_run(buffer: Buffer, index: Sequence[Index]) -> bool:
    """Return whether the lanes of an access are neighbouring elements of a private buffer."""
    if not buffer.is_private or any(LANE in e.without(LANE).variables for e in index):
        return False
    steps = zip(index, buffer.strides, strict=True)
    return sum(e.coefficient(LANE) * stride for e, stride in steps if isinstance(stride, int)) == 1
