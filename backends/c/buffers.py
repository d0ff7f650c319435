"""Buffers as C sees them: arrays of their shape, or pointers to rows of elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ...diagnostics import fail
from ...dialects.index_expr import Index
from .index import IndexWriter
from .text import ADD, MULTIPLY, UNARY, Expression
from .types import storage_bytes

Stride = int | Expression


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
    is_array: bool = False
    """Whether it is declared as an array of its shape."""
    is_constant: bool = False
    """Whether it may not be written to."""
    space: str = ""
    """What OpenCL C calls the memory that it lies in."""


def row_major(type_: MemRefType, extents: Sequence[Index | None], writer: IndexWriter) -> list[Stride | None]:
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


def element_text(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> str:
    """`A[i * 64 + k]`, or `acc[i][j]` of an array."""
    if buffer.is_array:
        return buffer.name + ("".join(f"[{writer.expression(e)}]" for e in index) or "[0]")
    return f"{buffer.name}[{offset_of(buffer, index, writer)}]"


def offset_of(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> Expression:
    """The elements between the start of a buffer and one of its elements."""
    fixed = Index.of(0)
    parts: list[str] = []
    for e, stride in zip(index, buffer.strides, strict=True):
        e = writer.resolve(e)
        if isinstance(stride, int):
            fixed = fixed + e * stride
        elif stride is None:
            fail("TW0601", f"expected the extents of buffer {buffer.name} to be stated by loop.bind before its use")
        elif not e.is_constant or e.constant:
            parts.append(f"{writer.expression(e).at(MULTIPLY)} * {stride.at(UNARY)}")
    if not parts:
        return writer.expression(fixed)
    if not fixed.is_constant or fixed.constant:
        rest = writer.expression(fixed)
        parts.append(rest.at(ADD + 1) if rest.text.startswith("-") else rest.text)
    return Expression(" + ".join(parts), ADD if len(parts) > 1 else MULTIPLY, is_simple=False)


def byte_count(type_: MemRefType) -> int | None:
    """The bytes of a buffer of fixed extents."""
    size = storage_bytes(type_.element_type)
    for extent in type_.get_shape():
        if extent == DYNAMIC_INDEX:
            return None
        size *= extent
    return size


def _product(inner: Stride, extent: Index, writer: IndexWriter) -> Stride:
    extent = writer.resolve(extent)
    if extent.is_constant:
        if isinstance(inner, int):
            return inner * extent.constant
        return Expression(f"{inner.at(MULTIPLY)} * {extent.constant}", MULTIPLY, is_simple=False)
    factor = writer.expression(extent)
    if isinstance(inner, int):
        if inner == 1:
            return factor
        return Expression(f"{factor.at(MULTIPLY)} * {inner}", MULTIPLY, is_simple=False)
    return Expression(f"{factor.at(MULTIPLY)} * {inner.at(UNARY)}", MULTIPLY, is_simple=False)
