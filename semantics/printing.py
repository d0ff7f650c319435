"""Lines that programs print, and where they go: the standard output of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..diagnostics.text import filled, number_text
from ..dialects.loop import PrintOp


def print_line(op: PrintOp, index: Sequence[Any], value: Any) -> None:
    """Print the line of an operation."""
    fields = [*map(int, index), number_text(value, op.digits)]
    print(filled(op.message.data, fields), flush=True)


def print_lines(op: PrintOp, index: Sequence[Any], value: Any, holds: Any) -> None:
    """Print the lines of an operation at all points of a grid at which its guard holds."""
    *indices, values, where = np.broadcast_arrays(*index, value, holds)
    for point in np.ndindex(*values.shape):
        if where[point]:
            print_line(op, [each[point] for each in indices], values[point])
