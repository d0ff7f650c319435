"""The functions of a module that validation executes, their inputs, and the limit of work for an execution.

The work of a function is estimated before it runs, because no budget can interrupt numpy on whole arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any
from zlib import crc32

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

from ....dialects import graph, te
from ....traversal import operations

SIZES = (5, 1, 8, 3, 16, 2)
"""The values of symbolic sizes: primes, powers of two, and one."""

LOOP_BUDGET = 400_000
"""The number of operations that the loops of one run may execute, in about half a second."""

GRID_BUDGET = 50_000_000
"""The number of elements that the computes of one run may visit, and its operators have: numpy does many at once."""


class Sizes(dict[str, int]):
    """A number for every symbolic size, by name. Each trial has different numbers."""

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


def grid_work(function: FuncOp, functions: Mapping[str, FuncOp]) -> int:
    """Estimate how many elements the computes and operators of a function visit, those of its callees included.

    `functions` are those of the module, none of which calls itself.
    """
    total = 0
    for op in function.walk():
        callee = functions.get(op.callee.string_value()) if isinstance(op, CallOp) else None
        total += _work(op) if callee is None else grid_work(callee, functions)
    return total


def largest_tensor(function: FuncOp) -> int:
    """Return the number of elements of the largest tensor of fixed size."""
    values = [v for op in operations(function) for v in (*op.operands, *op.results)]
    return max((_elements(v.type) for v in values), default=0)


def _work(op: Operation) -> int:
    if isinstance(op, te.ComputeOp):
        extents = [e.constant if e.is_constant else max(SIZES) for e in op.index_list("extents")]
        return prod(extents) * max(1, sum(1 for _ in op.body.walk()) // 2)
    is_stored = isinstance(op, (graph.ConstantOp, te.ConstantOp))
    return 0 if is_stored else max((_elements(value.type) for value in op.results), default=0)


def _elements(type_: object) -> int:
    if not isinstance(type_, TensorType):
        return 0
    return prod(max(SIZES) if size < 0 else size for size in type_.get_shape())
