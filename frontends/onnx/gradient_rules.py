"""Rules of reverse-mode differentiation for graph operators: from the adjoint of a result to those of the operands.

A rule takes a node by which it emits operations, the operation, and the adjoint of its result. It returns one adjoint
for each operand, None where the operand has no derivative. The caller sums adjoints of broadcast operands
(`summed_to`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Attribute

from ...dialects import graph
from ...dialects.graph import Shape, shape_of
from .node import Node, Value, dtype, rank, scalar, shape, static_dim

Rule: TypeAlias = Callable[[Node, Any, Value], Sequence[Value | None]]


def summed_to(node: Node, value: Value, wanted: Shape) -> Value:
    """Sum a derivative to the shape of an operand that was broadcast, over the dimensions that it was repeated
    along."""
    lead = rank(value) - len(wanted)
    found = shape(value)[lead:]
    repeated = [lead + k for k, (a, b) in enumerate(zip(wanted, found, strict=True)) if a == 1 and b != 1]
    if repeated:
        value = node.emit(graph.ReduceSumOp, value, axes=repeated, keepdims=True)
    return node.emit(graph.ReduceSumOp, value, axes=list(range(lead)), keepdims=False) if lead else value


def _mul(node: Node, a: Value, b: Value) -> Value:
    return node.emit(graph.MulOp, a, b)


def _times(node: Node, g: Value, number: float) -> Value:
    return _mul(node, g, scalar(np.array(number), g))


def _plus(node: Node, x: Value, number: float) -> Value:
    return node.emit(graph.AddOp, x, scalar(np.array(number), x))


def _minus(node: Node, x: Value) -> Value:
    return node.emit(graph.NegOp, x)


def _square(node: Node, x: Value) -> Value:
    return _mul(node, x, x)


def _div(node: Node, a: Value, b: Value) -> Value:
    return node.emit(graph.DivOp, a, b)


def _kept(node: Node, condition: Value, g: Value) -> Value:
    """Return a derivative where a condition holds, 0 elsewhere."""
    return node.emit(graph.WhereOp, condition, g, scalar(np.array(0), g))


def _pow(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    power = node.emit(graph.PowOp, op.a, node.emit(graph.SubOp, op.b, scalar(np.array(1), op.b)))
    by_base = _mul(node, g, _mul(node, node.emit(graph.CastOp, op.b, to=dtype(op.a)), power))
    return by_base, _mul(node, g, _mul(node, op.results[0], node.emit(graph.LogOp, op.a)))


def _extreme(compare: type[graph.GraphOp]) -> Rule:
    """Return the rule that gives the derivative to the larger or the smaller operand, to the first one where they are
    equal."""

    def rule(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
        first = node.emit(compare, op.a, op.b)
        return _kept(node, first, g), _kept(node, node.emit(graph.NotOp, first), g)

    return rule


def _unary(derivative: Callable[[Node, Value, Value], Value]) -> Rule:
    """Return the rule of y = f(x), whose derivative is a function of x and y."""

    def rule(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
        return [_mul(node, g, derivative(node, op.operands[0], op.results[0]))]

    return rule


def _reshaped(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    sizes = [static_dim(node, size, "a size of what is differentiated") for size in shape_of(op.operands[0])]
    return [node.emit(graph.ReshapeOp, g, shape=sizes)]


def _transposed(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    order = [int(k) for k in op.values["permutation"]]
    return [node.emit(graph.TransposeOp, g, permutation=[int(k) for k in np.argsort(order)])]


def _swapped(node: Node, x: Value) -> Value:
    last = rank(x) - 1
    return node.emit(graph.TransposeOp, x, permutation=[*range(last - 1), last, last - 1])


def _matmul(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    """Y = A B: dA = G B', dB = A' G; each transposed again where the operand was."""
    a = _swapped(node, op.a) if op.values["transpose_a"] else op.a
    b = _swapped(node, op.b) if op.values["transpose_b"] else op.b
    of_a = node.emit(graph.MatmulOp, g, b, transpose_b=True)
    of_b = node.emit(graph.MatmulOp, a, g, transpose_a=True)
    return (
        _swapped(node, of_a) if op.values["transpose_a"] else of_a,
        _swapped(node, of_b) if op.values["transpose_b"] else of_b,
    )


def _dense(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    """Y = X W' + b."""
    of_x = node.emit(graph.MatmulOp, g, op.weight)
    of_weight = node.emit(graph.MatmulOp, g, op.x, transpose_a=True)
    return [of_x, of_weight, *([g] if len(op.operands) > 2 else [])]


def _reduced(op: Any) -> list[int]:
    return sorted(int(axis) % len(shape_of(op.x)) for axis in op.values["axes"])


def _spread(node: Node, op: Any, g: Value) -> Value:
    """Return the derivative of a reduction's result at each element that was reduced."""
    if not op.values["keepdims"]:
        g = node.emit(graph.UnsqueezeOp, g, axes=_reduced(op))
    sizes = [static_dim(node, size, "a size of what is differentiated") for size in shape_of(op.x)]
    return node.emit(graph.BroadcastToOp, g, shape=sizes)


def _sum(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    return [_spread(node, op, g)]


def _mean(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    sizes = [static_dim(node, shape_of(op.x)[axis], "a size that is reduced") for axis in _reduced(op)]
    return [_times(node, _spread(node, op, g), 1 / max(1, int(np.prod(sizes))))]


def _where(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    other = node.emit(graph.NotOp, op.condition)
    return None, _kept(node, op.condition, g), _kept(node, other, g)


def _softmax(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    """dX = Y (G - sum(G Y))."""
    y = op.results[0]
    total = node.emit(graph.ReduceSumOp, _mul(node, g, y), axes=[int(op.values["axis"])], keepdims=True)
    return [_mul(node, y, node.emit(graph.SubOp, g, total))]


def _concat(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    axis = int(op.values["axis"])
    sizes = [static_dim(node, shape_of(each)[axis], "a size that is joined") for each in op.operands]
    return node.emit_all(graph.SplitOp, g, axis=axis, sizes=sizes)


def _identity(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    return [g]


def _cast(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    narrow = dtype(op.x)
    return [node.emit(graph.CastOp, g, to=narrow) if "float" in narrow else None]


def _division(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    of_a = _div(node, g, op.b)
    return of_a, _minus(node, _div(node, _mul(node, of_a, op.a), op.b))


def _erf(node: Node, x: Value, y: Value) -> Value:
    return _times(node, node.emit(graph.ExpOp, _minus(node, _square(node, x))), 2 / np.sqrt(np.pi))


def _relu(node: Node, op: Any, g: Value) -> Sequence[Value | None]:
    return [_kept(node, node.emit(graph.GreaterOp, op.x, scalar(np.array(0), op.x)), g)]


RULES: Mapping[type[Attribute] | type[Any], Rule] = {
    graph.AbsOp: _unary(lambda node, x, y: node.emit(graph.SignOp, x)),
    graph.AddOp: lambda node, op, g: (g, g),
    graph.BroadcastToOp: _identity,
    graph.CastOp: _cast,
    graph.ConcatOp: _concat,
    graph.CosOp: _unary(lambda node, x, y: _minus(node, node.emit(graph.SinOp, x))),
    graph.DenseOp: _dense,
    graph.DivOp: _division,
    graph.ErfOp: _unary(_erf),
    graph.ExpOp: _unary(lambda node, x, y: y),
    graph.FlattenOp: _reshaped,
    graph.IdentityOp: _identity,
    graph.LogOp: _unary(lambda node, x, y: node.emit(graph.ReciprocalOp, x)),
    graph.MatmulOp: _matmul,
    graph.MaximumOp: _extreme(graph.GreaterEqualOp),
    graph.MinimumOp: _extreme(graph.LessEqualOp),
    graph.MulOp: lambda node, op, g: (_mul(node, g, op.b), _mul(node, g, op.a)),
    graph.NegOp: lambda node, op, g: (_minus(node, g),),
    graph.PowOp: _pow,
    graph.ReciprocalOp: _unary(lambda node, x, y: _minus(node, _square(node, y))),
    graph.ReduceMeanOp: _mean,
    graph.ReduceSumOp: _sum,
    graph.ReluOp: _relu,
    graph.ReshapeOp: _reshaped,
    graph.SigmoidOp: _unary(lambda node, x, y: _mul(node, y, _plus(node, _minus(node, y), 1))),
    graph.SinOp: _unary(lambda node, x, y: node.emit(graph.CosOp, x)),
    graph.SoftmaxOp: _softmax,
    graph.SoftplusOp: _unary(lambda node, x, y: node.emit(graph.SigmoidOp, x)),
    graph.SqrtOp: _unary(lambda node, x, y: node.emit(graph.ReciprocalOp, _times(node, y, 2))),
    graph.SqueezeOp: _reshaped,
    graph.SubOp: lambda node, op, g: (g, _minus(node, g)),
    graph.TanhOp: _unary(lambda node, x, y: _plus(node, _minus(node, _square(node, y)), 1)),
    graph.TransposeOp: _transposed,
    graph.UnsqueezeOp: _reshaped,
    graph.WhereOp: _where,
}
