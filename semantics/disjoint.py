"""Buffers that are promised to be disjoint: arguments of functions, and what bodies of parallel loops capture."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ..analysis.captures import captured_values
from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..dialects.loop import ForOp
from ..dialects.loop.overlap import MAY_OVERLAP


def check_disjoint(name: str, written: Container[int], disjoint: Sequence[int], op: Operation, *values: Any) -> None:
    """Raise TW0726 where an argument of `disjoint` shares memory with another one and either is written."""
    if (found := _sharing(written, disjoint, values)) is not None:
        fail(
            "TW0726",
            f"expected arguments {found[0]} and {found[1]} of @{name} to lie apart, as '{MAY_OVERLAP}' promises, but "
            "they share memory",
            op=op,
        )


def check_captured_disjoint(op: ForOp, written: Container[int], disjoint: Sequence[int], *values: Any) -> None:
    """Raise TW0729 where a captured buffer of `disjoint` shares memory with another one and either is written."""
    if (found := _sharing(written, disjoint, values)) is not None:
        names = [name_of(op.captures[position]) for position in found]
        fail(
            "TW0729", f"expected captured buffers {names[0]} and {names[1]} to lie apart, but they share memory", op=op
        )


def check_captured(op: ForOp) -> None:
    """Raise TW0729 where the body of a parallel loop uses a value of outside that it does not capture."""
    stated = set(op.captures)
    for value in captured_values(op):
        if value not in stated:
            fail("TW0729", f"expected a parallel loop to capture what it uses, but it uses {name_of(value)}", op=op)


def _sharing(written: Container[int], disjoint: Collection[int], values: Sequence[Any]) -> tuple[int, int] | None:
    """Return a position of `disjoint` and another one whose arrays share memory, where either is written."""
    for k in disjoint:
        for other, value in enumerate(values):
            if other == k or not (k in written or other in written) or not isinstance(value, np.ndarray):
                continue
            if isinstance(values[k], np.ndarray) and np.may_share_memory(values[k], value):
                return k, other
    return None
