"""Gradient: the derivatives of a value with respect to others, by reverse-mode differentiation of the nodes between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from ....dialects import graph
from ....dialects.graph import shape_of
from ..gradient_rules import RULES, summed_to
from ..node import Node, Value, dtype, scalar, static_dim


def gradient(node: Node) -> Sequence[Value]:
    """Convert Gradient: the nodes from `xs` and `zs` to `y` are converted once more, for the values that the node is
    given instead of these, and differentiated with regard to `xs`. Of a value with several elements the sum is
    differentiated."""
    by = [_text(name) for name in node.attr("xs") or ()]
    names = by + [_text(name) for name in node.attr("zs") or ()]
    given = [node.importer.materialized(value) for value in node.inputs()]
    if not by or len(given) != len(names):
        node.fail("TW0303", f"expected as many inputs as xs and zs have names, {len(names)}, but got {len(given)}")
    points = [node.importer.insert(graph.IdentityOp.of(value, location=node.location))[0] for value in given]
    y = node.importer.converted_again(node, _text(node.attr("y", "")), dict(zip(names, points, strict=True)))
    found = _derivatives(node, y, points[: len(by)])
    return [_zeros(node, x) if value is None else value for x, value in zip(points, found, strict=False)]


def _text(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else name


def _derivatives(node: Node, y: Value, points: Sequence[SSAValue]) -> list[Value | None]:
    """Return the derivatives of the sum of `y`'s elements by `points`; None where it does not depend on one."""
    order = _between(y, set(points)) if isinstance(y, SSAValue) else []
    known: dict[SSAValue, Value] = {}
    if isinstance(y, SSAValue):
        known[y] = node.emit(graph.AddOp, _zeros(node, y), scalar(np.array(1), y))
    for op in reversed(order):
        if known.keys().isdisjoint(op.results):
            continue
        g, rule = known.get(op.results[0]), RULES.get(type(op))
        if rule is None or g is None:
            node.fail("TW0302", f"the derivative of '{op.name}' is not supported")
        for operand, value in zip(op.operands, rule(node, op, g), strict=True):
            if value is None or not _is_float(operand):
                continue
            value = summed_to(node, value, shape_of(operand))
            known[operand] = value if operand not in known else node.emit(graph.AddOp, known[operand], value)
    return [known.get(point) for point in points]


def _between(y: SSAValue, points: set[SSAValue]) -> list[Operation]:
    """Return the operations that `y` depends on and that depend on `points`, each behind those that it depends on."""
    order: list[Operation] = []
    depends: dict[SSAValue, bool] = dict.fromkeys(points, True)
    waiting = [y]
    while waiting:
        value = waiting[-1]
        op = value.owner
        if value in depends or not isinstance(op, Operation):
            depends.setdefault(value, False)
            waiting.pop()
        elif left := [operand for operand in op.operands if operand not in depends]:
            waiting += left
        else:
            is_between = any(depends[operand] for operand in op.operands)
            depends.update((result, is_between) for result in op.results)
            order += [op] if is_between else []
    return order


def _is_float(value: SSAValue) -> bool:
    return "float" in dtype(value)


def _zeros(node: Node, like: SSAValue) -> Value:
    sizes = [static_dim(node, size, "a size of what is differentiated") for size in shape_of(like)]
    return node.emit(graph.BroadcastToOp, scalar(np.zeros(()), like), shape=sizes)
