"""Elementwise operators whose operands or attributes are not those of the graph dialect."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ..node import FLOATS, Node, Value, dtype, in_accumulator, scalar, shape, static_dim
from ..tensors import dtype_of

_VARIADIC: dict[str, type[graph.GraphOp]] = {
    "Max": graph.MaximumOp,
    "Mean": graph.AddOp,
    "Min": graph.MinimumOp,
    "Sum": graph.AddOp,
}


def variadic(node: Node) -> Value:
    """Convert Max, Mean, Min or Sum: any number of operands, combined from the left."""

    def combined(result: Value, *others: Value) -> Value:
        for other in others:
            result = node.emit(_VARIADIC[node.operator], result, other)
        if node.operator == "Mean":
            result = node.emit(graph.DivOp, result, scalar(np.array(node.input_count), result))
        return result

    values = node.inputs()
    return combined(*values) if len(values) == 1 else in_accumulator(node, values, combined)


def bitcast(node: Node) -> Value:
    """Convert BitCast: a truth value is a byte of 0 or 1."""
    x, to = node.input(0), dtype_of(node.attr("to"), "the result")
    return node.emit(graph.CastOp if "bool" in (dtype(x), to) else graph.BitcastOp, x, to=to)


def clip(node: Node) -> Value:
    """Convert Clip: bounds are attributes before opset 11, inputs since; only constant ones of floats fit
    `graph.clip`."""
    x = node.input(0)
    if node.opset < 11:
        given = [node.attr(name) if node.has_attr(name) else None for name in ("min", "max")]
        return node.emit(graph.ClipOp, x, low=given[0], high=given[1])
    bounds = [node.optional(1), node.optional(2)]
    if "float" in dtype(x) and all(bound is None or isinstance(bound, np.ndarray) for bound in bounds):
        low, high = (None if bound is None else float(np.asarray(bound)) for bound in bounds)
        return node.emit(graph.ClipOp, x, low=low, high=high)
    for bound, op in zip(bounds, (graph.MaximumOp, graph.MinimumOp), strict=True):
        x = x if bound is None else node.emit(op, x, bound)
    return x


def dropout(node: Node) -> Sequence[Value]:
    """Convert Dropout: the operand itself, and a mask that keeps all of it. In training, parts of the mask are zero:
    those for which numpy's `RandomState` of the seed draws numbers below the ratio, as in the standard's reference;
    kept elements are scaled up. The mask has the operand's type before opset 10, and is zero, as in onnxruntime.
    """
    x = node.input(0)
    ratio = float(node.numbers(1, "ratio").item()) if node.has(1) else float(node.attr("ratio", 0.5))
    if node.has(2) and bool(node.numbers(2, "training_mode").item()) and ratio != 0:
        return _trained_dropout(node, x, ratio)
    y = node.emit(graph.DropoutOp, x, ratio=ratio) if dtype(x) in FLOATS else node.emit(graph.IdentityOp, x)
    if not node.uses_output(1):
        return [y]
    sizes = [static_dim(node, size, "a size of the mask") for size in shape(x)]
    return [y, np.ones(sizes, bool) if node.opset >= 10 else np.zeros(sizes, numpy_dtype(dtype(x)))]


def _trained_dropout(node: Node, x: Value, ratio: float) -> Sequence[Value]:
    seed = node.attr("seed")
    if seed is None:
        node.fail("TW0302", "training mode without a seed is not supported")
    sizes = [static_dim(node, size, "a size of the mask") for size in shape(x)]
    mask = np.random.RandomState(seed).uniform(size=sizes) >= ratio
    kept = node.emit(graph.WhereOp, mask, x, scalar(np.array(0), x))
    return [node.emit(graph.MulOp, kept, scalar(np.array(1 / (1 - ratio) if ratio < 1 else 0), x)), mask]


def celu(node: Node) -> Value:
    """Convert Celu: max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""

    def build(x: Value) -> Value:
        alpha, none = (scalar(np.array(number), x) for number in (node.attr("alpha"), 0))
        below = node.emit(graph.EluOp, node.emit(graph.DivOp, x, alpha), alpha=1.0)
        below = node.emit(graph.MinimumOp, node.emit(graph.MulOp, below, alpha), none)
        return node.emit(graph.AddOp, node.emit(graph.MaximumOp, x, none), below)

    return in_accumulator(node, [node.input(0)], build)


def hard_sigmoid(node: Node) -> Value:
    """Convert HardSigmoid: max(0, min(1, alpha * x + beta))."""

    def line(x: Value) -> Value:
        alpha, beta = (scalar(np.array(node.attr(name)), x) for name in ("alpha", "beta"))
        result = node.emit(graph.AddOp, node.emit(graph.MulOp, x, alpha), beta)
        return node.emit(graph.ClipOp, result, low=0.0, high=1.0)

    return in_accumulator(node, [node.input(0)], line)


def power(node: Node) -> Value:
    """Convert Pow: the result has the base's type, whatever the exponent's; an integer to the power of a float is one
    of floats."""
    base, exponent = node.input(0), node.input(1)
    if "int" in dtype(base) and "float" in dtype(exponent):
        wide = node.emit(graph.PowOp, node.emit(graph.CastOp, base, to=dtype(exponent)), exponent)
        return node.emit(graph.CastOp, wide, to=dtype(base))
    if dtype(base) != dtype(exponent):
        exponent = node.emit(graph.CastOp, exponent, to=dtype(base))
    return node.emit(graph.PowOp, base, exponent)


def gelu(node: Node) -> Value:
    return node.emit(graph.GeluOp, node.input(0), approximate=node.attr("approximate") == "tanh")


def prelu(node: Node) -> Value:
    """Convert PRelu: x where it is positive, otherwise x times a slope that broadcasts."""
    x, slope = node.input(0), node.input(1)
    positive = node.emit(graph.GreaterOp, x, scalar(np.array(0), x))
    return node.emit(graph.WhereOp, positive, x, node.emit(graph.MulOp, x, slope))


def modulo(node: Node) -> Value:
    """Convert Mod: the sign is that of the dividend with `fmod`, else that of the divisor."""
    return node.emit(graph.ModOp if node.attr("fmod") else graph.FloorModOp, node.input(0), node.input(1))


def bit_shift(node: Node) -> Value:
    """Convert BitShift: to the left or to the right; `direction` has no default."""
    ops: dict[str, type[graph.GraphOp]] = {"LEFT": graph.LeftShiftOp, "RIGHT": graph.RightShiftOp}
    direction = node.attr("direction")
    if direction not in ops:
        node.fail("TW0303", f"expected direction to be LEFT or RIGHT, but got {direction}")
    return node.emit(ops[direction], node.input(0), node.input(1))
