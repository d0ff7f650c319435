"""If: with a constant condition the taken branch is converted in line, else both branches become regions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Block, Region, SSAValue

from ....dialects import graph
from ..listed import Absent, AnyValue, Listed, flattened, restored, structure
from ..node import Node, Value, dtype, rank, shape
from ..subgraphs import convert_graph


def if_(node: Node) -> Sequence[AnyValue]:
    condition, branches = node.input(0), (node.attr("then_branch"), node.attr("else_branch"))
    if isinstance(condition, np.ndarray):
        return convert_graph(node, branches[0 if truth(node, condition) else 1], [])
    blocks, found = (Block(), Block()), list[list[AnyValue]]()
    for block, branch in zip(blocks, branches, strict=True):
        with node.importer.building(block):
            found.append(convert_graph(node, branch, []))
    results = [flattened(values) for values in found]
    if problem := _difference(*found):
        drop(blocks)
        chosen = node.constant(0, f"the condition, on which types depend ({problem}),")
        return convert_graph(node, branches[0 if truth(node, chosen) else 1], [])
    same = [
        isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and _is_same(a, b)
        for a, b in zip(*results, strict=True)
    ]
    for block, values in zip(blocks, results, strict=True):
        with node.importer.building(block):
            left = [node.importer.materialized(v) for v, known in zip(values, same, strict=True) if not known]
            node.importer.insert(graph.YieldOp(*left))
    types = [value.type for value in blocks[0].last_op.operands]  # pyright: ignore[reportOptionalMemberAccess]
    op = graph.IfOp(as_scalar(node, condition), types, Region(blocks[0]), Region(blocks[1]))
    op.location = node.location
    made = iter(node.importer.insert(op))
    tensors = [a if known else next(made) for a, known in zip(results[0], same, strict=True)]
    return restored(structure(found[0]), tensors)


def truth(node: Node, condition: np.ndarray) -> bool:
    """Return the truth of a condition that is known."""
    if condition.size != 1:
        node.fail("TW0303", f"expected a condition of one element, but got {condition.size}")
    return bool(condition.reshape(-1)[0])


def as_scalar(node: Node, value: Value) -> SSAValue:
    """Return a tensor of one element without dimensions."""
    if rank(value):
        value = node.emit(graph.ReshapeOp, value, shape=[])
    return node.importer.materialized(value)


def _difference(first: Sequence[AnyValue], second: Sequence[AnyValue]) -> str:
    """Return a description of the first difference between the results of two branches; empty where there is none."""
    if structure(first) != structure(second):
        return " and ".join(", ".join(map(_described, values)) for values in (first, second))
    for a, b in zip(flattened(first), flattened(second), strict=True):
        if (dtype(a), shape(a)) != (dtype(b), shape(b)) or None in shape(a):
            return f"{_described(a)} and {_described(b)}"
    return ""


def _described(value: AnyValue) -> str:
    if isinstance(value, Listed):
        return f"a sequence of {len(value.items)}"
    return "nothing" if isinstance(value, Absent) else f"{dtype(value)}{graph.format_shape(shape(value))}"


def _is_same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


def drop(blocks: Sequence[Block]) -> None:
    """Erase blocks that nothing uses."""
    for block in blocks:
        for op in reversed(list(block.ops)):
            op.detach()
            op.erase()
