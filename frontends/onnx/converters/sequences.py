"""Operators on sequences and optionals, which the importer represents as lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ..listed import Absent, AnyValue, Listed, Tensor, kind_of
from ..node import Node, rank, shape, static_dim
from .declared import same_operator


def identity(node: Node) -> Sequence[AnyValue]:
    value = node.any_input(0)
    return [value] if isinstance(value, (Listed, Absent)) else [same_operator(node)]  # pyright: ignore


def construct(node: Node) -> Sequence[AnyValue]:
    return [Listed(tuple(node.inputs()))]


def empty(node: Node) -> Sequence[AnyValue]:
    node.has_attr("dtype")
    return [Listed(())]


def at(node: Node) -> Tensor:
    items = _items(node)
    return items[_position(node, 1, len(items), len(items))]


def insert(node: Node) -> Sequence[AnyValue]:
    """Convert SequenceInsert: at the end, unless a position is given."""
    items = list(_items(node))
    position = _position(node, 2, len(items), len(items) + 1) if node.has(2) else len(items)
    return [Listed((*items[:position], node.input(1), *items[position:]))]


def erase(node: Node) -> Sequence[AnyValue]:
    """Convert SequenceErase: at the end, unless a position is given."""
    items = list(_items(node))
    if not items:
        node.fail("TW0303", "expected a sequence with a tensor to erase, but it has none")
    del items[_position(node, 1, len(items), len(items)) if node.has(1) else -1]
    return [Listed(tuple(items))]


def length(node: Node) -> Tensor:
    return np.array(len(_items(node)), np.int64)


def split(node: Node) -> Sequence[AnyValue]:
    """Convert SplitToSequence: pieces of a size, or of sizes, or of one row; these without the axis, unless it is
    kept."""
    x = node.input(0)
    axis = node.axis(node.attr("axis"), rank(x))
    total = static_dim(node, shape(x)[axis], f"the size of axis {axis}")
    keeps = node.attr("keepdims")
    if node.has(1):
        given = node.numbers(1, "the sizes")
        step = node.constant(1, "the sizes")
        pieces = [int(n) for n in given]
        if step.ndim == 0:
            size = pieces[0]
            if size < 1:
                node.fail("TW0303", f"expected pieces of a size above 0, but got {size}")
            pieces = [min(size, total - start) for start in range(0, total, size)]
    else:
        pieces = [1] * total
    if not pieces:
        return [Listed(())]
    parts = node.emit_all(graph.SplitOp, x, axis=axis, sizes=pieces)
    if not node.has(1) and not keeps:
        parts = [node.emit(graph.SqueezeOp, part, axes=[axis]) for part in parts]
    return [Listed(tuple(parts))]


def concat(node: Node) -> Tensor:
    """Convert ConcatFromSequence: along an axis, or a new one."""
    items = _items(node)
    if not items:
        node.fail("TW0303", "expected a sequence with a tensor, but it has none")
    is_new = node.flag("new_axis", 0)
    axis = node.axis(node.attr("axis"), rank(items[0]) + is_new)
    if is_new:
        items = [node.emit(graph.UnsqueezeOp, item, axes=[axis]) for item in items]
    return items[0] if len(items) == 1 else node.emit(graph.ConcatOp, *items, axis=axis)


def optional(node: Node) -> Sequence[AnyValue]:
    node.has_attr("type")
    return [node.any_input(0) if node.has(0) else Absent()]


def has_element(node: Node) -> Tensor:
    return np.array(node.has(0) and not isinstance(node.any_input(0), Absent))


def get_element(node: Node) -> Sequence[AnyValue]:
    value = node.any_input(0)
    if isinstance(value, Absent):
        node.fail("TW0303", "expected an optional with a value, but it has none")
    return [value]


def _items(node: Node) -> Sequence[Tensor]:
    value = node.any_input(0)
    if not isinstance(value, Listed):
        node.fail("TW0303", f"expected '{node.proto.input[0]}' to be a sequence, but got {kind_of(value)}")
    return value.items


def _position(node: Node, index: int, count: int, end: int) -> int:
    """Return a position below `end`, counted from the end where it is negative."""
    (position,) = node.constant_ints(index, "the position in a sequence")
    if not -count <= position < end:
        node.fail("TW0303", f"expected a position from {-count} to {end - 1}, but got {position}")
    return position + count if position < 0 else position
