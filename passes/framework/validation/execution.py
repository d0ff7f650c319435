"""The functions of a module that validation executes, their inputs, and the limit of work for an execution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zlib import crc32

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

SIZES = (5, 1, 8, 3, 16, 2)
"""The values of symbolic sizes: primes, powers of two, and one."""

LOOP_BUDGET = 400_000
"""The number of operations that the loops of one run may execute, in about half a second."""

GRID_BUDGET = 50_000_000
"""The number of elements that the computes of one run may visit, and its operators have: numpy does many at once."""


class Sizes(dict[str, int]):
    """A number for every symbolic size, by its name: other ones for each trial."""

    def __init__(self, trial: int) -> None:
        super().__init__()
        self.trial = trial

    def get(self, key: str, default: Any = None) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self.trial == 0:
            return SIZES[0]
        return SIZES[(crc32(key.encode()) + self.trial) % len(SIZES)]


def functions_of(module: ModuleOp) -> Iterator[FuncOp]:
    """Yield the functions of a module that can be run."""
    return (op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks)


def draw_inputs(module: ModuleOp, name: str, trial: int) -> list[Any]:
    """Draw random inputs for a function."""
    from ....semantics.drawn_inputs import random_inputs

    return random_inputs(module, name, seed=trial, sizes=Sizes(trial))
