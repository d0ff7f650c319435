"""Buffers as kernels see them: flat arrays of elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ....diagnostics import fail
from ....dialects.index_expr import LANE, Index
from ....dialects.loop import is_private
from ..fragments import Fragment
from .index import IndexWriter
from .text import ADD, MULTIPLY, UNARY, Expression, call
from .types import storage_bytes

Stride = int | Expression
VECTOR_BYTES = 16
"""What one thread loads or stores at once, at most."""

PIECE, LINE, SWIZZLED = 16, 128, 1024
"""Bytes: of what a swizzle moves as a whole, within a line, and after how many of them it repeats itself."""


@dataclass
class Buffer:
    """A name for elements in memory."""

    type: MemRefType
    name: str
    extents: list[Index | None]
    """None where nothing has stated them yet."""
    strides: list[Stride | None]
    root: SSAValue
    """The argument or allocation whose memory it is."""
    first: int = 0
    """The element of the array that is the buffer's first."""
    fragment: Fragment | None = None
    """How the lanes of a warp hold it."""
    kind: str = ""
    """What its elements are in registers, where lanes hold it."""
    of_warps: frozenset[int] = frozenset()
    """The dimensions that tell a block's warps apart, each of which has its own part."""
    is_swizzled: bool = False
    """Whether the pieces of a line are permuted."""

    @property
    def is_private(self) -> bool:
        """Whether each thread has one of its own."""
        return is_private(self.type)

    @property
    def elements(self) -> int | None:
        """How many there are, where that is known."""
        count = 1
        for extent in self.type.get_shape():
            if extent == DYNAMIC_INDEX:
                return None
            count *= extent
        return count


def row_major(extents: Sequence[Index | None], writer: IndexWriter) -> list[Stride | None]:
    """The strides of a dense buffer, as far as the extents are known."""
    strides: list[Stride | None] = [1] * len(extents)
    for dimension in range(len(extents) - 2, -1, -1):
        inner, extent = strides[dimension + 1], extents[dimension + 1]
        strides[dimension] = None if inner is None or extent is None else _product(inner, extent, writer)
    return strides


def shape_of(type_: MemRefType, dynamic: Sequence[Index]) -> list[Index | None]:
    """The extents of a buffer; `dynamic` are those that its type leaves open, none where they are not known."""
    remaining = iter(dynamic)
    return [next(remaining, None) if n == DYNAMIC_INDEX else Index.of(n) for n in type_.get_shape()]


def _product(inner: Stride, extent: Index, writer: IndexWriter) -> Stride:
    extent = writer.resolve(extent)
    if extent.is_constant and isinstance(inner, int):
        return inner * extent.constant
    factors = [writer.expression(extent).at(MULTIPLY)]
    factors += [str(inner)] if isinstance(inner, int) and inner != 1 else []
    factors += [inner.at(UNARY)] if isinstance(inner, Expression) else []
    return Expression(
        " * ".join(factors), MULTIPLY if len(factors) > 1 else writer.expression(extent).level, False, False
    )


def address(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> Expression:
    """The position of an element in its array. It is in the array, so it is not negative.

    It has 64 bits, however short the array: sums of 32 bits that are cut off hide from the compiler that elements lie
    beside one another, and then each has an address of its own to compute."""
    fixed, parts = _parts(buffer, index, writer)
    if buffer.is_swizzled:
        fixed, piece = _swizzled(fixed, storage_bytes(buffer.type.element_type), writer)
        parts += [piece] if piece else []
    if not parts and (fixed := writer.resolve(fixed).with_ranges(writer.ranges)).is_constant and fixed.constant >= 0:
        return Expression(str(fixed.constant))
    if not fixed.is_constant or fixed.constant:
        rest = writer.expression(fixed)
        parts.append(rest.at(ADD + 1) if parts and rest.text.startswith("-") else rest.at(ADD))
    return call("uint64", Expression(" + ".join(parts)))


def linear_index(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> Index | None:
    """The position of an element in its array, were no pieces permuted; None where strides come at run time."""
    fixed, parts = _parts(buffer, index, writer)
    return None if parts else fixed


def origin(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> Expression:
    """The position that an element would have if no pieces were permuted, which instructions that permute them take."""
    return address(replace(buffer, is_swizzled=False), index, writer)


def _swizzled(fixed: Index, size: int, writer: IndexWriter) -> tuple[Index, str]:
    """A position without its piece of a line, and the place of that piece; none where it stays where it is."""
    line, width = LINE // size, PIECE // size
    pieces = LINE // PIECE
    row = (fixed // line % pieces).with_ranges(writer.ranges)
    if row == Index.of(0):
        return fixed, ""
    piece = (fixed // width % pieces).with_ranges(writer.ranges)
    rest = (fixed - piece * width).with_ranges(writer.ranges)
    if piece.is_constant and row.is_constant:
        return rest + (piece.constant ^ row.constant) * width, ""
    text = f"({writer.expression(piece).at(UNARY)} ^ {writer.expression(row).at(UNARY)})"
    return rest, text if width == 1 else f"{text} * {width}"


def _parts(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> tuple[Index, list[str]]:
    """What an address is the sum of: an index expression, and products with strides that are known at run time."""
    fixed, parts = Index.of(buffer.first), list[str]()
    for e, stride in zip(index, buffer.strides, strict=True):
        e = writer.resolve(e)
        if isinstance(stride, int):
            fixed = fixed + e * stride
        elif stride is None:
            fail("TW0601", f"expected the extents of buffer {buffer.name} to be stated by loop.bind before its use")
        elif not e.is_constant or e.constant:
            parts.append(f"{writer.expression(e).at(MULTIPLY)} * {stride.at(UNARY)}")
    return fixed, parts


def is_multiple(buffer: Buffer, index: Sequence[Index], elements: int, writer: IndexWriter) -> bool:
    """Whether the position of an element in its array is known to be a multiple of so many."""
    fixed, parts = _parts(buffer, index, writer)
    rest = (fixed % elements).with_ranges(writer.ranges)
    return not parts and rest == Index.of(0)


def is_own_run(buffer: Buffer, index: Sequence[Index]) -> bool:
    """Whether the lanes of an access are neighbouring elements of the thread's own."""
    if not buffer.is_private or any(LANE in e.without(LANE).variables for e in index):
        return False
    steps = zip(index, buffer.strides, strict=True)
    return sum(e.coefficient(LANE) * stride for e, stride in steps if isinstance(stride, int)) == 1


def vector_width(buffer: Buffer, index: Sequence[Index], lanes: int, writer: IndexWriter) -> int:
    """How many lanes one instruction can load or store: they follow one another in memory, and the first of them lies
    at a multiple of the width. 1 where there is no such width."""
    is_fixed = [isinstance(stride, int) for stride in buffer.strides]
    if buffer.is_private or any(e.uses_lane for e, fixed in zip(index, is_fixed, strict=True) if not fixed):
        return 1
    fixed, parts = _parts(buffer, index, writer)
    first = fixed.without(LANE)
    if parts or fixed.coefficient(LANE) != 1 or LANE in first.variables:
        return 1
    width = min(lanes, VECTOR_BYTES // storage_bytes(buffer.type.element_type))
    while width > 1:
        rest = (first % width).with_ranges(writer.ranges)
        if width in (2, 4, 8, 16) and lanes % width == 0 and rest.is_constant and not rest.constant:
            return width
        width -= 1
    return 1
