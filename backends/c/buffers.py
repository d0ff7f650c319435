"""Buffers in C: arrays of their shape, or pointers to their elements in row-major order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...dialects.index_expr import Index
from ..written.buffers import Elements, summands
from ..written.index import IndexWriter
from ..written.text import ADD, MULTIPLY, Expression


@dataclass
class Buffer(Elements):
    """A buffer as a C variable, and the form of its declaration."""

    is_array: bool = False
    """True if C declares the buffer as an array of its shape."""
    is_constant: bool = False
    """True if the buffer may not be written to."""
    space: str = ""
    """The address space qualifier of OpenCL C for the memory of the buffer."""


def element_text(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> str:
    """Return the text of an element: `A[i * 64 + k]`, or `acc[i][j]` of an array."""
    if buffer.is_array:
        return buffer.name + ("".join(f"[{writer.expression(e)}]" for e in index) or "[0]")
    return f"{buffer.name}[{_offset(buffer, index, writer)}]"


def _offset(buffer: Buffer, index: Sequence[Index], writer: IndexWriter) -> Expression:
    """Return the elements between the start of a buffer and one of its elements."""
    fixed, parts = summands(buffer, index, writer)
    if not parts:
        return writer.expression(fixed)
    if not fixed.is_constant or fixed.constant:
        rest = writer.expression(fixed)
        parts.append(rest.at(ADD + 1) if rest.text.startswith("-") else rest.text)
    return Expression(" + ".join(parts), ADD if len(parts) > 1 else MULTIPLY, is_simple=False)
