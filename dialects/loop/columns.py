"""Vectors across chunks of registers: `tw.column = w` of a `loop.load`, which `shuffle-columns` states.

Lane k is the element of chunk k at one position, where chunks have w elements: a column of a matrix whose rows are
registers. Whoever loads it shuffles whole chunks, where others take elements out one by one.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Operation

COLUMN = "tw.column"


def column_width(op: Operation) -> int:
    """Return the elements of the chunks that a load takes a column of; 0 where it takes none."""
    attribute = op.attributes.get(COLUMN)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else 0


def column_attribute(width: int) -> IntegerAttr:
    return IntegerAttr(width, i64)
