"""Operators of classic machine learning on tables of features and labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....dialects import graph
from ..node import Node, Value, dtype, rank, scalar, shape, static_dim
from ..tensors import to_array
from ..text_values import as_text, is_text


def array_features(node: Node) -> Value:
    """Convert ArrayFeatureExtractor: columns of a table; a row of features is a table of one row."""
    x, columns = node.input(0), node.input(1)
    found = node.emit(graph.GatherOp, x, node.emit(graph.ReshapeOp, columns, shape=[-1]), axis=rank(x) - 1)
    return node.emit(graph.UnsqueezeOp, found, axes=[0]) if rank(x) == 1 else found


def binarizer(node: Node) -> Value:
    """Convert Binarizer: 1 above the threshold, else 0."""
    x = node.input(0)
    above = node.emit(graph.GreaterOp, x, scalar(np.array(node.attr("threshold", 0.0)), x))
    return node.emit(graph.CastOp, above, to=dtype(x))


def label_encoder(node: Node) -> Value:
    """Convert LabelEncoder: the value of each key, or a default. Strings are looked up on the host."""
    keys, values = _listed(node, "keys"), _listed(node, "values")
    if len(keys) != len(values):
        node.fail("TW0303", f"expected as many values as keys, {len(keys)}, but got {len(values)}")
    rest = _default(node, values)
    if is_text(keys) or is_text(values):
        x = node.constant(0, "what strings are looked up by")
        numbers = {_key(key): number for number, key in reversed(list(enumerate(keys.tolist())))}
        found = [numbers.get(_key(item), len(keys)) for item in x.reshape(-1).tolist()]
        return np.concatenate([values, rest])[found].reshape(x.shape)
    x = node.input(0)
    wide = node.emit(graph.UnsqueezeOp, x, axes=[-1])
    fits = node.emit(graph.EqualOp, wide, scalar(keys, x))
    if keys.dtype.kind == "f" and np.isnan(keys).any():
        fits = node.emit(graph.OrOp, fits, node.emit(graph.AndOp, node.emit(graph.IsnanOp, wide), np.isnan(keys)))
    first = node.emit(graph.ArgmaxOp, node.emit(graph.CastOp, fits, to="int32"), axis=-1, keepdims=False)
    known = node.emit(graph.ReduceAnyOp, fits, axes=[-1], keepdims=False)
    return node.emit(graph.WhereOp, known, node.emit(graph.GatherOp, values, first, axis=0), rest.reshape(()))


def _key(item: object) -> object:
    """Return the key of the lookup table for an item: a NaN equals any other."""
    return "NaN" if item != item else (item,)


_KINDS = {"int64s": np.int64, "floats": np.float32}


def _listed(node: Node, name: str) -> np.ndarray:
    """Return keys or values: a tensor, strings, integers or floats."""
    if node.has_attr(f"{name}_tensor"):
        return to_array(node.attr(f"{name}_tensor"), node.importer.files).reshape(-1)
    if node.has_attr(f"{name}_strings"):
        return as_text([word.decode() for word in node.attr(f"{name}_strings")])
    for kind, type_ in _KINDS.items():
        if node.has_attr(f"{name}_{kind}"):
            return np.array(node.attr(f"{name}_{kind}"), type_)
    node.fail("TW0303", f"expected {name}, but got none")


def _default(node: Node, values: np.ndarray) -> np.ndarray:
    """Return the value of keys that have none, a vector of one element."""
    given = node.attr("default_tensor", None)
    text, number = node.attr("default_string", "_Unused"), node.attr("default_int64", -1)
    real = node.attr("default_float", -0.0)
    if given is not None:
        return to_array(given, node.importer.files).reshape(-1)
    if is_text(values):
        return as_text([text])
    return np.array([real if values.dtype.kind == "f" else number]).astype(values.dtype)


def n_grams(node: Node) -> Value:
    """Count the occurrences of each n-gram of a pool in each row, its elements next to one another or with equal
    gaps."""
    x, mode = node.input(0), node.attr("mode")
    if mode not in ("TF", "IDF", "TFIDF"):
        node.fail("TW0303", f"expected mode TF, IDF or TFIDF, but got {mode}")
    rows = node.emit(graph.UnsqueezeOp, x, axes=[0]) if rank(x) == 1 else x
    columns = np.array(node.attr("ngram_indexes"))
    counts = [*_counts(node, rows)]
    total = counts[0] if len(counts) == 1 else node.emit(graph.ConcatOp, *counts, axis=1)
    # The columns of the pool in the order of the result, behind them one of zeros for columns of no n-gram.
    order = np.full(int(columns.max()) + 1, len(columns))
    order[columns] = np.arange(len(columns))
    total = node.emit(graph.PadOp, total, before=[0, 0], after=[0, 1], value=0.0, mode="constant")
    total = node.emit(graph.CastOp, node.emit(graph.GatherOp, total, order, axis=1), to="float32")
    weights = np.ones(len(columns) + 1, np.float32)
    if node.attr("weights") is not None:
        weights[:-1] = node.attr("weights")
    if mode == "IDF":
        total = node.emit(graph.CastOp, node.emit(graph.GreaterOp, total, np.zeros((), np.float32)), to="float32")
    if mode != "TF":
        total = node.emit(graph.MulOp, total, weights[order])
    return node.emit(graph.SqueezeOp, total, axes=[0]) if rank(x) == 1 else total


def _counts(node: Node, rows: Value) -> Iterator[Value]:
    """Yield the number of occurrences of the n-grams of each length in each row."""
    starts, most = [int(n) for n in node.attr("ngram_counts")], int(node.attr("max_skip_count"))
    shortest, longest = int(node.attr("min_gram_length")), int(node.attr("max_gram_length"))
    if node.attr("pool_strings") is not None:
        pool = as_text([word.decode() for word in node.attr("pool_strings")])
    else:
        pool = scalar(np.array(node.attr("pool_int64s")), rows)
    length = static_dim(node, shape(rows)[1], "the length of the rows")
    for n, (start, end) in enumerate(zip(starts, [*starts[1:], len(pool)], strict=True), start=1):
        grams = pool[start:end].reshape(-1, n)
        gaps = range(1, most + 2) if n > 1 else range(1, 2)
        widths = [(gap, length - gap * (n - 1)) for gap in gaps if length > gap * (n - 1)]
        if not len(grams):
            continue
        if not shortest <= n <= longest or not widths:
            none = node.emit(graph.CastOp, node.emit(graph.EqualOp, rows, rows), to="int32")
            none = node.emit(graph.ReduceSumOp, node.emit(graph.SubOp, none, none), axes=[1], keepdims=True)
            yield node.emit(graph.BroadcastToOp, none, shape=[-1, len(grams)])
            continue
        found = [_occurrences(node, rows, grams, gap, width) for gap, width in widths]
        total = found[0]
        for each in found[1:]:
            total = node.emit(graph.AddOp, total, each)
        yield total


def _occurrences(node: Node, rows: Value, grams: np.ndarray, gap: int, width: int) -> Value:
    """Return the number of occurrences of n-grams with a gap between their elements in each row: [rows, n-grams]."""
    fits: Value | None = None
    for k in range(grams.shape[1]):
        part = node.emit(graph.SliceOp, rows, starts=[0, k * gap], sizes=[-1, width], steps=[1, 1])
        same = node.emit(graph.EqualOp, node.emit(graph.UnsqueezeOp, part, axes=[2]), grams[:, k])
        fits = same if fits is None else node.emit(graph.AndOp, fits, same)
    assert fits is not None
    return node.emit(graph.ReduceSumOp, node.emit(graph.CastOp, fits, to="int32"), axes=[1], keepdims=False)
