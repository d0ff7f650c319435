"""Buffers in source text: the name of the elements in memory, extents and strides, and the subscript of an access."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...dialects.index_expr import Index
from .index import IndexWriter
from .text import MULTIPLY, UNARY, Expression

Stride = int | Expression
Layout = tuple[list[Index | None], list[Stride | None]]
"""Extents and strides."""


@dataclass
class Elements:
    """A buffer as a named sequence of elements in memory."""

    type: MemRefType
    name: str
    extents: list[Index | None]
    """None where nothing has stated them yet."""
    strides: list[Stride | None]
    root: SSAValue
    """The argument or allocation whose memory it is."""


def dense(type_: MemRefType, dynamic: Sequence[Index], writer: IndexWriter) -> Layout:
    """Return the layout of a dense buffer. `dynamic` are the extents that its type leaves open, none where they are not
    known."""
    remaining = iter(dynamic)
    extents = [next(remaining, None) if n == DYNAMIC_INDEX else Index.of(n) for n in type_.get_shape()]
    strides: list[Stride | None] = [1] * len(extents)
    for dimension in range(len(extents) - 2, -1, -1):
        inner, extent = strides[dimension + 1], extents[dimension + 1]
        strides[dimension] = None if inner is None or extent is None else _product(inner, extent, writer)
    return extents, strides


def summands(buffer: Elements, index: Sequence[Index], writer: IndexWriter) -> tuple[Index, list[str]]:
    """Return the addends of an element's position: an index expression, and products with strides that are known at run
    time."""
    fixed, products = Index.of(0), list[str]()
    for e, stride in zip(index, buffer.strides, strict=True):
        e = writer.resolve(e)
        if isinstance(stride, int):
            fixed = fixed + e * stride
        elif stride is None:
            fail("TW0601", f"expected the extents of buffer {buffer.name} to be stated by loop.bind before its use")
        elif not e.is_constant or e.constant:
            products.append(f"{writer.expression(e).at(MULTIPLY)} * {stride.at(UNARY)}")
    return fixed, products


def _product(inner: Stride, extent: Index, writer: IndexWriter) -> Stride:
    extent = writer.resolve(extent)
    if isinstance(inner, int) and extent.is_constant:
        return inner * extent.constant
    if inner == 1:
        return writer.expression(extent)
    return writer.product(extent, inner if isinstance(inner, Expression) else Expression(str(inner)))
