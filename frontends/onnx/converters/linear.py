"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....dialects import graph
from ....operators.record import WIDE
from ..node import Node, Value, dtype, rank, scalar, shape


def gemm(node: Node) -> Value:
    """Convert Gemm: alpha * A' * B' + beta * C. The form that exporters write for a linear layer becomes one
    `graph.dense`. All of it is computed in the type in which products are summed, and rounded once.
    """
    a, b = node.input(0), node.input(1)
    alpha, beta = node.attr("alpha"), node.attr("beta")
    transpose_a, transpose_b = node.flag("transA"), node.flag("transB")
    c = node.optional(2) if beta != 0 else None
    if alpha == 1 and transpose_b and not transpose_a:
        if c is None:
            return node.emit(graph.DenseOp, a, b)
        if beta == 1 and rank(c) == 1 and shape(c)[0] == shape(b)[0]:
            return node.emit(graph.DenseOp, a, b, c)
    wide = WIDE.of(dtype(a))
    if alpha == 1 and transpose_b and not transpose_a and wide == dtype(a):
        total = node.emit(graph.DenseOp, a, b)
    else:
        flags: dict[str, Any] = {"transpose_a": transpose_a, "transpose_b": transpose_b}
        total = node.emit(graph.MatmulOp, a, b, out_dtype=None if wide == dtype(a) else wide, **flags)
    if alpha != 1:
        total = node.emit(graph.MulOp, total, scalar(np.array(alpha), total))
    if c is not None:
        addend = c if wide == dtype(a) else node.emit(graph.CastOp, c, to=wide)
        addend = addend if beta == 1 else node.emit(graph.MulOp, addend, scalar(np.array(beta), total))
        total = node.emit(graph.AddOp, total, addend)
    return total if wide == dtype(a) else node.emit(graph.CastOp, total, to=dtype(a))


def matmul(node: Node) -> Value:
    return product(node, node.input(0), node.input(1))


def product(node: Node, a: Value, b: Value) -> Value:
    """Multiply as numpy does: a vector on the left is a row, on the right a column, and its dimension is dropped
    again."""
    row, column = rank(a) == 1, rank(b) == 1
    left = node.emit(graph.UnsqueezeOp, a, axes=(0,)) if row else a
    right = node.emit(graph.UnsqueezeOp, b, axes=(1,)) if column else b
    result = node.emit(graph.MatmulOp, left, right)
    dropped = ([-2] if row else []) + ([-1] if column else [])
    return node.emit(graph.SqueezeOp, result, axes=dropped) if dropped else result
