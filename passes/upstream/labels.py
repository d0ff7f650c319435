"""Unique labels of the blocks of a function."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from ...dialects.loop import BlockOp
from ...traversal import operations


class Labels:
    """The labels of a function's blocks."""

    def __init__(self, function: FuncOp) -> None:
        self._taken = {op.label for op in operations(function) if isinstance(op, BlockOp)}

    def fresh(self, name: str) -> str:
        """Return `name`, with a number where it is taken."""
        label, count = name, 0
        while label in self._taken:
            count += 1
            label = f"{name}_{count}"
        self._taken.add(label)
        return label
