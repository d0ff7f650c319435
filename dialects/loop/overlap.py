"""What a function is promised of its arguments: which of them may share memory.

The attribute lists positions of arguments that may share memory with another one, where one of both is written. All
others lie apart from every other argument. A function without it is promised nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.dialects.func import FuncOp

MAY_OVERLAP = "tw.may_overlap"


def may_overlap(function: FuncOp) -> frozenset[int] | None:
    """The positions that the attribute lists; None where there is none."""
    listed = function.attributes.get(MAY_OVERLAP)
    return frozenset(listed.iter_values()) if isinstance(listed, DenseArrayBase) else None


def overlap_attribute(positions: Iterable[int]) -> DenseArrayBase:
    """The attribute for these positions."""
    return DenseArrayBase.from_list(i64, sorted(positions))
