"""Pass `join-extremes`: the minimum and the maximum of a tensor are found in one traversal."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import graph
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class JoinExtremesPass(Pass):
    """Compute the least and the greatest element of one tensor together, of open sizes row by row.

    ```mlir
    %high = graph.reduce_max %x axes [0, 1] : tensor<f32>
    %low = graph.reduce_min %x axes [0, 1] : tensor<f32>
    ```
    becomes, where `%x` has a known number of columns and any number of rows,
    ```mlir
    %l, %h = graph.reduce_range %x axes [1] : tensor<?xf32>, tensor<?xf32>
    %high = graph.reduce_max %h axes [0] : tensor<f32>
    %low = graph.reduce_min %l axes [0] : tensor<f32>
    ```
    Each of the two reductions would read all elements from memory. Threads divide rows, but not the terms of one
    reduction if their number is symbolic. With known sizes, or along some axes only, the joined operator keeps the
    axes. Needs types to be inferred.
    """

    name = "join-extremes"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for least in [each for each in operations(op) if isinstance(each, graph.ReduceMinOp)]:
            greatest = _partner(least)
            if greatest is not None and may_rewrite("join extremes", least):
                _join(least, greatest)


def _partner(least: graph.ReduceOp) -> graph.ReduceOp | None:
    """Return the maximum along the same axes of the same tensor, in the same block."""
    for use in least.x.uses:
        op = use.operation
        if isinstance(op, graph.ReduceMaxOp) and op.parent is least.parent and op.properties == least.properties:
            return op
    return None


def _join(least: graph.ReduceOp, greatest: graph.ReduceOp) -> None:
    first = least if least.is_before_in_block(greatest) else greatest
    rows = _rows(least)
    axes = least.axes.get_values() if rows is None else tuple(range(rows, len(graph.shape_of(least.x))))
    joined = graph.ReduceRangeOp.of(least.x, axes=axes, keepdims=least.keepdims is not None)
    edit.insert(joined, InsertPoint.before(first), of=first)
    for op, value in ((least, joined.low), (greatest, joined.high)):
        _replace(op, value, rows)


def _replace(op: graph.ReduceOp, value: SSAValue, rows: int | None) -> None:
    if rows is None:
        edit.replace(op, (), [value])
    else:
        edit.replace(op, [type(op).of(value, axes=tuple(range(rows)))])


def _rows(op: graph.ReduceOp) -> int | None:
    """Return the number of leading dimensions, the last of them open, whose rows are reduced first: where all
    dimensions are reduced and some behind an open one are known. None where the reduction is one step."""
    shape = graph.shape_of(op.x)
    count = max((d + 1 for d, size in enumerate(shape) if not isinstance(size, int)), default=0)
    is_whole = op.keepdims is None and {axis % len(shape) for axis in op.axes.get_values()} == {*range(len(shape))}
    return count if is_whole and 0 < count < len(shape) else None
