"""The attribute of functions that lists the arguments which may share memory.

The attribute lists positions of arguments that may share memory with another argument, if the function writes to
either. All other arguments are disjoint. Without the attribute nothing is known about the arguments.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.dialects.func import FuncOp

MAY_OVERLAP = "tw.may_overlap"


def may_overlap(function: FuncOp) -> frozenset[int] | None:
    """Return the positions that the attribute lists; None where there is none."""
    listed = function.attributes.get(MAY_OVERLAP)
    return frozenset(listed.iter_values()) if isinstance(listed, DenseArrayBase) else None


def overlap_attribute(positions: Iterable[int]) -> DenseArrayBase:
    """Return the attribute for these positions."""
    return DenseArrayBase.from_list(i64, sorted(positions))
