"""TreeEnsemble: all rows descend all trees at once, one level at a time.

Leaves are numbered after the inner nodes, and the successor of a leaf is the leaf itself, so that as many steps as the
deepest tree has levels take every row to its leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....dialects import graph
from ..node import Node, Value, dtype, rank, scalar
from ..tensors import to_array

_MEMBER = 6
_COMPARISONS: dict[int, type[graph.GraphOp]] = {
    0: graph.LessEqualOp,
    1: graph.LessOp,
    2: graph.GreaterEqualOp,
    3: graph.GreaterOp,
    4: graph.EqualOp,
}
_AVERAGE, _SUM, _MIN, _MAX = range(4)


@dataclass(frozen=True)
class _Trees:
    """The nodes of all trees: the comparison of each, and its successors."""

    features: np.ndarray
    modes: np.ndarray
    splits: np.ndarray
    members: np.ndarray
    tracks: np.ndarray
    yes: np.ndarray
    no: np.ndarray
    roots: np.ndarray

    def depth(self) -> int | None:
        """Return the levels of the deepest tree; None where nodes lead back to themselves."""
        level, count = np.unique(self.roots), 0
        inner = len(self.features) - int((self.yes == np.arange(len(self.yes))).sum())
        while (level := level[level < inner]).size:
            if (count := count + 1) > inner:
                return None
            level = np.unique(np.concatenate([self.yes[level], self.no[level]]))
        return count


def tree_ensemble(node: Node) -> Value:
    x = node.input(0)
    if rank(x) != 2:
        node.fail("TW0303", f"expected a table of features, but got rank {rank(x)}")
    weights = _tensor(node, "leaf_weights")
    trees = _trees(node, len(weights))
    if (depth := trees.depth()) is None:
        node.fail("TW0303", "expected trees, but nodes lead back to themselves")
    at: Value = trees.roots
    for level in range(depth):
        at = _next(node, x, trees, at, level == 0)
    inner = len(trees.features) - len(weights)
    leaf = node.emit(graph.SubOp, at, np.array(inner))
    result = _aggregated(node, x, _taken(node, weights, leaf), _taken(node, _ints(node, "leaf_targetids"), leaf))
    match int(node.attr("post_transform", 0)):
        case 0:
            return result
        case 1:
            return node.emit(graph.SoftmaxOp, result, axis=1)
        case 2:
            return node.emit(graph.SigmoidOp, result)
        case other:
            node.fail("TW0306", f"attribute 'post_transform' with value {other} is not supported")


def _trees(node: Node, leaves: int) -> _Trees:
    modes, splits = _tensor(node, "nodes_modes").astype(np.int64), _tensor(node, "nodes_splits")
    inner, ends = len(modes), np.arange(len(modes), len(modes) + leaves)

    def padded(values: np.ndarray, fill: Any = 0) -> np.ndarray:
        return np.concatenate([values, np.full((leaves, *values.shape[1:]), fill, values.dtype)])

    def leading(which: str) -> np.ndarray:
        ids, is_leaf = _ints(node, f"nodes_{which}nodeids"), _ints(node, f"nodes_{which}leafs")
        return np.concatenate([np.where(is_leaf != 0, inner + ids, ids), ends])

    tracks = node.attr("nodes_missing_value_tracks_true")
    node.has_attr("nodes_hitrates")
    return _Trees(
        padded(_ints(node, "nodes_featureids")),
        padded(modes),
        padded(splits),
        padded(_members(node, modes, splits.dtype), np.nan),
        padded(np.zeros(inner, bool) if tracks is None else np.array(tracks) != 0),
        leading("true"),
        leading("false"),
        _ints(node, "tree_roots"),
    )


def _members(node: Node, modes: np.ndarray, dtype: np.dtype[Any]) -> np.ndarray:
    """Return the sets that nodes test for membership, a row each that is filled up with NaN; the sets follow one
    another in the attribute, NaN behind each."""
    given = node.attr("membership_values")
    values = np.zeros(0) if given is None else to_array(given, node.importer.files)
    sets = np.split(values, np.flatnonzero(np.isnan(values)) + 1)[:-1]
    asking = np.flatnonzero(modes == _MEMBER)
    if len(sets) != len(asking):
        node.fail("TW0303", f"expected as many sets as nodes that look up, {len(asking)}, but got {len(sets)}")
    table = np.full((len(modes), max(map(len, sets), default=1)), np.nan, dtype)
    for row, each in zip(asking, sets, strict=True):
        table[row, : len(each)] = each
    return table


def _next(node: Node, x: Value, trees: _Trees, at: Value, is_first: bool) -> Value:
    """Return the nodes that answers lead to, [rows, trees]; at the roots all rows are at the same nodes."""
    feature = _taken(node, trees.features, at)
    value = node.emit(graph.GatherOp if is_first else graph.GatherElementsOp, x, feature, axis=1)
    split = _taken(node, trees.splits, at)
    holds: Value = _taken(node, trees.tracks, at)
    holds = node.emit(graph.AndOp, holds, node.emit(graph.IsnanOp, value))
    for mode in sorted({*map(int, trees.modes)}):
        if mode == _MEMBER:
            fits = node.emit(
                graph.EqualOp, node.emit(graph.UnsqueezeOp, value, axes=[2]), _taken(node, trees.members, at)
            )
            fits = node.emit(graph.ReduceAnyOp, fits, axes=[-1], keepdims=False)
        elif mode in _COMPARISONS:
            fits = node.emit(_COMPARISONS[mode], value, split)
        else:
            fits = node.emit(graph.NotOp, node.emit(graph.EqualOp, value, split))
        asked = _taken(node, trees.modes == mode, at)
        holds = node.emit(graph.OrOp, holds, node.emit(graph.AndOp, asked, fits))
    return node.emit(graph.WhereOp, holds, _taken(node, trees.yes, at), _taken(node, trees.no, at))


def _aggregated(node: Node, x: Value, weights: Value, targets: Value) -> Value:
    """Return the leaves' weights of each row and target, over all trees."""
    count, kind = int(node.attr("n_targets")), int(node.attr("aggregate_function", _SUM))
    hits = node.emit(graph.EqualOp, node.emit(graph.UnsqueezeOp, targets, axes=[1]), np.arange(count)[:, None])
    wide = node.emit(graph.UnsqueezeOp, weights, axes=[1])
    limits = np.finfo(dtype(x))
    rest = {_MIN: limits.max, _MAX: limits.min}.get(kind, 0)
    chosen = node.emit(graph.WhereOp, hits, wide, scalar(np.array(rest), weights))
    reduction = {_MIN: graph.ReduceMinOp, _MAX: graph.ReduceMaxOp}.get(kind, graph.ReduceSumOp)
    if kind not in (_AVERAGE, _SUM, _MIN, _MAX):
        node.fail("TW0306", f"attribute 'aggregate_function' with value {kind} is not supported")
    total = node.emit(reduction, chosen, axes=[2], keepdims=False)
    trees = len(node.attr("tree_roots"))
    return node.emit(graph.DivOp, total, scalar(np.array(trees), total)) if kind == _AVERAGE else total


def _taken(node: Node, table: np.ndarray, indices: Value) -> Value:
    return node.emit(graph.GatherOp, table, indices, axis=0)


def _ints(node: Node, name: str) -> np.ndarray:
    return np.array(node.attr(name, ()), np.int64)


def _tensor(node: Node, name: str) -> np.ndarray:
    if (given := node.attr(name)) is None:
        node.fail("TW0303", f"expected attribute '{name}'")
    return to_array(given, node.importer.files)
