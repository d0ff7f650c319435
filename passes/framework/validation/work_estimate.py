"""An estimate of a function's work before it runs, for numpy on whole arrays, which no budget stops."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation

from ....dialects import graph, te
from ....traversal import operations
from .execution import SIZES


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
